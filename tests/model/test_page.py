"""The page a model prints: true, aligned, and rounded so that every bound still holds."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.model.page import align_decimals, format_bounds


@pytest.fixture(scope="module")
def model():
    rows = np.random.default_rng(0).standard_normal((300, 20)) * np.linspace(9, 1, 20)
    return el.fit(rows, 15, solver="covariance")


def test_the_page_has_the_certificate_and_every_choice_in_words(model):
    words = " ".join(str(model).split())

    for sentence in model.certificate.sentences:
        assert sentence in words
    for name, verdict in model.choices.items():
        assert f"{name} {verdict}" in words


def test_components_that_are_not_shown_are_counted(model):
    assert "… and 3 more lines" in str(model)
    assert "more" not in str(model.truncate(12))


def test_no_line_of_the_page_is_overlong(model):
    assert max(map(len, str(model).splitlines())) <= 100


def test_the_html_page_says_the_same(model):
    html = model._repr_html_()

    assert f">{align_decimals(model.eigenvalues[:12])[0]}</td>" in html
    assert model.certificate.sentences[2] in html


def test_bounds_that_look_alike_are_given_as_a_distance():
    assert format_bounds(3.0, 3.0 - 1e-12, 3.0 + 2.01e-12) == "± 2.1e-12"


def test_bounds_that_differ_are_rounded_outward():
    assert format_bounds(2.5, 1.23456789, 3.45678901) == "1.23456 to 3.45679"
    assert format_bounds(0.0, 0.0, 3e-14) == "0 to 3e-14"


def test_eigenvalues_share_their_decimals_where_that_shows_enough():
    assert align_decimals(np.array([179.0069, 101.1, 0.5])) == ["179.007", "101.100", "0.500"]
    assert align_decimals(np.array([1e9, 1.0])) == ["1e+09", "1"]
    assert align_decimals(np.array([5.0, 1e-8])) == ["5", "1e-08"]
