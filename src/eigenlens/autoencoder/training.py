"""Training: lower the error on some rows for as long as it falls on others.

| way       | step                                             | for                               |
|-----------|--------------------------------------------------|-----------------------------------|
| FullBatch | L-BFGS with strong Wolfe steps, float64          | up to 2^20 numbers to train on    |
| Minibatch | Adam, float32, on a GPU where torch has one      | more, also those not held         |

An epoch of the one is 20 steps of L-BFGS, of the other one pass over the rows. After each the rows
set aside are asked: the best network so far is kept, epoch 0, which is PCA, among them. Losses are
shares of PCA's, so 1 is where it begins.

Ends     after `patience` epochs without a better one, when hardly anything is left (1e-5), or at
         the limit. Ctrl-C ends it too, with the best network so far. A loss that is not a number,
         or a thousand times PCA's, is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eigenlens.autoencoder.network import Network, network_errors
from eigenlens.autoencoder.split import RowSplit
from eigenlens.errors import OptionError, TrainingError
from eigenlens.errors.phrasing import Option, Phrase, SetOption

__all__ = [
    "Epoch",
    "FullBatch",
    "Minibatch",
    "TrainingHistory",
    "choose_training",
    "import_torch",
    "train_network",
]

SMALL_ENTRIES = 1 << 20
SOLVED_LOSS = 1e-5
BETTER = 1e-4  # of the best loss: less is no reason to go on
DIVERGED = 1e3
AT_ONCE = 4096  # rows judged at a time


@dataclass(frozen=True)
class Epoch:
    """Losses as shares of PCA's."""

    number: int
    training: float
    held_out: float


@dataclass(frozen=True, eq=False)
class TrainingHistory:
    """`ended`: "early", "done", "limit" or "interrupted"; `best`: the epoch that was kept."""

    network: Network
    epochs: tuple[Epoch, ...]
    best: int
    ended: str
    way: str


@dataclass(frozen=True)
class FullBatch:
    iterations: int = 20
    memory: int = 20
    name: str = "lbfgs"

    def home(self, torch: Any) -> tuple[Any, Any]:
        return torch.device("cpu"), torch.float64

    def epochs(self, torch: Any, net: Network, shares: RowSplit, rng: Any) -> Iterator[float]:
        rows = torch.as_tensor(shares.train)
        optimizer = torch.optim.LBFGS(
            net.parameters,
            max_iter=self.iterations,
            history_size=self.memory,
            tolerance_grad=1e-12,
            tolerance_change=1e-14,
            line_search_fn="strong_wolfe",
        )

        def closure() -> Any:
            optimizer.zero_grad()
            loss = network_errors(net, rows, torch.tanh).mean()
            loss.backward()
            return loss

        while True:
            optimizer.step(closure)
            with torch.no_grad():
                loss = network_errors(net, rows, torch.tanh).mean()
            yield float(loss)


@dataclass(frozen=True)
class Minibatch:
    learning_rate: float = 1e-3
    size: int = 256
    name: str = "adam"

    def home(self, torch: Any) -> tuple[Any, Any]:
        if torch.cuda.is_available():
            return torch.device("cuda"), torch.float32
        if torch.backends.mps.is_available():
            return torch.device("mps"), torch.float32
        return torch.device("cpu"), torch.float32

    def epochs(self, torch: Any, net: Network, shares: RowSplit, rng: Any) -> Iterator[float]:
        first = net.parameters[0]
        optimizer = torch.optim.Adam(net.parameters, lr=self.learning_rate)
        while True:
            total, count = 0.0, 0
            for batch in shares.batches(self.size, rng):
                rows = torch.as_tensor(batch, dtype=first.dtype).to(first.device)
                optimizer.zero_grad()
                loss = network_errors(net, rows, torch.tanh).mean()
                loss.backward()
                optimizer.step()
                total += float(loss.detach()) * len(batch)
                count += len(batch)
            yield total / count


def train_network(
    start: Network,
    shares: RowSplit,
    way: FullBatch | Minibatch,
    max_epochs: int,
    patience: int,
    rng: np.random.Generator,
    tell: Callable[[Epoch], None] | None = None,
) -> TrainingHistory:
    """The network that did best on the rows set aside; `tell` hears of every epoch."""
    torch = import_torch("training an autoencoder")
    device, dtype = way.home(torch)
    net = to_tensors(start, torch, device, dtype)
    stop = torch.as_tensor(shares.stop, dtype=dtype).to(device)
    begun, held = shares.loss_of_pca, held_out_loss(torch, net, stop)
    scale = held or begun  # rows set aside that PCA gives back exactly have no loss to share
    best, kept, ended = start, Epoch(0, 1.0, held / scale), "limit"
    epochs = [kept]
    steps = way.epochs(torch, net, shares, rng)
    try:
        for number in range(1, max_epochs + 1):
            epoch = Epoch(number, next(steps) / begun, held_out_loss(torch, net, stop) / scale)
            refuse_diverged(epoch, way)
            epochs.append(epoch)
            if tell is not None:
                tell(epoch)
            if epoch.held_out < (1 - BETTER) * kept.held_out:
                best, kept = to_arrays(net, start), epoch
            if kept.held_out <= SOLVED_LOSS or number - kept.number >= patience:
                ended = "done" if kept.held_out <= SOLVED_LOSS else "early"
                break
    except KeyboardInterrupt:
        ended = "interrupted"
    return TrainingHistory(best, tuple(epochs), kept.number, ended, way.name)


def to_tensors(net: Network, torch: Any, device: Any, dtype: Any) -> Network:
    """The same network as tensors that learn."""

    def tensor(array: Any) -> Any:
        return torch.tensor(array, dtype=dtype, device=device)

    leaves = [tensor(one).requires_grad_() for one in net.parameters]
    fixed = replace(net, basis=tensor(net.basis), spread=tensor(net.spread))
    return fixed.with_parameters(leaves)


def to_arrays(net: Network, start: Network) -> Network:
    """Its weights as arrays, beside what was never trained."""
    arrays = [one.detach().cpu().double().numpy().copy() for one in net.parameters]
    return start.with_parameters(arrays)


def held_out_loss(torch: Any, net: Network, rows: Any) -> float:
    with torch.no_grad():
        parts = [
            network_errors(net, part, torch.tanh).double().sum() for part in rows.split(AT_ONCE)
        ]
    return float(sum(float(part) for part in parts)) / len(rows)


def refuse_diverged(epoch: Epoch, way: FullBatch | Minibatch) -> None:
    worst = float(np.max([epoch.training, epoch.held_out]))  # NaN, if one of them is
    if not worst <= DIVERGED:
        rate = way.learning_rate if isinstance(way, Minibatch) else None
        raise TrainingError.diverged(epoch.number, worst, rate)


def import_torch(what: str) -> Any:
    try:
        import torch
    except ImportError:
        raise OptionError.needs_package(what, "torch", "torch") from None
    return torch


def choose_training(method: str, shares: RowSplit, learning_rate: float) -> FullBatch | Minibatch:
    """By how much there is to train on, unless a way was asked for."""
    small = shares.train is not None and shares.train.size <= SMALL_ENTRIES
    if method == "lbfgs" and shares.train is None:
        least = 8 * len(shares.trained_on) * shares.source.shape[1]
        raise OptionError.needs(
            SetOption("method", "lbfgs"),
            f"all rows to train on in a part of the memory, {least / 1e6:.3g} MB",
            Phrase(
                "pass a larger {}, or {}, which reads them at every epoch",
                Option("memory"),
                SetOption("method", "adam"),
            ),
        )
    if method == "lbfgs" or (method == "auto" and small):
        return FullBatch()
    return Minibatch(learning_rate)
