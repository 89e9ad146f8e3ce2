"""What a notebook shows: markup with a style of its own, in the colors of the notebook.

Colors are inherited and lines are half transparent, so that light and dark need no two styles.
"""

from __future__ import annotations

__all__ = ["notebook_html"]

STYLE = (
    "<style>"
    ".eigenlens{color:inherit;font-size:inherit;line-height:1.5;max-width:60em}"
    ".eigenlens table{border-collapse:collapse;margin:.4em 0;color:inherit;background:none;"
    "font-size:inherit;font-variant-numeric:tabular-nums}"
    ".eigenlens th,.eigenlens td{padding:.2em .8em .2em 0;text-align:left;color:inherit;"
    "background:none;border:0;border-bottom:1px solid rgba(128,128,128,.35);vertical-align:top}"
    ".eigenlens th{font-weight:600;border-bottom-width:2px}"
    ".eigenlens th.n,.eigenlens td.n{text-align:right}"
    ".eigenlens h4{margin:.9em 0 .2em}"
    ".eigenlens p{margin:.3em 0}"
    ".eigenlens ul{margin:.2em 0;padding-left:1.4em}"
    ".eigenlens .scroll{overflow-x:auto}"
    "</style>"
)


def notebook_html(markup: str) -> str:
    return f'<div class="eigenlens">{STYLE}{markup}</div>'
