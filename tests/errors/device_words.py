"""Messages about devices: what is called, what it repeats, the way out it shows."""

from functools import partial

from eigenlens.errors import DeviceError

DEVICE_MESSAGES = [
    (
        partial(DeviceError.not_a_device, "gpu"),
        ["device='gpu'"],
        ["device='cuda'", "device='cuda:1'", "device='cpu'"],
    ),
    (
        partial(DeviceError.not_there, "cuda:3", ["cpu", "cuda:0"]),
        ["device='cuda:3'", "'cpu', 'cuda:0'"],
        ["Pass device='cuda:0'", "omit device="],
    ),
    (
        partial(DeviceError.not_there, "cuda", ["cpu"], "this torch is built without it"),
        ["device='cuda'", "built without it"],
        ["device='cpu'"],
    ),
    (
        partial(DeviceError.two_devices, "cuda:0", "cuda:1"),
        ["'cuda:0'", "device='cuda:1'"],
        ["Omit device=", "data.to('cuda:1')"],
    ),
    (partial(DeviceError.no_double, "mps:0"), ["'mps:0'"], ["data.cpu()", "float64"]),
    (
        partial(DeviceError.emulated, "CUBLAS_EMULATE_DOUBLE_PRECISION"),
        ["CUBLAS_EMULATE_DOUBLE_PRECISION"],
        ["Unset it", "device='cpu'"],
    ),
    (
        partial(DeviceError.out_of_memory, "cuda:0", 65_536, 3_000_000),
        ["'cuda:0'", "0.0655 MB", "3 MB"],
        ["empty_cache", "fewer components", "device='cpu'"],
    ),
    (
        partial(DeviceError.not_for, "sparse tables", "cuda"),
        ["device='cuda'", "sparse tables"],
        ["Omit device="],
    ),
]
