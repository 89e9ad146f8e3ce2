"""Reading: what is not a model file, and what this version cannot read, is said in words."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import eigenlens as el
from tests.model.file.forge import sealed, taken_apart, true_model
from tests.model.file.users import needs_users, nobody


@pytest.fixture
def path(tmp_path):
    return true_model().save(tmp_path / "a.eigenlens")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(el.ModelFileError, match=r"gone.*there is no such file.*spelling"):
        el.load(tmp_path / "gone.eigenlens")


def test_a_folder(tmp_path):
    with pytest.raises(el.ModelFileError, match="it is a folder"):
        el.load(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("kind", ["pipe", "/dev/zero"])
def test_what_is_no_file_is_not_waited_for(kind, tmp_path):
    path = Path(kind)
    if kind == "pipe":
        path = tmp_path / "pipe"
        os.mkfifo(path)

    with pytest.raises(el.ModelFileError, match="it is no file"):
        el.load(path)


@pytest.mark.parametrize("held", [b"", b"a,b\n1,2\n", b"PK\x05\x06" + bytes(18)])
def test_a_file_of_another_kind(held, tmp_path):
    (tmp_path / "a.csv").write_bytes(held)

    with pytest.raises(el.ModelFileError, match=r"not a model file.*model\.save.*eigenlens\.fit"):
        el.load(tmp_path / "a.csv")


def test_arrays_that_numpy_packed(tmp_path):
    np.savez(tmp_path / "a.npz", mean=np.zeros(3))

    with pytest.raises(el.ModelFileError, match="not a model file"):
        el.load(tmp_path / "a.npz")


def test_a_file_that_is_cut_off(path):
    path.write_bytes(path.read_bytes()[:-10])

    with pytest.raises(el.ModelFileError, match="it is cut off, or was packed by another program"):
        el.load(path)


def test_a_file_in_which_a_byte_was_changed(path):
    raw = bytearray(path.read_bytes())
    raw[500] ^= 1
    path.write_bytes(raw)

    with pytest.raises(el.ModelFileError, match="it was changed after it was written"):
        el.load(path)


def test_a_container_of_a_later_format(path):
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"eigenlens-model/1 ", b"eigenlens-model/2 "))

    with pytest.raises(el.ModelFileError, match="newer eigenlens: its container has version 2"):
        el.load(path)


def test_a_record_of_a_later_version(path):
    forge = taken_apart(path.read_bytes())
    forge.record["version"] = 7
    forge.record["record"] = {"all": "different"}
    path.write_bytes(forge.bytes())

    with pytest.raises(el.ModelFileError, match=r"newer.*subspace has version 7.*up to 2.*pip"):
        el.load(path)


def test_a_kind_of_model_that_is_not_known(path):
    forge = taken_apart(path.read_bytes())
    forge.record["kind"] = "crystal ball"
    path.write_bytes(forge.bytes())

    known = "'autoencoder', 'kernel', 'linear_autoencoder', 'subspace'"
    with pytest.raises(el.ModelFileError, match=f"'crystal ball'.*reads {known}.*pip install"):
        el.load(path)


def test_a_certificate_that_was_edited(path):
    forge = taken_apart(path.read_bytes())
    forge.record["record"]["certificate"]["captured_ratio"] = 0.999
    path.write_bytes(forge.bytes())

    with pytest.raises(el.ModelFileError, match="another captured_ratio than its proof"):
        el.load(path)


def test_a_certificate_that_another_machine_rounds_otherwise_is_the_same(path):
    forge = taken_apart(path.read_bytes())
    certificate = forge.record["record"]["certificate"]
    for name in ("captured_ratio", "subspace_angle", "backward_error", "reconstruction_error"):
        certificate[name] *= 1 + 1e-12
    path.write_bytes(forge.bytes())

    assert el.load(path).n_components == 3


def test_more_than_may_be_used_is_refused_before_it_is_read(path):
    size = path.stat().st_size

    with pytest.raises(
        el.ModelFileError, match=rf"takes {size} bytes, but the memory budget is 5000.*memory='1MB'"
    ):
        el.load(path, memory=5000)

    assert el.load(path, memory="1MB").n_components == 3


@pytest.mark.parametrize("path", [None, 5, b"x", ["a"]])
def test_what_is_no_path(path):
    with pytest.raises(el.OptionError, match=r"Pass load\('run.eigenlens'\)"):
        el.load(path)


@needs_users
def test_a_file_that_may_not_be_read(path):
    path.chmod(0)

    with pytest.raises(el.ModelFileError, match="permissions of the file"), nobody():
        el.load(path)


def test_a_model_that_was_loaded_cannot_be_changed(path):
    model = el.load(path)

    with pytest.raises(ValueError, match="read-only"):
        model.components[0, 0] = 1


def test_the_seal_of_the_tests_is_the_seal_of_the_writer(path):
    raw = path.read_bytes()

    assert sealed(raw[:-64] + b"0" * 64) == raw
    assert json.loads(json.dumps(taken_apart(raw).record))["format"] == 1


def test_other_kernels_of_the_blas_round_otherwise_and_refuse_nothing(tmp_path):
    for solver in ("krylov", "covariance"):
        rows = np.random.default_rng(0).standard_normal((400, 200)) / np.sqrt(np.arange(1, 201))
        el.fit(rows, 20, solver=solver).save(tmp_path / f"{solver}.eigenlens")
    program = "import sys, eigenlens; [eigenlens.load(path) for path in sys.argv[1:]]"
    other = os.environ | {"OPENBLAS_CORETYPE": "Prescott"}  # without the newer instructions

    done = subprocess.run(
        [sys.executable, "-c", program, *tmp_path.iterdir()], env=other, capture_output=True
    )

    assert done.stderr == b""
