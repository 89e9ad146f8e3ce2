"""Looks at the built site in Chromium: `python docs/website/check.py [folder for screenshots]`.

Every page checked must load without a console error and without a request that leaves the site, its
pictures must have alternative texts, text must have a contrast of at least 4.5 (3 where it is
large), and nothing may be wider than the window; in light and dark, at 1280 and 400 pixels.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SITE = Path(__file__).parents[2] / "site"
PAGES = (
    "index",
    "gallery/index",
    "gallery/wine_biplot",
    "components",
    "tutorial",
    "api/eigenlens",
    "notes/matrices",
    "notes/items",
    "search",
)
WIDTHS = {1280: 900, 400: 800}

CONTRAST = """() => {
  const parse = c => { const m = c.match(/[\\d.]+/g).map(Number); return m.length > 3 ? m : [...m, 1]; };
  const lum = ([r, g, b]) => { const f = v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
    return .2126 * f(r) + .7152 * f(g) + .0722 * f(b); };
  const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] + below[i] * (1 - top[3]));
  const paper = e => { const stack = []; for (let n = e; n; n = n.parentElement) stack.push(parse(getComputedStyle(n).backgroundColor));
    return stack.reverse().reduce((below, top) => over(top, below), [255, 255, 255]); };
  const bad = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    const s = getComputedStyle(e), box = e.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || s.clip !== 'auto') continue;
    const below = paper(e), ink = over(parse(s.color), below);
    const [a, b] = [lum(ink), lum(below)].sort((x, y) => y - x);
    const size = parseFloat(s.fontSize), large = size >= 24 || (size >= 18.66 && +s.fontWeight >= 700);
    const ratio = (a + .05) / (b + .05);
    if (ratio < (large ? 3 : 4.5)) bad.push(`${ratio.toFixed(2)} ${e.tagName}.${e.className}: ${e.textContent.trim().slice(0, 40)}`);
  }
  return [...new Set(bad)];
}"""
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
NO_ALT = "() => [...document.querySelectorAll('img')].filter(i => !i.alt.trim()).map(i => i.src)"


def faults(page: Any, name: str, theme: str, width: int, shots: Path | None) -> Iterator[str]:
    said: list[str] = []
    gone: list[str] = []
    page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on(
        "request",
        lambda one: (
            None if one.url.startswith(("file:", "data:", "blob:")) else gone.append(one.url)
        ),
    )
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.emulate_media(color_scheme=theme)
    page.goto((SITE / f"{name}.html").as_uri())
    page.wait_for_load_state("load")
    page.wait_for_timeout(250)
    if shots is not None:
        page.screenshot(path=shots / f"{name.replace('/', '-')}-{width}-{theme}.png")
    where = f"{name}, {width} px, {theme}"
    yield from (f"{where}: console: {one}" for one in said)
    yield from (f"{where}: asks for {one}" for one in gone)
    yield from (f"{where}: no alternative text: {one}" for one in page.evaluate(NO_ALT))
    yield from (f"{where}: contrast {one}" for one in page.evaluate(CONTRAST))
    beyond = page.evaluate(WIDE)
    if beyond > 1:
        yield f"{where}: {beyond} pixels wider than the window"


def check_site(shots: Path | None = None) -> list[str]:
    """What is wrong, as sentences."""
    from playwright.sync_api import sync_playwright

    found: list[str] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for width in WIDTHS:
            for theme in ("light", "dark"):
                for name in PAGES:
                    page = browser.new_page()
                    found += faults(page, name, theme, width, shots)
                    page.close()
        browser.close()
    return found


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if target is not None:
        target.mkdir(parents=True, exist_ok=True)
    wrong = check_site(target)
    print("\n".join(wrong) or f"{len(PAGES)} pages, {2 * len(WIDTHS)} ways: nothing wrong")
    sys.exit(bool(wrong))
