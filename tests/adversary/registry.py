"""What an attack is, and the list of all kinds there are."""

import importlib
import pkgutil
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import eigenlens as el
from tests.adversary import kinds
from tests.problems import Problem

__all__ = ["ATTACKS", "Attack", "Kind", "attack", "load_kinds", "nth_attack"]

ATTACKS = {}  # name -> Kind, in the order of registration


@dataclass(frozen=True)
class Attack:
    """A table, what is asked of it, and how: by one fit unless `make` says otherwise."""

    problem: Problem
    k: int
    options: dict = field(default_factory=dict)
    make: Callable | None = None  # (problem, k, options) -> model
    rows: Callable | None = None  # (problem, model) -> the rows A whose A'A is the truth

    def run(self):
        """The model. Little certified or observed is no failure; any other warning is."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", el.NotCertified)
            warnings.simplefilter("ignore", el.errors.LooksLikeCovariance)  # a small square table
            warnings.simplefilter("ignore", el.MostlyMissing)
            return (self.make or plain_fit)(self.problem, self.k, self.options)


@dataclass(frozen=True)
class Kind:
    name: str
    term: str  # what it attacks
    draw: Callable  # generator -> Attack


def plain_fit(problem, k, options):
    return el.fit(
        problem.rows,
        k,
        center=problem.center,
        scale=problem.scale,
        weights=problem.weights,
        **options,
    )


def attack(term):
    """Register a function that draws attacks; its name becomes that of the kind."""

    def register(draw):
        ATTACKS[draw.__name__] = Kind(draw.__name__, term, draw)
        return draw

    return register


def load_kinds():
    """Every kind of the package `kinds`, in the order of their files."""
    for module in sorted(pkgutil.iter_modules(kinds.__path__), key=lambda one: one.name):
        importlib.import_module(f"{kinds.__name__}.{module.name}")
    return ATTACKS


def nth_attack(index, seed, term=None):
    """Attack number `index` of a seed, reproducible: kinds take turns, all else is drawn.

    `term`: only kinds that attack this one.
    """
    every = [kind for kind in load_kinds().values() if term in (None, kind.term)]
    kind = every[index % len(every)]
    return kind, kind.draw(np.random.default_rng([seed, index]))
