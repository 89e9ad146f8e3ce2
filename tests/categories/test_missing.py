"""missing="auto" of tables with categories: memberships, models, files."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from tests.categories.tables import table_beside, tea


def draw(n=120, share=0.15, seed=0):
    """Two categories and two numbers that know of each other, with holes in all of them."""
    rng = np.random.default_rng(seed)
    code = rng.integers(3, size=n)
    frame = pd.DataFrame(
        {
            "x": code + 0.5 * rng.standard_normal(n),
            "y": rng.standard_normal(n),
            "group": np.array(["a", "b", "c"], object)[code],
            "word": np.array(["no", "yes"], object)[(code + rng.integers(2, size=n)) // 2],
        }
    )
    return frame.mask(rng.random(frame.shape) < share)


def fit(frame, k=2, **options):
    return el.fit(frame, k, categories="auto", rare=0, **{"missing": "auto", **options})


def memberships(model, frame):
    """Indicators of the rows, with what is expected in the holes."""
    spans = [model.categories.span_of(j) for j in range(len(model.categories.columns))]
    rows = np.full((len(frame), model.n_features), np.nan)
    for j, name in enumerate(model.categories.numbers):
        rows[:, j] = frame[name]
    for span, column in zip(spans, model.categories.columns, strict=True):
        known = frame[column.name].notna()
        rows[known, span] = frame.loc[known, column.name].to_numpy()[:, None] == column.levels
    return model.missing.completer.complete(rows).rows, spans


@pytest.mark.parametrize("engine", ["gaussian", "lowrank"])
def test_memberships_of_a_column_sum_to_one(engine):
    frame = draw()
    model = fit(frame, missing=engine)

    rows, spans = memberships(model, frame)

    for span in spans:
        np.testing.assert_allclose(rows[:, span].sum(axis=1), 1, atol=1e-13)
        np.testing.assert_allclose(model.mean[span].sum(), 1, atol=1e-13)


def test_without_holes_every_bit_is_the_same():
    frame = draw(share=0)

    one, two = fit(frame), fit(frame, missing="error")

    assert one.eigenvalues.tobytes() == two.eigenvalues.tobytes()
    assert one.components.tobytes() == two.components.tobytes()


def test_far_numbers_have_the_same_eigenvalues():
    frame = draw()
    far = frame.assign(x=frame["x"] + 2.0**20)

    np.testing.assert_allclose(fit(far).eigenvalues, fit(frame).eigenvalues, rtol=1e-6)


def holes_in(frame, share=0.1, seed=1):
    return frame.mask(np.random.default_rng(seed).random(frame.shape) < share)


def test_tea_with_holes_is_near_the_complete_table():
    table = tea().iloc[:, :18]

    complete, found = fit(table, 3), fit(holes_in(table), 3)

    np.testing.assert_allclose(found.eigenvalues, complete.eigenvalues, rtol=0.1)
    assert found.missing.cells > 400


def test_topgear_with_holes_is_near_the_complete_table():
    table = table_beside("topgear.csv").drop(columns=["Model", "Type"], errors="ignore").dropna()

    complete, found = fit(table, 3), fit(holes_in(table), 3)

    np.testing.assert_allclose(found.eigenvalues, complete.eigenvalues, rtol=0.1)


def test_new_rows_with_missing_categories_are_placed_by_their_other_cells():
    frame = draw(n=400)
    model = fit(frame)
    whole = frame.dropna()
    lacking = whole.assign(group=None)

    scores, guess = model.project(whole), model.project(lacking)

    assert np.corrcoef(scores[:, 0], guess[:, 0])[0, 1] > 0.9
    with pytest.warns(el.errors.UnseenCategories, match="estimated, as missing ones are"):
        unseen = model.project(whole.assign(group="new"))
    np.testing.assert_array_equal(unseen, guess)


def test_filled_categories_are_levels_and_their_errors_probabilities():
    frame = draw(n=400)
    model = fit(frame)

    filled, errors = model.complete(frame, errors=True)

    known = frame["group"].notna().to_numpy()
    assert set(filled["group"]) == {"a", "b", "c"}
    assert np.array(filled["group"])[known].tolist() == frame["group"][known].tolist()
    assert not np.array(errors["group"])[known].any()
    assert 0 < np.array(errors["group"])[~known].max() < 1


def test_the_file_keeps_what_estimates_categories(tmp_path):
    frame = draw()
    model = fit(frame)
    model.save(tmp_path / "model.eigenlens")
    again = el.load(tmp_path / "model.eigenlens")

    assert again.project(frame).tobytes() == model.project(frame).tobytes()


def test_files_give_the_same_model(tmp_path):
    frame = draw()
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet", index=False)

    values = fit(frame).eigenvalues

    for name in ("t.csv", "t.parquet"):
        np.testing.assert_allclose(fit(tmp_path / name).eigenvalues, values, rtol=1e-12)


def test_columns_left_out_are_named_beside_estimated_cells():
    frame = draw().assign(constant=1.0)

    assert "columns" in fit(frame).choices
