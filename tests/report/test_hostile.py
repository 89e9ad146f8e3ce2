"""Text from the data is shown as text, whatever it holds: in the file, and in a browser."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

import eigenlens
from eigenlens.report.write import script_safe

SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(2)>'
ENDING = "</script><script>alert(3)</script>"
COMMENT = "<!--<script>"
RIGHT_TO_LEFT = "שלום \u202eabc"
EMOJI = "🦄 👩‍👩‍👧"
LONG = "x" * 10_000
TEMPLATE = "{{ 7 * 7 }}{% raw %}"
FORMULA = "$\\frac{1}{$"
HOSTILE = [SCRIPT, IMAGE, ENDING, COMMENT, RIGHT_TO_LEFT, EMOJI, LONG, TEMPLATE, FORMULA]

# Where the first selected row is on the screen, and the words of the tips that are shown.
PLACE_OF_SELECTED = """() => {
  const book = Bokeh.documents[0], map = book.get_model_by_name("map");
  const rows = book.get_model_by_name("rows"), i = rows.selected.indices[0];
  const view = [...Bokeh.index.roots].find((one) => one.model === map);
  const box = view.canvas_view.el.getBoundingClientRect();
  return [box.x + view.frame.x_scale.compute(rows.data.x[i]),
          box.y + view.frame.y_scale.compute(rows.data.y[i])];
}"""
TIPS = """() => {
  const inside = (root) => [...root.querySelectorAll("*")].map((one) => one.shadowRoot
    ? one.shadowRoot.textContent + inside(one.shadowRoot) : "").join(" ");
  return inside(document);
}"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((90, 2)) @ rng.standard_normal((2, len(HOSTILE)))
    rows += 0.3 * rng.standard_normal(rows.shape)
    rows[3, 2] += 30  # so that a hostile row and a hostile column are spoken of
    table = pandas.DataFrame(rows, columns=HOSTILE)
    model = eigenlens.fit(table, 3)
    table[f"group {SCRIPT}"] = (HOSTILE * 10)[:90]
    table["some missing"] = [None, np.nan, "a"] * 30
    names = [*HOSTILE, None, float("nan"), "", *(f"row {place}" for place in range(78))]
    target = tmp_path_factory.mktemp("page") / "hostile.html"
    return eigenlens.report(model, table, target, labels=names, title=SCRIPT, command=ENDING)


class Elements(HTMLParser):
    """Every element of a page with its attributes."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


def test_no_element_comes_from_the_data(path):
    elements = Elements(path.read_text(encoding="utf-8")).found

    assert sum(tag == "script" for tag, _ in elements) == 5
    assert not any(tag == "img" for tag, _ in elements)
    handlers = {name for _, given in elements for name in given if name.startswith("on")}
    assert handlers == set()


def test_nothing_is_loaded_from_anywhere(path):
    elements = Elements(path.read_text(encoding="utf-8")).found

    addresses = [
        str(value)
        for tag, given in elements
        for name, value in given.items()
        if name in ("src", "href", "xlink:href", "action", "data", "poster", "srcset")
    ]
    assert addresses
    assert all(one.startswith(("#", "data:")) for one in addresses)
    assert not any(tag in ("link", "iframe", "object", "embed", "base") for tag, _ in elements)
    style = re.findall(r"<style.*?</style>", path.read_text(encoding="utf-8"), re.DOTALL)
    assert not any("url(" in one or "@import" in one for one in style if "http" in one)


@pytest.mark.parametrize("text", HOSTILE)
def test_json_inside_a_script_cannot_end_it(text):
    import json

    safe = script_safe({text: [text]})

    assert not set("<>&") & set(safe)
    assert json.loads(safe) == {text: [text]}


def test_templates_in_names_are_not_filled_in(path):
    page = path.read_text(encoding="utf-8")

    assert "{{ 7 * 7 }}" in page
    assert "49{%" not in page


def test_no_name_turns_the_direction_of_the_words_after_it(path):
    page = path.read_text(encoding="utf-8")
    shown = re.sub(r"<(script|svg)\b.*?</\1>", "", page, flags=re.DOTALL)

    assert "שלום \\u202eabc" in shown
    assert not set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068") & set(shown)


def test_the_lines_to_type_again_do_not_spell_out_ten_thousand_letters(path, tmp_path):
    table = named({LONG: [1.0, 2, 4, 3], "b": [2.0, 1, 5, 4], "c": [1.0, 0, 0, 1]})
    model = eigenlens.fit(table[[LONG, "b"]], 1)

    page = eigenlens.report(model, table, tmp_path / "page.html").read_text(encoding="utf-8")

    assert "eigenlens.fit(data, k=1, columns=columns)" in page


def named(columns):
    return pytest.importorskip("pandas").DataFrame(columns)


def test_the_browser_shows_names_as_text_and_runs_none(path, visit):
    page = visit(path)
    page.evaluate("document.querySelectorAll('details').forEach((box) => { box.open = true; })")
    text = page.inner_text("body")

    for place in range(page.locator("#map-color option").count()):
        page.select_option("#map-color", index=place)
    page.fill("#map-search", "<script")
    page.wait_for_timeout(200)
    page.locator("#map-plot").hover()

    assert page.complaints == []
    assert page.title().startswith(SCRIPT)
    for name in (SCRIPT, IMAGE, ENDING, COMMENT, "שלום", EMOJI, TEMPLATE, LONG, FORMULA):
        assert name in text
    assert page.locator("#map-table tbody tr td:first-child").all_inner_texts() == [
        SCRIPT,
        ENDING,
        COMMENT,
    ]
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_a_tip_shows_a_hostile_name_as_text(path, visit):
    page = visit(path)
    page.fill("#map-search", "alert(2)")
    page.evaluate("document.getElementById('map-box').scrollIntoView({behavior: 'instant'})")

    page.mouse.move(*page.evaluate(PLACE_OF_SELECTED))
    page.wait_for_timeout(300)

    assert IMAGE in page.evaluate(TIPS)
    assert page.complaints == []
