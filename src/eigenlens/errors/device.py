"""Errors about devices: where products are made, and what such a place cannot do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from eigenlens.errors.options import OptionError
from eigenlens.errors.phrasing import Option, Phrase, SetOption, list_words
from eigenlens.errors.remedies import PythonCode

__all__ = ["DeviceError"]


class DeviceError(OptionError):
    """device="""

    @classmethod
    def not_a_device(cls, given: object) -> Self:
        return cls.of(
            "{setting} is not the name of a device.",
            Phrase("pass {} or {}", SetOption("device", "cuda"), SetOption("device", "cuda:1")),
            Phrase("pass {} to use the processor", SetOption("device", "cpu")),
            setting=SetOption("device", given),
            option="device",
            given=given,
        )

    @classmethod
    def not_there(cls, given: str, there: Sequence[str], reason: str = "") -> Self:
        """`there`: the devices that torch sees; `reason`: why it sees no others, if known."""
        return cls.of(
            "{setting} is not there: torch sees {listing}{reason}.",
            Phrase("pass {}", SetOption("device", there[-1])),
            Phrase("omit {} to work where the data are", Option("device")),
            setting=SetOption("device", given),
            listing=list_words(there),
            reason=f" ({reason})" if reason else "",
            option="device",
            given=given,
            allowed=list(there),
        )

    @classmethod
    def two_devices(cls, data: str, asked: str) -> Self:
        return cls.of(
            "the data lie on {data!r}, and {setting} names another device. One call works on one "
            "device.",
            Phrase("omit {} to work where the data are", Option("device")),
            PythonCode(f"move the data first, with data.to({asked!r})"),
            data=data,
            setting=SetOption("device", asked),
            option="device",
            given=asked,
        )

    @classmethod
    def no_double(cls, device: str) -> Self:
        return cls.of(
            "the data lie on {device!r}, a kind of device that is not supported: certificates need "
            "float64 products, on a CUDA device or the processor.",
            PythonCode("pass data.cpu()"),
            PythonCode("pass data.to('cuda') where there is such a device"),
            device=device,
            option="device",
            given=device,
        )

    @classmethod
    def emulated(cls, variable: str) -> Self:
        return cls.of(
            "the environment variable {variable} replaces float64 products by an emulation, whose "
            "errors are not those that a certificate allows for.",
            "unset it before the program starts",
            Phrase("pass {} to use the processor", SetOption("device", "cpu")),
            variable=variable,
            option="device",
        )

    @classmethod
    def out_of_memory(cls, device: str, block_bytes: int, free_bytes: int) -> Self:
        return cls.of(
            "{device!r} ran out of memory although blocks were cut down to {block:.3g} MB; "
            "{free:.3g} MB of it are free.",
            PythonCode("free tensors that are no longer needed, and torch.cuda.empty_cache()"),
            "ask for fewer components",
            Phrase("pass {} to use the processor", SetOption("device", "cpu")),
            device=device,
            block=block_bytes / 1e6,
            free=free_bytes / 1e6,
            option="device",
            given=device,
        )

    @classmethod
    def not_for(cls, kind: str, asked: str) -> Self:
        return cls.of(
            "{setting} is for tables that this process reads block by block, not for {kind}.",
            Phrase("omit {}: their products are made by the processor", Option("device")),
            kind=kind,
            setting=SetOption("device", asked),
            option="device",
            given=asked,
        )
