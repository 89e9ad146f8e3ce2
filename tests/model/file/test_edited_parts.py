"""A file whose parts contradict each other is refused, although its seal is true."""

import numpy as np
import pytest

import eigenlens as el
from tests.model.file.forge import array_of, taken_apart, true_model


def table():
    return np.random.default_rng(3).standard_normal((60, 6)) * [9, 5, 3, 2, 1, 1] + 7


MODELS = {
    "scaled, with its scatter": true_model,
    "svd": lambda: el.fit(table(), 3, solver="svd"),
    "raw": lambda: el.fit(table(), 3, center=False, solver="krylov"),
    "weighted": lambda: el.fit(table(), 3, weights=np.arange(60.0), solver="covariance"),
    "given scale": lambda: el.fit(table(), 3, scale=np.arange(1.0, 7.0), solver="svd"),
}
EDITS = {
    "mean": lambda mean: mean + 100,
    "scale": lambda scale: scale * 2,
    "components": lambda components: components[::-1].copy(),
    "feature_variances": lambda variances: variances * 3,
    "moments_squares": lambda squares: squares * 2,
    "moments_mean": lambda mean: mean + 100,
}
CONTRADICTIONS = {
    "mean": "its mean is not that of its moments",
    "scale": "do not follow from its moments and its scale",
    "components": "its components have more variance than its columns",
    "feature_variances": "do not follow from its moments and its scale",
    "moments_squares": "do not follow from its moments and its scale",
}


@pytest.mark.parametrize("edited", EDITS)
@pytest.mark.parametrize("kind", MODELS)
def test_an_edited_array_contradicts_the_others(kind, edited, tmp_path):
    path = MODELS[kind]().save(tmp_path / "a.eigenlens")
    forge = taken_apart(path.read_bytes())
    if edited not in forge.record["arrays"]:
        pytest.skip(f"a model without {edited}")
    array = EDITS[edited](array_of(forge, edited))

    path.write_bytes(forge.with_array(edited, array).bytes())

    with pytest.raises(el.ModelFileError, match="edited"):
        el.load(path)


@pytest.mark.parametrize("edited", CONTRADICTIONS)
def test_the_error_says_which_parts_disagree(edited, tmp_path):
    model = el.fit(table(), 3, scale=np.array([1.0, 1.0, 1.0, 1.0, 1.0, 2.0]), solver="svd")
    path = model.save(tmp_path / "a.eigenlens")
    forge = taken_apart(path.read_bytes())
    array = EDITS[edited](array_of(forge, edited))

    path.write_bytes(forge.with_array(edited, array).bytes())

    with pytest.raises(el.ModelFileError, match=CONTRADICTIONS[edited]):
        el.load(path)


def test_components_in_another_order_contradict_the_scatter(tmp_path):
    """Both components of two standardized columns weigh each by half: only the scatter tells."""
    rows = np.random.default_rng(3).standard_normal((60, 2)) @ [[3, 1], [1, 3]]
    path = el.fit(rows, 2, scale="std", solver="covariance").save(tmp_path / "a.eigenlens")
    forge = taken_apart(path.read_bytes())
    turned = array_of(forge, "components")[::-1].copy()

    path.write_bytes(forge.with_array("components", turned).bytes())

    with pytest.raises(el.ModelFileError, match="not the variances along its components"):
        el.load(path)


@pytest.mark.filterwarnings("ignore::eigenlens.NotCertified")
@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("passes", [1, 2])
def test_a_fit_that_has_not_converged_is_not_taken_for_edited(passes, center, tmp_path):
    """Of unfinished components the variances may be more than those of the columns."""
    rows = np.random.default_rng(passes).standard_normal((60, 300)) + 1
    solver = el.solvers.OrthogonalIteration(max_passes=passes)
    model = el.fit(rows, 4, solver=solver, tolerance=1e-14, center=center)

    again = el.load(model.save(tmp_path / "a.eigenlens"))

    assert np.array_equal(again.components, model.components)


@pytest.mark.parametrize("size", [1e-150, 1e150])
@pytest.mark.parametrize("scale", [None, "std", 1e-160, 1e160])
@pytest.mark.parametrize("center", [True, False])
def test_columns_at_the_ends_of_the_floats_are_not_taken_for_edited(size, scale, center, tmp_path):
    rows = table() * [size, 1, 1e-20, 1e20, 1, 1e-100]
    given = np.full(6, scale) if isinstance(scale, float) else scale
    try:
        model = el.fit(rows, 2, scale=given, center=center)
    except el.DataError:
        pytest.skip("no model: its variances are no floats")

    again = el.load(model.save(tmp_path / "a.eigenlens"))

    assert np.array_equal(again.components, model.components)
