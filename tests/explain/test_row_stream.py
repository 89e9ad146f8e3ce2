"""What is streamed of the rows is what the tables hold."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.errors import DataError, OptionError
from eigenlens.explain.row_stream import row_stream
from eigenlens.model import rows as model_rows
from tests.problems import make_table

ROWS = make_table(70, 6, 0, decay="slow")


@pytest.fixture(scope="module")
def model():
    return el.fit(ROWS, 3, scale="std")


@pytest.fixture
def few_at_once(monkeypatch):
    """Blocks of ten rows: there are seams to be seen."""
    monkeypatch.setattr(model_rows, "BLOCK_BYTES", 10 * 8 * ROWS.shape[1])


def gathered(stream, told):
    blocks = list(stream.blocks())
    spans, columns = [block.span for block in blocks], [told(block) for block in blocks]
    assert [span.start for span in spans] == [0, *(span.stop for span in spans[:-1])]
    return {name: np.concatenate([one[name] for one in columns]) for name in columns[0]}


@pytest.mark.parametrize("convention", [None, "factominer", "prcomp"])
def test_the_lines_are_those_of_the_tables(model, few_at_once, convention):
    stream = row_stream(model, ROWS, convention=convention)
    long = el.explain.rows(model, ROWS, convention=convention)
    odd = el.explain.outliers(model, ROWS, convention=convention)

    found = gathered(stream, stream.details)

    by_component = {name: np.reshape(column, (70, 3)) for name, column in long.columns.items()}
    for place, component in enumerate(by_component["component"][0]):
        for name in list(long.columns)[2:5]:
            expected = by_component[name][:, place]
            assert np.allclose(found[f"{component}_{name}"], expected, rtol=1e-12, atol=1e-13)
    assert np.allclose(found[list(long.columns)[-1]], by_component[list(long.columns)[-1]][:, 0])
    assert np.allclose(found["T2"], odd["T2"], rtol=1e-12)
    assert np.allclose(found["Q"], odd["Q"], rtol=1e-12)
    assert list(found["quadrant"]) == list(odd["quadrant"])
    assert stream.limits == {name: odd[name][0] for name in odd.columns if "limit" in name}


def test_new_rows_are_judged_by_the_limits_for_new_rows(model, few_at_once):
    others = make_table(30, 6, 1, decay="slow") * 1.5

    stream = row_stream(model, others, new=True, reference=ROWS)
    found = gathered(stream, stream.scores)

    odd = el.explain.outliers(model, others, new=True, reference=ROWS)
    assert list(found) == ["PC1", "PC2", "PC3", "T2", "Q", "quadrant"]
    assert list(found["quadrant"]) == list(odd["quadrant"])
    assert len(set(found["quadrant"])) > 1


def test_block_size_is_invisible_in_the_scores(model, monkeypatch):
    stream = row_stream(model, ROWS)
    whole = gathered(stream, stream.scores)
    monkeypatch.setattr(model_rows, "BLOCK_BYTES", 10 * 8 * ROWS.shape[1])

    cut = gathered(stream, stream.scores)

    assert np.allclose(cut["PC1"], whole["PC1"], rtol=1e-12, atol=1e-13)


def test_weights_count_in_the_contributions():
    weights = np.arange(70) % 3
    model = el.fit(ROWS, 2, weights=weights)

    stream = row_stream(model, ROWS, weights=weights)
    found = gathered(stream, stream.details)

    assert np.isclose(found["PC1_contribution"].sum(), 100.0)


def test_rows_that_are_not_those_of_the_fit_are_refused_unless_new(model):
    with pytest.raises(OptionError, match="all 70 of them"):
        row_stream(model, ROWS[:5])


def test_a_missing_number_is_found_in_its_block(model, few_at_once):
    spoiled = ROWS.copy()
    spoiled[33, 2] = np.nan

    with pytest.raises(DataError, match="row 33, column 2"):
        list(row_stream(model, spoiled, new=True).blocks())
