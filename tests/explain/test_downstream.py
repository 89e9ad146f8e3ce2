"""Later models on components: judged on rows held out, and no gain where there is none."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

import eigenlens as el
from eigenlens.explain import downstream


def noise(seed, n=50, d=6):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.integers(2, size=n)


@pytest.mark.slow
def test_pure_noise_gains_nothing():
    found = [downstream(*noise(seed), k=2, splits=5).verdict.value for seed in range(10)]

    assert found.count("gain") == 0


@pytest.mark.slow
def test_numbers_that_are_noise_gain_nothing():
    def drawn(seed):
        rows, _ = noise(seed)
        return downstream(rows, np.random.default_rng(1000 + seed).standard_normal(50), k=(1, 3))

    assert [drawn(seed).verdict.value for seed in range(60)].count("gain") <= 3


def test_components_of_many_rows_help_where_few_have_labels():
    rng = np.random.default_rng(0)
    factor = rng.standard_normal(300)
    rows = np.outer(factor, np.ones(150)) + 3 * rng.standard_normal((300, 150))

    report = downstream(rows, 2 * factor, k=1, labels=12)

    assert report.verdict.value == "gain"
    assert report.verdict.evidence["features"] == "components, unlabeled"


def test_what_is_needed_for_the_classes_is_lost_with_small_components():
    rng = np.random.default_rng(0)
    classes = rng.integers(2, size=200)
    shared = rng.standard_normal(200)
    rows = np.column_stack([shared + 0.2 * rng.standard_normal(200) for _ in range(6)] + [classes])

    line = downstream(rows, classes, k=1).table()

    assert line["verdict"][1] == "loss"


def test_every_model_is_compared_with_the_columns():
    rows, classes = load_digits(return_X_y=True)

    table = downstream(rows[:200], classes[:200], k=(3, 8), splits=5).table()

    assert set(table["model"]) == {"logistic regression", "k-means"}
    assert list(table["features"]) == ["columns", "components", "components"] * 2
    assert list(table["k"][:3]) == [None, 3, 8]
    for line in table.lines():
        assert 0 <= line["score"] <= 1
        assert line["gain"] is None or line["low"] < line["gain"] < line["high"]


def test_rows_to_be_tested_on_teach_nothing():
    rows, classes = noise(0, 60, 40)
    rows[:, 0] = classes * 1e-9  # a class that only its own row knows

    found = downstream(rows, classes, k=30, splits=10)

    assert found.table()["score"][0] > 0.95  # the columns know it, once standardized


def test_the_same_seed_gives_the_same_report():
    rows, classes = noise(1)

    one, two = (downstream(rows, classes, k=2, splits=5, seed=3) for _ in range(2))

    assert one.verdict == two.verdict


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (np.zeros(50), "one value only, 0.0"),
        (["a"] * 50, "one value only"),
        ([1, 2, 3], "3 entries, but the table has 50 rows"),
        ([np.nan] + [1.5, 2.0] * 24 + [1.0], "1 entry that is missing"),
        ([2] + [0, 1] * 24 + [0], "occurs in 1 row only"),
    ],
)
def test_a_target_that_cannot_be_learned_is_refused(y, words):
    with pytest.raises(el.TargetError, match=words):
        downstream(noise(0)[0], y)


def test_too_few_rows_are_refused():
    with pytest.raises(el.EigenlensError, match="8 row"):
        downstream(*noise(0, 8), k=1)


def test_rows_without_labels_lend_their_columns_to_components():
    X, y = load_digits(return_X_y=True)
    places = np.random.default_rng(0).permutation(len(X))
    few, rest = places[:60], places[60:]  # the rarest digit has two rows: two folds

    report = el.explain.downstream(X[few], y[few], k=5, unlabeled=X[rest], splits=6)

    assert "components, unlabeled" in report.table()["features"]


def test_rows_without_labels_have_the_same_columns():
    rows, classes = noise(0)

    with pytest.raises(el.errors.MismatchError, match="5 columns"):
        el.explain.downstream(rows, classes, k=2, unlabeled=rows[:, :5])
