"""Rotation of mixed data: a categorical column counts as one, by its correlation ratios."""

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from eigenlens.errors import OptionError


def draw_mixed(seed, n=200):
    rng = np.random.default_rng(seed)
    hidden = rng.standard_normal((n, 2))
    return pd.DataFrame(
        {
            "height": hidden[:, 0] + rng.normal(0, 0.5, n),
            "weight": hidden[:, 0] + hidden[:, 1] + rng.normal(0, 0.5, n),
            "color": pd.cut(hidden[:, 1] + rng.normal(0, 0.5, n), 4, labels=list("abcd")),
            "owner": hidden[:, 0] + rng.normal(0, 1, n) > 0.3,
        }
    )


def squared_by_column(rotation):
    table = rotation.squared_loadings()
    return np.reshape(table["squared_loading"], (-1, len(rotation.names)))


@pytest.mark.parametrize("columns", [["height", "weight", "color", "owner"], ["color", "owner"]])
def test_squared_loadings_are_correlation_ratios_with_the_rotated_scores(columns):
    frame = draw_mixed(0)[columns]
    rotation = el.explain.rotate(el.fit(frame, 2, categories="auto"))
    scores = rotation.project(frame)

    found = squared_by_column(rotation)

    for line, name in enumerate(dict.fromkeys(rotation.squared_loadings()["column"])):
        for axis in range(2):
            score = pd.Series(scores[:, axis])
            if frame[name].dtype.kind == "f":
                expected = np.corrcoef(frame[name], score)[0, 1] ** 2
            else:
                means = score.groupby(frame[name].astype(str)).transform("mean")
                expected = means.var() / score.var()
            assert found[line, axis] == pytest.approx(expected, abs=1e-10)


def test_varimax_of_mixed_data_is_the_best_angle_of_all():
    frame = draw_mixed(1)
    model = el.fit(frame, 2, categories="auto")
    starts = [0, 1, 2, 6]  # two numbers, four levels, two levels
    plain = model.components.T * np.sqrt(model.eigenvalues)

    def criterion(loadings):
        return np.add.reduceat(np.square(loadings), starts, axis=0).var(axis=0).sum()

    found = criterion(el.explain.rotate(model, normalize=False).loadings)
    angles = np.linspace(0, np.pi, 2000)
    turned = [plain @ [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]] for a in angles]

    assert found == pytest.approx(max(map(criterion, turned)), rel=1e-5)
    assert found > criterion(plain)


@pytest.mark.parametrize("method", ["varimax", "quartimax", "oblimin"])
def test_levels_lie_at_the_mean_rotated_scores_of_their_rows(method):
    frame = draw_mixed(2)
    rotation = el.explain.rotate(el.fit(frame, 2, categories="auto"), method)
    scores = rotation.project(frame)

    table = rotation.categories()

    for column, category, component, found in zip(
        *(table[name] for name in ("column", "category", "component", "coordinate")), strict=True
    ):
        own = frame[column].astype(str).str.lower() == str(category).lower()
        expected = scores[own.to_numpy(), int(component[2:]) - 1].mean()
        assert found == pytest.approx(expected, abs=1e-10)


def test_numbers_have_no_levels():
    rotation = el.explain.rotate(el.fit(draw_mixed(4)[["height", "weight"]], 2))

    with pytest.raises(OptionError, match="fitted with categories"):
        rotation.squared_loadings()


def test_a_biplot_without_numbers_has_no_axes_of_arrows():
    frame = draw_mixed(5)
    mixed, levels = (
        el.plots.biplot(el.fit(part, 2, categories="auto"), part)
        for part in (frame, frame[["color", "owner"]])
    )

    assert len(mixed.child_axes) == 2
    assert not levels.child_axes
