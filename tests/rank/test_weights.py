"""Integer weights are repeated rows, for every rule and every check."""

import numpy as np
import pytest
import scipy.sparse

import eigenlens as el
from eigenlens.rank.catalogue import RULES
from eigenlens.rank.repeated_rows import count_copies, repeated_rows
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare

# bcv holds a row out with all its copies, and cannot know that repeated rows are copies.
EVERY = sorted(set(RULES) - {"auto", "bcv"})
SHAPES = {"tall": (120, 12), "wide": (40, 90)}


def table(shape, count=2, seed=0):
    rng = np.random.default_rng(seed)
    n, d = shape
    signal = 2 * rng.standard_normal((n, count)) @ rng.standard_normal((count, d))
    return signal + rng.standard_normal(shape)


def weights_for(n, seed=1):
    """From 0 to 3, the first two never 0, and few enough that copies fill most directions."""
    weights = np.random.default_rng(seed).choice([0, 1, 1, 1, 1, 1, 2, 3], n)
    weights[:2] = 1
    return weights


def answers(data, **options):
    found = {}
    for name in EVERY:
        try:
            verdict = el.fit(data, k=name, **options).choices["k"]
        except el.RankError as error:
            found[name] = str(error)
        else:
            found[name] = (verdict.value, verdict.low, verdict.high, verdict.reason)
    return found


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("center", [True, False])
def test_integer_weights_are_repeated_rows_to_every_rule(shape, center):
    data, weights = table(shape), weights_for(shape[0])

    weighted = answers(data, weights=weights, center=center)

    assert weighted == answers(np.repeat(data, weights, axis=0), center=center)


@pytest.mark.parametrize("times", [2, 5])
def test_also_where_every_row_of_a_wide_table_counts_several_times(times):
    data = table((30, 80))

    weighted = answers(data, weights=np.full(30, times))

    assert weighted == answers(np.repeat(data, times, axis=0))


@pytest.mark.parametrize("null", ["flip", "permute", "gauss"])
def test_twins_of_weighted_rows_are_twins_of_their_copies(null):
    data, weights = table((60, 10)), weights_for(60)

    one = el.fit(data, k=f"parallel:{null}", weights=weights).choices["k"]

    two = el.fit(np.repeat(data, weights, axis=0), k=f"parallel:{null}").choices["k"]
    assert one.value == two.value
    assert one.evidence["edge"] == pytest.approx(two.evidence["edge"], rel=1e-9)


@pytest.mark.parametrize("center", [True, False])
def test_sparse_weighted_rows_too(center):
    rng = np.random.default_rng(0)
    data = scipy.sparse.random_array((150, 20), density=0.2, rng=rng).tocsr()
    weights = weights_for(150)

    one = el.fit(data, k="parallel", weights=weights, center=center).choices["k"]

    copies = data[np.repeat(np.arange(150), weights)]
    two = el.fit(copies, k="parallel", center=center).choices["k"]
    assert (one.value, one.reason) == (two.value, two.reason)
    assert one.evidence["edge"] == pytest.approx(two.evidence["edge"], rel=1e-9)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_choose_rank_says_the_same_of_weights_and_of_copies(shape):
    data, weights = table(shape), weights_for(shape[0])
    order = np.random.default_rng(2).permutation(int(weights.sum()))  # copies are no neighbors

    one = el.choose_rank(data, weights=weights)
    two = el.choose_rank(np.repeat(data, weights, axis=0)[order])

    plain = [name for name in EVERY if name != "parallel"]  # whose signs follow the order of rows
    assert {name: one.rules[name].value for name in plain if name in one.rules} == {
        name: two.rules[name].value for name in plain if name in two.rules
    }
    assert set(one.checks) == set(two.checks)
    for name in one.checks:
        assert one.checks[name].value == two.checks[name].value, name
    for name in ("equal columns", "equal rows", "light tails"):
        ours, theirs = (report.checks[name].evidence for report in (one, two))
        assert ours == pytest.approx(theirs, rel=1e-9)


def test_halves_of_weighted_rows_are_halves_of_copies():
    data, weights = table((120, 12)), weights_for(120)

    one = el.choose_rank(data, weights=weights).halves

    assert one == el.choose_rank(np.repeat(data, weights, axis=0)).halves


def test_noise_of_equal_rows_is_called_so_whatever_their_weights():
    data = table((400, 20))
    weights = np.random.default_rng(3).integers(1, 9, 400)

    assert el.choose_rank(data, weights=weights).checks["equal rows"].value


@pytest.mark.parametrize("factor", [1.0, 1.0001])
def test_weights_next_to_one_change_nothing(factor):
    data = table((120, 12), count=1)

    found = {name: one[0] for name, one in answers(data, weights=np.full(120, factor)).items()}

    assert found == {name: one[0] for name, one in answers(data).items()}


def test_copies_that_leave_most_directions_of_a_wide_table_empty_are_pointed_at():
    verdict = el.fit(table((30, 80)), weights=np.full(30, 2)).choices["k"]

    assert verdict.value == 29
    assert "rows that repeat others, as weights do" in verdict.reason


def test_a_weight_is_that_many_copies_and_a_part_of_one():
    counts, parts = count_copies(np.array([1.0, 0.0, 2.5, 3.0, 0.25]))

    assert counts.tolist() == [1, 0, 3, 3, 1]
    assert parts.tolist() == [1, 1, 1, 0.5, 1, 1, 1, 0.25]


def test_copies_are_the_rows_without_their_weights():
    data, weights = table((50, 6)), np.random.default_rng(0).uniform(0, 3, 50)
    weights[7] = 0
    source = open_source(data, None)
    prepared = build_table(source, prepare(source, True, None, weights), block_bytes=1 << 10)

    copies = repeated_rows(prepared, prepared.preparation.weights)

    rows = np.vstack(list(copies.pieces()))
    centered = data - np.average(data, axis=0, weights=weights)
    assert rows.shape == copies.shape
    assert np.allclose(rows, np.repeat(centered, np.ceil(weights).astype(int), axis=0))
    assert np.isclose(copies.weights.sum(), weights.sum())


def test_weights_that_stand_for_a_population_are_too_many_copies():
    data = table((50, 6))

    with pytest.raises(el.RankError, match=r"add up to 5e\+08.*weights \* n / weights.sum\(\)"):
        el.fit(data, k="parallel", weights=np.full(50, 1e7))
    assert "add up to" in el.choose_rank(data, weights=np.full(50, 1e7)).silent["parallel"]
