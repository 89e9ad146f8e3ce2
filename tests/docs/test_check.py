"""The check of the built site finds what is planted, and finds nothing in a page that is right."""

import importlib
import sys

import pytest

from tests.docs.pages import DOCS

CSS = (DOCS / "website" / "static" / "eigenlens.css").read_text(encoding="utf-8")
LONG = "el.fit(" + ", ".join(f"parameter_{number}=None" for number in range(40)) + ")"
PAGE = (
    "<!doctype html><html lang='en'><head><title>page</title><style>{style}</style></head>"
    "<body><div class='bd-article-container'>{body}</div></body></html>"
)
FAULTS = {
    "console: ": "<script>console.error('planted')</script>",
    "console: planted": "<script>throw new Error('planted')</script>",
    "asks for http://127.0.0.1:9/": "<img src='http://127.0.0.1:9/a.png' alt='a'>",
    "no alternative text": "<img src='data:,' alt=' '>",
    "contrast 2.85": "<p style='color: #999'>pale</p>",
    "contrast 1.00": "<div style='background: #222'><p style='color: #222'>gone</p></div>",
    "pixels wider than the window": "<p style='width: 3000px'>wide</p>",
    "cut off": f"<div class='highlight-python'><pre style='overflow: auto'>{LONG}</pre></div>",
    "pixels of P": f"<p style='overflow: hidden; white-space: nowrap'>{LONG}</p>",
}


@pytest.fixture(scope="module")
def find_faults(tmp_path_factory):
    """What the check says of a page with this body."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    sys.path.insert(0, str(DOCS / "website"))
    check = importlib.import_module("check")
    sys.path.remove(str(DOCS / "website"))
    path = tmp_path_factory.mktemp("site") / "page.html"
    with check.open_browser() as browser:
        if browser is None:
            pytest.skip("no browser is installed")

        def found(body, style="", theme="light", width=1280):
            path.write_text(PAGE.format(style=style, body=body), encoding="utf-8")
            page = browser.new_page()
            faults = check.find_faults(page, path.as_uri(), theme, width)
            page.close()
            return faults

        yield found


@pytest.mark.parametrize("sentence", FAULTS)
def test_a_planted_fault_is_found(find_faults, sentence):
    assert any(sentence in one for one in find_faults(FAULTS[sentence]))


def test_a_fault_of_one_theme_is_found_in_it_alone(find_faults):
    style = "@media (prefers-color-scheme: dark) { body { background: #333; } }"

    assert find_faults("<p>dark ink</p>", style) == []
    assert find_faults("<p>dark ink</p>", style, theme="dark") != []


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("kind", ["python", "text"])
def test_the_style_of_the_site_cuts_no_line(find_faults, kind, width):
    body = f"<div class='highlight-{kind}'><pre style='overflow: auto'>{LONG}</pre></div>"

    assert find_faults(body, CSS, width=width) == []


def test_large_text_may_be_paler(find_faults):
    assert find_faults("<p style='color: #888; font-size: 24px'>pale</p>") == []
    assert find_faults("<p style='color: #888; font-size: 23px'>pale</p>") != []
