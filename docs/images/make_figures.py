"""Draws the figures of the README and of the pages: `make docs` runs it.

The decathlon of the README is the table that the tests check against published numbers; the pages
use the wines that come with scikit-learn, so that their readers can draw the same. The same code
gives the same bytes: no dates, no chance.
"""

import contextlib
import io
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("Agg")

from matplotlib import pyplot
from PIL import Image
from sklearn.datasets import load_digits, load_iris, load_wine

import eigenlens as el
from eigenlens import plots

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.categories.tables import poison  # noqa: E402
from tests.explain.classics import DECATHLON, EVENTS  # noqa: E402

Draw = Callable[[str], Any]

DPI = 110
EXAMPLES = (
    "two_by_two_matrices", "power_iteration_passes", "rotating_object", "curve_by_one_number",
    "digit_from_a_quarter", "swiss_roll", "two_circles",
)  # fmt: skip
COLORS = 128  # nobody sees the others, and a third of the bytes is enough
BOTH = ("decathlon-biplot", "decathlon-outliers", "biplot")  # shown in light and in dark


def decathlon() -> dict[str, Draw]:
    """What the README shows."""
    table = DECATHLON.frame().assign(meeting=DECATHLON.groups)
    model = el.fit(table[list(EVENTS)], k=5, scale="std")
    return {
        "decathlon-biplot": lambda theme: plots.biplot(model, table, color="meeting", theme=theme),
        "decathlon-outliers": lambda theme: plots.outliers(model, table, theme=theme),
    }


def wines() -> dict[str, Draw]:
    """What the pages show, as they write it."""
    wine = load_wine(as_frame=True)
    X = wine.data.assign(cultivar=wine.target_names[wine.target])
    model = el.fit(wine.data, k=3, scale="std")
    digits = load_digits().data
    slow, quick = (
        el.fit(digits, k=5, solver=name, tolerance=1e-6) for name in ("orthogonal", "krylov")
    )
    whole = el.fit(wine.data, k=13, scale="std")
    ranks = el.choose_rank(wine.data, scale="std")
    color = {"color": "cultivar"}
    return {
        "scree": lambda theme: plots.scree(whole, k=3, rules=ranks, theme=theme),
        "scores": lambda theme: plots.scores(
            model, X, ellipse=("concentration", "confidence"), theme=theme, **color
        ),
        "biplot": lambda theme: plots.biplot(model, X, theme=theme, **color),
        "circle": lambda theme: plots.circle(model, color="cos2", theme=theme),
        "contributions": lambda theme: plots.contributions(model, theme=theme),
        "contributions-row": lambda theme: plots.contributions(model, X, 95, theme=theme),
        "outliers": lambda theme: plots.outliers(model, X, theme=theme),
        "reconstruction": lambda theme: plots.reconstruction(model, X, theme=theme),
        "spectrum": lambda theme: plots.spectrum(whole, theme=theme),
        "convergence": lambda theme: plots.convergence(slow, quick, theme=theme),
        "pairs": lambda theme: plots.pairs(model, X, theme=theme, **color),
    }


def lecture_notes() -> dict[str, Draw]:
    """What the pages about the lecture notes and about pictures show."""
    rng = np.random.default_rng(0)
    flowers = load_iris(as_frame=True).data[["sepal length (cm)", "petal length (cm)"]]
    few = flowers.sample(40, random_state=1)
    line = el.fit(few, 1)
    plane = el.fit(rng.standard_normal((300, 10)) @ rng.standard_normal((10, 1000)), 25)
    digits = load_digits().images
    pictures = el.fit(digits, 20)
    return {
        "projection": lambda theme: plots.projection(line, few, theme=theme),
        "log-scree": lambda theme: plots.scree(plane, log=True, theme=theme),
        "images": lambda theme: plots.images(pictures, k=7, theme=theme),
        "rebuilt": lambda theme: plots.rebuilt(pictures, digits, theme=theme),
    }


def questionnaire() -> dict[str, Draw]:
    """Answers after an outbreak of food poisoning in a school, with age and hours as numbers."""
    answers = poison().drop(columns="Sick")
    model = el.fit(answers, 2, categories="auto", rare=0)
    return {
        "categories": lambda theme: plots.categories(model, answers, theme=theme),
    }


def draw_examples() -> None:
    """Figures that are those of a script."""
    for name in EXAMPLES:
        run = runpy.run_path(str(HERE.parents[1] / "examples" / f"{name}.py"))
        path = HERE / f"{name.replace('_', '-')}.png"
        with contextlib.redirect_stdout(io.StringIO()):
            run["main"](str(path))
        pyplot.close("all")
        with Image.open(path) as drawn:
            few_colors = drawn.convert("RGB").quantize(COLORS)
        few_colors.save(path, optimize=True)


def main() -> None:
    draw_examples()
    for name, draw in {**decathlon(), **wines(), **lecture_notes(), **questionnaire()}.items():
        for theme in ("light", "dark") if name in BOTH else ("light",):
            figure, pixels = draw(theme).figure, io.BytesIO()
            figure.savefig(pixels, dpi=DPI)
            pyplot.close(figure)
            few_colors = Image.open(pixels).convert("RGB").quantize(COLORS)
            few_colors.save(HERE / f"{name}-{theme}.png", optimize=True)


if __name__ == "__main__":
    main()
