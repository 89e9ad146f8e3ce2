"""A rule that wants many components: other solvers and block sizes than for the few expected."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.rank.fraction import Fraction
from eigenlens.rank.frobenius import Frobenius
from eigenlens.rank.spectrum import spectrum_of_values
from eigenlens.sources.open import open_source
from eigenlens.table.build import build_table
from eigenlens.table.preparation import prepare


def table_of_decay(shape: tuple[int, int], decay: float, seed: int = 0) -> np.ndarray:
    rng, size = np.random.default_rng(seed), min(shape)
    rows = rng.standard_normal((shape[0], size)) * np.arange(1, size + 1) ** (-decay / 2)
    turned = np.linalg.qr(rng.standard_normal((shape[1], size)))[0]
    return rows @ turned.T + 3.0


@pytest.mark.parametrize("shape", [(600, 400), (300, 900)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_share_that_many_components_hold_takes_few_passes(shape, dtype):
    rows = table_of_decay(shape, 0.3).astype(dtype)

    model = el.fit(rows, k=0.95)

    values = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2
    needed = int(np.argmax(np.cumsum(values) >= 0.95 * values.sum())) + 1
    assert model.n_components == needed > min(shape) // 2
    assert model.certificate.passes <= 20
    assert model.certificate.kind == "deterministic"


def test_the_reason_says_that_more_components_were_needed_than_expected():
    rows = table_of_decay((1200, 700), 0.3)

    verdict = el.fit(rows, k=0.9).choices["solver"]

    assert verdict.rule == "more components"
    assert "components or more are needed, not 10" in verdict.reason
    assert el.fit(rows, k=0.9).choices["solver"] == verdict


def test_few_components_are_still_found_by_passes():
    rows = table_of_decay((1200, 700), 3.0)

    model = el.fit(rows, k=0.95)

    assert model.choices["solver"].value == "krylov"
    assert model.certificate.passes <= 10


def test_a_solver_that_was_named_is_kept():
    rows = table_of_decay((300, 200), 0.3)

    model = el.fit(rows, k=0.8, solver="krylov")

    assert model.choices["solver"].value == "krylov"


@given(st.integers(0, 10**6), st.floats(0.1, 3.0), st.integers(1, 30), st.floats(0.05, 0.99))
def test_a_forecast_never_exceeds_what_exact_values_need(seed, decay, shown, share):
    rows = table_of_decay((60, 40), decay, seed)
    source = open_source(rows)
    table = build_table(source, prepare(source, True, None, None))
    table.measure()
    values = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2 / 59

    for rule in (Fraction(share), Frobenius(share)):
        known = spectrum_of_values(table, values[:shown])
        needed = rule.choose(spectrum_of_values(table, values[:40]))
        if rule.choose(known) is None and needed is not None:
            assert rule.forecast(known) <= max(needed.value, shown)
