"""The gallery: every example is run, and shown with its picture, its words and its code."""

from __future__ import annotations

import ast
import contextlib
import html
import io
import runpy
import sys
from dataclasses import dataclass
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot
from PIL import Image

REPOSITORY = Path(__file__).parents[2]
THUMBNAIL = (480, 330)

# Which examples belong together, in the order of the page.
SECTIONS = {
    "What PCA does": [
        "line_through_a_cloud", "plane_in_three_columns", "two_by_two_matrices",
        "matrix_instead_of_rows", "celsius_and_fahrenheit",
    ],
    "Reading a result": [
        "wine_biplot", "correlation_circle", "outliers_and_their_causes", "how_sure_is_a_share",
        "two_halves_agree", "rotated_components",
    ],
    "How many components": [
        "eigenvalues_with_a_gap", "eigenvalues_without_a_gap", "rules_for_k", "denoising_digits",
    ],
    "Pictures": [
        "digits_as_pictures", "digits_rebuilt", "few_large_pictures", "wavelets_and_jpeg_2000",
        "digit_from_a_quarter",
    ],
    "How it is computed": [
        "power_iteration_passes", "iterations_compared", "start_at_a_right_angle",
        "larger_than_memory",
    ],
    "Beyond a flat subspace": [
        "rotating_object", "curve_by_one_number", "swiss_roll", "two_circles",
    ],
    "Data as they come": ["missing_cells", "words_and_documents", "few_labels"],
}  # fmt: skip


@dataclass(frozen=True)
class Example:
    name: str
    title: str
    words: str
    code: str
    output: str


def write_gallery(folder: Path) -> int:
    """Pages and pictures below `folder`; how many examples there are."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [
        "# Gallery",
        "",
        "Each example is a short script with one idea. All of them run when this page is built.",
    ]
    paths = {path.stem: path for path in sorted((REPOSITORY / "examples").glob("*.py"))}
    sections = {head: [one for one in names if one in paths] for head, names in SECTIONS.items()}
    others = sorted(set(paths) - {name for names in sections.values() for name in names})
    sections |= {"More": others} if others else {}
    for head, names in sections.items():
        parts += ["", f"## {head}", "", "<ul class='gallery'>"]
        for name in names:
            example = run_example(paths[name], folder)
            (folder / f"{name}.md").write_text(page_of(example), encoding="utf-8")
            alt = html.escape(f"Figure of the example: {example.title}", quote=True)
            parts.append(
                f"<li><a href='{name}.html'><img src='../_static/gallery/{name}-small.png' alt='{alt}' "
                f"loading='lazy'><span>{html.escape(example.title)}</span></a></li>"
            )
        parts += ["</ul>"]
    parts += ["", "```{toctree}", ":hidden:", "", *paths, "```", ""]
    (folder / "index.md").write_text("\n".join(parts), encoding="utf-8")
    return len(paths)


def run_example(path: Path, folder: Path) -> Example:
    code = path.read_text(encoding="utf-8")
    doc = ast.get_docstring(ast.parse(code)) or ""
    title, _, rest = doc.partition("\n")
    words = "\n".join(
        line for line in rest.splitlines() if not line.startswith("    python ")
    ).strip()
    picture, said, before = folder / f"{path.stem}.png", io.StringIO(), sys.argv
    sys.argv = [str(path), str(picture)]
    try:
        with contextlib.redirect_stdout(said):
            runpy.run_path(str(path), run_name="__main__")
    finally:
        sys.argv = before
        pyplot.close("all")
    small = folder.parent / "static" / "gallery"
    small.mkdir(parents=True, exist_ok=True)
    with Image.open(picture) as image:
        drawn = image.convert("RGB")
        drawn.thumbnail(THUMBNAIL)
        drawn.save(small / f"{path.stem}-small.png", optimize=True)
    return Example(path.stem, title.rstrip("."), words, code, said.getvalue().rstrip())


def page_of(example: Example) -> str:
    body = example.code.split('"""', 2)[2].lstrip("\n")
    alt = example.title.replace("]", "").replace("[", "")
    return "\n".join(
        [
            f"# {example.title}", "", example.words, "",
            f"![{alt}]({example.name}.png)", "",
            "What it prints:", "", ":::{div} output", "```text", example.output, "```", ":::", "",
            f"The script, `examples/{example.name}.py`:", "",
            "```python", body.rstrip(), "```", "",
        ]
    )  # fmt: skip
