"""Tables prepared against a seed: what a fit draws is recorded, and variance put elsewhere."""

import importlib
import warnings

import numpy as np
import pytest

import eigenlens as el
from tests.adversary.interrupted import Interrupted

__all__ = ["WatchedRows", "hide_direction"]


class Recorder:
    """A generator that keeps the normal vectors of one length that it and its children drew."""

    def __init__(self, rng, length, drawn):
        self.rng, self.length, self.drawn = rng, length, drawn

    def spawn(self, count):
        return [Recorder(one, self.length, self.drawn) for one in self.rng.spawn(count)]

    def standard_normal(self, size):
        found = self.rng.standard_normal(size)
        if np.ndim(found) and len(found) == self.length:
            self.drawn.append(found.reshape(self.length, -1).copy())
        return found

    def __getattr__(self, name):
        return getattr(self.rng, name)


class WatchedRows(Interrupted):
    """A source that remembers which rows were sampled."""

    def __init__(self, rows):
        super().__init__(rows, stop_after=-1)
        self.sampled = set()

    def sample(self, indices):
        self.sampled.update(np.asarray(indices).tolist())
        return super().sample(indices)


def draws_of_a_fit(rows, k, options):
    """What a fit of such rows draws from its seed: normal vectors, and rows."""
    drawn, source = [], WatchedRows(rows)

    def recording(seed):
        return Recorder(np.random.default_rng(seed), rows.shape[1], drawn)

    with pytest.MonkeyPatch.context() as patched, warnings.catch_warnings():
        warnings.simplefilter("ignore", el.NotCertified)
        patched.setattr(importlib.import_module("eigenlens.fit"), "random_generator", recording)
        el.fit(source, k, **options)
    return np.hstack([np.zeros((rows.shape[1], 0)), *drawn]), sorted(source.sampled)


def hide_direction(rng, table, k, options, size):
    """The table with variance `size`^2 orthogonal to every vector, and in no row, that a fit draws.

    The first two columns are to be the largest: they are what such a fit finds. Returns the rows
    and how many of them were sampled.
    """
    d = table.shape[1]
    vectors, sampled = draws_of_a_fit(table, k, options)
    known = np.linalg.qr(np.hstack([vectors, np.eye(d)[:, :2]])[:, : d - 1])[0]
    hidden = rng.standard_normal(d)
    for _ in range(2):
        hidden -= known @ (known.T @ hidden)
    hidden /= np.linalg.norm(hidden)
    table = table - np.outer(table @ hidden, hidden)
    scores = size * rng.standard_normal(len(table))
    scores[sampled] = 0
    rest = np.setdiff1d(np.arange(len(table)), sampled)
    others = np.linalg.qr(np.column_stack([np.ones(len(rest)), table[rest]]))[0]
    scores[rest] -= others @ (others.T @ scores[rest])  # no product leads there
    return table + np.outer(scores, hidden), len(sampled)
