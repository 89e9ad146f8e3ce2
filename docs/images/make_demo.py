"""Draws docs/images/demo.svg, the first screen as a picture.

Run it with the Python of .venv, from anywhere. The picture names fonts and loads none, so it looks
the same offline.
"""

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

from eigenlens.cli.demo import TITLE, load_wines, python_call
from eigenlens.document.text import lay_out
from eigenlens.fit import fit
from eigenlens.model.page import model_page

WIDTH = 100
FONTS = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
# Readable on GitHub's light and dark pages alike: the window brings its own background.
THEME = TerminalTheme(
    background=(24, 27, 33),
    foreground=(216, 220, 228),
    normal=[
        (40, 44, 52), (224, 108, 117), (135, 205, 130), (229, 192, 123),
        (97, 175, 239), (198, 120, 221), (86, 190, 205), (216, 220, 228),
    ],
)  # fmt: skip


def main() -> None:
    paper = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    model = fit(load_wines().frame(), 0.8, scale="std")
    paper.print(lay_out(model_page(model, TITLE, python_call("0.8", "auto")), paper), "")
    svg = paper.export_svg(title="eigenlens demo -k 0.8", theme=THEME, unique_id="demo")
    target = Path(__file__).with_name("demo.svg")
    target.write_text(offline(svg), encoding="utf-8")


def offline(svg: str) -> str:
    """Without the fonts that rich would fetch; with fonts that are there."""
    svg = re.sub(r"\s*(@font-face \{.*?\}|<!--.*?-->)\n", "\n", svg, flags=re.DOTALL)
    return re.sub(r"font-family: [^;]*;", f"font-family: {FONTS};", svg)


if __name__ == "__main__":
    main()
