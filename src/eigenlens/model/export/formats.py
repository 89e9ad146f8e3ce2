"""The door of exports: which format, by name or by the ending of the path."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from eigenlens.errors import OptionError
from eigenlens.errors.phrasing import FileName, Option, Phrase, SetOption
from eigenlens.errors.remedies import PythonCode
from eigenlens.errors.system import os_errors
from eigenlens.machine.whole_file import whole_file
from eigenlens.model.export import json_document, npz_arrays, onnx_graph

if TYPE_CHECKING:
    from eigenlens.model.subspace import Subspace

__all__ = ["FORMATS", "export_model"]

# Its name, which is also its ending -> what writes it.
FORMATS: dict[str, Callable[[Subspace, Path], None]] = {
    "onnx": onnx_graph.write_onnx,
    "json": json_document.write_json,
    "npz": npz_arrays.write_npz,
}


def export_model(model: Subspace, path: str | os.PathLike[str], to: str | None = None) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise OptionError.needs(
            f"export({path!r})", "a path", PythonCode("pass export('model.onnx')")
        )
    place = Path(path)
    if to is not None and to not in list(FORMATS):
        raise OptionError.unknown("to", to, FORMATS)
    name = place.suffix.lower().removeprefix(".") if to is None else to
    if name == "eigenlens":
        raise OptionError.needs(
            f"export({str(place)!r})",
            "a format of another program",
            PythonCode(f"call model.save({str(place)!r})"),
        )
    if name not in FORMATS:
        endings = ", ".join(f".{one}" for one in FORMATS)
        raise OptionError.needs(
            f"export({str(place)!r})",
            Phrase("{}, or an ending of {}", Option("to"), endings),
            Phrase("pass {}", SetOption("to", "onnx")),
        )
    other = place.suffix.lower().removeprefix(".")
    if other in FORMATS and other != name:
        raise OptionError.needs(
            Phrase("{} with the name {}", SetOption("to", name), FileName(place)),
            f"the ending .{name}",
            "rename the output",
            Phrase("pass {}", SetOption("to", other)),
        )
    with os_errors(place, "written"), whole_file(place) as unfinished:
        FORMATS[name](model, unfinished)
    return place
