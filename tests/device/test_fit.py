"""A tensor gives the model of its numbers: every dtype, layout, solver and preparation."""

import numpy as np
import pytest
import torch

import eigenlens as el
from eigenlens.solvers import OrthogonalIteration
from eigenlens.sources import open_source
from eigenlens.sources.device import uploaded as uploaded_module
from eigenlens.sources.device.tensor import TensorSource
from eigenlens.table.build import build_table
from eigenlens.table.device_memory import BlockLimit
from eigenlens.table.device_rows import DeviceRows
from eigenlens.table.preparation import prepare
from tests.device.clouds import DEVICE, HERE, table, tensor, uploaded

SOLVERS = ["covariance", "svd", "dual", "krylov", "lanczos", "orthogonal", "randomized"]
WEIGHTS = np.random.default_rng(1).integers(0, 3, 500).astype(float)
OPTIONS = {
    "plain": {},
    "standardized": {"scale": "std"},
    "raw": {"center": False},
    "weighted": {"weights": WEIGHTS},
    "scaled": {"scale": np.linspace(1, 2, 12)},
    "some columns": {"columns": [0, 5, 3, 11, 2]},
}
pytestmark = pytest.mark.gpu


def agree(model, truth):
    np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-9)
    np.testing.assert_allclose(model.components, truth.components, atol=1e-6)
    np.testing.assert_allclose(model.total_variance, truth.total_variance, rtol=1e-12)
    assert model.certificate.kind == truth.certificate.kind


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_tensor_has_the_model_of_its_numbers(solver, options):
    rows, asked = table(), {"solver": solver, "tolerance": 1e-9, **options}

    agree(el.fit(tensor(rows), 3, device=HERE, **asked), el.fit(rows, 3, **asked))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.int32])
@pytest.mark.parametrize("offset", [0.0, 100.0])
def test_short_numbers_are_multiplied_in_float64(dtype, offset):
    stored = tensor(10 * table(offset=offset), dtype)

    model = el.fit(stored, 3, device=HERE)

    agree(model, el.fit(stored.double().cpu().numpy(), 3))
    assert model.certificate.relative_error < 1e-11


LAYOUTS = {
    "F order": lambda rows: tensor(rows).T.contiguous().T,
    "gaps between rows": lambda rows: tensor(np.repeat(rows, 2, axis=0))[::2],
    "part of wider rows": lambda rows: tensor(np.hstack([rows, rows]))[:, : rows.shape[1]],
    "every second column": lambda rows: tensor(np.repeat(rows, 2, axis=1))[:, ::2],
    "one row repeated": lambda rows: torch.cat([tensor(rows), tensor(rows[:1]).expand(4, -1)]),
    "with gradients": lambda rows: tensor(rows).requires_grad_(),
}


@pytest.mark.parametrize("make", LAYOUTS.values(), ids=LAYOUTS)
def test_layouts_and_history_do_not_matter(make):
    given = make(table())
    before, tracked = given.detach().clone(), given.requires_grad

    model = el.fit(given, 3, device=HERE)

    agree(model, el.fit(given.detach().cpu().numpy(), 3))
    assert torch.equal(given.detach(), before)
    assert given.requires_grad == tracked


@pytest.mark.parametrize("mean", [1e4, 1e8])
def test_far_from_the_origin_nothing_is_lost(mean):
    rows = (table(4000) + mean).astype(np.float32 if mean < 1e6 else np.float64)

    model = el.fit(tensor(rows, torch.from_numpy(rows).dtype), 3, device=HERE)

    exact = rows.astype(np.longdouble)
    exact -= exact.mean(axis=0)
    truth = np.linalg.eigvalsh((exact.T @ exact / (len(rows) - 1)).astype(float))[::-1][:3]
    low, high = model.certificate.eigenvalue_bounds.T
    assert np.all((low <= truth * (1 + 1e-14)) & (truth * (1 - 1e-14) <= high))
    assert model.certificate.relative_error < 1e-9
    assert model.choices["centering"].value == "shifted"


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_very_large_and_small_numbers_have_units(size):
    rows = table() * np.where(np.arange(12) == 3, size, 1.0)

    agree(
        el.fit(tensor(rows), 3, scale="std", device=HERE),
        el.fit(rows, 3, scale="std"),
    )


def test_pictures_on_a_device_keep_their_shape():
    pictures = table(60, 12).reshape(60, 3, 4)

    model = el.fit(tensor(pictures), 2, device=HERE)

    agree(model, el.fit(pictures, 2))
    assert model.column_shape == (3, 4)


def test_rules_of_k_work_on_a_device():
    rows = table(400, 8)

    for k in ("auto", 0.9, "parallel", "gap", "bcv"):
        assert el.fit(tensor(rows), k, device=HERE).n_components == el.fit(rows, k).n_components


def test_two_fits_have_the_same_bits():
    given = tensor(table(), torch.float32)

    one, two = (el.fit(given, 3, solver="krylov", device=HERE) for _ in range(2))

    assert one.components.tobytes() == two.components.tobytes()
    assert (
        one.certificate.eigenvalue_bounds.tobytes() == two.certificate.eigenvalue_bounds.tobytes()
    )


def test_a_tensor_of_the_host_is_read_in_place_by_numpy():
    rows = table()

    model, truth = el.fit(torch.from_numpy(rows), 3), el.fit(rows, 3)

    assert model.components.tobytes() == truth.components.tobytes()
    assert "device" not in model.choices


def test_choices_say_which_device_and_why():
    named = el.fit(tensor(table()), 3, device=HERE).choices["device"]

    assert named.value.startswith(HERE)
    assert "the data lie there" in named.reason


def test_bfloat16_is_not_copied_whole():
    assert isinstance(open_source(tensor(table(), torch.bfloat16)), TensorSource)


def test_products_are_off_by_no_more_than_the_theorem_says():
    # Columns of equal numbers: every rounding of a sum goes the same way.
    rows = np.repeat(np.random.default_rng(0).uniform(1, 2, (1, 6)), 50_000, axis=0)
    source = TensorSource(tensor(rows))
    built = build_table(source, prepare(source, False, None, None))
    assert isinstance(built.rows, DeviceRows)

    gram = built.rows.gram(built.frame, None)

    exact = np.outer(rows[0].astype(np.longdouble), rows[0]) * len(rows)
    error = np.abs(gram - exact) / exact
    assert error.max() <= 2 * built.rows.gram_drift * 2.0**-53


@pytest.mark.parametrize("kept", [0, 300_000, 1 << 30])
@pytest.mark.parametrize("solver", ["covariance", "krylov", "svd"])
def test_rows_of_the_host_are_copied_block_by_block(solver, kept):
    rows = table(9000, 10).astype(np.float32)

    model = el.fit(uploaded(rows, kept), 3, solver=solver, tolerance=1e-9)

    agree(model, el.fit(rows.astype(np.float64), 3, solver=solver, tolerance=1e-9))


@pytest.mark.parametrize("make", [tensor, uploaded])
@pytest.mark.parametrize("solver", ["dual", "krylov"])
def test_wide_tables_are_read_in_panels(solver, make):
    rows = np.random.default_rng(0).standard_normal((6, 30)) @ table(30, 9000) + table(1, 9000)

    model = el.fit(make(rows), 3, solver=solver, tolerance=1e-9, device=HERE)

    agree(model, el.fit(rows, 3, solver=solver, tolerance=1e-9))


def test_blocks_that_were_kept_are_not_read_again():
    source = uploaded(table(100, 4), 1 << 20)

    first, second = (list(source.tensors(30)) for _ in range(2))

    assert [len(one) for one in first] == [30, 30, 30, 10]
    assert all(one is two for one, two in zip(first, second, strict=True))
    assert source.release()
    assert not source.release()
    assert next(source.tensors(30)) is not first[0]


def test_only_what_fits_is_kept():
    source = uploaded(table(100, 4), 2 * 30 * 4 * 8)

    first, second = (list(source.tensors(30)) for _ in range(2))

    same = [one is two for one, two in zip(first, second, strict=True)]
    assert same == [True, True, False, False]
    assert torch.equal(torch.cat(first), torch.cat(second))


def test_files_are_copied_from_where_the_kept_blocks_end(tmp_path):
    np.save(tmp_path / "rows.npy", table(100, 4))
    source = uploaded(tmp_path / "rows.npy", 30 * 4 * 8)

    list(source.tensors(30))

    np.testing.assert_array_equal(torch.cat(list(source.tensors(30))).cpu(), table(100, 4))
    agree(el.fit(source, 2), el.fit(table(100, 4), 2))


def test_an_interrupted_fit_goes_on_from_its_whole_passes(tmp_path):
    class Interrupted(TensorSource):
        passes = 0

        def tensors(self, rows_per_block):
            type(self).passes += 1
            if self.passes == 4:
                raise KeyboardInterrupt
            return super().tensors(rows_per_block)

    source, solver = Interrupted(tensor(table())), OrthogonalIteration(max_passes=6, extra=1)
    checkpoint = el.Checkpoint(tmp_path / "fit.ckpt", every_seconds=0)
    with pytest.raises(KeyboardInterrupt):
        el.fit(source, 3, solver=solver, checkpoint=checkpoint)

    model = el.fit(source, 3, solver=solver, checkpoint=checkpoint)

    truth = el.fit(TensorSource(tensor(table())), 3, solver=solver)
    assert model.components.tobytes() == truth.components.tobytes()


@pytest.mark.parametrize("options", [{"normalize": "l2"}, {"robust": "wrap"}, {"robust": "rows"}])
def test_cells_changed_on_the_host_have_the_model_of_numpy(options):
    rows = table().astype(np.float32)

    model = el.fit(tensor(rows, torch.float32), 3, device=HERE, **options)

    truth = el.fit(rows, 3, **options)
    np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-4)
    # Weights of rows leave the cells as they are; other rows of the processor are numpy's.
    on_device = HERE == "cuda" or options == {"robust": "rows"}
    assert ("device" in model.choices) == on_device


def test_missing_cells_of_a_tensor_are_estimated_on_the_host():
    rows = tensor(table(200, 6), torch.bfloat16)
    rows[::7, 2] = np.nan

    model = el.fit(rows, 2, missing="auto")

    truth = el.fit(rows.float().cpu().numpy(), 2, missing="auto")
    np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-6)
    assert "device" not in model.choices


def test_weights_and_scales_may_be_tensors():
    rows, weights, scale = table(), torch.from_numpy(WEIGHTS), torch.linspace(1, 2, 12)
    asked = {"weights": weights.to(HERE), "scale": scale.to(HERE, torch.bfloat16).requires_grad_()}

    model = el.fit(tensor(rows), 3, device=HERE, **asked)

    scale = scale.to(torch.bfloat16).double().numpy()
    agree(model, el.fit(rows, 3, weights=WEIGHTS, scale=scale))


def test_blocks_are_shorter_where_the_tolerance_is_small():
    strict, loose = BlockLimit(1 << 30, 1e-13), BlockLimit(1 << 30, 1e-7)

    assert strict.most_rows == 4096
    assert loose.most_rows > 1 << 20


def test_questions_take_tensors():
    rows = table(300, 6)

    given = tensor(rows, torch.bfloat16)
    plain = given.double().cpu().numpy()
    assert el.choose_rank(given).k == el.choose_rank(plain).k
    assert el.flatness(given).value == el.flatness(plain).value


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_cubes_are_cut_along_the_axes_of_their_rows(dtype):
    cube = tensor(table(60, 6).reshape(12, 5, 6), dtype)

    model = el.fit(cube, 2, rows=(0, 1), device=None if dtype == torch.bfloat16 else HERE)

    agree(model, el.fit(cube.double().cpu().numpy(), 2, rows=(0, 1)))


def test_means_of_missing_calls_are_not_rounded_on_a_device(monkeypatch):
    monkeypatch.setattr(uploaded_module, "find_device", lambda name: DEVICE)
    rng = np.random.default_rng(3)
    calls = rng.binomial(2, 0.3, (200, 6)).astype(np.float32)
    calls[rng.random(calls.shape) < 0.3] = np.nan
    means = np.nanmean(calls.astype(np.float64), axis=0)
    rows = np.where(np.isnan(calls), means, calls) / np.sqrt(means * (1 - means / 2))

    model = el.fit(calls, 3, scale="hwe", device="cuda")

    truth = np.linalg.eigvalsh(np.cov(rows.T))[:-4:-1]
    low, high = model.certificate.eigenvalue_bounds.T
    assert model.choices["device"].value == str(DEVICE)
    assert (low - 1e-14 <= truth).all()
    assert (truth <= high + 1e-14).all()


@pytest.mark.parametrize("options", [{}, {"device": HERE}])
def test_floats_of_one_byte_are_numbers(options):
    given = tensor(table(), torch.float8_e4m3fn)

    model = el.fit(given, 3, tolerance=1e-10, **options)

    agree(model, el.fit(given.double().cpu().numpy(), 3))
