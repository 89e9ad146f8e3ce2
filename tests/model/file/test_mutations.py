"""A spoiled file gives our error, soon, in little memory, and never runs anything."""

import time
import tracemalloc

import numpy as np
import pytest

import eigenlens as el
from tests.model.file.damage import DAMAGE
from tests.model.file.forge import taken_apart, true_model
from tests.model.file.forged_arrays import FORGED_ARRAYS
from tests.model.file.forged_records import FORGED_RECORDS

EVERY = DAMAGE + FORGED_ARRAYS + FORGED_RECORDS
FAMILIES = {family.__name__.replace("_", " "): family for family in EVERY}
SECONDS = 1.0
SPARE_BYTES = 32 << 20  # beside 16 times the file
MANY = 150  # of a family: then the memory of every fifth file is measured, which is slow


@pytest.fixture(scope="module")
def raw(tmp_path_factory):
    return true_model().save(tmp_path_factory.mktemp("true") / "a.eigenlens").read_bytes()


def outcome(path, spoiled, traced):
    """What loading did that it should not have, or None."""
    path.write_bytes(spoiled)
    if traced:
        tracemalloc.start()
    start = time.process_time()
    trouble = trouble_of(path)
    if time.process_time() - start > SECONDS:
        trouble = "took too long"
    if traced:
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        if taken > SPARE_BYTES + 16 * len(spoiled):
            trouble = f"took {taken} bytes for a file of {len(spoiled)}"
    return trouble


def trouble_of(path):
    try:
        el.load(path)
    except el.ModelFileError as error:
        readable = str(path) in str(error) and len(str(error)) < 600
        return None if readable else f"said {error}"
    except BaseException as error:
        return f"raised {error!r}"
    return "was loaded"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_spoiled_file_is_refused_soon_and_in_little_memory(family, raw, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cases = list(FAMILIES[family](raw, taken_apart(raw), np.random.default_rng(3)))
    every = 1 if len(cases) <= MANY else 5

    troubles = {
        what: trouble
        for number, (what, spoiled) in enumerate(cases)
        if (trouble := outcome(tmp_path / "a.eigenlens", spoiled, number % every == 0))
    }

    assert troubles == {}
    assert [path.name for path in tmp_path.iterdir()] == ["a.eigenlens"]  # no trap was sprung


def test_blind_damage_alone_makes_five_hundred_different_files(raw):
    blind = ("flipped bits", "replaced bytes", "cut off", "moved")
    rng = np.random.default_rng(3)
    cases = {held for name in blind for _, held in FAMILIES[name](raw, None, rng)}

    assert len(cases) >= 500
    assert raw not in cases


def test_taken_apart_and_put_together_it_is_still_a_model(raw, tmp_path):
    path = tmp_path / "a.eigenlens"
    path.write_bytes(taken_apart(raw).bytes())

    assert el.load(path).n_components == 3
