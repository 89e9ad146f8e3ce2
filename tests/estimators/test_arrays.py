"""Arrays of other libraries: read as numpy, answered in kind, where scikit-learn dispatches."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import config_context

from eigenlens import PCA, DataError
from tests.estimators.tables import SOLVERS, table

strict = pytest.importorskip("array_api_strict")
DEVICES = [strict.Device("CPU_DEVICE"), strict.Device("device1")]


@pytest.fixture(autouse=True)
def dispatch(monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    with config_context(array_api_dispatch=True):
        yield


@pytest.mark.parametrize("device", DEVICES, ids=str)
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_answers_in_the_library_of_the_rows(solver, device):
    rows = strict.asarray(table(), device=device)

    pca = PCA(2, svd_solver=solver).fit(rows)

    scores = pca.transform(rows)
    answers = [pca.components_, scores, pca.inverse_transform(scores), pca.get_precision()]
    assert {type(answer) for answer in answers} == {type(rows)}
    assert {answer.device for answer in answers} == {device}
    host = np.asarray(scores.to_device(DEVICES[0]))
    assert_allclose(host, PCA(2, svd_solver=solver).fit_transform(table()))


@pytest.mark.parametrize("method", ["transform", "inverse_transform"])
def test_rows_of_another_library_than_in_the_fit_are_refused(method):
    pca = PCA(6).fit(strict.asarray(table()))

    with pytest.raises(DataError, match=r"must use the same namespace.*array_api_strict"):
        getattr(pca, method)(table())


def test_tensors_stay_tensors():
    torch = pytest.importorskip("torch")
    rows = torch.asarray(table(), requires_grad=True)

    pca = PCA(2, svd_solver="arpack", whiten=True).fit(rows)

    assert isinstance(pca.transform(rows), torch.Tensor)
    assert isinstance(pca.explained_variance_, torch.Tensor)
    assert isinstance(pca.score(rows), float)


def test_without_dispatch_answers_are_numpy():
    with config_context(array_api_dispatch=False):
        scores = PCA(2).fit_transform(strict.asarray(table()))

    assert isinstance(scores, np.ndarray)


def test_lists_and_numpy_are_at_home_with_numpy():
    pca = PCA(2).fit(table())

    assert isinstance(pca.transform(table().tolist()), np.ndarray)
