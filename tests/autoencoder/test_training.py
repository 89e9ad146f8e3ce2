"""Training: reproducible, leaves no trace, stops in time, keeps the best, reads any source."""

from types import SimpleNamespace

import numpy as np
import pytest

import eigenlens as el
from eigenlens.autoencoder import Autoencoder, LinearAutoencoder
from eigenlens.autoencoder.training import Minibatch
from eigenlens.errors import TrainingError
from tests.autoencoder.behind import Behind
from tests.autoencoder.sets import flat_gaussian, lecture_curve

SMALL = {"hidden": 8, "max_epochs": 3}


@pytest.mark.parametrize(("method", "epochs"), [("lbfgs", 2), ("adam", 300)])
def test_the_same_seed_gives_the_same_bits(method, epochs):
    rows = lecture_curve()

    one, same, other = (
        Autoencoder(1, hidden=8, method=method, max_epochs=epochs, patience=300, random_state=seed)
        .fit(rows)
        .transform(rows)
        for seed in (1, 1, 2)
    )

    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_adam_goes_where_torch_has_a_device():
    def torch_with(cuda, mps):
        backends = SimpleNamespace(mps=SimpleNamespace(is_available=lambda: mps))
        return SimpleNamespace(
            cuda=SimpleNamespace(is_available=lambda: cuda),
            backends=backends,
            device=str,
            float32="float32",
        )

    assert Minibatch().home(torch_with(True, False)) == ("cuda", "float32")
    assert Minibatch().home(torch_with(False, True)) == ("mps", "float32")
    assert Minibatch().home(torch_with(False, False)) == ("cpu", "float32")


@pytest.mark.parametrize("method", ["lbfgs", "adam"])
def test_global_states_are_left_alone(method):
    import torch

    rows = lecture_curve()
    kept = rows.copy()
    states = torch.random.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002
    threads = torch.get_num_threads(), torch.get_default_dtype()

    Autoencoder(1, method=method, **SMALL).fit(rows)

    assert torch.equal(torch.random.get_rng_state(), states[0])
    assert np.array_equal(np.random.get_state()[1], states[1])  # noqa: NPY002
    assert (torch.get_num_threads(), torch.get_default_dtype()) == threads
    assert np.array_equal(rows, kept)


def test_the_history_begins_with_pca_and_the_best_epoch_is_kept():
    coder = Autoencoder(1, hidden=8, max_epochs=6).fit(lecture_curve())

    held_out = list(coder.history_["held_out"])
    assert list(coder.history_["epoch"]) == list(range(len(held_out)))
    assert held_out[0] == 1
    assert coder.best_epoch_ == int(np.argmin(held_out))


def test_flat_rows_end_early_with_pca_itself():
    rows = flat_gaussian(0)

    coder = Autoencoder(3, hidden=8, patience=3).fit(rows)

    assert coder.ended_ == "early"
    assert len(coder.history_) == coder.best_epoch_ + 4
    if coder.best_epoch_ == 0:
        assert np.array_equal(coder.transform(rows), coder.model_.project(rows))


def test_training_ends_when_hardly_anything_is_left():
    coder = Autoencoder(1, hidden=16).fit(lecture_curve(300))

    assert coder.ended_ == "done"
    assert min(coder.history_["held_out"]) <= 1e-5


def test_rows_that_pca_gives_back_exactly_are_not_trained_on():
    t = np.random.default_rng(0).standard_normal((50, 2))

    coder = Autoencoder(2, hidden=8).fit(t @ np.ones((2, 4)) + t @ np.eye(2, 4))

    assert len(coder.history_) == 1
    assert coder.gain_.value == 0
    assert "no gain" in coder.gain_.reason


def test_a_diverging_loss_is_an_error_that_says_what_to_change():
    with pytest.raises(TrainingError) as caught:
        Autoencoder(1, method="adam", learning_rate=1e6, hidden=8).fit(lecture_curve())

    assert "diverged" in str(caught.value)
    assert "learning_rate=100000.0" in str(caught.value)


# -- sources -----------------------------------------------------------------------------------


def test_files_frames_and_sparse_rows_give_what_the_array_gives(tmp_path):
    import polars
    from scipy.sparse import csr_array

    rows = lecture_curve()
    np.save(tmp_path / "rows.npy", rows)
    expected = Autoencoder(1, **SMALL).fit(rows).transform(rows)

    frame = polars.DataFrame(rows, schema=["a", "b", "c"])
    for given in (tmp_path / "rows.npy", str(tmp_path / "rows.npy"), frame, csr_array(rows)):
        found = Autoencoder(1, **SMALL).fit(given).transform(given)
        assert np.abs(found - expected).max() <= 1e-6 * np.abs(expected).max()


def test_names_of_columns_are_kept():
    import polars

    frame = polars.DataFrame(lecture_curve(60), schema=["a", "b", "c"])

    coder = Autoencoder(1, max_epochs=0).fit(frame)

    assert list(coder.feature_names_in_) == ["a", "b", "c"]
    assert list(coder.get_feature_names_out()) == ["autoencoder0"]


class Streamed(Behind):
    """Rows that are read block by block, and count how often; `stop_at`: Ctrl-C in that reading."""

    def __init__(self, rows, stop_at=None):
        super().__init__(rows)
        self.stop_at, self.sampled, self.readings = stop_at, False, 0

    def blocks(self, rows_per_block):
        if self.sampled:  # the split has been made: this is training
            self.readings += 1
            if self.readings == self.stop_at:
                raise KeyboardInterrupt
        yield from self.inner.blocks(min(rows_per_block, 700))

    def sample(self, indices):
        self.sampled = self.sampled or len(indices) > 500
        return self.inner.sample(indices)


STREAMED = {"hidden": 16, "method": "adam", "memory": "200kB", "patience": 50}


def test_rows_that_do_not_fit_are_read_at_every_epoch():
    rows = lecture_curve(5000)
    source = Streamed(rows)

    coder = Autoencoder(1, max_epochs=4, **STREAMED).fit(source)

    assert source.readings == 4
    assert coder.gain_.low > 0.2
    assert coder.transform(rows[:10]).shape == (10, 1)


def test_an_interrupted_training_keeps_the_best_network_so_far():
    source = Streamed(lecture_curve(5000), stop_at=4)

    coder = Autoencoder(1, max_epochs=50, **STREAMED).fit(source)

    assert coder.ended_ == "interrupted"
    assert len(coder.history_) == 4
    assert coder.best_epoch_ > 0
    assert coder.gain_.low > 0


def test_an_interrupt_may_be_raised_and_keeps_the_network_too():
    coder = Autoencoder(1, max_epochs=50, on_interrupt="raise", **STREAMED)

    with pytest.raises(KeyboardInterrupt):
        coder.fit(Streamed(lecture_curve(5000), stop_at=4))

    assert coder.ended_ == "interrupted"
    assert coder.transform(lecture_curve(5)).shape == (5, 1)


def test_a_stream_that_can_be_read_once_is_refused():
    rows = lecture_curve(100)

    with pytest.raises(el.DataError, match="read once"):
        Autoencoder(1, **SMALL).fit(iter([rows[:50], rows[50:]]))


def test_progress_is_silent_where_nobody_looks(capfd):
    Autoencoder(1, progress=True, **SMALL).fit(lecture_curve(60))

    assert capfd.readouterr() == ("", "")


# -- what cannot be ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_components": 3}, ["n_components=3", "n_features=3", "2 or fewer"]),
        ({"n_components": 4}, ["n_components=4"]),
        ({"n_components": 0}, ["n_components=0", "at least 1"]),
        ({"hidden": 0}, ["hidden=0", "from 1 up"]),
        ({"hidden": (8, 2.5)}, ["hidden=2.5"]),
        ({"max_epochs": -1}, ["max_epochs=-1", "from 0 up"]),
        ({"patience": 0}, ["patience=0"]),
        ({"method": "sgd"}, ["method='sgd'", "'lbfgs', 'adam'"]),
        ({"learning_rate": 0}, ["learning_rate=0", "greater than 0"]),
        ({"on_interrupt": "ask"}, ["on_interrupt='ask'", "'return', 'raise'"]),
        ({"random_state": "x"}, ["random_state='x'"]),
        ({"scale": "var"}, ["scale='var'", "std"]),
    ],
)
def test_a_mistake_is_told(options, words):
    with pytest.raises(el.OptionError) as caught:
        Autoencoder(**{"n_components": 1, **SMALL, **options}).fit(lecture_curve(60))

    assert [word for word in words if word not in str(caught.value)] == []


def test_one_column_cannot_be_coded_by_fewer_numbers():
    with pytest.raises(el.RankError, match="2 columns or more"):
        Autoencoder(1).fit(np.arange(30.0)[:, None])


def test_rows_too_few_to_split_are_told():
    with pytest.raises(el.SplitError, match=r"14 rows.*15 or more"):
        Autoencoder(1).fit(lecture_curve(14))


def test_numbers_that_are_none_are_told_where_they_are():
    rows = lecture_curve(60)
    rows[7, 1] = np.nan

    with pytest.raises(el.DataError, match="row 7, column"):
        Autoencoder(1, **SMALL).fit(rows)
    coder = Autoencoder(1, max_epochs=0).fit(lecture_curve(60))
    with pytest.raises(el.DataError, match="row 7"):
        coder.transform(rows)


def test_codes_and_rows_of_another_width_are_told():
    coder = Autoencoder(1, max_epochs=0).fit(lecture_curve(60))

    with pytest.raises(el.DataError, match="1 component"):
        coder.inverse_transform(np.ones((2, 2)))
    with pytest.raises(ValueError, match="3"):
        coder.transform(np.ones((2, 4)))


@pytest.mark.parametrize("coder", [Autoencoder(1, max_epochs=0), LinearAutoencoder(1)], ids=type)
def test_a_fit_that_fails_leaves_everything_as_it_was(coder):
    rows = lecture_curve()
    before = dict(vars(coder.fit(rows)))

    for wrong in (np.full((40, 5), np.nan), np.ones((40, 4)), rows[:1]):
        with pytest.raises(ValueError, match=r"\w"):
            coder.fit(wrong)

    assert vars(coder) == before
