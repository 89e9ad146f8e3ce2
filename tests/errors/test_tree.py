"""The tree drawn in `eigenlens.errors` is the tree there is."""

import pickle

import pytest

from eigenlens import errors


@pytest.mark.parametrize(
    ("child", "parent"),
    [
        ("DataError", errors.EigenlensError),
        ("DataError", ValueError),
        ("FileError", errors.DataError),
        ("ModelFileError", errors.FileError),
        ("UnsupportedData", errors.DataError),
        ("KernelError", errors.DataError),
        ("UnsupportedData", TypeError),
        ("MismatchError", errors.UnsupportedData),
        ("OptionError", errors.EigenlensError),
        ("OptionError", ValueError),
        ("RankError", errors.OptionError),
        ("NotReached", errors.RankError),
        ("WeightsError", errors.OptionError),
        ("ScaleError", errors.OptionError),
        ("MemoryBudgetError", errors.OptionError),
        ("SensingError", errors.OptionError),
        ("SplitError", errors.DataError),
        ("TrainingError", errors.EigenlensError),
        ("TrainingError", RuntimeError),
        ("NotCertified", UserWarning),
        ("MostlyMissing", UserWarning),
        ("OutlyingCells", UserWarning),
    ],
)
def test_a_child_stands_under_its_parent(child, parent):
    assert issubclass(getattr(errors, child), parent)


@pytest.mark.parametrize("name", ["NotCertified", "OutlyingCells"])
def test_a_warning_is_not_an_error_of_ours(name):
    assert not issubclass(getattr(errors, name), errors.EigenlensError)


@pytest.mark.parametrize("name", errors.__all__)
def test_the_drawing_shows_every_class(name):
    assert f"└── {name}" in errors.__doc__ or f"├── {name}" in errors.__doc__


def test_an_error_survives_the_way_back_from_a_worker_process():
    error = errors.RankError.too_large(12, (10, 5))

    again = pickle.loads(pickle.dumps(error))

    assert type(again) is errors.RankError
    assert str(again) == str(error)
