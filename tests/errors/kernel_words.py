"""Messages about kernels: what each must repeat, and the way out it must show."""

from functools import partial

from eigenlens.errors import KernelError, MemoryBudgetError, NotCertified

KERNEL_MESSAGES = [
    (partial(KernelError.one_row, (1, 3)), ["one row", "(1, 3)"], ["at least 2 rows"]),
    (
        partial(KernelError.not_square, (60, 40)),
        ["60 x 40"],
        ["K[i, j] = k(x[i], x[j])", "'rbf'"],
    ),
    (
        partial(KernelError.wrong_columns, 9, 60),
        ["9 columns", "60 rows"],
        ["k(new rows, training rows)"],
    ),
    (
        partial(KernelError.asymmetric, 3, 5, 0.25, 0.75),
        ["K[3, 5] = 0.25", "K[5, 3] = 0.75"],
        ["(K + K.T) / 2"],
    ),
    (
        partial(KernelError.indefinite, "precomputed", -15.1, 52.7, 0.225, 3, 5),
        ["significant negative eigenvalues", "3 of them", "-15.1", "52.7", "22.50%"],
        ["values.clip(0)", "n_components=5 or fewer", "eigen_solver='dense'"],
    ),
    (
        partial(KernelError.not_semidefinite, "mine", 7, -0.5, 1.0),
        ["'mine'", "row 7", "-0.5"],
        ["method='exact'", "kernel='rbf'"],
    ),
    (partial(KernelError.no_lengths, "mine"), ["'mine'", "k(x, x) = 0"], ["np.exp(-distances)"]),
    (
        partial(KernelError.nothing_varies, "rbf", 50),
        ["all 50 points are equal", "'rbf'"],
        ["rows that differ", "gamma='median'"],
    ),
    (
        partial(KernelError.not_a_number, "mine", [1, 2]),
        ["'mine'", "[1, 2]"],
        ["k(x, y) with two 1-D rows"],
    ),
    (
        partial(KernelError.values_not_finite, "poly"),
        ["'poly'", "NaN or infinite"],
        ["smaller gamma= or degree="],
    ),
    (
        partial(MemoryBudgetError.kernel_matrix, 80_000, 307_200_000_000, 6_000_000_000, 9000),
        ["80000 rows", "307 GB", "6 GB"],
        ["method='nystrom'", "n_landmarks=9000", "memory='308GB'"],
    ),
    (
        partial(MemoryBudgetError.landmarks, 4000, 1_091_500_000, 100_000_000, 715),
        ["4000 landmarks", "1092 MB", "100 MB"],
        ["n_landmarks=715", "memory='1092MB'"],
    ),
    (
        partial(NotCertified.indefinite, "sigmoid", 0.355, -6.78),
        ["'sigmoid'", "35.50%", "-6.78"],
        ["positive part"],
    ),
]
