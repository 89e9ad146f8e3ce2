"""`eigenlens fit --covariance`: a matrix in a file, in the place of rows."""

import pytest

import eigenlens as el
from tests.cli.typed import document, typed


@pytest.fixture
def matrix(here):
    (here / "C.csv").write_text(",height,width\nheight,1,0.9\nwidth,0.9,1.05\n")
    return "C.csv"


def test_a_matrix_is_fitted_and_saved(matrix):
    result = typed("fit", matrix, "--covariance", "-k", "1", "-o", "m.eigenlens")

    model = el.load("m.eigenlens")
    assert result.exit_code == 0, result.stderr
    assert "1.92535" in result.stdout
    assert (model.feature_names, model.n_rows) == (("height", "width"), 0)


def test_the_number_of_rows_gives_sampling_intervals(matrix):
    result = typed("fit", matrix, "--covariance", "--n-rows", "200", "-k", "1")

    assert "sampling intervals" in result.stdout


def test_the_document_holds_the_eigenvalues(matrix):
    found = document("fit", matrix, "--covariance", "-k", "2")

    values = [one["eigenvalue"] for one in found["result"]["eigenvalues"]]
    assert values == pytest.approx([1.9253, 0.1247], abs=1e-4)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--n-rows", "9"), "--covariance"),
        (("--covariance", "--report", "page.html"), "exclude each other"),
        (("--covariance", "--n-rows", "1"), "--n-rows 1"),
    ],
)
def test_what_does_not_go_together_is_refused(matrix, more, words):
    result = typed("fit", matrix, *more)

    assert result.exit_code in (2, 3)
    assert words in result.stderr


def test_a_matrix_given_as_rows_gets_a_hint_in_the_words_of_the_shell(matrix):
    result = typed("fit", matrix, "-k", "1", "--no-summary")

    assert "pass --covariance" in result.stderr
