"""Looks at the built site in Chromium: the last step of `make docs`.

    python docs/website/check.py [--shots FOLDER] [SITE]

Every page must load without a console error and without a request that leaves the site, its pictures must have
alternative texts, text must have a contrast of at least 4.5 (3 where it is large), nothing may be wider than the window,
and no code, signature or table may be cut off. Pages of every kind are looked at in light and dark at 1280 and 400 pixels,
all others once. On a narrow screen tables and printed text may scroll in their own box: wrapped, they lose their columns.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SITE = Path(__file__).parents[2] / "site"
# One or two of each kind: they are looked at in every way.
SAMPLE = (
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
THEMES = ("light", "dark")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

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
# Colors that are still changing from one theme to the other are those of neither.
SETTLE = "() => document.getAnimations().filter(a => a instanceof CSSTransition).forEach(a => a.finish())"
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
NO_ALT = "() => [...document.querySelectorAll('img')].filter(i => !i.alt.trim()).map(i => i.src)"
CUT = """() => {
  const narrow = window.innerWidth < 960, inside = document.querySelectorAll('.bd-article-container, .bd-article-container *');
  return [...inside].filter(e => e.clientWidth > 1 && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible'
      && !(narrow && e.matches('table, .highlight-text pre') && getComputedStyle(e).overflowX === 'auto'))
    .map(e => `${e.scrollWidth - e.clientWidth} pixels of ${e.tagName} ${e.textContent.trim().slice(0, 40)}`);
}"""


def find_faults(page: Any, address: str, theme: str, width: int) -> list[str]:
    """What is wrong with one page in one scheme of colors and one width, as sentences."""
    said: list[str] = []
    listeners = {
        "console": lambda one: said.append(f"console: {one.text}") if one.type == "error" else None,
        "pageerror": lambda error: said.append(f"console: {error}"),
        "request": lambda one: None if is_own(one.url) else said.append(f"asks for {one.url}"),
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.emulate_media(color_scheme=theme)
    page.goto(address)
    page.wait_for_load_state("load")
    page.wait_for_timeout(50)
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    page.evaluate(SETTLE)
    beyond = page.evaluate(WIDE)
    return [
        *said,
        *(f"no alternative text: {one}" for one in page.evaluate(NO_ALT)),
        *(f"contrast {one}" for one in page.evaluate(CONTRAST)),
        *(f"cut off: {one}" for one in page.evaluate(CUT)),
        *([f"{beyond} pixels wider than the window"] if beyond > 1 else []),
    ]


def is_own(url: str) -> bool:
    return url.startswith(("file:", "data:", "blob:"))


@contextlib.contextmanager
def open_browser() -> Iterator[Any]:
    """A browser, or None where none is installed."""
    program = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if program is None:
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def ways_of(site: Path) -> Iterator[tuple[str, str, int]]:
    """Which page is looked at in which theme and width."""
    pages = [path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")]
    for name in sorted(name for name in pages if not name.startswith("_static")):
        if name in SAMPLE:
            yield from ((name, theme, width) for width in WIDTHS for theme in THEMES)
        else:
            yield name, "light", 1280


def main(site: Path, shots: Path | None) -> int:
    """Prints what is wrong; 1 where anything is, 0 also where no browser is installed."""
    missing = [name for name in SAMPLE if not (site / f"{name}.html").exists()]
    wrong = [f"{name} is not there" for name in missing]
    ways = list(ways_of(site))
    with open_browser() as browser:
        if browser is None:
            print(f"the site was not looked at: none of {', '.join(BROWSERS)} is installed")
            return 0
        page = browser.new_page()
        for name, theme, width in ways:
            found = find_faults(page, (site / f"{name}.html").as_uri(), theme, width)
            wrong += [f"{name}, {width} px, {theme}: {one}" for one in found]
            if shots is not None and name in SAMPLE:
                page.screenshot(path=shots / f"{name.replace('/', '-')}-{width}-{theme}.png")
    print("\n".join(wrong) or f"{len(ways)} views of the site: nothing wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Look at the built site in Chromium.")
    parser.add_argument("site", nargs="?", type=Path, default=SITE)
    parser.add_argument("--shots", type=Path, help="folder for pictures of the pages")
    given = parser.parse_args()
    if given.shots is not None:
        given.shots.mkdir(parents=True, exist_ok=True)
    sys.exit(main(given.site.resolve(), given.shots))
