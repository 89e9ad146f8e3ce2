"""Messages about covariance matrices: what each must repeat, and the way out it must show."""

from functools import partial

from eigenlens.errors import CovarianceError, LooksLikeCovariance, RankError

COVARIANCE_MESSAGES = [
    (partial(CovarianceError.not_square, (60, 4)), ["60 x 4"], ["eigenlens.fit(data)"]),
    (
        partial(CovarianceError.bad_entries, 3, "height", "age"),
        ["3 entries", "'height'", "'age'"],
        ["both halves", "missing='auto'"],
    ),
    (partial(CovarianceError.zero, 3), ["3 x 3"], ["rows that differ"]),
    (
        partial(CovarianceError.asymmetric, 0, 1, 2.0, 3.0),
        ["(0, 1) is 2", "(1, 0) is 3", "differ by 1"],
        ["(C + C.T) / 2"],
    ),
    (
        partial(CovarianceError.indefinite, -1.0, 4.0, 2),
        ["this one has 2", "down to -1", "25.00%", "(4)"],
        ["more digits", "values.clip(0)"],
    ),
    (partial(CovarianceError.wrong_rows, 1), ["n_rows=1"], ["2 rows or more", "omit n_rows="]),
    (
        partial(CovarianceError.too_few_rows, 10, 13),
        ["n_rows=10", "rank 13", "rank 9"],
        ["omit n_rows="],
    ),
    (
        partial(CovarianceError.wrong_mean, 1, 2),
        ["mean=", "length 1", "2 finite"],
        ["Pass 2 finite numbers"],
    ),
    (partial(CovarianceError.wrong_names, 1, 2), ["names=", "length 1"], ["2 different names"]),
    (
        partial(LooksLikeCovariance.square_table, 2),
        ["2 x 2 table"],
        ["eigenlens.fit_covariance(C, k)"],
    ),
    (partial(RankError.beyond_matrix, 3, 2), ["3 components", "2 x 2 matrix"], ["k=2 or fewer"]),
]
