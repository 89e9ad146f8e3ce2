"""How far two answers are apart, and assertions that fail when it is too far.

Bases have their vectors in columns, (d, k); pass `components.T`. Every assertion also fails on
shapes that differ and on numbers that are not numbers; each has a twin test with a wrong answer.
"""

import numpy as np

from tests.reference import sines


def relative_error(found, exact):
    """Largest |found - exact| / |exact|; 0 where both are 0, infinite where only exact is."""
    found, exact = same_shape(found, exact)
    difference, size = np.abs(found - exact), np.abs(exact)
    wrong = np.where(difference == 0, 0, np.inf)
    return float(np.max(np.divide(difference, size, out=wrong, where=size != 0), initial=0))


def scaled_error(found, exact):
    """Largest |found - exact| over the largest |exact|: the error a norm can see."""
    found, exact = same_shape(found, exact)
    largest = np.max(np.abs(exact), initial=0)
    difference = np.max(np.abs(found - exact), initial=0)
    return (
        float(difference / largest) if largest > 0 else float(np.where(difference == 0, 0, np.inf))
    )


def same_shape(found, exact):
    """Both as longdouble arrays; broadcasting would hide that one of them is too short."""
    found, exact = np.asarray(found, np.longdouble), np.asarray(exact, np.longdouble)
    if found.shape != exact.shape:
        raise AssertionError(f"shapes differ: found {found.shape}, expected {exact.shape}")
    return found, exact


def subspace_distance(found, expected):
    """Sine of the largest principal angle between two spans of the same dimension."""
    found, expected = same_shape(found, expected)
    if not (np.isfinite(found).all() and np.isfinite(expected).all()):
        return np.nan
    return float(np.max(sines(expected, found), initial=0))


def orthonormality_error(basis):
    """Largest entry of |V'V - I|."""
    basis = np.asarray(basis, np.longdouble)
    return float(np.max(np.abs(basis.T @ basis - np.eye(basis.shape[1])), initial=0))


def clear_cuts(eigenvalues, gap):
    """Ranks k with eigenvalues[k-1] - eigenvalues[k] > gap * eigenvalues[0].

    Only there is the leading subspace determined, and only there may two answers be compared.
    Pass one eigenvalue more than wanted: the last one has nothing to be compared with.
    """
    eigenvalues = np.asarray(eigenvalues, np.float64)
    falls = eigenvalues[:-1] - eigenvalues[1:]
    return [int(k) + 1 for k in np.flatnonzero(falls > gap * eigenvalues[0])]


def assert_close_relative(found, exact, tolerance):
    """Every number within a relative tolerance of the exact one."""
    error = relative_error(found, exact)
    if not error <= tolerance:
        raise AssertionError(f"relative error {error:.3g} exceeds {tolerance:.3g}")


def assert_close_scaled(found, exact, tolerance):
    """Every number within tolerance times the largest exact one."""
    error = scaled_error(found, exact)
    if not error <= tolerance:
        raise AssertionError(f"error {error:.3g} of the largest exceeds {tolerance:.3g}")


def assert_same_subspace(found, expected, tolerance):
    """The two bases span the same subspace, up to an angle with this sine."""
    distance = subspace_distance(found, expected)
    if not distance <= tolerance:
        raise AssertionError(f"largest principal angle has sine {distance:.3g} > {tolerance:.3g}")


def assert_orthonormal(basis, tolerance=1e-12):
    """The columns have length one and are orthogonal to each other."""
    error = orthonormality_error(basis)
    if not error <= tolerance:
        raise AssertionError(f"V'V differs from I by {error:.3g} > {tolerance:.3g}")


def assert_inside(values, bounds):
    """Every value lies in its interval; bounds (k, 2), ends included."""
    values, bounds = np.asarray(values), np.asarray(bounds)
    same_shape(bounds, np.broadcast_to(values[:, None], (len(values), 2)))
    outside = np.flatnonzero(~((bounds[:, 0] <= values) & (values <= bounds[:, 1])))
    if outside.size:
        i = int(outside[0])
        raise AssertionError(
            f"{outside.size} of {len(values)} outside; first is number {i}: {values[i]:.17g} "
            f"not in [{bounds[i, 0]:.17g}, {bounds[i, 1]:.17g}]"
        )


def assert_descending(values):
    """Each value is at most the one before it, and none is negative."""
    values = np.asarray(values)
    if not ((np.diff(values) <= 0).all() and (values >= 0).all()):
        raise AssertionError(f"not descending and non-negative: {values}")
