"""The certificate in words: four sentences, each with its number, none claiming too much."""

from dataclasses import replace

import numpy as np
import pytest

import eigenlens as el
from eigenlens.certificate.record import bound_in_words, round_up


@pytest.fixture(scope="module")
def certificate():
    rows = np.random.default_rng(0).standard_normal((300, 20)) * np.linspace(9, 1, 20)
    return el.fit(rows, 4, solver="covariance").certificate


def test_there_are_four_sentences(certificate):
    assert len(certificate.sentences) == 4
    assert all(sentence.endswith(".") for sentence in certificate.sentences)
    assert str(certificate) == " ".join(certificate.sentences)


def test_the_variance_is_named_with_its_distance_to_the_best(certificate):
    bounds = np.array([0.5, 0.5])
    text = replace(
        certificate, captured_ratio=0.5, captured_bounds=bounds, suboptimality=0.0123
    ).sentences[0]

    assert (
        text
        == "The 4 components capture 50.0000% of the variance, within 1.3% of the best that 4 can."
    )


def test_one_component_is_spoken_of_in_the_singular(certificate):
    text = replace(certificate, angle_bounds=np.zeros(1), suboptimality=0.0).sentences[0]

    assert text.startswith("The component captures")
    assert text.endswith("exactly the best that one can.")


def test_an_error_beyond_the_sampling_error_is_a_multiple_of_it(certificate):
    assert "13 times its sampling error" in replace(certificate, sampling_share=12.9).sentences[1]


def test_without_a_gap_no_angle_is_claimed(certificate):
    assert "no angle" in replace(certificate, subspace_angle=1.0).sentences[2]


def test_tied_components_are_told_as_a_span(certificate):
    tied = replace(certificate, subspace_angle=1e-9, clusters=((1, 2),))

    assert "PC2 to PC3" in tied.sentences[2]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("deterministic", "proven without sampling"),
        ("probabilistic", "except with probability 1e-07"),
        ("heuristic", "promises nothing"),
    ],
)
def test_the_kind_is_said_in_words(certificate, kind, words):
    text = replace(certificate, kind=kind, failure_probability=1e-7).sentences[3]

    assert words in text


@pytest.mark.parametrize("value", [1.01e-13, 2.9e-5, 0.00123, 0.0301, 0.99, 1.21, 47.3, 1234.0])
def test_a_bound_in_words_is_never_below_the_bound(value):
    assert value <= float(round_up(value)) <= 1.1 * value


def test_parts_are_said_as_percent_powers_or_multiples():
    assert bound_in_words(0.0312, "its size") == "3.2% of its size"
    assert bound_in_words(3.2e-12, "its size") == "3.2e-12 of its size"
    assert bound_in_words(13, "its size") == "13 times its size"
    assert bound_in_words(float("inf"), "its size") == "an unknown multiple of its size"


def test_a_share_that_rounding_blurs_is_told_as_an_interval(certificate):
    bounds = np.array([0.49, 0.51])

    text = replace(certificate, captured_ratio=0.5, captured_bounds=bounds).sentences[0]

    assert "capture between 49.0000% and 51.0000% of the variance" in text
