"""What the first screen says of tables with categories: only what holds for them."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.explain.findings import findings
from eigenlens.explain.level_findings import count_columns_of


def draw_survey(n=300):
    rng = np.random.default_rng(0)
    mood = rng.standard_normal(n)
    return pd.DataFrame(
        {
            "income": np.exp(mood + rng.standard_normal(n)),
            "smoker": rng.random(n) < 0.3,
            "region": rng.choice(["north", "south", "island"], n, p=[0.5, 0.48, 0.02]),
            "satisfied": np.where(mood > 0, "yes", "no"),
            "sex": rng.choice(["f", "m"], n),
        }
    )


def said(topic, **options):
    frame = draw_survey()
    active = frame.drop(columns="sex")
    model = el.fit(active, 2, categories="auto")
    table = findings(model, frame, **options)
    return [line for kind, line in zip(table["topic"], table["finding"], strict=True)
            if kind == topic]  # fmt: skip


def test_a_table_is_counted_as_people_count():
    model = el.fit(draw_survey(), 2, categories="auto")

    assert count_columns_of(model) == "5 columns (1 of numbers, 4 categorical with 9 levels)"
    assert count_columns_of(el.fit(np.eye(4), 2)) == "4 columns"


def test_rows_are_not_called_odd_by_limits_for_numbers():
    (sentence,) = said("rows")

    assert "do not hold for categories" in sentence
    assert "region=island" in sentence


def test_the_page_counts_no_rows_beyond_limits_for_numbers(tmp_path):
    frame = draw_survey(2000)
    model = el.fit(frame, 2, categories="auto")

    page = el.report(model, frame, tmp_path / "page.html").read_text(encoding="utf-8")

    assert "Limits of T2 and Q do not hold for categories" in page
    assert "more beyond a 99 % limit" not in page


def test_scree_averages_over_the_dimensions_that_indicators_have():
    model = el.fit(draw_survey(), 2, categories="auto")

    rest = el.plots.scree(model, rules=False).patches[2].get_height() / 100

    of_all = el.fit(draw_survey(), 6, categories="auto")
    assert of_all.explained_ratio.sum() == pytest.approx(1)
    assert rest == pytest.approx((1 - model.explained_ratio.sum()) / (6 - 2))


def test_columns_that_took_part_are_not_compared_with_chance():
    sentences = said("groups", groups=["region", "sex"])

    assert len(sentences) == 1
    assert sentences[0].startswith("'sex' explains")


def test_components_are_counted_by_permuted_columns():
    (sentence,) = said("k")

    assert "than if the columns had nothing to do with each other" in sentence


def test_missing_counts_are_named_with_a_way_out():
    counts = pd.DataFrame({"a": [1.0, 2, 3], "b": [4.0, np.nan, 5], "c": [1.0, 2, 2]})

    with pytest.raises(el.DataError, match=r"no number in column .b.") as caught:
        el.fit(counts, 1, categories="counts", missing="drop")

    assert "0 where nothing was counted" in str(caught.value)
