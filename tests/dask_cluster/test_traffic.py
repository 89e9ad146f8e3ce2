"""What comes to the client, counted where it reads: scheduler and workers are apart."""

import dask.array as da
import numpy as np
import pytest

import eigenlens as el
from tests.dask_cluster.processes import apart


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with apart(tmp_path_factory.mktemp("scheduler")) as (client, _):
        yield client


class Received:
    """Bytes of the messages this process was sent while inside."""

    def __init__(self, monkeypatch):
        import distributed.comm.tcp as tcp

        self.bytes = 0
        read = tcp.from_frames

        async def counted(frames, *args, **kwargs):
            self.bytes += sum(memoryview(frame).nbytes for frame in frames)
            return await read(frames, *args, **kwargs)

        monkeypatch.setattr(tcp, "from_frames", counted)


def traffic(fit, monkeypatch):
    with monkeypatch.context() as patch:
        received = Received(patch)
        model = fit()
        return received.bytes, model


@pytest.mark.parametrize(("solver", "width"), [("covariance", 300), ("krylov", 64)])
def test_one_result_per_pass_comes_to_the_client(client, monkeypatch, solver, width):
    wide = 300
    rows = da.random.default_rng(0).standard_normal((40_000, wide), chunks=(2500, wide)).persist()
    chosen = el.solvers.BlockKrylov(width=width, max_passes=6) if solver == "krylov" else solver

    received, model = traffic(lambda: el.fit(rows, 20, solver=chosen, certify="fast"), monkeypatch)

    sample = 8 * wide * (256 + 6 * width)  # once: where the rows lie, and where to start
    per_pass = 1.2 * 8 * wide * width * (np.log2(2) + 1)
    assert received <= per_pass * model.certificate.passes + sample
