"""Genotypes: principal components of PLINK files, in PLINK's conventions.

    model = eigenlens.genetics.genotype_pca("study.bed", 10)       fit(..., scale="hwe"), and checks
    eigenlens.genetics.write_plink(model, "study.bed", "study")    study.eigenvec, study.eigenval
    eigenlens.genetics.project_samples(model, "new.bed")     alleles matched by the .bim file

Our eigenvalues are s^2 / (n - 1). `.eigenval` holds s^2 / m for m variants, as flashpca and PLINK's
relationship matrix have it, and `.eigenvec` vectors of length 1.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from eigenlens.algebra.typing import Float64Array, IntArray
from eigenlens.document.table import Table
from eigenlens.errors import FieldError, MismatchError
from eigenlens.errors.system import os_errors
from eigenlens.fit import fit
from eigenlens.machine.whole_file import whole_file
from eigenlens.model.subspace import Subspace
from eigenlens.sources.files.plink_file import BedReader, Variants
from eigenlens.sources.files.stored import StoredSource
from eigenlens.sources.open import open_source

__all__ = ["AlleleMatch", "genotype_pca", "project_samples", "regions", "write_plink"]

COMPLEMENT = {"A": "T", "T": "A", "C": "G", "G": "C"}
NAME = re.compile(r"(?P<one>.*)_(?P<counted>[^_()]*)\(/(?P<other>.*)\)", re.DOTALL)
WINDOW_BASES = 5_000_000
REGION_SHARE = 0.5  # of the squared entries of a component in one window
TIMES_EVEN = 5.0  # and so many times what an even spread over the variants would give


@dataclass(frozen=True, eq=False)
class AlleleMatch:
    """Scores of new samples, and how their alleles were matched to the model's."""

    scores: Float64Array
    samples: tuple[tuple[str, str], ...]
    n_flipped: int  # variants whose first allele is the model's second
    n_strand: int  # variants given on the other strand


def genotype_pca(data: Any, k: int = 10, **options: Any) -> Subspace:
    """Components of genotypes in Hardy-Weinberg units, with a warning where one region makes one.

    Long runs of variants in linkage disequilibrium (the HLA region, inversions) can hold a
    component of their own. Prune variants first, for example with PLINK's indep-pairwise.
    """
    source = open_source(data)
    model = fit(source, k, scale="hwe", **options)
    for one in regions(model, source).lines():
        if one["suspicious"]:
            warnings.warn(
                f"{one['component']} is held by one region: {one['share']:.0%} of it lies on "
                f"chromosome {one['chromosome']} from {one['start']} to {one['stop']}. Prune "
                "variants in linkage disequilibrium, or leave out that region.",
                UserWarning,
                stacklevel=2,
            )
    return model


def bed_reader(data: Any) -> BedReader:
    source = data if isinstance(data, StoredSource) else open_source(data)
    reader = source.reader if isinstance(source, StoredSource) else None
    if not isinstance(reader, BedReader):
        raise FieldError.not_genotypes("this")
    return reader


def regions(model: Subspace, data: Any, window: int = WINDOW_BASES) -> Table:
    """Of each component, the window of the genome that holds the largest share of it."""
    variants = bed_reader(data).variants
    places = {name: place for place, name in enumerate(variants.names)}
    chosen = np.array([places[name] for name in model.feature_names or ()], dtype=np.intp)
    chromosomes = np.array(variants.chromosomes, dtype=object)[chosen]
    windows = variants.positions[chosen] // window
    keys, group = np.unique(
        np.array([f"{one}:{two}" for one, two in zip(chromosomes, windows, strict=True)]),
        return_inverse=True,
    )
    counts = np.bincount(group, minlength=len(keys))
    rows: list[list[Any]] = []
    for number, component in enumerate(model.components, 1):
        shares = np.bincount(group, weights=np.square(component), minlength=len(keys))
        top = int(shares.argmax())
        chromosome, _, place = str(keys[top]).rpartition(":")
        even = counts[top] / len(component)
        suspicious = bool(shares[top] > REGION_SHARE and shares[top] > TIMES_EVEN * even)
        start = int(place) * window
        rows.append(
            [f"PC{number}", chromosome, start, start + window, int(counts[top]),
             float(shares[top]), suspicious]
        )  # fmt: skip
    names = ("component", "chromosome", "start", "stop", "variants", "share", "suspicious")
    return Table({name: [row[place] for row in rows] for place, name in enumerate(names)})


def write_plink(model: Subspace, rows: Any, out: str | os.PathLike[str]) -> tuple[Path, Path]:
    """`OUT.eigenvec` and `OUT.eigenval`, as PLINK 2 writes them; both paths come back."""
    reader = bed_reader(rows)
    scores = model.project(rows)
    lengths = np.linalg.norm(scores, axis=0)
    vectors = scores / np.where(lengths > 0, lengths, 1.0)
    values = model.eigenvalues * (model.n_rows - 1) / model.n_features
    head = "\t".join(["#FID", "IID", *(f"PC{place + 1}" for place in range(model.n_components))])
    lines = [
        "\t".join([*sample, *(f"{value:.10g}" for value in vector)])
        for sample, vector in zip(reader.samples, vectors.tolist(), strict=True)
    ]
    texts = {".eigenvec": [head, *lines], ".eigenval": [f"{value:.10g}" for value in values]}
    paths = []
    for end, text in texts.items():
        path = Path(f"{os.fspath(out)}{end}")
        with os_errors(path, "written"), whole_file(path) as unfinished:
            unfinished.write_text("\n".join(text) + "\n", encoding="utf-8")
        paths.append(path)
    return paths[0], paths[1]


# -- new samples -----------------------------------------------------------------------------


def project_samples(model: Subspace, data: Any) -> AlleleMatch:
    """Scores of the samples of another file, whose alleles may be counted the other way round.

    Variants are found by their identifier. Where the alleles are those of the model but in the
    other order, copies are counted from 2 downwards; on the other strand, by complements. Alleles
    that cannot be matched, and variants that are not there, are an error.
    """
    reader = bed_reader(data)
    columns, flipped, strand = match_alleles(model.feature_names or (), reader.variants)
    source = StoredSource(reader, columns, reader.fingerprint())
    mean, scale = model.mean, model.scale
    if mean is None or scale is None:
        raise FieldError.not_genotypes("project_samples")
    directions = (model.components / scale).T
    parts = []
    for block in source.blocks(max(1, (16 << 20) // (8 * len(columns)))):
        counts = block.astype(np.float64)
        counts[:, flipped] = 2 - counts[:, flipped]
        centered = np.where(np.isnan(counts), 0.0, counts - mean)  # missing calls are the mean
        parts.append(centered @ directions)
    scores = np.concatenate(parts)
    return AlleleMatch(scores, reader.samples, int(flipped.sum()), int(strand.sum()))


def match_alleles(names: Sequence[str], variants: Variants) -> tuple[IntArray, Any, Any]:
    """Where the model's variants are, which are flipped, and which are on the other strand."""
    place = {one: at for at, one in enumerate(variants.identifiers)}
    columns, flipped, strand = [], [], []
    missing: list[str] = []
    differ: list[str] = []
    for name in names:
        found = NAME.fullmatch(name)
        one = found["one"] if found else name
        at = place.get(one)
        if found is None or at is None:
            missing.append(name)
            continue
        how = compare_alleles(
            (found["counted"], found["other"]), (variants.counted[at], variants.others[at])
        )
        if how is None:
            there = f"{variants.counted[at]}/{variants.others[at]}"
            differ.append(f"{one}: {there}, in the model {found['counted']}/{found['other']}")
            continue
        columns.append(at)
        flipped.append(how[0])
        strand.append(how[1])
    if missing:
        raise MismatchError.missing_columns(missing, len(names), ())
    if differ:
        raise FieldError.alleles_differ(len(differ), len(names), differ[0])
    return np.array(columns, dtype=np.intp), np.array(flipped), np.array(strand)


def compare_alleles(wanted: tuple[str, str], there: tuple[str, str]) -> tuple[bool, bool] | None:
    """Whether they are in the other order, and on the other strand; None: they are others.

    A/T and C/G look alike on both strands, and are taken to be on the same one.
    """
    turned = COMPLEMENT.get(there[0], there[0]), COMPLEMENT.get(there[1], there[1])
    ways = {
        (False, False): there,
        (True, False): there[::-1],
        (False, True): turned,
        (True, True): turned[::-1],
    }
    return next((how for how, alleles in ways.items() if alleles == wanted), None)
