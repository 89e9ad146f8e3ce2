"""Answers about tensors are tensors of the same device; so are those of PCA under dispatch."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import torch
from sklearn import config_context

import eigenlens as el
from eigenlens.errors import DataError, MismatchError
from eigenlens.model.device_answers import THERE
from eigenlens.sources.device.tensor import TensorSource
from tests.device.clouds import DEVICE, HERE, table, tensor

pytestmark = pytest.mark.gpu
VERBS = ["project", "residual", "log_likelihood"]
MODELS = {
    "plain": {},
    "standardized": {"scale": "std"},
    "raw": {"center": False},
    "all components": {"k": 12},
    "normalized": {"normalize": "l2"},
}


@pytest.mark.parametrize("options", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_an_answer_is_of_the_kind_of_the_rows(verb, options, dtype):
    rows = tensor(table(offset=3.0), dtype).requires_grad_()
    model = el.fit(rows.detach().double().cpu().numpy(), **{"k": 3, **options})

    answer = getattr(model, verb)(rows)

    truth = getattr(model, verb)(rows.detach().double().cpu().numpy())
    assert answer.dtype == torch.float64
    assert answer.device == DEVICE
    assert not answer.requires_grad
    # Rows of short numbers are brought to unit length in float32, as those of numpy are.
    close = 1e-6 if "normalize" in options and dtype == torch.bfloat16 else 1e-9
    np.testing.assert_allclose(answer.cpu(), truth, rtol=close, atol=close * np.abs(truth).max())


@pytest.mark.parametrize("options", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("verb", VERBS)
def test_products_on_the_device_are_those_of_numpy(verb, options):
    # On the CPU device numpy answers for float64 tensors: here torch does.
    rows = table(offset=3.0)
    model = el.fit(rows, **{"k": 3, **options, "normalize": None})

    answer = THERE[verb](model, TensorSource(tensor(rows)))

    truth = getattr(model, verb)(rows)
    np.testing.assert_allclose(answer.cpu(), truth, rtol=1e-9, atol=1e-9 * np.abs(truth).max())


@pytest.mark.parametrize("options", [{}, {"scale": "std"}, {"center": False}])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_rows_come_back_from_scores(options, dtype):
    model = el.fit(table(), 3, **options)
    scores = tensor(model.project(table()), dtype)

    back = model.reconstruct(scores)

    assert back.device == DEVICE
    truth = model.reconstruct(scores.double().cpu().numpy())
    np.testing.assert_allclose(back.cpu(), truth, atol=1e-12)
    with pytest.raises(DataError, match="2"):
        model.reconstruct(scores[:, :2])


def test_wrong_rows_are_named_as_ever():
    model, spoiled = el.fit(table(), 3), tensor(table(), torch.bfloat16)
    with pytest.raises(MismatchError):
        model.project(spoiled[:, :5])
    spoiled[17, 5] = np.nan
    for verb in VERBS:
        with pytest.raises(DataError, match="row 17, column 5"):
            getattr(model, verb)(spoiled)


def test_scores_of_a_tensor_can_be_written(tmp_path):
    model, rows = el.fit(table(), 3), tensor(table())

    path = model.project(rows, out=tmp_path / "scores.npy")

    np.testing.assert_allclose(np.load(path), model.project(table()), atol=1e-12)


def test_tables_of_explain_take_tensors():
    model, rows = el.fit(table(), 3), tensor(table())

    for ask in (el.explain.rows, el.explain.outliers):
        assert len(ask(model, rows)) == len(ask(model, table()))
    turned = el.explain.rotate(model)
    np.testing.assert_allclose(turned.project(rows), turned.project(table()), atol=1e-9)


# -- PCA under scikit-learn's dispatch -------------------------------------------------------


@pytest.fixture
def dispatch(monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    with config_context(array_api_dispatch=True):
        yield


@pytest.mark.parametrize("whiten", [False, True])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_estimators_answer_where_the_rows_are(dispatch, dtype, whiten):
    rows = tensor(table(), dtype)
    plain = rows.double().cpu().numpy()
    ours, truth = el.PCA(3, whiten=whiten).fit(rows), el.PCA(3, whiten=whiten).fit(plain)
    scores, expected = ours.transform(rows), truth.transform(plain)

    close = {"rtol": 1e-3, "atol": 1e-4} if dtype.itemsize < 8 else {"atol": 1e-9}
    np.testing.assert_allclose(scores.cpu(), expected, **close)
    np.testing.assert_allclose(ours.fit_transform(rows).cpu(), expected, **close)
    back = ours.inverse_transform(scores)
    np.testing.assert_allclose(back.cpu(), truth.inverse_transform(expected), **close)
    density = ours.score_samples(rows)
    np.testing.assert_allclose(density.cpu(), truth.score_samples(plain), **close)
    assert ours.score(rows) == pytest.approx(truth.score(plain), rel=1e-4)
    answers = [scores, back, density, ours.components_, ours.mean_, ours.explained_variance_]
    assert {one.device for one in answers} == {DEVICE}
    assert {one.dtype for one in answers} == {torch.float32 if dtype.itemsize < 8 else dtype}


def test_estimators_name_bad_numbers_of_a_device(dispatch):
    spoiled = tensor(table(), torch.bfloat16)
    spoiled[17, 5] = np.nan

    with pytest.raises(DataError, match="row 17, column 5"):
        el.PCA(2).fit(spoiled)


def test_an_estimator_takes_the_name_of_a_device():
    pca = el.PCA(2, device=HERE).fit(table())

    np.testing.assert_allclose(pca.explained_variance_, el.PCA(2).fit(table()).explained_variance_)
    with pytest.raises(el.errors.DeviceError):
        el.PCA(2, device="nowhere").fit(table())


# -- other libraries, as far as they can be had without them ---------------------------------


class Foreign:
    """What cupy and jax give and take: memory behind DLPack."""

    def __init__(self, held):
        self.held, self.dtype = held, str(held.dtype).removeprefix("torch.")

    def __dlpack__(self, **asked):
        return self.held.__dlpack__(**asked)

    def __dlpack_device__(self):
        return self.held.__dlpack_device__()

    def devices(self):
        return [SimpleNamespace(platform="gpu")]


def library(name, **names):
    module = ModuleType(name)
    vars(module).update(names, from_dlpack=lambda held: Foreign(torch.from_dlpack(held)))
    return module


@pytest.mark.parametrize("name", ["cupy", "jax"])
def test_arrays_of_other_libraries_come_and_go_through_dlpack(monkeypatch, name):
    config = SimpleNamespace(jax_enable_x64=True)
    module = library(name, ndarray=Foreign, Array=Foreign, config=config)
    module.numpy = module
    monkeypatch.setitem(sys.modules, name, module)
    rows = table()
    given = Foreign(tensor(rows))

    model = el.fit(given, 3)

    truth = el.fit(rows, 3)
    np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-12)
    assert model.choices["device"].value == str(DEVICE)
    assert isinstance(model.project(given), Foreign)
    np.testing.assert_allclose(model.project(given).held.cpu(), truth.project(rows), atol=1e-9)
    assert isinstance(model.reconstruct(Foreign(tensor(truth.project(rows)))), Foreign)
