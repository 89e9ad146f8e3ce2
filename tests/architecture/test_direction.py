"""Imports point one way: a room knows only the rooms that stand left of it."""

import pytest

from tests.architecture.source_tree import MODULES, imports_in, imports_of, room_of, short

# From left to right. Rooms in one line stand side by side and do not know each other.
ORDER = [
    ["errors"],
    ["version", "lazy", "machine"],
    ["document"],
    ["algebra"],
    ["sources"],
    ["table"],
    ["solvers"],
    ["certificate"],
    ["rank", "geometry"],
    ["model"],
    ["search"],
    ["fit"],
    ["questions"],
    ["kernel", "sensing"],
    ["estimators"],
    ["autoencoder"],
    ["saved"],
    ["explain"],
    ["plots"],
    ["report"],
    ["cli"],
    ["__main__", "testing"],
]
PLACE = {room: place for place, rooms in enumerate(ORDER) for room in rooms}

# The face, `eigenlens` itself, is for users; inside, only what stands at the far right may use it.
MAY_USE_THE_FACE = {"cli", "__main__", "testing"}

INSIDE = [path for path in MODULES if room_of(path)]


def wrong_turns(room, imports):
    """Imports of `room` that do not point left, as "line 3: eigenlens.plots.scree"."""
    return [f"line {one.line}: {one.target}" for one in imports if not points_left(room, one)]


def points_left(room, one):
    if one.room is None or one.room == room:
        return True
    if one.room in PLACE:
        return PLACE[one.room] < PLACE[room]
    return room in MAY_USE_THE_FACE


@pytest.mark.parametrize("path", INSIDE, ids=short)
def test_every_room_has_its_place_in_the_order(path):
    assert room_of(path) in PLACE, "a new room: give it a place in ORDER and in ARCHITECTURE.md"


@pytest.mark.parametrize("path", INSIDE, ids=short)
def test_imports_point_left(path):
    assert wrong_turns(room_of(path), imports_of(path)) == []


@pytest.mark.parametrize(
    ("room", "text"),
    [
        ("estimators", "from eigenlens.plots import scree"),
        ("estimators", "from ..plots import scree"),
        ("solvers", "def solve():\n    import eigenlens.fit"),
        ("table", "from eigenlens import model"),
        ("rank", "from eigenlens.geometry import flatness"),
        ("errors", "from eigenlens.document.verdict import Verdict"),
        ("model", "if TYPE_CHECKING:\n    from eigenlens.report import page"),
        ("explain", "import eigenlens as el"),
        ("explain", "from eigenlens import PCA"),
    ],
)
def test_a_wrong_turn_is_seen(room, text):
    assert len(wrong_turns(room, imports_in(text, f"eigenlens.{room}"))) == 1


@pytest.mark.parametrize(
    ("room", "text"),
    [
        ("table", "from eigenlens.sources.open import open_source\nimport numpy as np"),
        (
            "table",
            "from .blocks import Block\nfrom ..errors import DataError",
        ),
        ("fit", "from eigenlens import model, document"),
        ("cli", "import eigenlens as el"),
    ],
)
def test_a_right_turn_is_left_alone(room, text):
    assert wrong_turns(room, imports_in(text, f"eigenlens.{room}")) == []
