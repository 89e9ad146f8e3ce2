"""Tables on a device of torch: the GPU where there is one, else torch's own CPU device."""

import numpy as np
import torch

from eigenlens.sources import open_source
from eigenlens.sources.device.uploaded import KeptBlocks, UploadedSource

HERE = "cuda" if torch.cuda.is_available() else "cpu"
DEVICE = torch.device(HERE, torch.cuda.current_device()) if HERE == "cuda" else torch.device("cpu")


def table(n=500, d=12, offset=0.0, seed=0):
    rng = np.random.default_rng(seed)
    mixed = rng.standard_normal((d, d)) / np.sqrt(d)
    return rng.standard_normal((n, d)) * np.arange(1, d + 1) ** -0.5 @ mixed + offset


def tensor(rows, dtype=torch.float64):
    return torch.from_numpy(rows).to(HERE, dtype)


def uploaded(rows, kept_bytes=0):
    return UploadedSource(open_source(rows), DEVICE, KeptBlocks(kept_bytes))
