"""PLINK's `.bed`: genotypes of samples (rows, `.fam`) at variants (columns, `.bim`).

    two bits per call:   00 two copies of A1   10 one copy   11 none   01 missing

Entries are copies of the first allele of the `.bim` file, 0, 1 or 2, and NaN where the call is
missing. Columns are called `rs123_A(/G)`: the variant, the allele counted and the other one, as in
PLINK's tables of counts. Several files are one table side by side: one per chromosome, with the
same samples.

Cost     stored variant by variant, so some variants are read for their share; a block of samples is
         a piece of every variant. Decoding takes a table of 256 entries, and no copy after it;
         alleles are counted by whole bytes, without decoding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from eigenlens.algebra.typing import Float64Array
from eigenlens.errors import FieldError, FileError, TextFileError
from eigenlens.sources.block import spans
from eigenlens.sources.columns import Picked, side_by_side
from eigenlens.sources.files.file_identity import stamp_of
from eigenlens.sources.protocol import FloatArray, IntArray

__all__ = ["ENDINGS", "BedReader", "Variants", "join_variants", "reader_of"]

ENDINGS = (".bed",)
MAGIC, VARIANT_MAJOR = b"\x6c\x1b", 1
HEADER_BYTES = 3
DECODED_BYTES = 32 << 20  # at a time
COPIES = np.array([2.0, np.nan, 1.0, 0.0], dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Variants:
    """The `.bim` file: chromosome, identifier, position and both alleles of every variant."""

    chromosomes: tuple[str, ...]
    identifiers: tuple[str, ...]
    positions: IntArray
    counted: tuple[str, ...]  # A1
    others: tuple[str, ...]  # A2

    def __len__(self) -> int:
        return len(self.identifiers)

    @cached_property
    def names(self) -> tuple[str, ...]:
        parts = zip(self.identifiers, self.counted, self.others, strict=True)
        return tuple(f"{one}_{first}(/{second})" for one, first, second in parts)


@dataclass(frozen=True, eq=False)
class BedFile:
    path: Path
    samples: tuple[tuple[str, str], ...]  # family and individual
    variants: Variants

    @property
    def stride(self) -> int:
        """Bytes of one variant."""
        return -(-len(self.samples) // 4)

    def stored_calls(self, variants: Picked, start: int, stop: int) -> npt.NDArray[np.uint8]:
        """The bytes that hold the samples from `start` to `stop`, of some variants."""
        shape = (len(self.variants), self.stride)
        stored = np.memmap(self.path, np.uint8, "r", HEADER_BYTES, shape)
        return np.asarray(stored[:, start // 4 : -(-stop // 4)][variants])

    def decode(self, variants: Picked, start: int, stop: int) -> FloatArray:
        """(samples, variants); samples lie side by side in memory."""
        packed = self.stored_calls(variants, start, stop)
        calls = np.empty((len(packed), 4 * packed.shape[1]), dtype=np.float32)
        # As numbers of 16 bytes, in the mode that does not check: ten times faster than an index.
        np.take(FOUR_CALLS, packed, out=calls.view(np.complex128), mode="clip")
        above = start // 4 * 4
        return calls[:, start - above : stop - above].T

    def count_alleles(self, variants: Picked) -> tuple[Float64Array, Float64Array]:
        """Copies of the allele counted, and calls observed, of some variants: by whole bytes."""
        packed = self.stored_calls(variants, 0, len(self.samples))
        unused = 4 * self.stride - len(self.samples)  # at the end of the last byte, whatever it is
        last = packed[:, -1:] & np.uint8(0xFF >> 2 * unused)  # zeros there: two copies each
        copies, calls = np.full(len(packed), -2.0 * unused), np.full(len(packed), -1.0 * unused)
        for part in (packed[:, :-1], last):
            copies += np.take(COPIES_IN_BYTE, part, mode="clip").sum(axis=1, dtype=np.float64)
            calls += np.take(CALLS_IN_BYTE, part, mode="clip").sum(axis=1, dtype=np.float64)
        return copies, calls


def four_calls() -> npt.NDArray[np.float32]:
    """What each byte holds: four calls, the first in the lowest bits."""
    codes = np.arange(256)[:, None] >> np.array([0, 2, 4, 6]) & 3
    calls: npt.NDArray[np.float32] = COPIES[codes]
    return calls


CALLS = four_calls()
FOUR_CALLS = CALLS.view(np.complex128).ravel()
COPIES_IN_BYTE = np.nansum(CALLS, axis=1).astype(np.uint8)
CALLS_IN_BYTE = (~np.isnan(CALLS)).sum(axis=1).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class BedReader:
    files: tuple[BedFile, ...]

    dtype = np.dtype(np.float32)
    is_sparse = False
    by_columns = True
    starts = None
    left_out = ()

    @property
    def path(self) -> Path:
        return self.files[0].path

    @property
    def label(self) -> str:
        more = len(self.files) - 1
        return f"{self.path} and {more} more" if more else str(self.path)

    @property
    def samples(self) -> tuple[tuple[str, str], ...]:
        return self.files[0].samples

    @cached_property
    def variants(self) -> Variants:
        parts = [file.variants for file in self.files]
        return Variants(
            tuple(one for part in parts for one in part.chromosomes),
            tuple(one for part in parts for one in part.identifiers),
            np.concatenate([part.positions for part in parts]),
            tuple(one for part in parts for one in part.counted),
            tuple(one for part in parts for one in part.others),
        )

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.samples), len(self.variants)

    @property
    def names(self) -> tuple[str, ...]:
        return self.variants.names

    @property
    def stored_bytes(self) -> int:
        return sum(file.stride * len(file.variants) for file in self.files)

    def fingerprint(self) -> str:
        return " ".join(stamp_of(file.path) for file in self.files)

    def chunks(self, columns: Picked, start: int, rows: int) -> Iterator[FloatArray]:
        wanted = np.arange(self.shape[1])[columns]
        some = max(4, min(rows, DECODED_BYTES // (4 * max(1, len(wanted)))))
        for span in spans(self.shape[0] - start, some, "rows"):
            yield self.part(wanted, start + span.start, start + span.stop)

    def part(self, wanted: IntArray, start: int, stop: int) -> FloatArray:
        parts = list(self.in_files(wanted))
        if len(parts) == 1:
            file, inside, _ = parts[0]
            return file.decode(inside, start, stop)
        table = np.empty((len(wanted), stop - start), dtype=np.float32)
        for file, inside, here in parts:
            table[here] = file.decode(inside, start, stop).T
        return table.T

    def in_files(self, wanted: IntArray) -> Iterator[tuple[BedFile, Picked, IntArray]]:
        """The files that hold some of the variants, with their places there and in `wanted`."""
        above = 0
        for file in self.files:
            here = np.flatnonzero((wanted >= above) & (wanted < above + len(file.variants)))
            if here.size:
                yield file, side_by_side(wanted[here] - above), here
            above += len(file.variants)

    def count_alleles(self, columns: Picked) -> tuple[Float64Array, Float64Array]:
        """Copies of the allele counted, and calls observed, of the picked variants."""
        wanted = np.arange(self.shape[1])[columns]
        copies, calls = np.zeros(len(wanted)), np.zeros(len(wanted))
        at_once = max(1, DECODED_BYTES // max(1, self.files[0].stride))
        for some in spans(len(wanted), at_once, "variants"):
            for file, inside, here in self.in_files(wanted[some]):
                copies[some][here], calls[some][here] = file.count_alleles(inside)
        return copies, calls


def reader_of(path: Path, inside: str | None) -> BedReader:
    if inside is not None:
        raise FileError.not_inside(path, inside, [])
    bim, fam = (companion(path, end) for end in (".bim", ".fam"))
    variants = read_variants(bim)
    samples = tuple((line[0], line[1]) for line in fields_of(fam, 2))
    refuse_damaged(path, len(samples), len(variants))
    return BedReader((BedFile(path, samples, variants),))


def companion(path: Path, end: str) -> Path:
    beside = path.with_suffix(end)
    if not beside.is_file():
        raise FieldError.without_companion(path, beside)
    return beside


def fields_of(path: Path, least: int) -> list[list[str]]:
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    short = next((number for number, line in enumerate(lines, 1) if len(line) < least), None)
    if short is not None:
        raise TextFileError.ragged_line(path, short, least, len(lines[short - 1]))
    return lines


def read_variants(path: Path) -> Variants:
    lines = fields_of(path, 6)
    chromosomes, identifiers, positions, counted, others = [], [], [], [], []
    for line in lines:
        chromosomes.append(line[0])
        identifiers.append(line[1] if line[1] != "." else f"{line[0]}:{line[3]}")
        positions.append(int(line[3]) if line[3].lstrip("-").isdigit() else 0)
        counted.append(line[4])
        others.append(line[5])
    places = np.array(positions, dtype=np.int64)
    return Variants(tuple(chromosomes), tuple(identifiers), places, tuple(counted), tuple(others))


def refuse_damaged(path: Path, samples: int, variants: int) -> None:
    with path.open("rb") as file:
        head = file.read(HEADER_BYTES)
    if head[:2] != MAGIC:
        raise FileError.damaged(path, "a PLINK .bed file", "it does not begin with 6c 1b")
    if head[2] != VARIANT_MAJOR:
        raise FieldError.sample_major(path)
    expected = HEADER_BYTES + -(-samples // 4) * variants
    found = path.stat().st_size
    if found != expected:
        raise FieldError.wrong_bed_size(path, found, expected, (samples, variants))


def join_variants(readers: Sequence[Any]) -> BedReader | None:
    """Files of the same samples side by side; None where not all are PLINK's."""
    if len(readers) < 2 or not all(isinstance(one, BedReader) for one in readers):
        return None
    first = readers[0]
    for other in readers[1:]:
        if other.samples != first.samples:
            raise FieldError.not_readable(
                repr(other.label),
                f"more variants of the samples in {first.label}",
                "its .fam names other samples, or in another order",
            )
    return BedReader(tuple(file for one in readers for file in one.files))
