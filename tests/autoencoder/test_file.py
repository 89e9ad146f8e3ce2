"""An autoencoder in a model file: plain arrays, back bit for bit, forged ones refused."""

import copy

import numpy as np
import pytest

import eigenlens as el
from eigenlens.autoencoder import Autoencoder, LinearAutoencoder
from eigenlens.errors import ModelFileError
from tests.autoencoder.sets import flat_gaussian, lecture_curve
from tests.model.file.forge import array_of, taken_apart
from tests.model.file.sameness import differences


def check_round_trip(coder, folder):
    path = coder.save(folder / "one.eigenlens")

    again = el.load(path)

    assert differences(coder, again) == []
    assert again.save(folder / "two.eigenlens").read_bytes() == path.read_bytes()
    return again


@pytest.mark.parametrize(
    "options",
    [
        {"hidden": (), "max_epochs": 1},
        {"hidden": (5, 4), "max_epochs": 2, "scale": "std"},
        {"hidden": 6, "max_epochs": 0, "random_state": 2**31, "memory": "1GB"},
        {"hidden": [3], "max_epochs": 1, "scale": [1.0, 2.0, 0.5]},
    ],
    ids=str,
)
def test_it_comes_back_bit_for_bit(options, tmp_path):
    rows = lecture_curve()
    coder = Autoencoder(1, **options).fit(rows)

    again = check_round_trip(coder, tmp_path)

    assert np.array_equal(again.transform(rows), coder.transform(rows))
    codes = coder.transform(rows)
    assert np.array_equal(again.inverse_transform(codes), coder.inverse_transform(codes))


def test_names_of_columns_come_back(tmp_path):
    import pandas as pd

    frame = pd.DataFrame(lecture_curve(), columns=["a", "b", "c"])

    again = check_round_trip(Autoencoder(1, hidden=3, max_epochs=1).fit(frame), tmp_path)

    assert list(again.feature_names_in_) == ["a", "b", "c"]
    assert again.transform(frame).shape == (90, 1)


def test_a_verdict_on_flatness_comes_back(tmp_path):
    coder = Autoencoder(2, hidden=3, max_epochs=1).fit(flat_gaussian(0, n=120))

    assert check_round_trip(coder, tmp_path).flatness_ is not None


def test_weights_are_plain_arrays_for_everybody(tmp_path):
    coder = Autoencoder(1, hidden=4, max_epochs=1).fit(lecture_curve())

    arrays = np.load(coder.save(tmp_path / "one.eigenlens"))

    assert np.array_equal(arrays["encoder0_weights"], coder.network_.encoder[0][0])
    assert np.array_equal(arrays["decoder1_biases"], coder.network_.decoder[1][1])


def test_an_array_given_as_scale_comes_back_as_a_list(tmp_path):
    coder = Autoencoder(1, hidden=2, max_epochs=0, scale=np.array([1.0, 2.0, 4.0]))
    path = coder.fit(lecture_curve()).save(tmp_path / "one.eigenlens")

    assert el.load(path).scale == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("l2", [0.0, 0.01])
def test_a_linear_one_comes_back_too(l2, tmp_path):
    import pandas as pd

    rows = pd.DataFrame(lecture_curve(), columns=["a", "b", "c"])
    coder = LinearAutoencoder(1, l2=l2).fit(rows)

    again = check_round_trip(coder, tmp_path)

    assert np.array_equal(again.transform(rows), coder.transform(rows))


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("encoder", np.ones((3, 1))),
        ("mean", np.full(3, np.inf)),
        ("components", np.ones((1, 3))),
        ("more", np.ones(3)),
    ],
)
def test_a_forged_linear_one_is_refused(name, array, tmp_path):
    coder = LinearAutoencoder(1).fit(lecture_curve())
    forge = taken_apart(coder.save(tmp_path / "true.eigenlens").read_bytes())
    (tmp_path / "forged.eigenlens").write_bytes(forge.with_array(name, array).bytes())

    with pytest.raises(ModelFileError):
        el.load(tmp_path / "forged.eigenlens")


# -- forged ones -------------------------------------------------------------------------------


def broken(name, change):
    return pytest.param(change, id=name)


@pytest.mark.parametrize(
    "change",
    [
        broken("a layer less", lambda f: f.record["record"]["widths"].pop()),
        broken("a layer more", lambda f: f.record["record"]["widths"].append(3)),
        broken("widths of words", lambda f: f.record["record"].update(widths=["4"])),
        broken("NaN", lambda f: f.with_array("encoder0_weights", np.full((3, 4), np.nan))),
        broken("another shape", lambda f: f.with_array("encoder0_weights", np.ones((4, 3)))),
        broken("integers", lambda f: f.with_array("encoder0_biases", np.ones(4, dtype=np.int64))),
        broken("an array more", lambda f: f.with_array("encoder9_biases", np.ones(4))),
        broken("no gain", lambda f: f.record["record"].update(gain=None)),
        broken("a field more", lambda f: f.record["record"].update(more=1)),
        broken("no subspace", lambda f: f.record["record"].update(subspace={})),
        broken("a newer subspace", lambda f: f.record["record"]["subspace"].update(version=99)),
        broken("a parameter more", lambda f: f.record["record"]["parameters"].update(more=1)),
        broken("a parameter less", lambda f: f.record["record"]["parameters"].pop("seed")),
        broken("an odd end", lambda f: f.record["record"]["training"].update(ended="well")),
        broken("losses of words", lambda f: f.record["record"]["training"].update(epoch=["a"])),
        broken("fewer losses", lambda f: f.record["record"]["training"].update(epoch=[0])),
        broken("a negative best", lambda f: f.record["record"]["training"].update(best_epoch=-1)),
        broken("another kind", lambda f: f.record.update(kind="subspace")),
        broken("a newer version", lambda f: f.record.update(version=99)),
    ],
)
def test_a_forged_file_is_refused(change, tmp_path):
    coder = Autoencoder(1, hidden=4, max_epochs=1).fit(lecture_curve())
    forge = taken_apart(coder.save(tmp_path / "true.eigenlens").read_bytes())
    change(forge)
    (tmp_path / "forged.eigenlens").write_bytes(forge.bytes())

    with pytest.raises(ModelFileError):
        el.load(tmp_path / "forged.eigenlens")


def test_the_forge_itself_spoils_nothing(tmp_path):
    coder = Autoencoder(1, hidden=4, max_epochs=1).fit(lecture_curve())
    forge = taken_apart(coder.save(tmp_path / "true.eigenlens").read_bytes())
    same = copy.deepcopy(forge).with_array("encoder0_biases", array_of(forge, "encoder0_biases"))
    (tmp_path / "same.eigenlens").write_bytes(same.bytes())

    assert differences(coder, el.load(tmp_path / "same.eigenlens")) == []


def test_what_was_not_fitted_cannot_be_saved(tmp_path):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        Autoencoder(1).save(tmp_path / "one.eigenlens")
    with pytest.raises(el.OptionError, match="a path"):
        Autoencoder(1, max_epochs=0).fit(lecture_curve()).save(3)
