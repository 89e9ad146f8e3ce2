"""The page laid out: what fits is shown, and nothing is cut."""

import pytest

from eigenlens.cli.demo import load_wines
from eigenlens.document.text import draw_bar, page_text
from eigenlens.fit import fit
from eigenlens.model.page import model_page


@pytest.fixture(scope="module")
def model():
    return fit(load_wines().rows, 3, solver="covariance")


def printed(model, width):
    return page_text(model_page(model, "Title", "Hint"), width)


@pytest.mark.parametrize("width", [24, 40, 62, 80, 200])
def test_no_line_is_wider_than_the_screen(model, width):
    assert max(map(len, printed(model, width).splitlines())) <= width


@pytest.mark.parametrize("width", [24, 40, 80])
def test_the_certificate_is_whole_at_any_width(model, width):
    words = " ".join(printed(model, width).split())

    for sentence in model.certificate.sentences:
        assert sentence in words


def test_there_is_a_bar_where_there_is_room_for_one(model):
    assert "━" in printed(model, 80)
    assert "━" not in printed(model, 60)


def test_columns_go_from_the_right_where_the_screen_is_narrow(model):
    assert "certified" in printed(model, 64)
    assert "certified" not in printed(model, 50)
    assert "cumulative" in printed(model, 50)


def test_a_bar_is_as_long_as_its_share():
    assert draw_bar(1.0, 10) == "━" * 10
    assert draw_bar(0.5, 10) == "━" * 5
    assert draw_bar(0.0, 10) == ""
    assert draw_bar(0.15, 10) == "━╸"


def test_a_bar_can_be_drawn_in_ascii():
    assert draw_bar(0.5, 10, ascii_only=True) == "#" * 5
