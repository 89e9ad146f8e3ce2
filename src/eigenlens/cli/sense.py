"""`eigenlens sense`: an image from a part of its pixels, or of other measurements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from eigenlens.algebra.typing import Float64Array
from eigenlens.cli.command import Call, CommandAnswer, collecting_failures, make_command
from eigenlens.cli.exit_codes import DONE
from eigenlens.cli.image import ENDINGS, draw_three, gray_image, matplotlib_image, save_image
from eigenlens.cli.options import ANALYSIS, OUTPUT, Force, option
from eigenlens.cli.output import output_path, writing_output
from eigenlens.document.json_values import plain_record
from eigenlens.document.page import Page, Section, list_pairs, list_verdicts, show_table
from eigenlens.document.table import Table
from eigenlens.errors import EigenlensError, OptionError
from eigenlens.errors.phrasing import Phrase, SetOption

if TYPE_CHECKING:
    from eigenlens.sensing.recover import Recovery

__all__ = ["EXAMPLES", "sense"]

EXAMPLES = (
    ("eigenlens sense photo.png --keep 0.25", "how well a quarter of the pixels gives the rest"),
    ("eigenlens sense photo.png --keep 0.25 -o three.png", "a picture: all, kept, recovered"),
    ("eigenlens sense photo.png --keep 0.1 --measure dct --basis db4 --json", "for programs"),
)
SHARES = (0.90, 0.95, 0.99)


@dataclass(frozen=True)
class SensingOptions:
    keep: Annotated[
        float, option(ANALYSIS, "--keep", metavar="SHARE", help="Measurements per pixel, up to 1.")
    ] = 0.25
    measure: Annotated[
        str, option(ANALYSIS, "--measure", metavar="KIND", help="pixels, dct or gaussian.")
    ] = "pixels"
    basis: Annotated[
        str,
        option(
            ANALYSIS, "--basis", metavar="NAME", help="dct, identity, or a wavelet: haar, db4, ..."
        ),
    ] = "dct"
    method: Annotated[
        str, option(ANALYSIS, "--method", metavar="NAME", help="fista, omp or basis_pursuit.")
    ] = "fista"
    tolerance: Annotated[
        float,
        option(ANALYSIS, "--tolerance", metavar="GAP", help="Stop fista at this duality gap."),
    ] = 1e-3
    seed: Annotated[
        int, option(ANALYSIS, "--seed", metavar="N", min=0, help="Which measurements.")
    ] = 0


Image = Annotated[
    str,
    typer.Argument(
        metavar="IMAGE", help="A picture (.png, .jpg, ...), or a table of its gray values."
    ),
]
Output = Annotated[
    str | None,
    option(
        OUTPUT,
        "-o",
        "--output",
        metavar="FILE",
        help="A picture of all three (.png, .svg, .pdf), or the recovered values (.npy).",
    ),
]


@make_command
def sense(
    image: Image, call: Call, sensing: SensingOptions, output: Output = None, force: Force = False
) -> CommandAnswer:
    """Measure a part of an image, recover it, and say how well that went.

    What is recovered is the image with the fewest coefficients in the basis that explains the
    measurements; the gap says how far from the best answer it can be. Colors become gray.
    """
    from eigenlens.sensing.basis import basis
    from eigenlens.sensing.measurement import measurement
    from eigenlens.sensing.recover import recover

    target = (
        None if output is None else check_image_ending(output_path(output, force, [Path(image)]))
    )
    if not 0 < sensing.keep <= 1:
        raise OptionError.needs(
            SetOption("keep", sensing.keep),
            "a number above 0 and at most 1",
            Phrase("pass for example {}", SetOption("keep", 0.25)),
        )
    pixels = gray_image(image, call.talk)
    kept = max(1, round(sensing.keep * pixels.size))
    written_in = basis(sensing.basis, pixels.shape)
    A = measurement(sensing.measure, kept, pixels.shape, seed=sensing.seed)
    numbers = A @ pixels.ravel()
    found = recover(A, numbers, written_in, method_of(sensing))
    failures: list[EigenlensError] = []
    with collecting_failures(failures):
        if target is not None:
            seen = (A.T @ numbers).reshape(pixels.shape)
            write_image(target, (pixels, seen, found.signal), f"{sensing.keep:.0%} measured")
            call.talk.note(f"wrote {target}")
    result = sensing_facts(pixels, found, kept, written_in.analyze(pixels), sensing)
    data = {"rows": pixels.shape[0], "columns": pixels.shape[1], "dtype": "float64"}
    page = sensing_page(image, pixels, found, result)
    return CommandAnswer(page, data, result, DONE, *failures[:1])


def write_image(target: Path, images: Sequence[Float64Array], share: str) -> None:
    """All three as a picture, or the values of the last."""
    with writing_output(target) as unfinished:
        if target.suffix.lower() == ".npy":
            save_image(unfinished, images[-1])
        else:
            draw_three(unfinished, target.suffix, images, share)


def check_image_ending(path: Path) -> Path:
    if path.suffix.lower() not in ENDINGS:
        raise OptionError.unknown("output", str(path), [f"*{ending}" for ending in ENDINGS])
    if path.suffix.lower() != ".npy":
        matplotlib_image("drawing a picture")  # before all the work is done for nothing
    return path


def method_of(sensing: SensingOptions) -> Any:
    from eigenlens.sensing.fista import FISTA

    return FISTA(tolerance=sensing.tolerance) if sensing.method == "fista" else sensing.method


def sensing_facts(
    pixels: Float64Array,
    found: Recovery,
    kept: int,
    coefficients: Float64Array,
    sensing: SensingOptions,
) -> dict[str, Any]:
    wrong = float(np.linalg.norm(found.signal - pixels))
    plain_guess = float(np.linalg.norm(pixels - pixels.mean()))
    spread = float(np.ptp(pixels))
    mean_square = wrong**2 / pixels.size
    held = np.cumsum(-np.sort(-np.square(coefficients)))
    needed = {share: 1 + int((held < share * held[-1]).sum()) for share in SHARES}
    return {
        "pixels": pixels.size,
        "measurements": kept,
        "measure": sensing.measure,
        "basis": sensing.basis,
        "method": sensing.method,
        "relative_error": wrong / plain_guess if plain_guess else 0.0,
        "psnr": 10 * np.log10(spread**2 / mean_square) if mean_square and spread else None,
        "objective": found.objective,
        "gap": found.gap,
        "iterations": found.iterations,
        "coefficients": {f"{share:g}": count for share, count in needed.items()},
        "verdict": plain_record(found.verdict),
    }


def sensing_page(title: str, pixels: Float64Array, found: Recovery, result: dict[str, Any]) -> Page:
    height, width = pixels.shape
    quality = [("error", f"{result['relative_error']:.1%} of what plain gray is off by")]
    if result["psnr"] is not None:
        quality.append(("PSNR", f"{result['psnr']:.1f} dB"))
    proof = "nothing: the method never revises a choice"
    if found.gap is not None and found.objective:
        proof = f"the objective is within {found.gap / found.objective:.1g} of the least possible"
    quality.append(("proven", proof))
    counts = result["coefficients"]
    needed = Table(
        {
            "energy": [float(share) for share in counts],
            "coefficients": list(counts.values()),
            "of": [pixels.size for _ in counts],
        }
    )
    lead = (
        f"{height} x {width} pixels from {result['measurements']} measurements "
        f"({result['measure']}), sparse in {result['basis']}."
    )
    sections = (
        Section("Quality", [list_pairs(quality)]),
        Section("Can it be recovered?", [list_verdicts({"": found.verdict})]),
        Section(
            f"How many coefficients of {result['basis']} the whole image takes",
            [show_table(needed)],
        ),
    )
    return Page(title.rpartition("/")[2], (lead,), sections)
