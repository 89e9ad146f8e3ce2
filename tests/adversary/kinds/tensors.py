"""Tensors on a device of torch: products of float64 whatever the data, blocks of any size."""

import numpy as np
import torch

import eigenlens as el
from eigenlens.sources import open_source
from eigenlens.sources.device.uploaded import KeptBlocks, UploadedSource
from tests.adversary import draws
from tests.adversary.registry import Attack, attack
from tests.problems import Problem

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16)


def laid_out(rng, tensor):
    """The same numbers in another order of memory."""
    roll = rng.random()
    if roll < 0.3:
        return tensor.T.contiguous().T
    if roll < 0.5:
        return torch.repeat_interleave(tensor, 2, dim=0)[::2]
    return tensor.requires_grad_() if roll < 0.7 else tensor


@attack("device products")
def tensors_of_torch(rng):
    """float64 down to bfloat16, of every layout, near and far from the origin."""
    n, d = draws.shape(rng, most_rows=80)
    dtype = draws.pick(rng, DTYPES)
    far = 10 ** rng.uniform(0, 2 if dtype.itemsize == 2 else 7, d) * rng.choice([0, 1])
    tensor = torch.from_numpy(draws.table(rng, n, d) + far).to(dtype)
    weights = rng.integers(1, 4, n).astype(float) if rng.random() < 0.2 else None
    prepared = draws.preparation(rng, d, given=0.1)
    problem = Problem(tensor.double().numpy(), weights=weights, **prepared)
    given = laid_out(rng, tensor.to(DEVICE))

    def make(problem, k, options):
        settings = {"center": problem.center, "scale": problem.scale, "weights": problem.weights}
        return el.fit(given, k, device=DEVICE, **settings, **options)

    return Attack(problem, draws.rank(rng, problem), draws.options(rng), make)


@attack("device products")
def rows_copied_to_a_device(rng):
    """Rows of the host in blocks of a few rows, some of them kept there."""
    n, d = draws.shape(rng, most_rows=80)
    sizes = 10.0 ** rng.uniform(*draws.pick(rng, ((-3, 3), (-30, 30), (-300, 300))), d)
    rows = draws.table(rng, n, d) * sizes
    problem = Problem(rows, **draws.preparation(rng, d, given=0.0))
    kept, memory = int(rng.integers(0, 4000)), int(10 ** rng.uniform(4, 7))

    def make(problem, k, options):
        source = UploadedSource(open_source(problem.rows), torch.device(DEVICE), KeptBlocks(kept))
        settings = {"center": problem.center, "scale": problem.scale, "memory": memory}
        return el.fit(source, k, **settings, **options)

    return Attack(problem, draws.rank(rng, problem), draws.options(rng), make)


@attack("device products")
def constant_columns_of_torch(rng):
    """Sums whose roundings all go one way: thousands of rows of two values."""
    n, d = int(rng.integers(3000, 20_000)), int(rng.integers(1, 5))
    low, high = rng.uniform(1, 2, (2, d))
    rows = np.where(rng.random((n, d)) < 10 ** rng.uniform(-3, -0.3), low, high)
    problem = Problem(rows, center=bool(rng.random() < 0.5))

    def make(problem, k, options):
        given = torch.from_numpy(problem.rows).to(DEVICE)
        return el.fit(given, k, center=problem.center, device=DEVICE, **options)

    options = {"solver": draws.pick(rng, ("covariance", "svd", "krylov")), "tolerance": 1e-12}
    return Attack(problem, draws.rank(rng, problem), options, make)
