"""What a device cannot do is said in words, and torch is left as it was."""

import subprocess
import sys
import warnings
from dataclasses import dataclass

import numpy as np
import pytest
import torch

import eigenlens as el
from eigenlens.errors import DataError, DeviceError, UnsupportedData
from eigenlens.machine import torch_device
from eigenlens.sources.device.tensor import TensorSource
from eigenlens.sources.device.uploaded import place_tensor
from tests.device.clouds import HERE, table, tensor

pytestmark = pytest.mark.gpu
WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
import numpy as np
import eigenlens as el
rows = np.random.default_rng(0).standard_normal((50, 4))
el.fit(rows, 2, device="cpu")
try:
    el.fit(rows, 2, device="cuda")
except el.errors.OptionError as error:
    print(error)
"""


def settings():
    """Everything of torch that a call could leave changed."""
    return (
        torch.get_default_dtype(),
        torch.get_float32_matmul_precision(),
        torch.backends.cuda.matmul.allow_tf32,
        torch.is_grad_enabled(),
        torch.is_autocast_enabled("cpu"),
        torch.is_autocast_enabled("cuda"),
        torch.are_deterministic_algorithms_enabled(),
        torch.get_num_threads(),
        torch.get_rng_state().numpy().tobytes(),
        torch.cuda.current_device() if HERE == "cuda" else None,
    )


@pytest.fixture
def unusual():
    """Settings that would spoil products if they were listened to."""
    before = torch.get_default_dtype(), torch.get_float32_matmul_precision()
    torch.set_default_dtype(torch.float16)
    torch.set_float32_matmul_precision("medium")
    yield
    torch.set_default_dtype(before[0])
    torch.set_float32_matmul_precision(before[1])


def test_settings_of_torch_are_neither_used_nor_changed(unusual):
    rows = table().astype(np.float32)
    before = settings()

    with torch.autocast(HERE, dtype=torch.bfloat16):
        model = el.fit(tensor(rows, torch.float32), 3, device=HERE)
        during = settings()

    assert during[:4] == before[:4]
    assert settings() == before
    np.testing.assert_allclose(
        model.eigenvalues, el.fit(rows.astype(float), 3).eigenvalues, rtol=1e-12
    )


def test_settings_are_as_before_after_an_error(unusual):
    before, spoiled = settings(), tensor(table())
    spoiled[3, 4] = np.nan

    with pytest.raises(DataError):
        el.fit(spoiled, 3, device=HERE)

    assert settings() == before


def test_blocks_are_handed_out_with_the_settings_of_the_user():
    blocks = TensorSource(tensor(table())).blocks(100)

    next(blocks)

    assert torch.is_grad_enabled()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_bad_numbers_are_named_by_row_and_column(bad):
    spoiled = tensor(table(), torch.float32)
    spoiled[317, 4] = bad

    with pytest.raises(DataError, match="row 317, column 4"):
        el.fit(spoiled, 3, device=HERE)


def test_kinds_of_tensors_without_plain_numbers():
    rows = torch.from_numpy(table())
    with warnings.catch_warnings(action="ignore"):  # torch will do without them some day
        quantized = torch.quantize_per_tensor(rows.float(), 0.1, 0, torch.qint8)
    for given, words in [
        (rows.to("meta"), "meta"),
        (quantized, "dequantize"),
        (rows.to_sparse(), "to_dense"),
        (rows.to(torch.complex128), "Complex data"),
    ]:
        for device in (None, "cpu"):
            with pytest.raises(UnsupportedData, match=words):
                el.fit(given, 2, device=device)


def test_shapes_that_are_no_tables():
    for shape in [(7,), (0,), (2, 3, 4, 5, 6)]:
        with pytest.raises(DataError):
            el.fit(torch.zeros(shape), 1, device="cpu")


@pytest.mark.parametrize("name", ["gpu", "cuda:x", "mps", "meta", ""])
def test_names_that_are_no_devices(name):
    with pytest.raises(DeviceError, match="not the name of a device"):
        el.fit(table(), 2, device=name)


def test_a_device_that_is_not_there():
    with pytest.raises(DeviceError, match="torch sees 'cpu'"):
        el.fit(table(), 2, device="cuda:97")


@dataclass(frozen=True)
class Elsewhere:
    """Rows on a device that this machine need not have."""

    device: object


def test_one_call_works_on_one_device():
    with pytest.raises(DeviceError, match="lie on 'cuda:7'"):
        place_tensor(Elsewhere(torch.device("cuda:7")), torch.device("cuda:1"), id)


def test_devices_without_float64_are_refused():
    with pytest.raises(DeviceError, match="mps"):
        torch_device.refuse_device(torch.device("mps:0"))


def test_an_emulation_of_float64_is_refused(monkeypatch):
    monkeypatch.setenv("CUBLAS_EMULATE_DOUBLE_PRECISION", "1")

    with pytest.raises(DeviceError, match="CUBLAS_EMULATE"):
        torch_device.refuse_device(torch.device("cuda:0"))


def test_without_torch_the_processor_is_there_and_a_device_is_an_error():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, check=True
    )

    assert "device='cuda' needs torch" in done.stdout
    assert "eigenlens[torch]" in done.stdout


class Narrow(TensorSource):
    """A device that has no memory for more than a few rows."""

    def tensors(self, rows_per_block):
        if rows_per_block > self.most:
            raise torch.OutOfMemoryError("out of memory")
        return super().tensors(rows_per_block)


def test_where_memory_ends_blocks_are_halved():
    source = Narrow(tensor(table(3000, 200)))
    object.__setattr__(source, "most", 200)

    model = el.fit(source, 3, solver="krylov")

    truth = el.fit(table(3000, 200), 3, solver="krylov")
    np.testing.assert_allclose(model.eigenvalues, truth.eigenvalues, rtol=1e-9)
    assert model.total_variance == pytest.approx(truth.total_variance, rel=1e-12)


def test_where_no_block_fits_it_is_said():
    source = Narrow(tensor(table()))
    object.__setattr__(source, "most", 0)

    with pytest.raises(DeviceError, match="ran out of memory"):
        el.fit(source, 3)


def test_a_named_place_of_the_host_needs_no_copy():
    rows = table()

    model = el.fit(rows, 3, device="cpu")

    assert model.components.tobytes() == el.fit(rows, 3).components.tobytes()
