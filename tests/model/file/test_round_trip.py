"""save, then load: the same model, bit for bit, and the same bytes when it is saved again."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import eigenlens as el
from tests.contracts.solver_table import PROBLEMS, ROWS, fitted
from tests.fit.test_interrupt import interrupted
from tests.fitting import fit
from tests.market import FITTING, MARKET
from tests.model.file.forge import true_model
from tests.model.file.sameness import differences


def check_round_trip(model, folder):
    path = model.save(folder / "one.eigenlens")

    again = el.load(path)

    assert differences(model, again) == []
    assert differences(model.certificate, again.certificate) == []
    assert again.save(folder / "two.eigenlens").read_bytes() == path.read_bytes()
    return again


def table(n=60, d=8, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d)) * np.arange(d, 0, -1) + 1


@pytest.mark.parametrize("solver", ROWS)
@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_solver_on_every_kind_of_table(kind, solver, tmp_path):
    model = fitted(kind, solver)

    check_round_trip(model, tmp_path)
    check_round_trip(model.truncate(1), tmp_path)


@pytest.mark.parametrize("name", FITTING)
def test_every_table_of_the_market(name, tmp_path):
    problem = MARKET[name]()

    check_round_trip(fit(problem, min(3, problem.max_rank)), tmp_path)


@pytest.mark.parametrize(
    "options",
    [
        {"k": "auto"},
        {"k": 0.9},
        {"k": "gap"},
        {"k": "frobenius:0.9"},
        {"k": "minka"},
        {"k": "parallel"},
        {"k": 8},
        {"k": 2, "seed": 2**80},
        {"k": 2, "seed": [1, 2]},
        {"k": 2, "scale": np.arange(1.0, 9.0)},
        {"k": 2, "certify": "fast", "solver": "randomized"},
        {"k": 2, "tolerance": 1e-6, "solver": "krylov"},
        {"k": 2, "columns": [0, 3, 5]},
        {"k": 2, "solver": el.solvers.OrthogonalIteration(max_passes=50)},
    ],
    ids=str,
)
def test_every_way_to_ask(options, tmp_path):
    check_round_trip(el.fit(table(), **options), tmp_path)


def test_nothing_worth_keeping(tmp_path):
    model = el.fit(np.random.default_rng(0).standard_normal((200, 30)))

    again = check_round_trip(model, tmp_path)

    assert again.n_components == 0


def test_probabilistic_and_heuristic_certificates(tmp_path):
    rows = scipy.sparse.random_array((300, 200), density=0.05, rng=np.random.default_rng(1))

    full = el.fit(rows, 3, solver="krylov", tolerance=1e-3)
    fast = el.fit(rows, 3, solver="krylov", tolerance=1e-3, certify="fast")

    assert check_round_trip(full, tmp_path).certificate.kind == "probabilistic"
    assert check_round_trip(fast, tmp_path).certificate.kind == "heuristic"


def test_merged_models_of_any_number(tmp_path):
    models = [el.fit(table(seed=seed), 2, solver="covariance") for seed in range(40)]
    forward, backward = models[0], models[0]
    for model in models[1:]:
        forward, backward = forward.merge(model), model.merge(backward)

    for merged in (forward, backward):
        again = check_round_trip(merged, tmp_path)
        assert len(again.provenance["merged_with"]) == 39


@pytest.mark.filterwarnings("ignore::eigenlens.NotCertified")
def test_a_fit_that_was_interrupted(tmp_path):
    again = check_round_trip(interrupted(2, "return"), tmp_path)

    assert again.choices["stop"].rule == "interrupted"


def test_models_of_files_and_streams_and_batches(tmp_path):
    rows = table(300, 8)
    np.save(tmp_path / "rows.npy", rows)
    pd.DataFrame(rows, columns=list("abcdefgh")).assign(word="w").to_csv(tmp_path / "rows.csv")
    incremental = el.IncrementalPCA(3).partial_fit(rows[:150]).partial_fit(rows[150:])
    leading = el.IncrementalPCA(3)
    leading.MOST_COLUMNS = 4

    for model in (
        el.fit(str(tmp_path / "rows.npy"), 3, memory="20MB"),
        el.fit(tmp_path / "rows.csv", 3),
        el.fit(lambda: iter([rows[:100], rows[100:]]), 3),
        el.PCA(3).fit(rows).model_,
        incremental.model_,
        leading.fit(rows).model_,
    ):
        check_round_trip(model, tmp_path)


names = st.text(max_size=12) | st.sampled_from(
    ["~tuple", "<b>", "\ud800", "\0", "x" * 10_000, "🙂"]
)


@given(st.lists(names, min_size=3, max_size=3, unique=True))
def test_any_name_of_a_column(tmp_path_factory, given):
    model = replace(el.fit(table(20, 3), 2), feature_names=tuple(given))

    check_round_trip(model, tmp_path_factory.mktemp("names"))


def test_evidence_of_every_sort(tmp_path):
    again = check_round_trip(true_model(), tmp_path)

    assert np.isnan(again.choices["odd"].evidence["curve"][1])


def test_what_no_file_can_hold_comes_back_as_its_text(tmp_path):
    model = el.fit(table(), 2, seed=np.random.SeedSequence(5))

    again = el.load(model.save(tmp_path / "a.eigenlens"))

    assert again.provenance["settings"]["seed"] == repr(model.provenance["settings"]["seed"])


def test_the_same_data_give_the_same_bytes(tmp_path):
    one, two = (el.fit(table(), 3, solver="krylov", seed=4) for _ in range(2))

    paths = one.save(tmp_path / "one.eigenlens"), two.save(str(tmp_path / "two"))

    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_difference_of_one_bit_is_seen():
    model = true_model()
    other = replace(model, total_variance=np.nextafter(model.total_variance, 0).item())

    assert differences(model, other) == [
        f"model.total_variance: {model.total_variance} became {other.total_variance}"
    ]
    assert differences({"a": 0.0}, {"a": -0.0}) == ["model.a: 0.0 became -0.0"]
    assert differences((1,), [1]) == ["model: tuple became list"]
    assert differences([np.zeros(2)], [-np.zeros(2)]) == ["model.0: another array"]
