"""What a normal law expects in the holes of a row."""

import numpy as np
from hypothesis import given

from eigenlens.missing.normal import Normal
from eigenlens.missing.observed import CellReader, observe_cells
from eigenlens.missing.sums import sum_over
from eigenlens.sources.open import open_source
from tests.missing.drawn import draw_holes, draw_table, incomplete_tables
from tests.reference.normal import expected_moments, observed_deviance

EPS = np.finfo(float).eps


def some_law(width, seed=0):
    rng = np.random.default_rng(seed)
    factor = rng.standard_normal((width, width + 3))
    return Normal(rng.standard_normal(width) / 10, factor @ factor.T / width + 0.1 * np.eye(width))


def read(rows, weights=None):
    source = open_source(rows, None)
    return CellReader(source, observe_cells(source, weights), weights)


def in_units(reader, rows):
    return (rows - reader.observed.center) / reader.observed.spread


@given(incomplete_tables())
def test_expected_sums_are_those_of_the_textbook(rows):
    reader, law = read(rows), some_law(rows.shape[1])
    units = in_units(reader, rows)

    sums = sum_over(law, reader)

    center, covariance = expected_moments(units, law.mean, law.covariance)
    room = (
        1e3
        * EPS
        * np.linalg.cond(law.covariance)
        * max(1.0, np.abs(units[~np.isnan(units)]).max()) ** 2
    )
    assert np.abs(law.mean + sums.shift - center).max() <= room
    assert np.abs(sums.covariance - covariance).max() <= room
    deviance = observed_deviance(units, law.mean, law.covariance)
    assert abs(sums.deviance - deviance) <= room * len(rows) * rows.shape[1]


@given(incomplete_tables())
def test_integer_weights_are_repeated_rows(rows):
    times = np.arange(len(rows)) % 3
    law = some_law(rows.shape[1])
    weighted, repeated = read(rows, times.astype(float)), read(np.repeat(rows, times, axis=0))
    same_units = CellReader(repeated.source, weighted.observed)

    one = sum_over(law, weighted)
    other = sum_over(law, same_units)

    assert one.weight == other.weight
    size = np.abs(other.completed).max()
    assert np.abs(one.second - other.second).max() <= 100 * EPS * len(rows) * size


def test_shared_patterns_give_what_single_rows_give():
    rows = draw_holes(draw_table(200, 9, seed=1), 0.3, seed=2, patterns=5)
    law = some_law(9)
    deviations = np.where(np.isnan(rows), 0.0, rows)

    together = {}
    for part in law.condition(deviations, np.isnan(rows)):
        together |= dict(zip(part.rows.tolist(), part.expected, strict=True))
    alone = {
        row: next(iter(law.condition(deviations[[row]], np.isnan(rows[[row]])))).expected[0]
        for row in together
    }

    assert all(np.allclose(together[row], alone[row], rtol=1e-12) for row in together)


def test_a_row_that_lacks_most_cells_is_solved_from_the_few():
    rows = draw_holes(draw_table(40, 12, seed=3), 0.85, seed=4)
    law = some_law(12)
    reader = read(rows)

    sums = sum_over(law, reader)

    _, covariance = expected_moments(in_units(reader, rows), law.mean, law.covariance)
    assert np.allclose(sums.covariance, covariance, rtol=1e-10, atol=1e-12)
