"""autoencode and sense: their answers, files, mistakes and exit codes."""

import json
import sys

import numpy as np
import pandas as pd
import pytest

import eigenlens as el
from tests.autoencoder.sets import lecture_curve
from tests.cli.test_documents import RESULTS
from tests.cli.typed import csv_text, document, numbers, typed


@pytest.fixture
def curve(here):
    (here / "curve.csv").write_text(csv_text(lecture_curve(150), ("a", "b", "c"), kinds=False))
    return "curve.csv"


@pytest.fixture
def image(here):
    """Smooth shades, 24 x 32, as a picture and as numbers."""
    from matplotlib.image import imsave

    y, x = np.mgrid[:24, :32] / 32
    shades = 0.5 + 0.3 * np.cos(6 * x) * np.cos(4 * y) + 0.2 * x
    np.save(here / "shades.npy", shades)
    imsave(here / "shades.png", shades, cmap="gray", vmin=0, vmax=1)
    return "shades.png"


# -- autoencode ----------------------------------------------------------------------------


def test_autoencode_says_what_is_gained_over_pca(curve):
    result = typed("autoencode", curve, "-k", "1", "--hidden", "8", "--epochs", "5")

    assert result.exit_code == 0, result.stderr
    words = " ".join(result.stdout.split())
    assert "150 rows of 3 columns, coded by 1 number." in words
    assert "A gain over PCA" in words
    assert "curved:" in words
    assert "Next: eigenlens autoencode curve.csv -k 1" in words


def test_autoencode_keeps_the_network_and_the_codes(curve):
    told = ("-k", "1", "--hidden", "6,4", "--epochs", "2")
    result = typed("autoencode", curve, *told, "-o", "c.eigenlens", "--codes", "codes.csv")

    assert result.exit_code == 0, result.stderr
    coder = el.load("c.eigenlens")
    written = pd.read_csv("codes.csv")
    assert list(written) == ["row", "code1"]
    assert written["row"][0] == "r0"
    expected = coder.transform(el.open("curve.csv", columns=["a", "b", "c"]))[:, 0]
    assert np.abs(written["code1"] - expected).max() <= 1e-15 * np.abs(expected).max()
    assert "wrote c.eigenlens" in result.stderr
    assert coder.network_.encoder[0][0].shape == (3, 6)


def test_autoencode_for_programs(curve):
    found = document("autoencode", curve, "-k", "1", "--epochs", "0")["result"]

    assert set(found) == RESULTS["autoencode"]
    assert found["gain"]["value"] == 0
    assert "no gain" in found["gain"]["reason"]
    assert found["history"] == [{"epoch": 0, "training": 1.0, "held_out": 1.0}]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("-k", "3"), 2, ["-k 3", "Ask for 2 or fewer"]),
        (("-k", "many"), 2, ["-k many", "not a rule"]),
        (("--hidden", "a,b"), 2, ["--hidden a,b", "--hidden 128,64"]),
        (("--hidden", "0"), 2, ["--hidden 0"]),
        (("--codes", "codes.xyz"), 2, ["codes.xyz", "*.csv"]),
        (("-o", "curve.csv"), 3, ["is being read"]),
        (("-c", "a"), 2, ["Pass 2 columns or more"]),
    ],
)
def test_autoencode_tells_a_mistake(curve, words, code, said):
    result = typed("autoencode", curve, "--epochs", "1", *words)

    assert result.exit_code == code
    assert [word for word in said if word not in result.stderr] == []


def test_autoencode_needs_rows_to_set_aside(here):
    (here / "few.csv").write_text(csv_text(numbers(10)))

    result = typed("autoencode", "few.csv")

    assert result.exit_code == 3
    assert "15 or more" in result.stderr


# -- sense ---------------------------------------------------------------------------------


def test_sense_recovers_a_picture_from_a_quarter_of_its_pixels(image):
    result = typed("sense", image, "--keep", "0.25")

    assert result.exit_code == 0, result.stderr
    words = " ".join(result.stdout.split())
    assert "24 x 32 pixels from 192 measurements (pixels), sparse in dct." in words
    assert "within" in words
    assert "colors are converted to gray" in result.stderr


def test_sense_of_a_table_with_names_says_that_it_is_taken_for_an_image(here):
    (here / "iris.csv").write_text("length,width\n1,2\n3,5\n4,4\n9,1\n")

    result = typed("sense", "iris.csv")

    assert result.exit_code == 0, result.stderr
    assert "the columns have names, and are taken for an image of 2 x 4 pixels" in result.stderr


def test_sense_for_programs_agrees_with_the_library(image):
    found = document("sense", "shades.npy", "--keep", "0.3", "--seed", "2")["result"]

    pixels = np.load("shades.npy")
    A = el.sensing.measurement("pixels", round(0.3 * pixels.size), pixels.shape, seed=2)
    method = el.sensing.FISTA(tolerance=1e-3)
    basis = el.sensing.basis("dct", pixels.shape)
    again = el.sensing.recover(A, A @ pixels.ravel(), basis, method)
    off = np.linalg.norm(again.signal - pixels) / np.linalg.norm(pixels - pixels.mean())
    assert found["relative_error"] == pytest.approx(off)
    assert found["gap"] == again.gap
    assert found["verdict"]["value"] == again.verdict.value
    assert found["relative_error"] < 0.2
    assert list(found["coefficients"]) == ["0.9", "0.95", "0.99"]


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf", ".npy"])
def test_sense_writes_pictures_and_numbers(image, here, ending):
    result = typed("sense", image, "-o", f"out{ending}")

    assert result.exit_code == 0, result.stderr
    assert (here / f"out{ending}").stat().st_size > 1000
    if ending == ".npy":
        assert np.load(here / "out.npy").shape == (24, 32)
    assert typed("sense", image, "-o", f"out{ending}").exit_code == 2


@pytest.mark.parametrize(
    ("measure", "basis"),
    [("pixels", "dct"), ("pixels", "haar"), ("gaussian", "dct"), ("dct", "db2")],
)
def test_sense_measures_in_every_way(image, measure, basis):
    found = document("sense", image, "--measure", measure, "--basis", basis, "--keep", "0.7")

    assert 0 < found["result"]["relative_error"] < 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--keep", "0"), 2, ["--keep 0", "--keep 0.25"]),
        (("--keep", "1.5"), 2, ["--keep 1.5"]),
        (("--measure", "fourier"), 2, ["--measure fourier", "'pixels'"]),
        (("--basis", "harr"), 2, ["--basis harr", "Did you mean 'haar'?"]),
        (("--method", "magic"), 2, ["--method magic", "'omp'"]),
        (("-o", "out.bmp"), 2, ["out.bmp", "*.png"]),
        (("--tolerance", "1e-12"), 5, ["1e-12 was requested"]),
    ],
)
def test_sense_tells_a_mistake(image, words, code, said):
    result = typed("sense", image, *words)

    assert result.exit_code == code
    assert [word for word in said if word not in result.stderr] == []


def test_sense_says_which_files_are_no_pictures(here):
    (here / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"x" * 50)

    assert typed("sense", "nothing.png").exit_code == 3
    assert typed("sense", "nothing.npy").exit_code == 3
    broken = typed("sense", "broken.png")
    assert broken.exit_code == 3
    assert "cannot be read as a picture" in broken.stderr


def test_sense_of_an_odd_picture_says_how_to_cut_it(here):
    np.save(here / "odd.npy", np.random.default_rng(0).uniform(size=(7, 9)))

    result = typed("sense", "odd.npy", "--basis", "haar")

    assert result.exit_code == 2
    assert "Crop the signal to (6, 8)" in result.stderr


def test_colors_are_weighed_as_eyes_do(here):
    from matplotlib.image import imsave

    red = np.zeros((4, 4, 3))
    red[..., 0] = 1.0
    red[0, 0] = 1.0
    imsave(here / "red.png", red)

    typed("sense", "red.png", "--keep", "1", "--basis", "identity", "-o", "red.npy")

    found = np.load(here / "red.npy")
    # What fista takes off a coefficient is a thousandth of the largest.
    assert found[1, 1] == pytest.approx(0.2126, abs=1.1e-3)
    assert found[0, 0] == pytest.approx(1.0, abs=1.1e-3)


def test_markdown_and_json_are_given_too(image):
    assert typed("sense", image, "--md").stdout.startswith("# shades.png")
    assert json.loads(typed("sense", image, "--json").stdout)["schema"] == "eigenlens.sense/1"


def test_sense_does_not_compare_with_pixels_that_are_no_numbers(here):
    shades = np.linspace(0, 1, 256).reshape(16, 16)
    shades[3, 7] = np.nan  # measured or not
    np.save("hole.npy", shades)

    for keep in ("0.05", "0.9"):
        result = typed("sense", "hole.npy", "--keep", keep)

        assert result.exit_code == 3
        assert "row 3, column 7" in result.stderr


def test_sense_needs_matplotlib_for_pictures_only(image, here, monkeypatch):
    np.save("shades16.npy", np.linspace(0, 1, 256).reshape(16, 16))
    monkeypatch.setitem(sys.modules, "matplotlib.image", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    drawn = typed("sense", "shades16.npy", "-o", "three.png")

    assert drawn.exit_code == 2
    assert "drawing a picture needs matplotlib" in drawn.stderr
    assert "eigenlens[plots]" in drawn.stderr
    assert typed("sense", "shades16.npy", "-o", "values.npy").exit_code == 0
