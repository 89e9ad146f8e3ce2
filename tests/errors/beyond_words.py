"""Messages of the two neighbors of PCA: what each must repeat, and the way out it must show."""

from functools import partial

from eigenlens.errors import OptionError, SensingError, SplitError, TrainingError

BEYOND_MESSAGES = [
    (
        partial(OptionError.needs_package, "the basis 'haar'", "PyWavelets", "wavelets"),
        ["the basis 'haar'", "PyWavelets"],
        ["pip install 'eigenlens[wavelets]'"],
    ),
    (
        partial(SplitError.too_few, 3, 20, "judging on rows set aside"),
        ["3 rows", "judging on rows set aside"],
        ["20 or more", "more rows"],
    ),
    (
        partial(TrainingError.diverged, 3, 1e9, 0.1),
        ["1e+09 times that of PCA", "epoch 3"],
        ["learning_rate=0.01", "method='lbfgs'"],
    ),
    (
        partial(TrainingError.diverged, 3, 1e9, None),
        ["epoch 3"],
        ["method='adam'", "scale='std'"],
    ),
    (
        partial(TrainingError.not_converged, 50, 0.01),
        ["50 steps", "0.01 of the variance"],
        ["larger max_iterations=", "fewer components"],
    ),
    (
        partial(SensingError.too_few, 20, 50, 25, 42),
        ["20 measurements", "sparsity=25", "among 50"],
        ["ake 42 measurements", "sensing.compressibility"],
    ),
    (partial(SensingError.not_numbers, str), ["type str"], ["A @ signal.ravel()"]),
    (partial(SensingError.operator_not_finite), ["holds NaN"], ["Leave those rows out"]),
    (partial(SensingError.complex_numbers), ["complex numbers"], ["np.vstack([A.real, A.imag])"]),
    (partial(SensingError.out_of_range, "A", 1e160), ["size 1e+160"], ["Divide A by 1e+160"]),
    (
        partial(SensingError.not_divisible, (28, 28), 3, 2),
        ["level 3", "28 x 28"],
        ["level=2", "(24, 24)", "(32, 32)"],
    ),
    (partial(SensingError.not_divisible, (7,), 1, 0), ["level 1", "7"], ["odd", "(6,)", "(8,)"]),
    (partial(SensingError.not_orthonormal, "dmey"), ["'dmey'"], ["'haar'", "'sym8'"]),
    (partial(SensingError.wrong_shape, (3,), (8,)), ["(3,)", "(8,)"], ["a stack of them"]),
    (
        partial(SensingError.wrong_width, (20, 50), (8, 8)),
        ["(20, 50)", "50 entries", "(8, 8)"],
        ["for the same signals"],
    ),
    (partial(SensingError.wrong_numbers, (7,), 20), ["(7,)", "20 numbers"], ["A @ signal.ravel()"]),
    (partial(SensingError.not_finite, 2, 5, 20), ["2 of the 20", "number 5"], ["Leave them out"]),
    (partial(SensingError.not_an_operator, str), ["type str"], ["LinearOperator", "2-D array"]),
    (
        partial(SensingError.too_large, "method='omp'", (30_000, 90_000), "method='fista'"),
        ["method='omp'", "30000 x 90000", "21.6 GB"],
        ["method='fista'", "tiles"],
    ),
    (
        partial(SensingError.no_exact_match, (20, 50), "infeasible"),
        ["20 measurements", "infeasible"],
        ["method='fista'"],
    ),
]
