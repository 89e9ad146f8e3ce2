"""Rows fed batch by batch, and what must be the same however they are cut."""

from numpy.testing import assert_allclose

from eigenlens import IncrementalPCA

ARRAYS = ["components_", "explained_variance_", "explained_variance_ratio_", "singular_values_"]


def fed(blocks, *given, **parameters):
    pca = IncrementalPCA(*given, **parameters)
    for block in blocks:
        pca.partial_fit(block)
    return pca


def cut(rows, size):
    return [rows[start : start + size] for start in range(0, rows.shape[0], size)]


def assert_same(one, other, rtol=1e-10):
    assert one.n_components_ == other.n_components_
    for name in [*ARRAYS[1:], "noise_variance_", "mean_"]:
        assert_allclose(getattr(one, name), getattr(other, name), rtol=rtol, atol=1e-13)
    assert_allclose(one.components_, other.components_, atol=1e-8)
