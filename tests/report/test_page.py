"""What the page says: from every kind of data and model, with the numbers of the tables."""

import re

import numpy as np
import pytest

import eigenlens
from eigenlens import explain
from tests.explain.classics import DECATHLON, EVENTS
from tests.report.reading import SECTIONS

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((60, 5)) * [5, 3, 1, 1, 1]
NOISE = RNG.standard_normal((60, 5))


def page_of(model, data, tmp_path, **given):
    return eigenlens.report(model, data, tmp_path / "page.html", **given).read_text("utf-8")


def words_of(page):
    """What is read on it: no scripts, no styles, no markup."""
    bare = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    from html import unescape

    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", bare)))


@pytest.fixture(scope="module")
def decathlon(tmp_path_factory):
    table = DECATHLON.frame()
    table["Competition"] = DECATHLON.groups
    model = eigenlens.fit(table[list(EVENTS)], 4, scale="std")
    folder = tmp_path_factory.mktemp("page")
    page = page_of(model, table, folder, supplementary_columns=["Points"], title="Decathlon")
    return model, table, words_of(page), page


def test_every_section_is_there_once(decathlon):
    page = decathlon[3]

    for name in SECTIONS:
        assert page.count(f'<section id="{name}"') == 1


def test_the_first_screen_says_what_findings_say(decathlon):
    model, table, words, _ = decathlon
    found = explain.findings(model, table[list(EVENTS)])

    for sentence in found["finding"]:
        assert sentence in words


def test_the_first_screen_says_that_columns_vary_very_differently(tmp_path):
    rows = ROWS * [1, 1.5, 2, 1, 0.3]  # no column far from all others: no finding of its own

    page = page_of(eigenlens.fit(rows, 1), rows, tmp_path)

    first = words_of(page[page.index('id="summary"') : page.index('id="data-check"')])
    assert re.search(r"'x[01]' varies 1\d", first)
    assert "unless they share a unit, standardize them" in first


def test_the_certificate_is_on_the_page(decathlon):
    model, _, words, _ = decathlon

    for sentence in model.certificate.sentences:
        assert sentence in words


def test_published_numbers_are_on_the_page(decathlon):
    # FactoMineR's eigenvalues of the decathlon, and the correlation of the points with PC1.
    words = decathlon[2]

    for number in ("3.27191", "1.73713", "1.40492", "1.05685", "-0.96"):
        assert number in words


def test_groups_and_outside_columns_are_found_and_spoken_of(decathlon):
    words = decathlon[2]

    assert "'Competition' explains 5% of PC1" in words
    assert "'Points' explains 91% of PC1" in words
    assert "Rows are named by the index of the frame" in words


def test_the_lines_that_make_the_page_again_do(decathlon, tmp_path, monkeypatch):
    model, table, _, page = decathlon
    from html import unescape

    lines = unescape(re.search(r"<code>(import eigenlens.*?)</code>", page, re.DOTALL).group(1))
    monkeypatch.chdir(tmp_path)
    lines = re.sub(r"'[^']*page\.html'", "'again.html'", lines)

    made = {"data": table}
    exec(lines, made)

    assert np.array_equal(made["model"].components, model.components)
    assert (tmp_path / "again.html").stat().st_size > 1_000_000


# -- every kind of model and data ----------------------------------------------------------

CASES = {
    "one column": (ROWS[:, :1], 1, {}),
    "all components": (ROWS, 5, {}),
    "no component": (NOISE, "auto", {}),
    "two rows": (ROWS[:2], 1, {}),
    "nine rows": (ROWS[:9], 2, {}),
    "a constant column": (np.column_stack([ROWS, np.full(60, 7.0)]), 2, {}),
    "more columns than rows": (RNG.standard_normal((20, 90)), 3, {}),
    "raw moments": (ROWS + 3, 2, {"center": False}),
    "one row far off": (np.vstack([ROWS, np.full(5, 1e6)]), 2, {}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_every_kind_of_table_has_a_page(name, tmp_path):
    data, k, options = CASES[name]

    words = words_of(page_of(eigenlens.fit(data, k, **options), data, tmp_path))

    assert "Number of components" in words
    assert "Method and settings" in words


@pytest.mark.parametrize(("data", "k"), [(NOISE, "auto"), (ROWS, 1)], ids=["none", "one"])
def test_without_a_plane_the_map_still_runs(data, k, tmp_path, visit):
    model = eigenlens.fit(data, k)
    path = eigenlens.report(model, data, tmp_path / "page.html", supplementary_rows=data[:2])

    page = visit(path)
    for name in ("#map-x", "#map-y", "#map-color"):
        for place in range(page.locator(f"{name} option").count()):
            page.select_option(name, index=place)
            page.wait_for_timeout(20)

    assert page.complaints == []
    assert "may be noise" in page.inner_text("#map")


def test_sparse_rows_have_a_page(tmp_path):
    from scipy import sparse

    rows = sparse.random(200, 30, 0.1, random_state=0, format="csr")

    assert "of the cells are 0" in words_of(page_of(eigenlens.fit(rows, 3), rows, tmp_path))


def test_a_file_has_the_page_of_its_rows(tmp_path):
    path = tmp_path / "rows.csv"
    lines = [f"name {i},{'ab'[i % 2]}," + ",".join(map(str, row)) for i, row in enumerate(ROWS)]
    path.write_text("\n".join(["who,kind,v,w,x,y,z", *lines]))

    words = words_of(page_of(eigenlens.fit(path, 2), path, tmp_path))

    assert "rows.csv" in words
    assert "Rows are named by column 'who'" in words
    assert "'kind' explains" in words


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A page that was asked for names, groups, rows beside the fit and a command."""
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ROWS, schema=list("abcde"))
    named = frame.with_columns(
        code=polars.Series(range(1001, 1061)), kind=polars.Series(["u", "v"] * 30)
    )
    return page_of(
        eigenlens.fit(frame, 2),
        named,
        tmp_path_factory.mktemp("page"),
        labels="code",
        groups={"number": [1] * 30 + [2] * 29 + [3]},
        supplementary_rows=named[:3],
        command="eigenlens report x.csv -k 2",
    )


def test_numbers_that_name_rows_are_written_as_whole_numbers(asked):
    assert ">1001<" in asked


def test_groups_may_be_numbers_and_single_rows_are_left_out(asked):
    words = words_of(asked)

    assert "1 group of 'number' with a single row is left out" in words
    assert "'number' explains" in words


def test_columns_that_were_not_asked_for_are_not_spoken_of(asked):
    assert "'kind' explains" not in words_of(asked)


def test_rows_beside_the_fit_are_listed(asked):
    assert "Supplementary rows, which were not part of the fit" in words_of(asked)


def test_a_command_that_is_given_is_shown_in_place_of_python(asked):
    assert "<code>eigenlens report x.csv -k 2</code>" in asked
    assert "import eigenlens" not in asked
