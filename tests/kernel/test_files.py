"""Rows from anywhere: the same model from files, frames and sparse matrices, inside the budget."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import eigenlens as el
from eigenlens.kernel.fit import fit_kernel
from tests.kernel.clouds import roll

ROWS = roll(700, 4, np.random.default_rng(0))
NAMES = ["a", "b", "c", "d"]
METHODS = [{"method": "exact"}, {"n_landmarks": 50}]


def as_npy(folder):
    np.save(folder / "rows.npy", ROWS)
    return folder / "rows.npy"


def as_csv(folder):
    pd.DataFrame(ROWS, columns=NAMES).to_csv(folder / "rows.csv", index=False)
    return folder / "rows.csv"


def as_parquet(folder):
    pl.DataFrame(ROWS, schema=NAMES).write_parquet(folder / "rows.parquet")
    return folder / "rows.parquet"


KINDS = {
    "npy": as_npy,
    "csv": as_csv,
    "parquet": as_parquet,
    "pandas": lambda folder: pd.DataFrame(ROWS, columns=NAMES),
    "polars": lambda folder: pl.DataFrame(ROWS, schema=NAMES),
    "list": lambda folder: ROWS.tolist(),
    "callable": lambda folder: lambda: iter([ROWS[:300], ROWS[300:]]),
}


@pytest.mark.parametrize("options", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_data_gives_the_same_model(kind, options, tmp_path):
    expected = fit_kernel(ROWS, 3, kernel="rbf", gamma=0.02, **options)

    data = KINDS[kind](tmp_path)
    model = fit_kernel(data, 3, kernel="rbf", gamma=0.02, **options)

    np.testing.assert_allclose(model.eigenvalues, expected.eigenvalues, rtol=1e-12)
    np.testing.assert_array_equal(model.anchor_numbers, expected.anchor_numbers)
    np.testing.assert_allclose(model.project(data), expected.project(ROWS), atol=1e-12)


@pytest.mark.parametrize("options", METHODS)
@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix, sp.coo_array])
def test_sparse_rows_are_never_filled_in_and_give_the_same_model(form, options, monkeypatch):
    rows = np.where(np.random.default_rng(1).random((400, 30)) < 0.1, 1.5, 0.0)
    rows[:, 0] = np.arange(400) % 7
    expected = fit_kernel(rows, 3, kernel="rbf", gamma=0.05, **options)

    model = fit_kernel(form(rows), 3, kernel="rbf", gamma=0.05, **options)

    np.testing.assert_allclose(model.eigenvalues, expected.eigenvalues, rtol=1e-10)
    scores = model.project(form(rows))
    np.testing.assert_allclose(scores, expected.project(rows), atol=1e-9)
    np.testing.assert_allclose(model.project(rows), scores, atol=1e-12)
    assert sp.issparse(model.anchor_rows)


def test_names_find_their_columns(tmp_path):
    model = fit_kernel(as_csv(tmp_path), 3, kernel="rbf", gamma=0.02)
    turned = pd.DataFrame(ROWS, columns=NAMES)[["d", "b", "a", "c"]]

    np.testing.assert_allclose(model.project(turned), model.project(ROWS), atol=1e-12)
    assert model.feature_names == tuple(NAMES)


@pytest.mark.parametrize("ending", [".npy", ".csv", ".parquet"])
def test_scores_are_written_block_by_block(ending, tmp_path):
    model = fit_kernel(ROWS, 3, kernel="rbf", gamma=0.02, n_landmarks=50)

    path = model.project(ROWS, out=tmp_path / f"scores{ending}")

    read = {
        ".npy": np.load,
        ".csv": lambda path: pd.read_csv(path).to_numpy(),
        ".parquet": lambda path: pd.read_parquet(path).to_numpy(),
    }
    np.testing.assert_allclose(read[ending](path), model.project(ROWS), rtol=1e-12)


def test_a_sample_of_many_rows_chooses_among_them():
    rows = roll(30_000, 3, np.random.default_rng(2)).astype(np.float32)

    model = fit_kernel(rows, 3, kernel="rbf", gamma=0.005, n_landmarks=40)

    verdict = model.choices["landmarks"]
    assert "20000 rows drawn from 30000" in verdict.reason
    assert model.certificate.passes == 2
    assert (model.anchor_numbers < 30_000).all()
    np.testing.assert_array_equal(model.anchor_rows, rows[model.anchor_numbers])
    # The certificate is about all rows, whoever was asked to choose.
    assert model.novelty(rows).sum() == pytest.approx(model.certificate.residual_trace, rel=1e-9)


def test_the_estimator_reads_files_too(tmp_path):
    path = as_npy(tmp_path)

    kpca = el.KernelPCA(3, kernel="rbf", gamma=0.02, n_landmarks=50).fit(path)

    np.testing.assert_allclose(kpca.transform(path), kpca.transform(ROWS), atol=1e-12)
    assert kpca.n_features_in_ == 4
    named = el.KernelPCA(3, kernel="rbf", gamma=0.02).fit(str(as_csv(tmp_path)))
    assert named.feature_names_in_.tolist() == NAMES
    np.save(tmp_path / "narrow.npy", ROWS[:, :2])
    with pytest.raises(el.DataError, match="2 columns"):
        kpca.transform(tmp_path / "narrow.npy")


@pytest.mark.parametrize("estimator", [el.PCA(2), el.IncrementalPCA(2)], ids=["pca", "incremental"])
def test_other_estimators_read_files_as_well(estimator, tmp_path):
    path = as_parquet(tmp_path)

    np.testing.assert_allclose(
        estimator.fit(path).transform(path), estimator.fit(ROWS).transform(ROWS), atol=1e-9
    )
