"""Ctrl-C after training: the network stays, and nothing half done is taken for the whole."""

import numpy as np
import pytest

from eigenlens.autoencoder import Autoencoder
from eigenlens.autoencoder.gain import HeldOutErrors, judge_gain
from eigenlens.document.verdict import Verdict
from tests.autoencoder.behind import Behind
from tests.autoencoder.sets import lecture_curve

FOLDED = {"hidden": 32, "max_epochs": 12, "patience": 50}
SHARES = 3  # samples taken to share the rows out: to train on, to judge by, to stop by


class Pressed(Behind):
    """Rows of which a sample, the one of that number, meets Ctrl-C."""

    def __init__(self, rows, at):
        super().__init__(rows)
        self.at, self.samples = at, 0

    def sample(self, indices):
        self.samples += 1
        if self.samples == self.at:
            raise KeyboardInterrupt
        return self.inner.sample(indices)


@pytest.fixture
def flat_rows():
    return np.random.default_rng(3).standard_normal((400, 2))


@pytest.fixture
def pressed_in_step(monkeypatch):
    """A function that says in which step of L-BFGS Ctrl-C is pressed."""
    import torch

    real, count = torch.optim.LBFGS.step, [0]

    def press(at):
        def step(self, closure):
            count[0] += 1
            if count[0] == at:
                raise KeyboardInterrupt
            return real(self, closure)

        monkeypatch.setattr(torch.optim.LBFGS, "step", step)
        return count

    return press


def test_a_network_is_kept_when_the_look_at_flatness_is_interrupted():
    rows = lecture_curve(200)
    options = {"hidden": 8, "max_epochs": 3}
    samples = Pressed(rows, at=None)
    whole = Autoencoder(1, **options).fit(samples)
    first = samples.samples  # the last sample is the look at flatness

    coder = Autoencoder(1, **options).fit(Pressed(rows, at=first))

    assert first > SHARES
    assert coder.ended_ == "interrupted"
    assert coder.flatness_ is None
    assert np.array_equal(coder.transform(rows), whole.transform(rows))
    assert "not compared with what flat clouds give, as it was interrupted" in coder.gain_.reason


def test_a_comparison_that_is_interrupted_is_none(flat_rows, pressed_in_step):
    steps = pressed_in_step(FOLDED["max_epochs"] + 2)  # in the first flat cloud

    coder = Autoencoder(1, **FOLDED).fit(flat_rows)

    assert steps[0] == FOLDED["max_epochs"] + 2  # no further cloud was begun
    assert coder.ended_ == "interrupted"
    assert coder.best_epoch_ > 0
    assert "gain_on_flat_clouds" not in coder.gain_.evidence
    assert "as it was interrupted" in coder.gain_.reason


def test_after_an_interrupted_training_no_clouds_are_trained_on(flat_rows, pressed_in_step):
    steps = pressed_in_step(8)

    coder = Autoencoder(1, **FOLDED).fit(flat_rows)

    assert steps[0] == 8
    assert coder.ended_ == "interrupted"
    assert len(coder.history_) == 8


def test_an_interrupt_after_training_may_be_raised_too(flat_rows, pressed_in_step):
    pressed_in_step(FOLDED["max_epochs"] + 2)
    coder = Autoencoder(1, on_interrupt="raise", **FOLDED)

    with pytest.raises(KeyboardInterrupt):
        coder.fit(flat_rows)

    assert coder.best_epoch_ > 0


def test_a_table_too_large_for_clouds_says_so():
    pca = np.ones(50)
    flat = Verdict("flat", "test", "")

    found = judge_gain(
        HeldOutErrors(pca, 0.5 * pca), flat, lambda: "9 rows are many", np.random.default_rng(0)
    )

    assert found.reason.endswith("not compared with what flat clouds give, as 9 rows are many")
    assert found.evidence["not_compared"] == "9 rows are many"
