"""The numerical rank: what arithmetic and storage can tell from nothing, and who respects it."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.rank.catalogue import RULES

SHAPES = [(500, 3, 2), (60, 5, 4), (200, 10, 7), (300, 20, 15), (60, 120, 10)]
EXACT = ("gap", "auto", "dpa")


def flat(rows, columns, rank, seed=0, noise=0.0):
    rng = np.random.default_rng(seed)
    table = rng.standard_normal((rows, rank)) @ rng.standard_normal((rank, columns))
    return table + noise * rng.standard_normal(table.shape)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_a_table_with_nothing_but_rounding_added_has_its_rank(shape, dtype, offset):
    data = (flat(*shape) + offset).astype(dtype)

    for k in (1, shape[2], "auto"):
        rank = el.fit(data, k=k).rank

        assert rank.low <= shape[2] <= rank.high
        if k != 1:
            assert rank.value == rank.low == rank.high == shape[2]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("noise", [0.0, 1e-6])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_three_rules_answer_with_an_exact_rank(shape, noise, dtype, offset):
    data = (flat(*shape, noise=noise) + offset).astype(dtype)  # benchmarks.small draws many

    found = {k: el.fit(data, k=k).n_components for k in EXACT}

    assert set(found.values()) == {shape[2]}, found


@pytest.mark.parametrize("name", sorted(set(RULES) - {"bcv"}))
def test_no_rule_answers_more_than_the_rank(name):
    data = flat(120, 12, 5)

    assert el.fit(data, k=name).n_components <= 5


def test_a_plane_is_called_one():
    model = el.fit(flat(500, 3, 2), k=3)

    assert model.rank.reason == "rank 2 of 3: the rows lie in a plane"
    assert model.rank.evidence["floor"] > model.eigenvalues[2]
    assert model.n_filled == 2
    assert "rank 2: the last 1 hold nothing but rounding" in model.choices["k"].reason
    assert model.choices["k"].evidence == {"rank": 2, "empty": 1}


def test_a_truncated_fit_knows_a_lower_end():
    rng = np.random.default_rng(0)
    model = el.fit(rng.standard_normal((900, 400)) * np.geomspace(9, 1, 400), k=3, solver="krylov")

    assert 4 <= model.rank.low < model.rank.high == 400
    assert "or more" in model.rank.reason


def test_small_variances_that_are_stored_exactly_are_no_rounding():
    rng = np.random.default_rng(0)
    data = rng.standard_normal((200, 6)) * np.geomspace(1, 1e-5, 6)

    assert el.fit(data, k=6).rank.value == 6
    assert el.fit(data.astype(np.float32), k=6).rank.value == 6


def test_the_rank_is_saved_and_an_older_model_computes_it(tmp_path):
    from dataclasses import replace

    model = el.fit(flat(200, 10, 7), k=7)
    loaded = el.load(model.save(tmp_path / "new.eigenlens"))
    older = replace(
        model, choices={name: one for name, one in model.choices.items() if name != "rank"}
    )

    assert loaded.rank == model.rank
    assert el.load(older.save(tmp_path / "old.eigenlens")).rank.value == 7


def test_choose_rank_begins_with_the_rank():
    report = el.choose_rank(flat(200, 10, 7))

    assert report.rank.value == report.k == 7
    assert report.sentences()[0] == "Rank 7 of 10: the rows lie in a hyperplane of 7 dimensions."


def test_nothing_is_said_of_what_empty_components_are_made_of():
    data = flat(200, 6, 2)
    model = el.fit(data, k=4)

    found = el.explain.findings(model, data)
    axes = el.explain.describe_axes(model, data, level=1)

    assert not any("PC3" in one for one in found["finding"] if "nothing but rounding" not in one)
    assert any("PC3 and PC4 hold nothing but rounding" in one for one in found["finding"])
    assert set(axes["component"]) == {"PC1", "PC2"}
