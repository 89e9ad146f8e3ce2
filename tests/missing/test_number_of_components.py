"""k="auto" with missing cells finds about as much as without, and nothing in noise."""

import numpy as np

import eigenlens as el


def draw(n, strength, seed, share=0.2):
    """Three planted components in 15 columns of unit noise, complete and with missing cells."""
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.standard_normal((15, 3)))[0]
    rows = rng.standard_normal((n, 3)) * np.sqrt(strength) @ axes.T + rng.standard_normal((n, 15))
    return rows, np.where(rng.random(rows.shape) < share, np.nan, rows)


def ranks(tables, **options):
    return np.array([el.fit(rows, "auto", **options).n_components for rows in tables])


def test_planted_components_are_found():
    complete, lacking = zip(
        *(draw(60, [10, 6, 4], seed) for seed in (1, 4, 5, 12, 13)), strict=True
    )

    with_holes = ranks(lacking, missing="auto")

    assert (np.abs(with_holes - 3) <= 1).all()  # one weak component more or less, no share of 80 %
    assert (with_holes == 3).sum() >= (ranks(complete) == 3).sum() - 2


def test_weak_structure_is_not_lost():
    lacking = [draw(60, [3, 2, 1.5], seed)[1] for seed in (6, 12, 13)]

    assert (ranks(lacking, missing="auto") > 0).all()


def test_nothing_is_found_in_noise():
    lacking = [draw(60, [0, 0, 0], seed)[1] for seed in range(4)]

    assert (ranks(lacking, missing="auto") > 0).sum() <= 1


def test_the_verdict_says_which_rule_was_asked_and_why():
    model = el.fit(draw(60, [3, 2, 1.5], 12)[1], "auto", missing="auto")

    why = model.choices["k"]
    assert why.rule == "parallel"
    assert "leaves doubt" in why.reason or "fall evenly" in why.reason
    assert "of the observed cells" in why.reason
