"""Without PyWavelets: everything but wavelets works, and asking for one says what to install."""

import sys

import numpy as np
import pytest

import eigenlens as el
from tests.sensing.signals import measured


@pytest.fixture(autouse=True)
def no_wavelets(monkeypatch):
    monkeypatch.setitem(sys.modules, "pywt", None)


def test_asking_for_a_wavelet_says_what_to_install():
    with pytest.raises(el.OptionError, match=r"'haar' needs PyWavelets.*eigenlens\[wavelets\]"):
        el.sensing.basis("haar", 8)


def test_other_bases_and_all_methods_work():
    A, y, x = measured(60, 30, 3, seed=0)
    rows = np.random.default_rng(0).standard_normal((20, 8))

    for method in ("fista", "omp", "basis_pursuit"):
        assert np.abs(el.sensing.recover(A, y, method=method).signal - x).max() <= 1e-9
    assert el.sensing.compressibility(rows, "dct").verdict.value in ("fixed", "learned", "neither")
