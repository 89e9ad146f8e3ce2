"""Findings: every rule speaks where it should, with its number, and is silent where it should."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.explain.evidence import read_evidence
from eigenlens.explain.findings import findings
from eigenlens.explain.model_rows import weights_for
from eigenlens.explain.row_findings import rotation_without_row
from tests.explain.classics import DECATHLON
from tests.explain.models import fingerprint
from tests.explain.sayings import SILENT, ordinary, said
from tests.explain.test_outliers import CULPRIT, FAR_OUT, PLANTED, planted_rows

# -- rows ----------------------------------------------------------------------------------


def test_rows_that_break_the_pattern_are_counted_and_the_worst_explained():
    rows = planted_rows()

    off, out = said(el.fit(rows, 2), rows, "rows")

    assert off[0].startswith("1 of 300 rows breaks the pattern")
    assert f"Most extreme: row {PLANTED}, mainly because of 'x{CULPRIT}'." in off[0]
    assert out[0].startswith("1 of 300 rows is extreme but fits")
    assert off[1] == out[1] == 1


def test_a_row_that_breaks_the_pattern_is_not_said_to_fit_it():
    rows = planted_rows()
    rows[FAR_OUT] += 3 * rows[PLANTED]

    off, out = said(el.fit(rows, 2), rows, "rows")

    assert f"Most extreme: row {FAR_OUT}," in off[0]
    assert "is far out" in out[0]
    assert "fit" not in out[0]


def test_of_ordinary_rows_nothing_is_said():
    spoken = [said(el.fit(rows, 2), rows, "rows") for rows in map(seeded, range(20))]

    assert sum(map(len, spoken)) <= 2


def seeded(seed):
    return ordinary(n=300, seed=seed)


def test_where_nothing_is_left_out_q_has_no_limit():
    rows = ordinary()

    ((sentence, _),) = said(el.fit(rows, 6), rows, "rows")

    assert sentence.startswith("All of the variance is kept, so Q is 0")


def influenced():
    rows = ordinary(n=60, variances=(25, 2, 1, 1, 1), seed=4)
    rows[11] = rows.mean(axis=0) + 12 * np.array([0, 0, 0, 0, 1.0])
    return rows


def test_a_row_that_makes_a_component_is_named_with_what_happens_without_it():
    rows = influenced()
    model, without = el.fit(rows, 2), el.fit(np.delete(rows, 11, axis=0), 2)
    cosine = abs(model.components[1] @ without.components[1])

    ((sentence, number),) = said(model, rows, "influence")

    assert sentence.startswith("Row 11 alone makes up ")
    assert number > 0.3
    degrees = rotation_without_row(seen_of(model, rows), 11, 1)
    assert f"would turn by about {degrees:.0f}°" in sentence
    assert degrees == pytest.approx(np.degrees(np.arccos(cosine)), abs=12)


def seen_of(model, rows):
    source = el.open(rows)
    return read_evidence(
        model, source, range(len(rows)), weights_for(model, None, source, must=True)
    )


def test_where_no_row_does_nothing_is_said():
    rows = ordinary()

    assert said(el.fit(rows, 2), rows, "influence") == []


def test_a_row_is_taken_out_exactly_where_nothing_else_is_left_out():
    rows = ordinary(n=40, variances=(9, 5, 2))
    rows[3] *= 4
    model, without = el.fit(rows, 3), el.fit(np.delete(rows, 3, axis=0), 3)

    for index in range(3):
        cosine = abs(float(model.components[index] @ without.components[index]))
        degrees = rotation_without_row(seen_of(model, rows), 3, index)
        assert degrees == pytest.approx(np.degrees(np.arccos(min(cosine, 1))), abs=1e-4)


# -- groups --------------------------------------------------------------------------------


def test_a_group_that_goes_with_an_axis_is_told():
    rows = ordinary(n=90)
    kind = np.where(rows[:, 0] > np.median(rows[:, 0]), "high", "low")
    model = el.fit(rows, 2)

    ((sentence, number),) = said(model, rows, "groups", groups={"kind": kind})

    assert sentence.endswith(", more than chance would.")
    assert number > 0.15


def test_a_group_that_goes_with_none_is_told_too():
    frame = DECATHLON.frame(10)
    model = el.fit(frame, 2, scale="std")

    ((sentence, number),) = said(model, frame, "groups", groups={"competition": DECATHLON.groups})

    assert sentence.startswith("'competition' explains 5% of PC")
    assert sentence.endswith("no more than chance would.")
    assert number < 0.1


def test_without_groups_nothing_is_said_of_them():
    rows = ordinary()

    assert said(el.fit(rows, 2), rows, "groups") == []


# -- cautions ------------------------------------------------------------------------------


def test_ordinary_data_need_no_caution():
    rows = ordinary()

    assert said(el.fit(rows, 2), rows, "data") == []


def test_more_columns_than_rows_are_cautioned():
    rows = np.random.default_rng(0).standard_normal((40, 60))

    ((sentence, number),) = said(el.fit(rows, 2), rows, "data")

    assert sentence.startswith("There are 60 columns and only 40 rows")
    assert number == 1.5


def test_few_rows_are_cautioned():
    rows = ordinary(n=20)

    ((sentence, number),) = said(el.fit(rows, 2), rows, "data")

    assert "only 20 rows: every eigenvalue is uncertain by about 32%" in sentence
    assert number == pytest.approx(np.sqrt(2 / 20))


@pytest.mark.parametrize("sparse", [False, True])
def test_many_zeros_are_cautioned(sparse):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((100, 8)) * (rng.random((100, 8)) < 0.3)
    if sparse:
        from scipy.sparse import csr_array

        rows = csr_array(rows)

    ((sentence, number),) = said(el.fit(rows, 2), rows, "data")

    assert "of the cells are 0" in sentence
    assert number == pytest.approx(0.7, abs=0.05)


def test_columns_of_few_whole_numbers_are_cautioned():
    rows = ordinary()
    rows[:, 2] = np.random.default_rng(0).integers(1, 5, len(rows))

    ((sentence, number),) = said(el.fit(rows, 2), rows, "data")

    assert "1 column holds few whole numbers ('x2')" in sentence
    assert number == 1


def test_rows_in_order_of_time_are_cautioned():
    rows = np.random.default_rng(0).standard_normal((200, 4)).cumsum(axis=0)

    ((sentence, number),) = said(el.fit(rows, 2), rows, "data")

    assert sentence.startswith("Neighboring rows resemble each other")
    assert number > 0.9


# -- the whole -----------------------------------------------------------------------------


def test_a_model_without_components_still_has_findings():
    noise = np.random.default_rng(0).standard_normal((200, 5))
    model = el.fit(noise, "screenot")

    table = findings(model, noise)

    assert model.n_components == 0
    assert list(table["topic"]) == ["k"]


def test_the_table_has_topic_finding_and_number_and_the_model_is_not_changed():
    frame = DECATHLON.frame(10)
    model = el.fit(frame, 2, scale="std")
    before = fingerprint(model)

    table = findings(model, frame)

    assert list(table.columns) == ["topic", "number", "finding"]
    assert all(text.endswith(".") for text in table["finding"])
    assert fingerprint(model) == before


def test_bad_arguments_are_refused_in_words():
    rows = ordinary()
    model = el.fit(rows, 2)

    with pytest.raises(el.OptionError, match=r"ranks=3 needs a report of eigenlens.choose_rank"):
        findings(model, rows, ranks=3)
    with pytest.raises(el.OptionError, match="all 120 of them"):
        findings(model, rows[:50])
    with pytest.raises(el.OptionError, match="groups of 2 rows or more"):
        findings(model, rows, ranks=SILENT, groups={"kind": ["a"] + ["b"] * 119})
