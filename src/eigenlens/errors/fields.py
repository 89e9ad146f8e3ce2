"""Errors about the objects of a field: cells and genes, genotypes, grids, embeddings, queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from eigenlens.errors.data import DataError
from eigenlens.errors.phrasing import FileName, Option, Phrase, SetOption, list_words
from eigenlens.errors.remedies import PythonCode

__all__ = ["FieldError"]

OTHER_COLUMNS = Phrase("choose other columns with {}", Option("columns", "[...]"))


class FieldError(DataError):
    """An object of a field (AnnData, PLINK, xarray, lists, a query) cannot be used as it is."""

    # -- columns of lists --------------------------------------------------------------------

    @classmethod
    def other_length(cls, column: str, row: int, expected: int, found: int) -> Self:
        return cls.of(
            "column {column!r} holds a list of {found} numbers in row {row}, but lists of "
            "{expected} before it. Lists are read as columns, so all must have the same length.",
            "give all lists the same length",
            OTHER_COLUMNS,
            column=column,
            columns=[column],
            rows=[row],
            row=row,
            expected=expected,
            found=found,
        )

    @classmethod
    def only_identifiers(cls, label: object, kept: Sequence[str], left_out: Sequence[str]) -> Self:
        return cls.of(
            "{label} has no column to analyze: {kept} does not hold measurements, and {listing} "
            "cannot be read as columns (lists of different lengths, or records).",
            "give all lists of a column the same length",
            Phrase("choose columns with {}", Option("columns", f"[{kept[0]!r}]")),
            label=label,
            kept=list_words(kept),
            listing=list_words(left_out),
            columns=list(left_out),
        )

    @classmethod
    def uneven_lists(cls, label: object, column: str) -> Self:
        return cls.of(
            "column {column!r} of {label} holds lists of different lengths, or records, and cannot "
            "be read as columns.",
            "give all lists of the column the same length",
            "choose other columns",
            label=label,
            column=column,
        )

    # -- tables of files with a log ----------------------------------------------------------

    @classmethod
    def files_of_a_log(cls, path: object, folder: object, kind: str) -> Self:
        return cls.of(
            "{path} matches files of {folder}, which is {kind}: some of them may hold deleted or "
            "replaced rows, and only the log of the table says which.",
            f"pass the folder: {str(folder)!r}",
            path=FileName(path),
            folder=FileName(folder),
            kind=kind,
        )

    @classmethod
    def needs_library(cls, what: object, library: str) -> Self:
        return cls.of(
            "reading {what} needs {library}, which is not installed.",
            f"install it: pip install {library}",
            what=what,
            library=library,
        )

    @classmethod
    def not_readable(cls, what: object, kind: str, reason: object) -> Self:
        return cls.of(
            "{what} cannot be read as {kind}: {reason}.",
            what=what,
            kind=kind,
            reason=str(reason).strip().rstrip("."),
        )

    # -- queries -------------------------------------------------------------------------------

    @classmethod
    def query_failed(cls, label: str, reason: object) -> Self:
        first = str(reason).strip().splitlines() or [""]
        return cls.of(
            "the rows of {label} could not be read: {reason}.",
            "run the query by itself and correct it",
            label=label,
            reason=first[0].rstrip("."),
        )

    # -- AnnData -------------------------------------------------------------------------------

    @classmethod
    def without_matrix(cls, layers: Sequence[str], obsm: Sequence[str]) -> Self:
        held = [f"layer={name!r}" for name in layers] + [f"obsm={name!r}" for name in obsm]
        return cls.of(
            "the AnnData has no X.{besides}",
            *(PythonCode(f"pass {one}") for one in held[:3]),
            *(() if held else (PythonCode("set adata.X"),)),
            besides=f" It has {list_words(held, quote=False)}." if held else "",
            allowed=held,
        )

    @classmethod
    def not_in_anndata(cls, option: str, given: object, there: Sequence[str]) -> Self:
        return cls.of(
            "the AnnData has no {option}={given!r}. It has {listing}.",
            option=option,
            given=given,
            listing=list_words(there) or "none",
            allowed=list(there),
        )

    @classmethod
    def bad_mask(cls, option: str, found: object, expected: str) -> Self:
        return cls.of(
            "{option} needs {expected}; it is {found}.",
            option=option,
            expected=expected,
            found=found,
        )

    @classmethod
    def nothing_kept(cls, what: str, of: str) -> Self:
        return cls.of(
            "{what} leaves out all {of}.",
            "check the mask",
            what=what,
            of=of,
        )

    # -- grids ---------------------------------------------------------------------------------

    @classmethod
    def partly_missing(cls, cells: int, total: int, values: int, example: str) -> Self:
        return cls.of(
            "{cells} of {total} cells are missing at some times only ({values} values), for "
            "example {example}. Cells that are always missing are left out by themselves.",
            Phrase("estimate the values with {}", SetOption("missing", "auto")),
            "leave out these cells or times first",
            cells=cells,
            total=total,
            values=values,
            example=example,
        )

    @classmethod
    def no_dimension(cls, option: str, given: object, there: Sequence[object]) -> Self:
        return cls.of(
            "there is no dimension {given!r} ({option}=). There are {listing}.",
            option=option,
            given=given,
            listing=list_words(list(there)) or "none",
            allowed=list(there),
        )

    # -- genotypes -----------------------------------------------------------------------------

    @classmethod
    def wrong_bed_size(
        cls, path: object, found: int, expected: int, shape: tuple[int, int]
    ) -> Self:
        return cls.of(
            "{path} has {found} bytes, but {samples} samples (.fam) and {variants} variants (.bim) "
            "take {expected}. The three files do not belong together, or it is truncated.",
            "copy .bed, .bim and .fam again from the same place",
            path=FileName(path),
            found=found,
            expected=expected,
            samples=shape[0],
            variants=shape[1],
        )

    @classmethod
    def sample_major(cls, path: object) -> Self:
        return cls.of(
            "{path} is stored sample by sample, as PLINK wrote before 2009; only the usual order, "
            "variant by variant, is read.",
            "convert it with PLINK (make-bed)",
            path=FileName(path),
        )

    @classmethod
    def without_companion(cls, path: object, companion: object) -> Self:
        return cls.of(
            "{path} needs {companion}, and there is no such file.",
            "copy .bed, .bim and .fam to the same folder, with the same name",
            path=FileName(path),
            companion=FileName(companion),
        )

    @classmethod
    def not_genotypes(cls, option: str) -> Self:
        return cls.of(
            "{option} needs genotypes: 0, 1 or 2 copies of an allele, as PLINK's .bed files hold.",
            PythonCode("pass the path of a .bed file"),
            option=option,
        )

    @classmethod
    def no_variation(cls, count: int, total: int) -> Self:
        return cls.of(
            "all {total} variants are monomorphic or never called, so none can be scaled.",
            "check the samples",
            count=count,
            total=total,
        )

    @classmethod
    def alleles_differ(cls, count: int, total: int, example: str) -> Self:
        return cls.of(
            "{count} of {total} variants have other alleles than in the model, for example "
            "{example}.",
            "align both files to the same reference",
            "leave these variants out of both",
            count=count,
            total=total,
            example=example,
        )
