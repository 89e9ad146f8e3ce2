"""save, then load: the same model, bit for bit, and the same bytes when it is saved again."""

import pytest

import eigenlens as el
from tests.contracts.solver_table import PROBLEMS, ROWS, fitted
from tests.model.file.sameness import differences


def check_round_trip(model, folder):
    path = model.save(folder / "one.eigenlens")

    again = el.load(path)

    assert differences(model, again) == []
    assert differences(model.certificate, again.certificate) == []
    assert again.save(folder / "two.eigenlens").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("solver", ROWS)
@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_solver_on_every_kind_of_table(kind, solver, tmp_path):
    model = fitted(kind, solver)

    check_round_trip(model, tmp_path)
    check_round_trip(model.truncate(1), tmp_path)
