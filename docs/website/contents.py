"""Where every page stands: the sections of the site, and the lists that Sphinx follows."""

from __future__ import annotations

import re
from pathlib import Path

# Section page -> its title, what it is for, and its pages. Pages that are named nowhere are put at
# the end of the questions.
SECTIONS = {
    "questions": (
        "How-to pages",
        "One page per question.",
        (
            "install", "start", "certificate", "data", "fields", "single-cell", "embeddings",
            "genetics", "climate", "preparation", "missing", "robust", "components", "flat", "nonlinear", "sensing", "reading", "groups", "outliers", "plots", "pictures",
            "covariance", "downstream", "other-packages", "kernel", "solvers", "scikit-learn",
            "differences", "report", "model-file", "cluster", "gpu", "command-line", "speed", "errors",
        ),
    ),
    "methods/index": (
        "Methods",
        "What is computed, why it is right, and where it comes from.",
        (),
    ),
}  # fmt: skip
TOP = {
    "tutorial": "Tutorial",
    "questions": "How-to",
    "gallery/index": "Gallery",
    "api/index": "Reference",
    "notes/index": "Lecture notes",
    "coming-from/index": "Coming from",
    "methods/index": "Methods",
    "decisions/index": "Decisions",
}
LISTED_BY_THEMSELVES = ("notes", "coming-from", "decisions")


def write_contents(folder: Path) -> None:
    """Section pages, and a hidden list at the end of the pages that lead to others."""
    pages = sorted(
        path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md")
    )
    top = [name for name in pages if "/" not in name and name not in ("index", "tutorial")]
    listed = SECTIONS["questions"][2]
    ordered = [name for name in listed if name in top] + [
        name for name in top if name not in listed
    ]
    write_section(folder, "questions", ordered)
    write_section(folder, "methods/index", [name for name in pages if name.startswith("methods/")])
    for part in LISTED_BY_THEMSELVES:
        inside = [
            name.partition("/")[2]
            for name in pages
            if name.startswith(f"{part}/") and name != f"{part}/index"
        ]
        append_list(folder / part / "index.md", inside)
    append_list(folder / "index.md", [f"{title} <{name}>" for name, title in TOP.items()])


def write_section(folder: Path, name: str, pages: list[str]) -> None:
    title, words, _ = SECTIONS[name]
    below = [
        page.removeprefix("methods/") if name.startswith("methods") else page for page in pages
    ]
    lines = [f"# {title}", "", words, ""]
    lines += [
        f"- [{title_of(folder / f'{page}.md')}]({short}.md)"
        for page, short in zip(pages, below, strict=True)
    ]
    path = folder / f"{name}.md"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    append_list(path, below)


def append_list(path: Path, pages: list[str]) -> None:
    text = path.read_text(encoding="utf-8").rstrip()
    block = "\n".join(["```{toctree}", ":hidden:", "", *pages, "```", ""])
    path.write_text(f"{text}\n\n{block}", encoding="utf-8")


def title_of(path: Path) -> str:
    found = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else path.stem
