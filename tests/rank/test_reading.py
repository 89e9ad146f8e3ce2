"""Passes over the data are counted, also those of rules; an interrupt keeps what is known."""

import numpy as np
import pytest
import scipy.sparse

import eigenlens as el
from eigenlens.rank.catalogue import inform_rule, rule_for
from eigenlens.sources.open import open_source
from eigenlens.table.preparation import prepare
from eigenlens.table.workspace import Workspace


def factors(count=3, shape=(300, 40), strength=1.0, seed=0):
    rng = np.random.default_rng(seed)
    signal = rng.standard_normal((shape[0], count)) @ rng.standard_normal((count, shape[1]))
    return strength * signal + rng.standard_normal(shape)


class Counting:
    """A source that counts how often it was read to its end; may be interrupted at one of them."""

    names = None
    dtype = np.dtype(np.float64)
    is_sparse = False

    def __init__(self, data, patience=None):
        self.data = data
        self.shape = data.shape
        self.stored_bytes = data.nbytes
        self.patience = patience
        self.passes = 0

    def blocks(self, rows_per_block):
        for start in range(0, len(self.data), rows_per_block):
            if self.passes == self.patience:
                self.patience = None
                raise KeyboardInterrupt
            yield self.data[start : start + rows_per_block].copy()
        self.passes += 1

    def panels(self, columns_per_panel):
        for start in range(0, self.shape[1], columns_per_panel):
            yield self.data[:, start : start + columns_per_panel].copy()
        self.passes += 1

    def sample(self, indices):
        return self.data[indices].copy()


RULES = ["parallel", "parallel:permute", "parallel:gauss", "bcv"]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("weights", [None, np.arange(300) % 3])
def test_every_pass_of_a_rule_is_counted(rule, kept, weights, monkeypatch):
    if not kept:  # as for large files: nothing stays in memory
        monkeypatch.setattr("eigenlens.rank.derived_rows.KEPT_BYTES", 0)
        monkeypatch.setattr("eigenlens.rank.derived_rows.KEPT_PART", 1 << 40)
    source = Counting(factors())

    model = el.fit(source, k=rule, solver="covariance", weights=weights)

    assert model.certificate.passes == source.passes
    assert model.certificate.bytes_read >= source.passes * source.stored_bytes
    used = model.choices["k"].evidence["passes"]
    assert 0 < used < source.passes


@pytest.mark.parametrize("kept", [True, False])
def test_every_pass_of_choose_rank_is_counted(kept, monkeypatch):
    if not kept:
        monkeypatch.setattr("eigenlens.rank.derived_rows.KEPT_BYTES", 0)
        monkeypatch.setattr("eigenlens.rank.derived_rows.KEPT_PART", 1 << 40)
    source = Counting(factors())

    report = el.choose_rank(source)

    assert report.passes == source.passes
    assert f"The data were read {source.passes} times" in str(report)


@pytest.mark.parametrize("center", [True, False])
def test_sparse_twins_are_counted_too(center):
    class Sparse(Counting):
        is_sparse = True

        def blocks(self, rows_per_block):
            for block in super().blocks(rows_per_block):
                yield scipy.sparse.csr_array(block)

    source = Sparse((np.random.default_rng(0).random((200, 20)) < 0.3).astype(float))
    rule = rule_for("parallel", source.shape, 20, center)
    workspace = Workspace(1 << 30, 1 << 24)

    inform_rule(
        rule, source, prepare(source, center, None, None), workspace, np.random.default_rng(0)
    )

    assert workspace.meter.passes == source.passes


def test_a_model_and_a_stream_say_what_was_read_of_them():
    data = factors()

    assert el.choose_rank(el.fit(data, 30)).passes == 0
    assert "were read" not in str(el.choose_rank(el.fit(data, 30)))
    assert el.choose_rank(iter(np.array_split(data, 5))).passes == 1


def test_one_twin_that_is_larger_is_the_last():
    noise = factors(strength=0.0)

    verdict = el.fit(noise, k="parallel").choices["k"]

    assert verdict.value == 0
    assert verdict.evidence["draws"] < 19
    assert "no structure to find" in verdict.reason


def test_far_above_their_twins_data_need_no_close_look_at_them():
    source = open_source(factors(shape=(2000, 600), strength=3.0), None)
    workspace = Workspace(1 << 30, 1 << 24)
    rule = rule_for("parallel", source.shape, 600, True)
    looks = []

    for known in rule.learn(
        source, prepare(source, True, None, None), workspace, np.random.default_rng(0)
    ):
        looks.append(len(known.edges))

    assert looks[0] == 20
    assert set(looks[1:]) == {4}  # three factors, and the first value that is none
    assert len(looks) == 19


# -- Ctrl-C ----------------------------------------------------------------------------------


@pytest.fixture
def nothing_kept(monkeypatch):
    """As for large files: every look at a twin reads the data again."""
    monkeypatch.setattr("eigenlens.rank.derived_rows.KEPT_BYTES", 0)
    monkeypatch.setattr("eigenlens.rank.derived_rows.KEPT_PART", 1 << 40)


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("patience", [20, 40])
def test_an_interrupt_among_the_twins_keeps_those_that_were_seen(patience):
    source = Counting(factors(), patience)

    model = el.fit(source, k="parallel", solver="krylov", on_interrupt="return")

    verdict = model.choices["k"]
    assert model.choices["stop"].rule == "interrupted"
    assert 1 <= verdict.evidence["draws"] < 19
    assert f"{verdict.evidence['draws']} tables" in verdict.reason
    assert model.n_components == 3
    truth = np.linalg.eigvalsh(np.cov(source.data.T))[::-1][:3]
    low, high = model.certificate.eigenvalue_bounds.T
    assert np.all(low <= truth)
    assert np.all(truth <= high)


@pytest.mark.usefixtures("nothing_kept")
@pytest.mark.parametrize("rule", ["parallel", "bcv"])
def test_before_anything_is_known_an_interrupt_is_raised(rule):
    with pytest.raises(KeyboardInterrupt):
        el.fit(Counting(factors(), 2), k=rule, on_interrupt="return")


@pytest.mark.usefixtures("nothing_kept")
def test_an_interrupt_among_the_twins_is_raised_unless_asked_otherwise():
    with pytest.raises(KeyboardInterrupt):
        el.fit(Counting(factors(), 40), k="parallel")


@pytest.mark.usefixtures("nothing_kept")
def test_choose_rank_is_interrupted_like_anything_else():
    whole = Counting(factors())
    el.choose_rank(whole)

    with pytest.raises(KeyboardInterrupt):
        el.choose_rank(Counting(factors(), whole.passes - 3))  # among the halves
