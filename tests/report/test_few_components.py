"""Pages of models with one component, with none, and with all: each section says the same."""

import re

import numpy as np
import pytest

import eigenlens
from tests.explain.classics import DECATHLON, EVENTS
from tests.report.test_page import page_of, words_of

RNG = np.random.default_rng(4)
NOISE = RNG.standard_normal((80, 4))
HALVES = {"half": ["first", "second"] * 40}


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    """From a file, whose rows are read into memory without the names of their columns."""
    folder = tmp_path_factory.mktemp("one")
    DECATHLON.frame()[list(EVENTS)].to_csv(folder / "decathlon.csv", index_label="name")
    model = eigenlens.fit(folder / "decathlon.csv", 1, columns=list(EVENTS), scale="std")
    return page_of(model, folder / "decathlon.csv", folder)


@pytest.fixture(scope="module")
def none(tmp_path_factory):
    model = eigenlens.fit(NOISE)
    assert model.n_components == 0
    return page_of(model, NOISE, tmp_path_factory.mktemp("none"), groups=HALVES)


def figure(page, name):
    return re.search(rf'<figure class="chart" id="chart-{name}">.*?</figure>', page, re.S).group()


def test_variables_keep_their_names_where_the_plane_has_a_component_that_is_not_kept(one):
    drawn = words_of(figure(one, "circle"))

    assert all(event in drawn for event in EVENTS)
    assert "x0" not in drawn


def test_the_variable_to_check_first_has_the_longest_bar_of_one_component(one):
    # Corrections of all variables take the same of T2 then: rounding must not choose among them.
    check = re.search(r"Karpov \S+ \S+ extreme but fits (\S+), ", words_of(one))
    drawn = words_of(re.search(r"<svg.*?</svg>", figure(one, "row-1"), re.S).group())
    longest = next(word for word in drawn.split() if word in EVENTS)

    assert check.group(1) == longest == "100m"


def test_one_component_is_spoken_of_in_the_singular(one):
    words = words_of(one)

    assert "1 component loses 67.3% of the variance." in words
    assert "1 of 41 rows exceeds a 99 % limit" in words


def test_where_none_is_kept_no_section_says_otherwise(none):
    words = words_of(none)

    assert "kept: 0" in figure(none, "scree")
    assert "The model keeps no components; the map shows a few more" in words
    assert "The model keeps no component to relate 'half' to." in words
    assert "so the components describe them" not in words
    assert "Eigenvalues and their proven bounds" not in words


def test_where_all_are_kept_nothing_is_lost_and_somebody_may_be_odd(tmp_path):
    rows = NOISE * [5, 3, 1, 1]
    rows[3] = [60, 0, 0, 0]

    words = words_of(page_of(eigenlens.fit(rows, 4), rows, tmp_path))

    assert "Nothing is lost: 4 components hold all of the variance." in words
    assert "1 of 80 rows is extreme but fits" in words


def test_a_little_that_is_lost_is_not_called_nothing(tmp_path):
    rows = np.outer(NOISE[:, 0], [100, 100, 100, 100]) + 0.1 * NOISE

    words = words_of(page_of(eigenlens.fit(rows, 1), rows, tmp_path))

    assert "1 component loses less than 0.1% of the variance." in words
    assert "less than 1% lost" in words


def test_two_rows_are_too_few_to_judge_and_the_page_says_so(tmp_path):
    words = words_of(page_of(eigenlens.fit(NOISE[:2], 1), NOISE[:2], tmp_path))

    assert "There are too few rows to compute limits for outliers." in words
    assert "a 99 % limit" not in words
    assert "Choosing from 2 rows needs 10 rows or more" in words
    assert "PC1 cannot be distinguished from the other components" in words


def test_large_counts_of_ordinary_rows_are_written_out():
    from types import SimpleNamespace

    from eigenlens.report.sections.rows import count_beyond_limits

    facts = SimpleNamespace(
        has_limits=True, source=np.empty((100_000, 0)), beyond_limits=range(1983)
    )

    assert count_beyond_limits(facts) == [
        "1,983 of 100,000 rows exceed a 99 % limit; of ordinary rows about 1,000 to 2,000 would."
    ]
