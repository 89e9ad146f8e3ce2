"""A picture by its largest coefficients."""

import math

import numpy as np
import pytest

import eigenlens as el
from eigenlens.sensing import compress


def picture(h=40, w=56):
    x, y = np.meshgrid(np.linspace(0, 1, w), np.linspace(0, 1, h))
    return np.sin(5 * x + 3 * y**2) + (x > 0.5)


@pytest.mark.parametrize("name", ["db4", "haar", "dct", "identity"])
@pytest.mark.parametrize("shape", [(32, 32), (40, 56), (31, 45), (5, 7)])
def test_all_coefficients_give_the_picture_back(name, shape):
    pytest.importorskip("pywt")
    image = picture(*shape)

    found = compress(image, name, keep=1.0)

    assert np.allclose(found.picture, image)
    assert found.psnr > 200 or math.isinf(found.psnr)


def test_more_coefficients_are_nearer():
    quality = [compress(picture(), "dct", keep).psnr for keep in (0.01, 0.05, 0.2)]

    assert sorted(quality) == quality


def test_no_choice_of_as_many_coefficients_is_nearer():
    from eigenlens.sensing import basis

    image, rng = picture(16, 16), np.random.default_rng(0)
    system = basis("dct", (16, 16))
    coefficients = system.analyze(image)
    found = compress(image, "dct", keep=0.1)
    best = np.square(found.picture - image).sum()

    for _ in range(50):
        other = np.zeros_like(coefficients)
        some = rng.choice(256, found.kept, replace=False)
        other[some] = coefficients[some]
        assert np.square(system.synthesize(other) - image).sum() >= best


def test_the_quality_is_that_of_the_formula():
    image = (255 * np.abs(picture()) / 2).astype(np.uint8)

    found = compress(image, "dct", 0.05)

    error = np.mean(np.square(found.picture - image))
    assert found.psnr == pytest.approx(10 * np.log10(255**2 / error))
    assert found.kept == round(0.05 * image.size)


def test_colors_share_what_is_kept():
    image = np.stack([picture(), 2 * picture(), 0 * picture()], axis=2)

    found = compress(image, "dct", 0.05)

    assert found.picture.shape == image.shape
    assert found.total == image.size


def test_components_of_pictures_are_a_basis():
    views = np.stack([np.roll(picture(8, 8), shift, axis=1) for shift in range(8)])
    model = el.fit(views, 7)

    assert compress(views[3], model, keep=1.0).psnr > 100


@pytest.mark.parametrize("keep", [0, 1.5, -0.1, "a", True])
def test_a_share_lies_between_0_and_1(keep):
    with pytest.raises(el.SensingError, match="above 0 and is at most 1"):
        compress(picture(), "dct", keep)


@pytest.mark.parametrize("image", [np.arange(5.0), np.full((4, 4), np.nan)])
def test_what_is_no_picture_is_refused(image):
    with pytest.raises(el.PictureError, match="height, width"):
        compress(image, "dct")
