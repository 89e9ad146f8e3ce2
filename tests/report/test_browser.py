"""The page in a real browser: it draws, it answers, it asks nobody for anything."""

import pytest

import eigenlens
from tests.explain.classics import DECATHLON, EVENTS
from tests.report.reading import CONTRASTS, OPEN_ALL, PAINTED, SECTIONS

SELECTED = "Bokeh.documents[0].get_model_by_name('rows').selected.indices"
COLUMN = "[...Bokeh.documents[0].get_model_by_name('rows').data.{}]"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    table = DECATHLON.frame()
    table["Competition"] = DECATHLON.groups
    events = table[list(EVENTS)]
    model = eigenlens.fit(events, 4, scale="std")
    target = tmp_path_factory.mktemp("page") / "decathlon.html"
    beyond = 2 * events[:3] - events.mean()  # twice as far out as three that are there
    return eigenlens.report(
        model, table, target, supplementary_columns=["Points"], supplementary_rows=beyond
    )


def shown_lines(page):
    return page.locator("#map-table tbody tr").count()


def test_the_page_loads_without_a_complaint_and_asks_nobody(path, visit):
    page = visit(path)

    page.mouse.wheel(0, 20_000)
    page.wait_for_timeout(300)

    assert page.complaints == []


def test_the_map_draws_every_row(path, visit):
    page = visit(path)

    assert len(page.evaluate(COLUMN.format("x"))) == 41
    assert max(page.evaluate(PAINTED)) > 10


NAME_BOXES = """() => {
  const book = Bokeh.documents[0], data = book.get_model_by_name("rows").data;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "11px sans-serif";
  const both = [["map", "", data.x, data.y], ["odd", "Odd", data.t2, data.q]];
  return both.map(([name, which, xs, ys]) => {
    const figure = book.get_model_by_name(name), {x_range, y_range} = figure;
    const left = (x) => (x - x_range.start) / (x_range.end - x_range.start) * figure.inner_width;
    const top = (y) => (y_range.end - y) / (y_range.end - y_range.start) * figure.inner_height;
    return Array.from(xs, (x, i) => {
      const middle = left(x) + data[`shiftX${which}`][i];
      const half = pen.measureText(data[`name${which}`][i]).width / 2;
      const line = top(ys[i]) + data[`shiftY${which}`][i];
      return [middle - half, line - 6, middle + half, line + 6, figure.inner_width];
    }).filter((box) => box[2] > box[0]);
  });
}"""


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("width", [1280, 400])
def test_names_of_rows_neither_overlap_nor_leave_the_map(path, visit, width):
    page = visit(path, width=width)
    page.wait_for_function("Bokeh.documents[0].get_model_by_name('rows').data.name.some((n) => n)")

    for boxes in page.evaluate(NAME_BOXES):
        assert len(boxes) >= 5
        assert all(box[0] >= 0 and box[2] <= box[4] for box in boxes)
        pairs = [(one, two) for place, one in enumerate(boxes) for two in boxes[:place]]
        assert not [pair for pair in pairs if overlap(*pair)]


def test_arrow_keys_never_draw_a_component_against_itself(path, visit):
    page = visit(path)
    page.focus("#map-box")

    for key in ("ArrowRight", "ArrowUp", "ArrowUp", "ArrowLeft", "ArrowDown", "ArrowDown") * 2:
        page.keyboard.press(key)
        assert page.input_value("#map-x") != page.input_value("#map-y")


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (400, 800)])
def test_the_first_picture_is_above_the_fold_and_every_chart_fits(path, visit, width, height):
    page = visit(path, width=width)
    page.set_viewport_size({"width": width, "height": height})

    box = page.locator(".picture svg").first.bounding_box()
    wider = "(e) => e.scrollWidth > e.clientWidth + 1"
    cut = page.evaluate(f"[...document.querySelectorAll('.drawing')].filter({wider}).length")
    assert box["y"] + box["height"] / 2 <= height
    assert box["x"] + box["width"] <= width
    assert cut == 0


def test_every_button_has_a_name_of_its_own(path, visit):
    page = visit(path)

    names = page.evaluate(
        "[...document.querySelectorAll('button')].map((b) => b.ariaLabel || b.textContent.trim())"
    )
    assert all(names)
    assert len(set(names)) == len(names)


def test_the_headline_is_the_number_of_components_kept(path, visit):
    assert visit(path).inner_text(".count") == "4"


def test_supplementary_rows_are_within_the_chart_of_odd_rows(path, visit):
    page = visit(path)
    book = "Bokeh.documents[0].get_model_by_name"

    for values, axis in (("t2", "x_range"), ("q", "y_range")):
        farthest = page.evaluate(f"Math.max(...{book}('extra').data.{values})")
        assert farthest < page.evaluate(f"{book}('odd').{axis}.end")


def test_another_component_changes_the_map_and_its_label(path, visit):
    page = visit(path)
    before, picture = page.evaluate(COLUMN.format("x")), page.locator("#map-plot").screenshot()

    page.select_option("#map-x", label="PC3 (14.0%)")

    page.wait_for_timeout(200)
    assert page.evaluate(COLUMN.format("x")) != before
    assert page.evaluate("Bokeh.documents[0].get_model_by_name('map').below[0].axis_label") == (
        "PC3 (14.0%)"
    )
    assert page.locator("#map-plot").screenshot() != picture


def test_another_color_changes_the_map_and_its_legend(path, visit):
    page = visit(path)
    words, picture = page.inner_text("#map-legend"), page.locator("#map-plot").screenshot()

    page.select_option("#map-color", label="Points")

    page.wait_for_timeout(200)
    assert "Decastar" in words
    assert page.inner_text("#map-legend") != words
    assert page.locator("#map-plot").screenshot() != picture


def test_variables_are_drawn_as_lines_where_wanted(path, visit):
    page = visit(path)
    lines = "Bokeh.documents[0].get_model_by_name('arrows').data"

    before = page.evaluate(f"{lines}.name.length")
    page.select_option("#map-arrows", label="5 as lines")

    assert before == 0
    assert page.evaluate(f"{lines}.name.length") == 5
    # The first line is the variable that goes most with PC1 and PC2; it ends inside the map.
    assert page.evaluate(f"{lines}.name[0]") == "400m"
    most = "Math.max(...Bokeh.documents[0].get_model_by_name('rows').data.x.map(Math.abs))"
    assert page.evaluate(f"Math.max(...{lines}.x.map(Math.abs))") <= page.evaluate(most)


def test_any_column_of_numbers_can_color_the_rows(path, visit):
    page = visit(path)

    names = page.locator("#map-color option").all_inner_texts()

    assert names[:5] == ["nothing", "Competition", "Points", "Limits", "Rank"]
    assert set(EVENTS) < set(names)


def lasso_the_right_half(page):
    page.locator("#map-box").scroll_into_view_if_needed()
    box = page.locator("#map-plot").bounding_box()
    left, top = box["x"] + box["width"] * 0.55, box["y"] + 60
    right, bottom = box["x"] + box["width"] - 20, box["y"] + box["height"] - 70
    page.mouse.move(left, top)
    page.mouse.down()
    for x, y in ((right, top), (right, bottom), (left, bottom), (left, top)):
        page.mouse.move(x, y, steps=4)
    page.mouse.up()
    page.wait_for_timeout(200)


@pytest.mark.parametrize("factor", [1e150, 1e-150])
def test_numbers_too_large_or_small_to_be_squared_are_drawn_in_units(factor, tmp_path, visit):
    rows = factor * DECATHLON.frame()[list(EVENTS)]
    page = visit(eigenlens.report(eigenlens.fit(rows, 2), rows, tmp_path / "page.html"))

    lasso_the_right_half(page)

    label = page.evaluate("Bokeh.documents[0].get_model_by_name('map').below[0].axis_label")
    assert "in units of 1e" in label
    assert 0 < len(page.evaluate(SELECTED)) < 41
    assert page.complaints == []


def test_a_lasso_filters_the_table_and_shows_in_the_other_chart(path, visit):
    page = visit(path)

    lasso_the_right_half(page)

    chosen = page.evaluate(SELECTED)
    names = page.locator("#map-table tbody tr td:first-child").all_inner_texts()
    assert 0 < len(chosen) < 41
    assert names == [str(DECATHLON.frame().index[row]) for row in chosen]
    assert f"{len(chosen)} of 41 rows selected" in page.inner_text("#map-live")
    shared = (
        "Bokeh.documents[0].get_model_by_name('odd').renderers.map((one) => one.data_source.name)"
    )
    assert "rows" in page.evaluate(shared)


def test_clearing_brings_the_whole_table_back(path, visit):
    page = visit(path)

    page.fill("#map-search", "karpov")
    found = shown_lines(page)
    page.click("#map-clear")

    assert found == 2
    assert shown_lines(page) == 41
    assert page.evaluate(SELECTED) == []


def test_a_row_that_is_not_there_is_said(path, visit):
    page = visit(path)

    page.fill("#map-search", "nobody")

    assert page.inner_text("#map-live") == "No row has this name."


def test_arrow_keys_change_the_components(path, visit):
    page = visit(path)

    page.focus("#map-box")
    page.keyboard.press("ArrowRight")

    assert page.input_value("#map-x") == "2"  # not 1, which is drawn upward


def test_a_view_can_be_shared_by_its_address(path, visit):
    page = visit(path)
    page.select_option("#map-y", label="PC4 (10.6%)")
    address = page.url

    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html.map-live")

    assert page.input_value("#map-y") == "3"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window_and_words_stand_out(path, visit, scheme):
    page = visit(path, color_scheme=scheme)
    page.evaluate(OPEN_ALL)

    assert page.evaluate(CONTRASTS) == []
    for width in (1280, 800, 400):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.complaints == []


def test_faint_words_would_be_seen(path, visit):
    page = visit(path)

    page.add_style_tag(content=".lead { color: #aaa !important; }")

    assert len(page.evaluate(CONTRASTS)) == 1


def test_the_button_turns_the_lights_out_and_on(path, visit):
    page = visit(path)
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)

    page.click("#theme")

    assert page.get_attribute("#theme", "aria-pressed") == "true"
    assert page.evaluate(paper) != light
    page.click("#theme")
    assert page.get_attribute("#theme", "aria-pressed") == "false"
    assert page.evaluate(paper) == light


def test_without_scripts_every_section_is_there_with_its_map_and_tables(path, visit):
    page = visit(path, scripts=False)

    for name in SECTIONS:
        assert page.locator(f"#{name}").is_visible()
        assert len(page.inner_text(f"#{name}")) > 40
    assert page.locator("#chart-map svg").is_visible()
    assert page.locator("#map-table tbody tr").count() == 41
    assert not page.locator("#live-map").is_visible()


def test_on_paper_no_table_is_wider_than_the_page(path, visit):
    page = visit(path, width=718)  # A4 between margins of one centimeter

    page.emulate_media(media="print")

    assert page.evaluate("document.documentElement.scrollWidth") <= 718


def test_on_paper_the_map_is_the_drawing(path, visit):
    page = visit(path)

    page.emulate_media(media="print")

    assert page.locator("#chart-map svg").is_visible()
    assert not page.locator("#live-map").is_visible()


def test_every_chart_has_words_and_a_table_and_no_id_is_used_twice(path, visit):
    page = visit(path)

    charts = page.evaluate(
        """[...document.querySelectorAll("figure.chart")].map((one) => [
            one.querySelector("svg title")?.textContent, one.querySelector("svg desc")?.textContent,
            one.querySelectorAll("details table tbody tr").length])"""
    )
    twice = page.evaluate(
        """(() => { const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
            return ids.filter((id, place) => ids.indexOf(id) !== place); })()"""
    )
    assert len(charts) >= 9
    assert all(title and words and lines for title, words, lines in charts)
    assert twice == []


def test_whoever_wants_no_motion_gets_none(path, visit):
    page = visit(path, reduced_motion="reduce")

    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
