"""Writing: the file appears whole or not at all, and the message says why."""

import os
import stat
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest

import eigenlens as el
from tests.model.file.forge import true_model
from tests.model.file.users import needs_users, nobody

FULL_DISK = """
import resource, signal, sys
import numpy as np
import eigenlens as el

model = el.fit(np.random.default_rng(0).standard_normal((500, 300)), 20, solver="covariance")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    model.save(sys.argv[1])
except el.ModelFileError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def model():
    return true_model()


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of a process")
@pytest.mark.parametrize("before", [None, b"an older file"])
def test_a_full_disk_leaves_what_was_there(before, tmp_path):
    path = tmp_path / "a.eigenlens"
    if before is not None:
        path.write_bytes(before)

    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True
    )

    assert "largest size of a file. Nothing half-written" in done.stdout
    assert [one.name for one in tmp_path.iterdir()] == ([] if before is None else ["a.eigenlens"])
    assert before is None or path.read_bytes() == before


def test_a_folder_that_is_not_there_is_named(model, tmp_path):
    with pytest.raises(
        el.ModelFileError, match=r"gone/a\.eigenlens.*there is no folder.*reate the folder"
    ):
        model.save(tmp_path / "gone" / "a.eigenlens")


def test_a_folder_in_its_place_is_left_alone(model, tmp_path):
    (tmp_path / "a.eigenlens").mkdir()

    with pytest.raises(el.ModelFileError, match="it is a folder"):
        model.save(tmp_path / "a.eigenlens")

    assert os.listdir(tmp_path / "a.eigenlens") == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs devices")
def test_a_device_in_its_place_is_left_alone(model):
    with pytest.raises(el.ModelFileError, match="it is a device"):
        model.save("/dev/full")

    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@needs_users
def test_a_folder_that_may_not_be_written_to_is_named(model, tmp_path):
    tmp_path.chmod(0o500)

    with pytest.raises(el.ModelFileError, match="this user has no permission"), nobody():
        model.save(tmp_path / "a.eigenlens")

    tmp_path.chmod(0o700)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", [None, 5, b"a.eigenlens"])
def test_what_is_no_path_is_an_error_of_ours(model, path):
    with pytest.raises(el.OptionError, match=r"needs a path. Pass save\('run.eigenlens'\)"):
        model.save(path)


def test_a_link_stays_and_what_it_points_to_is_replaced(model, tmp_path):
    target, link = tmp_path / "target.eigenlens", tmp_path / "link.eigenlens"
    target.write_bytes(b"an older file")
    link.symlink_to(target)

    model.save(link)

    assert link.is_symlink()
    assert el.load(target).n_components == 3


def test_the_permissions_of_an_older_file_stay(model, tmp_path):
    path = tmp_path / "a.eigenlens"
    path.touch(0o600)

    model.save(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_long_name_in_any_script_can_be_written(model, tmp_path):
    path = tmp_path / ("é" * 110 + ".eigenlens")

    assert el.load(model.save(path)).n_components == 3


def test_the_path_comes_back(model, tmp_path):
    assert model.save(str(tmp_path / "a")) == tmp_path / "a"


def test_others_can_read_it_without_us(model, tmp_path):
    path = model.save(tmp_path / "a.eigenlens")

    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
    arrays = np.load(path, allow_pickle=False)

    assert names[0] == "model.json"
    assert np.array_equal(arrays["components"], model.components)
    assert np.array_equal(arrays["mean"], model.mean)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"eigenvalues": np.array([3.0, 2.0, 1.0])}, "its proof is about other eigenvalues"),
        ({"mean": np.full(6, np.nan)}, "its array mean holds NaN"),
        ({"total_variance": -1.0}, "'total_variance' of its record is -1.0"),
        ({"feature_names": ("a", "b")}, "'feature_names' of its record are 2, for 6 columns"),
        ({"feature_names": ("a",) * 6}, "are not all different"),
        ({"n_rows": -1}, "'n_rows' of its record is -1"),
    ],
)
def test_a_model_that_could_not_be_loaded_is_not_saved(model, change, words, tmp_path):
    with pytest.raises(el.ModelFileError, match=f"was not saved.*{words}.*fit returned"):
        replace(model, **change).save(tmp_path / "a.eigenlens")

    assert list(tmp_path.iterdir()) == []


def test_a_file_beyond_4_gb_has_the_same_audit(model, tmp_path, monkeypatch):
    # The same structures, from a hundred bytes on.
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)

    path = model.save(tmp_path / "a.eigenlens")

    assert b"PK\x06\x06" in path.read_bytes()
    assert el.load(path).n_components == 3
