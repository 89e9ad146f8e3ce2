"""FactoMineR's figures for standardized columns, straight from their definitions, in loops."""

import math

import numpy as np

__all__ = ["Analysis", "group_figures", "p_of_correlation"]


class Analysis:
    """Rows standardized by n, eigenvalues of the correlation matrix, coordinates of the rows."""

    def __init__(self, rows):
        n, d = rows.shape
        self.standard = np.array(
            [
                [(rows[i, j] - rows[:, j].mean()) / rows[:, j].std() for j in range(d)]
                for i in range(n)
            ]
        )
        values, vectors = np.linalg.eigh(np.corrcoef(rows, rowvar=False))
        self.values, self.vectors = values[::-1], vectors[:, ::-1]
        self.coord = self.standard @ self.vectors


def group_figures(analysis, members, axis):
    """coord, cos2, v.test and dist of the group of these rows, on one axis."""
    n, size = len(analysis.coord), len(members)
    center = np.mean([analysis.standard[i] for i in members], axis=0)
    distance = math.sqrt(sum(entry**2 for entry in center))
    coord = float(np.mean([analysis.coord[i, axis] for i in members]))
    # Drawn without replacement from n coordinates of variance `values[axis]`.
    deviation = math.sqrt(analysis.values[axis] / size * (n - size) / (n - 1))
    return coord, coord**2 / distance**2, coord / deviation, distance


def p_of_correlation(r, n):
    """Two-sided, by numerical integration of the density of r under independence."""
    x = np.linspace(abs(r), 1.0, 200_001)
    density = (1 - x**2) ** ((n - 4) / 2)
    constant = math.gamma((n - 1) / 2) / (math.sqrt(math.pi) * math.gamma((n - 2) / 2))
    return 2 * constant * float(np.trapezoid(density, x))
