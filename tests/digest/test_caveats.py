"""Caveats: ordered by how much they change the answer, said once, with one number."""

import re

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.digest.digest import digest_of
from eigenlens.digest.leading_components import leading_correlations
from eigenlens.digest.summary import summary_of
from tests.cli.typed import typed
from tests.explain.classics import DECATHLON, EVENTS

RNG = np.random.default_rng(3)
ROWS = RNG.standard_normal((90, 1)) + RNG.standard_normal((90, 4))


def caveats(frame, **options):
    return list(summary_of(digest_of(el.fit(frame, 1, **options), frame)).caveats)


def named(rows):
    return pd.DataFrame(rows, columns=[f"c{i}" for i in range(rows.shape[1])])


def test_units_come_first_then_columns_that_say_the_same_then_rows():
    rows = np.column_stack([ROWS * [1, 1, 900, 1], ROWS[:, 0]])
    rows = rows[np.argsort(rows[:, 2])]

    found = caveats(named(rows))

    assert "'c2' varies" in found[0]
    assert "the same: 'c0' and 'c4'" in found[1]
    assert "sorted by 'c2'" in found[-1]


def test_screen_check_and_warning_name_one_ratio(tmp_path):
    path = tmp_path / "t.csv"
    named(ROWS * [1, 3, 900, 1]).to_csv(path, index=False)

    result = typed("fit", str(path), COLUMNS="300")

    ratios = re.findall(r"'c2' varies ([0-9.,]+) times", result.stdout + result.stderr)
    assert len(ratios) == 2
    assert len(set(ratios)) == 1


def test_rows_in_order_of_time_make_intervals_too_narrow():
    walk = np.cumsum(RNG.standard_normal((300, 3)), axis=0)

    assert "sampling intervals are too narrow" in caveats(named(walk))[-1]


def test_heavy_tails_are_no_caveat_where_a_robust_fit_agrees():
    rows = RNG.standard_normal((400, 1)) @ [[3.0, 3.0, 3.0, 3.0]] + ROWS[:1]
    rows = rows + RNG.standard_t(4, (400, 4)) * 0.2
    frame = named(rows)
    digest = digest_of(el.fit(frame, 1), frame)

    assert digest.model.choices["robust"].value == "agrees"
    assert not any("far outside" in one for one in summary_of(digest).caveats)


def test_text_that_is_most_of_a_table_is_pointed_out(tmp_path):
    frame = pd.DataFrame({"age": RNG.integers(18, 80, 60) + 0.5})
    for name in "abc":
        frame[name] = RNG.choice(["yes", "no"], 60)
    frame.to_csv(tmp_path / "t.csv", index=False)

    told = typed("fit", str(tmp_path / "t.csv")).stdout

    assert "3 columns hold categories: --categories auto analyzes them too." in told
    assert "A single column has one component" in told
    assert "-k" not in told.partition("Next:")[2]


def test_shares_near_nothing_and_everything_are_not_rounded_to_them(tmp_path):
    path = tmp_path / "t.csv"
    named(ROWS * [1, 1, 1000, 1]).to_csv(path, index=False)

    told = typed("fit", str(path), COLUMNS="120").stdout

    assert "0.0% to 0.0%" not in told
    assert ">99.99%" in told
    assert "<0.01%" in told
    assert "more than 99% of the variance" in told


def test_groups_are_listed_by_what_they_explain(tmp_path):
    frame = named(ROWS).assign(
        chance=RNG.choice(["u", "v"], 90), half=np.where(ROWS.sum(1) > 0, "high", "low")
    )
    frame.to_csv(tmp_path / "t.csv", index=False)

    told = typed("fit", str(tmp_path / "t.csv"), COLUMNS="120").stdout

    assert told.index("'half' explains") < told.index("'chance' explains")


@pytest.mark.parametrize("cells", ["holes", "none", "few rows"])
def test_intervals_have_a_column_where_they_are_known(tmp_path, cells):
    rows = ROWS[:9].copy() if cells == "few rows" else ROWS.copy()
    rows[:8, 0] = np.nan if cells == "holes" else 0.0
    named(rows).to_csv(tmp_path / "t.csv", index=False)

    options = ("--missing", "auto", "-k", "1")
    told = typed("fit", str(tmp_path / "t.csv"), *options, COLUMNS="120").stdout

    assert ("95% interval" in told) == (cells != "few rows")


def test_an_even_spectrum_is_called_that():
    events = pd.DataFrame({name: DECATHLON[name] for name in EVENTS})

    (sentence,) = digest_of(el.fit(events, scale="std"), events).sentences("k")

    assert sentence.startswith("The eigenvalues fall evenly, without a clear cut: 5 components")


def test_components_that_are_mixed_in_several_places_are_one_sentence():
    spread = np.sqrt([9.1, 9.0, 8.9, 2.02, 2.0, 1.98])
    rows = np.random.default_rng(8).standard_normal((60, 6))
    frame = named(np.linalg.qr(rows - rows.mean(axis=0))[0] * spread)
    model = el.fit(frame, 6)

    (said,) = [one for one in summary_of(digest_of(model, frame)).caveats if "separated" in one]

    assert said.startswith("With 60 rows, some components (PC1 to PC3; PC4 to PC6) cannot be sep")
    assert said.endswith("Read them together.")


def test_of_two_levels_only_one_is_named():
    rng = np.random.default_rng(2)
    same = rng.random(200) < 0.5
    frame = pd.DataFrame(
        {name: np.where(same ^ (rng.random(200) < 0.1), "yes", "no") for name in "abc"}
    )
    frame["d"] = np.where(same, rng.choice(["x", "y"], 200), "z")

    model = el.fit(frame, 2, categories="auto")
    columns = [name.partition("=")[0] for name, _ in leading_correlations(model, 0)]

    assert columns == ["d", "c", "a"]
