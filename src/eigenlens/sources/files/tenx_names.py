"""Names of genes as 10x Genomics' programs write them, beside a matrix or inside it.

    matrix.mtx.gz   features.tsv.gz (before 2018: genes.tsv)   barcodes.tsv.gz

A file may have a prefix, the same in all three. A gene is called by its symbol, and where several
have the same one, by symbol and identifier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from eigenlens.sources.files.line_pieces import byte_stream, line_pieces

__all__ = ["gene_names_beside", "tell_genes_apart"]

GENES, CELLS = ("features.tsv", "genes.tsv"), ("barcodes.tsv",)
MATRIX = "matrix.mtx"
PIECE_BYTES = 1 << 20


def gene_names_beside(path: Path, shape: tuple[int, int]) -> tuple[str, ...] | None:
    """The genes where the rows of the matrix are genes and its columns cells, else None."""
    prefix = path.name.partition(MATRIX)[0] if MATRIX in path.name else ""
    genes, cells = (find_beside(path, prefix, names) for names in (GENES, CELLS))
    if genes is None or cells is None:
        return None
    lines = read_lines(genes)
    if (len(lines), len(read_lines(cells))) != shape:
        return None
    parts = [line.split("\t") for line in lines]
    return tell_genes_apart([one[0] for one in parts], [one[min(1, len(one) - 1)] for one in parts])


def tell_genes_apart(identifiers: Sequence[str], symbols: Sequence[str]) -> tuple[str, ...]:
    count = Counter(symbols)
    pairs = zip(identifiers, symbols, strict=True)
    return tuple(symbol if count[symbol] == 1 else f"{symbol} ({one})" for one, symbol in pairs)


def find_beside(path: Path, prefix: str, names: Sequence[str]) -> Path | None:
    candidates = (path.with_name(f"{prefix}{name}{end}") for name in names for end in ("", ".gz"))
    return next((one for one in candidates if one.is_file()), None)


def read_lines(path: Path) -> list[str]:
    with byte_stream(path) as stream:
        text = b"".join(line_pieces(stream, PIECE_BYTES))
    return text.decode("utf-8", "replace").splitlines()
