"""A kernel model comes back from its file bit for bit; a file that was tampered with is refused."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

import eigenlens as el
from eigenlens.kernel.fit import fit_kernel
from tests.model.file.damage import DAMAGE
from tests.model.file.forge import array_of, taken_apart
from tests.model.file.sameness import differences

ROWS = np.random.default_rng(0).standard_normal((60, 4)) + 3
NAMED = ["linear", "rbf", "exponential", "laplacian", "poly", "cosine"]
MODES = [{}, {"n_landmarks": 15}]


def check_round_trip(model, rows, folder):
    path = model.save(folder / "one.eigenlens")

    again = el.load(path)

    without = {"anchor_rows": None}  # scipy's arrays are compared by themselves
    assert differences(replace(model, **without), replace(again, **without)) == []
    for one in ("data", "indices", "indptr") if sp.issparse(model.anchor_rows) else ():
        np.testing.assert_array_equal(
            getattr(model.anchor_rows, one), getattr(again.anchor_rows, one)
        )
    np.testing.assert_array_equal(model.project(rows), again.project(rows))
    assert str(model) == str(again)
    assert again.save(folder / "two.eigenlens").read_bytes() == path.read_bytes()
    return again


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kernel", NAMED)
@pytest.mark.parametrize("preimage", [None, "fixed_point", "ridge"])
def test_every_kernel_comes_back(kernel, mode, preimage, tmp_path):
    model = fit_kernel(ROWS, 3, kernel=kernel, preimage=preimage, **mode)

    again = check_round_trip(model, ROWS, tmp_path)

    assert differences(model.anchor_rows, again.anchor_rows) == []
    np.testing.assert_array_equal(model.novelty(ROWS), again.novelty(ROWS))
    if preimage is not None:
        scores = model.project(ROWS)
        np.testing.assert_array_equal(model.reconstruct(scores), again.reconstruct(scores))


@pytest.mark.parametrize("mode", MODES)
def test_single_precision_sparse_rows_and_matrices_come_back(mode, tmp_path):
    single = ROWS.astype(np.float32)
    check_round_trip(fit_kernel(single, 2, kernel="rbf", **mode), single, tmp_path)
    sparse = sp.csr_array(np.where(ROWS > 3, ROWS, 0))
    check_round_trip(fit_kernel(sparse, 2, kernel="rbf", **mode), sparse, tmp_path)
    matrix = np.exp(-np.square(ROWS[:, None] - ROWS).sum(axis=2))
    check_round_trip(fit_kernel(matrix, 2, kernel="precomputed", **mode), matrix, tmp_path)


def test_what_was_decided_and_cut_comes_back(tmp_path):
    model = fit_kernel(ROWS, 5, kernel="rbf", gamma="median", n_landmarks=20)

    again = check_round_trip(model.truncate(2), ROWS, tmp_path)

    assert again.choices["gamma"].evidence["distance"] > 0
    assert again.provenance["settings"]["kernel"] == "rbf"


def test_a_sigmoid_model_keeps_its_assumption(tmp_path):
    with pytest.warns(el.NotCertified):
        model = fit_kernel(ROWS, 2, kernel="sigmoid", gamma=0.1)

    assert "positive part" in str(check_round_trip(model, ROWS, tmp_path).certificate)


def test_a_function_is_not_saved(tmp_path):
    model = fit_kernel(ROWS, 2, kernel=lambda x, y: float(x @ y))

    with pytest.raises(el.ModelFileError, match="no code is stored"):
        model.save(tmp_path / "a.eigenlens")
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_contradicts_itself_is_not_saved(tmp_path):
    model = fit_kernel(ROWS, 2, kernel="rbf")

    with pytest.raises(el.ModelFileError, match="could not be loaded again"):
        replace(model, eigenvalues=model.eigenvalues * 2).save(tmp_path / "a.eigenlens")


# -- forged files ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    model = fit_kernel(ROWS, 3, kernel="rbf", n_landmarks=15, preimage="fixed_point")
    return model.save(tmp_path_factory.mktemp("true") / "a.eigenlens").read_bytes()


def change(*keys, value):
    def forge(parts):
        held = parts.record["record"]
        for key in keys[:-1]:
            held = held[key]
        held[keys[-1]] = value

    return forge


def array(name, alter):
    return lambda parts: parts.with_array(name, alter(array_of(parts, name)))


def with_bounds_below(bounds):
    return np.zeros_like(bounds)


FORGED = {
    "another kernel": change("kernel", "name", value="cosine"),
    "an unknown kernel": change("kernel", "name", value="os.system"),
    "a gamma of 0": change("kernel", "gamma", value=0.0),
    "a gamma that is text": change("kernel", "gamma", value="0.1"),
    "more numbers of a kernel": change("kernel", "degree", value=3.0),
    "another method": change("method", value="guess"),
    "fewer rows than landmarks": change("n_rows", value=3),
    "no components": change("n_components", value=0),
    "other anchors": change("anchors", value="sparse"),
    "anchors nowhere": change("anchors", value="none"),
    "another pre-image": change("preimage", "name", value="linear"),
    "an unknown pre-image": change("preimage", "name", value="mika"),
    "a kernel of nothing": change("kernel", value={}),
    "a pre-image of nothing": change("preimage", value={}),
    "more of a pre-image": change("preimage", "more", value=1.0),
    "no pre-image": change("preimage", value=None),
    "a negative penalty": change("preimage", "penalty", value=-1.0),
    "a kind of proof": change("certificate", "kind", value="sure"),
    "a better capture": change("certificate", "captured", value=1e6),
    "a negative trace": change("certificate", "residual_trace", value=-1.0),
    "a NaN": change("certificate", "subspace_angle", value={"~float": "nan"}),
    "clusters of nobody": change("certificate", "clusters", value=[[7, 8]]),
    "clusters of words": change("certificate", "clusters", value="all"),
    "something more": change("certificate", "more", value=1),
    "too many names": change("feature_names", value=["a"]),
    "numbers beyond the rows": array("anchor_numbers", lambda held: held + 1000),
    "numbers twice": array("anchor_numbers", lambda held: held * 0),
    "numbers that are not whole": array("anchor_numbers", lambda held: held.astype(float)),
    "bounds elsewhere": array("certificate_eigenvalue_bounds", with_bounds_below),
    "bounds turned": array("certificate_eigenvalue_bounds", lambda held: held[:, ::-1].copy()),
    "angles beyond 1": array("certificate_angle_bounds", lambda held: held + 2),
    "other eigenvalues": array("eigenvalues", lambda held: held * 3),
    "negative eigenvalues": array("eigenvalues", lambda held: -held),
    "coefficients of fewer": array("coefficients", lambda held: held[:, :2].copy()),
    "NaN in coefficients": array("coefficients", lambda held: held * np.nan),
    "rows of another width": array("anchor_rows", lambda held: held[:, :2].copy()),
    "infinite rows": array("anchor_rows", lambda held: held + np.inf),
    "a ridge of another width": array("ridge_weights", lambda held: held[:, :1].copy()),
    "an array more": lambda parts: parts.with_array("extra", np.zeros(3)),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_file_is_refused(name, raw, tmp_path):
    parts = taken_apart(raw)
    FORGED[name](parts)
    path = tmp_path / "forged.eigenlens"
    path.write_bytes(parts.bytes())

    with pytest.raises(el.ModelFileError, match="is refused"):
        el.load(path)


def test_what_is_forged_was_true(raw, tmp_path):
    path = tmp_path / "true.eigenlens"
    path.write_bytes(taken_apart(raw).bytes())

    assert el.load(path).n_components == 3


BLIND = [one for one in DAMAGE if one.__name__ in ("flipped_bits", "cut_off", "moved")]


@pytest.mark.parametrize("family", BLIND, ids=lambda one: one.__name__)
def test_a_damaged_file_is_refused(family, raw, tmp_path):
    rng = np.random.default_rng(0)
    spoiled = list(family(raw, taken_apart(raw), rng))
    for place in rng.permutation(len(spoiled))[:20]:
        path = tmp_path / "spoiled.eigenlens"
        path.write_bytes(spoiled[place][1])

        with pytest.raises(el.ModelFileError):
            el.load(path)
