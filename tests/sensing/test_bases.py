"""Every basis: analysis is the transpose of synthesis, and undoes it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from eigenlens.sensing.basis import synthesis_operator
from eigenlens.testing import check_adjoint
from tests.distances import orthonormality_error
from tests.reference.sensing import cosine_matrix, haar_matrix

EPS = np.finfo(np.float64).eps
NAMES = ("identity", "dct", "haar", "db2", "db4", "db20", "sym8", "coif3")
SHAPES = (8, 32, (8, 8), (4, 12), (16, 2), (4, 4, 4))
FILTER_ROUNDING = 2e-12  # PyWavelets stores the filters of sym8 with twelve digits


def learned(shape, k=3):
    rows = np.random.default_rng(1).standard_normal((40, int(np.prod(shape)))) + 5
    return el.sensing.basis(el.fit(rows, k), shape)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_analysis_is_the_transpose_of_synthesis(name, shape):
    check_adjoint(synthesis_operator(el.sensing.basis(name, shape)), np.random.default_rng(0))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_fixed_basis_is_orthonormal(name, shape):
    basis = el.sensing.basis(name, shape)

    matrix = basis.synthesize(np.eye(basis.count)).reshape(basis.count, -1)

    assert orthonormality_error(matrix) <= 64 * EPS + FILTER_ROUNDING
    assert orthonormality_error(matrix.T) <= 64 * EPS + FILTER_ROUNDING


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("name", ["haar", "db4"])
def test_every_level_is_orthonormal(name, level):
    basis = el.sensing.basis(name, (8, 16), level=level)

    matrix = basis.synthesize(np.eye(basis.count)).reshape(basis.count, -1)

    assert basis.level == level
    assert orthonormality_error(matrix) <= 64 * EPS


@pytest.mark.parametrize("shape", [24, (4, 6)])
def test_the_learned_basis_has_orthonormal_components(shape):
    basis = learned(shape)

    check_adjoint(synthesis_operator(basis), np.random.default_rng(0))
    matrix = basis.synthesize(np.eye(3)).reshape(3, -1)
    assert orthonormality_error(matrix.T) <= 64 * EPS
    assert basis.offset.shape == basis.shape


def test_a_raw_model_has_no_offset():
    rows = np.random.default_rng(1).standard_normal((40, 6))

    assert el.sensing.basis(el.fit(rows, 2, center=False)).offset is None


@given(
    st.sampled_from(NAMES),
    st.sampled_from([(16,), (8, 4)]),
    st.integers(0, 1000),
    st.integers(0, 3),
)
def test_what_was_analyzed_is_synthesized_again(name, shape, seed, stack):
    signals = np.random.default_rng(seed).standard_normal((*(2,) * stack, *shape))
    basis = el.sensing.basis(name, shape)

    again = basis.synthesize(basis.analyze(signals))

    assert again.shape == signals.shape
    assert np.abs(again - signals).max() <= (64 * EPS + FILTER_ROUNDING) * np.abs(signals).max() * 4


def test_a_basis_does_not_change_what_it_is_given():
    for name in NAMES:
        basis, signal = el.sensing.basis(name, 16), np.arange(16.0)
        coefficients = signal.copy()

        basis.analyze(signal)
        basis.synthesize(coefficients)

        assert np.array_equal(signal, np.arange(16.0))
        assert np.array_equal(coefficients, np.arange(16.0))


def test_cosines_are_those_of_the_formula():
    matrix = el.sensing.basis("dct", 12).analyze(np.eye(12)).T

    assert np.abs(matrix - cosine_matrix(12)).max() <= 32 * EPS


def test_the_haar_wavelet_is_that_of_its_definition():
    basis = el.sensing.basis("haar", 16)

    found, expected = basis.analyze(np.eye(16)).T, haar_matrix(16)

    assert basis.level == 4
    # Both list averages first, then differences from coarse to fine; signs are a convention.
    assert np.abs(np.abs(found) - np.abs(expected)).max() <= 32 * EPS


def test_without_a_level_sides_are_halved_as_often_as_the_filter_has_a_use_for():
    assert el.sensing.basis("haar", (8, 8)).level == 3
    assert el.sensing.basis("haar", (28, 28)).level == 2
    assert el.sensing.basis("db4", 1024).level == 7
    assert el.sensing.basis("db4", 8).level == 1


# -- what cannot be ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: el.sensing.basis("haar", (28, 28), level=3), ["level 3", "28 x 28", "level=2"]),
        (lambda: el.sensing.basis("haar", (28, 28), level=3), ["(24, 24)", "(32, 32)"]),
        (lambda: el.sensing.basis("haar", (145, 145)), ["145 x 145", "odd", "(144, 144)"]),
        (lambda: el.sensing.basis("haar", 7, level=1), ["level 1", "odd", "(6,)", "(8,)"]),
        (lambda: el.sensing.basis("haar", 8, level=0), ["level=0", "from 1 up"]),
        (lambda: el.sensing.basis("bior2.2", 8), ["'bior2.2'", "not orthonormal", "'sym8'"]),
        (lambda: el.sensing.basis("dmey", 128), ["'dmey'", "not orthonormal"]),
        (lambda: el.sensing.basis("Haar2", 8), ["name='Haar2'", "Did you mean 'haar'?"]),
        (lambda: el.sensing.basis("dct"), ["basis('dct')", "the shape of a signal"]),
        (lambda: el.sensing.basis("dct", (8, 0)), ["shape=(8, 0)", "from 1 up"]),
        (lambda: el.sensing.basis("dct", 2.5), ["shape=2.5", "from 1 up"]),
        (lambda: el.sensing.basis(3, 8), ["type int", "a fitted model"]),
        (lambda: el.sensing.basis("dct", 8).analyze(np.ones(7)), ["(7,)", "(8,)"]),
        (lambda: el.sensing.basis("dct", (2, 4)).synthesize(np.ones((2, 4))), ["(2, 4)", "(8,)"]),
        (lambda: learned(6).analyze(np.ones((2, 3))), ["(2, 3)", "(6,)"]),
    ],
)
def test_a_mistake_is_told_with_the_way_out(call, words):
    with pytest.raises(el.OptionError) as caught:
        call()

    assert [word for word in words if word not in str(caught.value)] == []


def test_a_model_must_have_orthonormal_components_of_the_right_size():
    rows = np.random.default_rng(1).standard_normal((40, 6))

    with pytest.raises(el.OptionError, match="without scale="):
        el.sensing.basis(el.fit(rows, 2, scale="std"))
    with pytest.raises(el.OptionError, match="6 entries"):
        el.sensing.basis(el.fit(rows, 2), (2, 2))


def test_a_level_is_for_wavelets():
    with pytest.raises(el.OptionError, match="Leave it out for 'dct'"):
        el.sensing.basis("dct", 8, level=2)


def test_a_signal_shorter_than_the_level_is_not_to_be_cut():
    with pytest.raises(el.SensingError, match=r"pad the signal to \(8, 16\)\.$"):
        el.sensing.basis("haar", (6, 12), level=3)
