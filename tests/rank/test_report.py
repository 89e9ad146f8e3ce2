"""choose_rank: every rule with its question, whether it applies here, and no vote."""

import numpy as np
import pytest
import scipy.sparse

import eigenlens as el
from eigenlens.rank.catalogue import RULES

NAMES = {name for name in RULES if name != "auto"}


def factors(noise, count=4, strength=1.5, seed=0):
    rng = np.random.default_rng(seed)
    n, d = noise.shape
    return strength * rng.standard_normal((n, count)) @ rng.standard_normal((count, d)) + noise


def white(shape=(300, 60), seed=1):
    return np.random.default_rng(seed).standard_normal(shape)


def serial(shape=(300, 60), memory=0.9):
    steps = white(shape)
    for row in range(1, len(steps)):
        steps[row] = memory * steps[row - 1] + np.sqrt(1 - memory**2) * steps[row]
    return steps


NOISES = {
    "equal columns": lambda: white() * np.geomspace(0.3, 3, 60),
    "equal rows": lambda: white() * np.geomspace(0.3, 3, 300)[:, None],
    "independent rows": serial,
    "light tails": lambda: np.random.default_rng(3).standard_t(2.5, (300, 60)),
}


def test_every_rule_of_the_contract_is_there():
    report = el.choose_rank(factors(white()))

    assert set(report.rules) | set(report.silent) == NAMES
    assert set(report.question) == NAMES
    assert report.k == 4


def test_white_noise_passes_every_check():
    checks = el.choose_rank(factors(white())).checks

    assert all(check.value for check in checks.values())
    assert len(checks) == 5


@pytest.mark.parametrize("broken", NOISES)
def test_a_broken_assumption_is_noticed_and_casts_doubt(broken):
    report = el.choose_rank(factors(NOISES[broken](), strength=3.0))

    assert not report.checks[broken].value
    assert report.checks[broken].evidence["measured"] > report.checks[broken].evidence["limit"]
    if broken != "light tails":  # those alone leave the law of the eigenvalues as it is
        assert not report.checks["white noise"].value
        assert "minka" in report.doubts


def test_serially_correlated_rows_take_the_recommendation_from_those_who_assume_none():
    report = el.choose_rank(factors(serial(), strength=5.0))

    assert "bcv" in report.doubts
    assert report.recommended["detection"].rule == "gap"
    assert report.k == 4


def test_disagreement_is_shown_and_not_voted_away():
    text = str(el.choose_rank(factors(white())))

    assert "Denoising: 4 (screenot" in text
    assert "Detection: 4 (dpa" in text
    assert "Compression: " in text
    assert "But frobenius says 3" in text


def test_halves_of_the_rows_tell_how_stable_an_answer_is():
    report = el.choose_rank(factors(white()))

    assert report.halves["screenot"] == [4] * 10
    weak = el.choose_rank(factors(white(), strength=0.2))
    assert len(set(weak.halves["screenot"])) > 1


def test_the_table_has_a_line_per_rule():
    table = el.choose_rank(factors(white())).table()

    assert list(table.columns)[:3] == ["rule", "question", "k"]
    assert set(table["rule"]) == NAMES
    assert table.to_pandas().shape == (len(NAMES), len(table.columns))


def test_a_model_is_asked_without_its_rows():
    model = el.fit(factors(white()), 30)

    report = el.choose_rank(model)

    assert report.k == 4
    assert report.checks == {}
    assert "needs the rows" in report.silent["parallel"]
    assert report.table()["applies"][0] is None


@pytest.mark.parametrize("kind", ["sparse", "file", "weighted", "scaled", "stream", "raw"])
def test_every_kind_of_data_is_taken(kind, tmp_path):
    data, options = factors(white()), {}
    if kind == "sparse":
        data = scipy.sparse.csr_array(data)
    if kind == "file":
        np.save(tmp_path / "rows.npy", data)
        data = tmp_path / "rows.npy"
    if kind == "stream":
        data = iter(np.array_split(data, 7))
    if kind == "weighted":
        options["weights"] = np.ones(300)
    if kind == "scaled":
        options["scale"] = "std"
    if kind == "raw":
        options["center"] = False

    assert el.choose_rank(data, **options).k == 4


def test_a_large_table_shows_as_much_of_its_spectrum_as_is_needed(monkeypatch):
    monkeypatch.setattr("eigenlens.rank.panel.WHOLE", 500)  # as for tables of many more columns

    report = el.choose_rank(factors(white((1500, 1100))))

    assert report.k == 4
    assert "of so large a table 50 were looked at" in report.silent["minka"]
    assert "needs all eigenvalues (1100)" in report.silent["minka"]
    assert "these hold 0." in report.silent["fraction"]


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_units_do_not_matter(scale):
    report = el.choose_rank(factors(white()) * scale)

    assert report.k == 4
    assert all(check.value for check in report.checks.values())


def test_few_rows_are_refused_with_the_way_out():
    with pytest.raises(el.RankError, match=r"9 rows.*10 rows or more.*k=0\.95"):
        el.choose_rank(white((9, 5)))


def test_a_misspelt_rule_suggests_the_nearest():
    with pytest.raises(el.RankError, match=r"screenott.*Did you mean 'screenot'"):
        el.fit(white(), k="screenott")


def test_few_rows_for_an_automatic_k_are_refused_with_the_way_out():
    with pytest.raises(el.RankError, match=r"10 rows"):
        el.fit(white((9, 5)))


def test_a_model_that_holds_only_signal_is_not_called_noise():
    rng = np.random.default_rng(0)
    data = rng.standard_normal((600, 60)) @ rng.standard_normal((60, 500))

    report = el.choose_rank(el.fit(data + rng.standard_normal(data.shape), 40))

    assert report.k is None
    assert "screenot" in report.silent


def test_a_model_of_nothing_cannot_be_asked():
    with pytest.raises(el.RankError, match=r"0 components.*Pass the data"):
        el.choose_rank(el.fit(white()))


def test_a_model_is_prepared_already():
    with pytest.raises(el.OptionError, match="prepared already"):
        el.choose_rank(el.fit(white(), 3), scale="std")


def test_halves_of_raw_rows_stay_raw():
    report = el.choose_rank(factors(white((200, 30)), 3, 2.0) + 5.0, center=False)

    assert report.k == 4
    assert report.halves["screenot"] == [4] * 10


@pytest.mark.parametrize(("shape", "count"), [((1000, 2), 0), ((1000, 10), 3), ((500, 20), 8)])
def test_white_noise_passes_with_few_columns_and_many_components(shape, count):
    report = el.choose_rank(factors(white(shape), count, 3.0) if count else white(shape))

    assert all(check.value for check in report.checks.values())


def test_a_table_without_noise_has_no_noise_to_check():
    rng = np.random.default_rng(0)

    report = el.choose_rank(rng.standard_normal((100, 3)) @ rng.standard_normal((3, 20)))

    assert report.k == 3
    assert report.checks == {}
    assert report.rules["bcv"].evidence["margin"] >= 0


def test_a_question_nobody_can_answer_is_in_the_report_too():
    text = str(el.choose_rank(el.fit(factors(white(), 12, 3.0), 6)))

    assert "Denoising: no answer (screenot: anything (between 1 and 60), from so few" in text
    assert "; bcv: needs the rows: pass the data instead of the model)" in text
    assert "Detection: no answer (dpa: needs an eigenvalue below the edge" in text


def test_an_interval_that_leaves_everything_open_is_not_recommended():
    report = el.choose_rank(el.fit(factors(white(), 12, 3.0), 6))

    assert report.k is None
    assert (report.rules["screenot"].low, report.rules["screenot"].high) == (1, 60)


@pytest.mark.parametrize(
    "name", ["dpa", "gap", "gcv", "gavish_donoho", "minka", "fraction", "frobenius"]
)
def test_a_model_that_is_too_short_is_named_as_what_is(name):
    silent = el.choose_rank(el.fit(factors(white(), 12, 3.0), 3)).silent[name]

    assert "the model holds 3" in silent
    assert silent.startswith("needs")
    assert "solver" not in silent


def test_a_truncated_model_is_asked_like_one_that_was_fitted_so():
    model = el.fit(factors(white()), 40)

    short, cut = el.choose_rank(el.fit(factors(white()), 30)), el.choose_rank(model.truncate(30))

    assert {name: one.value for name, one in cut.rules.items()} == {
        name: one.value for name, one in short.rules.items()
    }
    assert cut.silent == short.silent


@pytest.mark.parametrize(
    "name",
    ["auto", "dpa", "parallel", "bcv", "gavish_donoho", "bai_ng", "gcv", "kritchman_nadler"],
)
def test_nine_rows_tell_no_rule_what_noise_is(name):
    with pytest.raises(el.RankError, match=rf"'{name}'.*10 rows or more.*here are 9.*k=0\.95"):
        el.fit(white((9, 5)), k=name)


@pytest.mark.parametrize("name", ["fraction", "frobenius", "gap", "kaiser", "broken_stick"])
def test_rules_that_need_no_noise_answer_for_nine_rows_too(name):
    assert 0 <= el.fit(white((9, 5)), k=name).n_components <= 5


def test_a_misspelt_rule_of_the_estimator_suggests_the_nearest():
    with pytest.raises(el.OptionError, match=r"Got 'scrennot' instead\. Did you mean 'screenot'"):
        el.PCA(n_components="scrennot").fit(white())
    with pytest.raises(el.OptionError, match=r"Did you mean 'krylov'"):
        el.PCA(svd_solver="krilov").fit(white())


def test_a_model_of_nothing_has_nothing_to_cut():
    with pytest.raises(el.RankError, match=r"the fit kept none.*Fit again.*k=2"):
        el.fit(white()).truncate(1)


@pytest.mark.parametrize(("kind", "null"), [("sparse", "flip"), ("dense", "flip")])
def test_raw_tables_are_flipped_whether_sparse_or_not(kind, null):
    rng = np.random.default_rng(0)
    data = rng.standard_normal((200, 20)) * (rng.random((200, 20)) < 0.3) + 0.0
    data[:, :3] += 3.0  # a mean is structure where nothing is centered
    given = scipy.sparse.csr_array(data) if kind == "sparse" else data

    verdict = el.fit(given, k="parallel", center=False).choices["k"]

    assert f"({null})" in verdict.reason
    assert verdict.value >= 1


def test_a_centered_sparse_table_is_permuted_and_says_why():
    data = scipy.sparse.random_array((200, 20), density=0.2, rng=np.random.default_rng(0))

    verdict = el.fit(data.tocsr(), k="parallel").choices["k"]

    assert "(permute, since" in verdict.reason


def test_a_table_with_a_quarter_of_zeros_has_a_report():
    rows = np.ones((20, 4))
    rows[-1, 0] = 2.0

    report = el.choose_rank(rows)

    assert report.rules["bcv"].value <= 1
