"""The standing adversary, for as long as asked: python -m tests.adversary.run --fits 100000.

Prints the seed, how many fits were made, every violation, and what share was refused in words.
Results are stored in benchmarks/results/adversary.md and .json.
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from eigenlens.errors import EigenlensError
from tests.adversary.judge import violations
from tests.adversary.registry import load_kinds, nth_attack
from tests.adversary.truth import truth_of

PAGE = Path(__file__).parents[2] / "benchmarks" / "results" / "adversary"
CERTIFIED, REFUSED, VIOLATED = "certified", "refused in words", "violated"
SHOWN = 40
OFTEN = 1000  # fits: so often an unfinished run is stored


@dataclass
class Results:
    seeds: list
    outcomes: dict = field(default_factory=lambda: defaultdict(Counter))  # kind -> outcome -> count
    refusals: Counter = field(default_factory=Counter)  # error class -> count
    found: list = field(default_factory=list)  # (index, kind, words)
    seconds: float = 0.0

    @property
    def fits(self):
        return sum(sum(counts.values()) for counts in self.outcomes.values())

    def count(self, outcome):
        return sum(counts[outcome] for counts in self.outcomes.values())

    def add(self, index, seed, term=None):
        kind, outcome, words = judge_one(index, seed, term)
        self.outcomes[kind][outcome] += 1
        if outcome == REFUSED:
            self.refusals[words[0]] += 1
        if outcome == VIOLATED:
            self.found.append((index, kind, words))
        return words if outcome == VIOLATED else []


def judge_one(index, seed, term=None):
    """(kind, outcome, words): what is violated, or the class of the error that refused."""
    kind, attack = nth_attack(index, seed, term)
    try:
        model = attack.run()
    except EigenlensError as error:
        return kind.name, REFUSED, [type(error).__name__]
    except Exception as error:
        return kind.name, VIOLATED, [f"raises {type(error).__name__}: {error}"]
    with np.errstate(all="ignore"):
        rows = None if attack.rows is None else attack.rows(attack.problem, model)
        wrong = violations(model, truth_of(attack.problem, rows))
    return kind.name, VIOLATED if wrong else CERTIFIED, wrong


def run(seed, fits, seconds, first=0, place=None, term=None):
    """Until so many fits were made or so much processor time is spent; stored now and then."""
    results, start = Results([seed]), time.process_time()
    for index in range(first, first + fits):
        for words in results.add(index, seed, term):
            tell(f"violation: seed {seed}, attack {index} ({results.found[-1][1]}): {words}")
        results.seconds = time.process_time() - start
        if results.seconds > seconds:
            break
        if place is not None and results.fits % OFTEN == 0:
            store(results, place)
    return results


def summary(results):
    refused = results.count(REFUSED) / max(results.fits, 1)
    wrong = f"{results.fits} fits, {len(results.found)} violations"
    return f"{wrong}, {refused:.1%} refused in words"


def tell(text):
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def page(results):
    refused = results.count(REFUSED) / results.fits
    seeds = ", ".join(map(str, results.seeds))
    refusals = ", ".join(f"{name} {count}" for name, count in results.refusals.most_common())
    lines = [
        "# The standing adversary",
        "",
        "Tables made to break a certificate, one kind per term of the rounding (and of the",
        "argument), judged in extended precision: `make adversary`. Every statement of every",
        "certificate is compared with the truth.",
        "",
        f"Seeds {seeds}: **{results.fits} fits, {len(results.found)} violations**;",
        f"{refused:.1%} were refused in words ({refusals}).",
        "",
        "| kind | attacks | fits | certified | refused in words | violated |",
        "|---|---|---|---|---|---|",
    ]
    for name, kind in load_kinds().items():
        counts = results.outcomes[name]
        numbers = [sum(counts.values()), counts[CERTIFIED], counts[REFUSED], counts[VIOLATED]]
        lines.append(f"| {name} | {kind.term} | {' | '.join(map(str, numbers))} |")
    lines += [f"- attack {index} ({kind}): {words}" for index, kind, words in results.found[:SHOWN]]
    return "\n".join([*lines, ""])


def store(results, place):
    place.with_suffix(".md").write_text(page(results), encoding="utf-8")
    held = {
        "seeds": results.seeds,
        "fits": results.fits,
        "violations": [list(one) for one in results.found],
        "refused": results.count(REFUSED),
        "refusals": dict(results.refusals),
        "outcomes": {kind: dict(counts) for kind, counts in results.outcomes.items()},
        "seconds": round(results.seconds),
    }
    place.with_suffix(".json").write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")


def combined(paths):
    """The results of several runs, of other seeds or other numbers of the same."""
    whole = Results([])
    for path in paths:
        held = json.loads(Path(path).read_text(encoding="utf-8"))
        whole.seeds = list(dict.fromkeys([*whole.seeds, *held["seeds"]]))
        whole.found += [tuple(one) for one in held["violations"]]
        whole.refusals.update(held["refusals"])
        whole.seconds += held["seconds"]
        for kind, counts in held["outcomes"].items():
            whole.outcomes[kind].update(counts)
    return whole


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fits", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="processor time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first attack")
    parser.add_argument("--store", type=Path, default=PAGE, help="path of the page, or none")
    parser.add_argument("--term", help="only kinds that attack this; nothing is stored")
    parser.add_argument("--combine", nargs="+", help=".json files of runs, instead of a run")
    asked = parser.parse_args()
    terms = {kind.term for kind in load_kinds().values()}
    if asked.term not in (None, *terms):
        parser.error(f"--term {asked.term!r} is not known. Possible: {sorted(terms)}")
    place = None if asked.term or asked.store == Path("none") else asked.store
    if asked.combine:
        results = combined(asked.combine)
    else:
        results = run(asked.seed, asked.fits, asked.seconds, asked.first, place, asked.term)
    if place is not None:
        store(results, place)
    tell(f"seeds {results.seeds}: {summary(results)}, {results.seconds:.0f} s")
    return 1 if results.found else 0


if __name__ == "__main__":
    sys.exit(main())
