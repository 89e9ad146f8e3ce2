"""Messages about the objects of a field."""

from functools import partial

from eigenlens.errors import FieldError

FIELD_MESSAGES = [
    (
        partial(FieldError.other_length, "embedding", 7, 3, 4),
        ["'embedding'", "4 numbers in row 7", "lists of 3"],
        ["same length", "columns=[...]"],
    ),
    (
        partial(FieldError.only_identifiers, "e.parquet", ["id"], ["embedding"]),
        ["e.parquet", "'id'", "'embedding'"],
        ["same length", "columns=['id']"],
    ),
    (
        partial(FieldError.files_of_a_log, "lake/*.parquet", "lake", "a Delta Lake table"),
        ["'lake/*.parquet'", "a Delta Lake table", "deleted"],
        ["Pass the folder: 'lake'"],
    ),
    (
        partial(FieldError.needs_library, "'lake', a Delta Lake table,", "deltalake"),
        ["'lake'", "deltalake"],
        ["pip install deltalake"],
    ),
    (
        partial(FieldError.not_readable, "'lake'", "a Delta Lake table", "no log."),
        ["'lake'", "a Delta Lake table: no log."],
        [],
    ),
    (
        partial(FieldError.uneven_lists, "e.parquet", "embedding"),
        ["'embedding' of e.parquet", "lists of different lengths"],
        ["same length", "other columns"],
    ),
    (
        partial(FieldError.query_failed, "a duckdb relation", "no table t"),
        ["a duckdb relation", "no table t"],
        ["correct it"],
    ),
    (
        partial(FieldError.without_matrix, ["counts"], ["X_pca"]),
        ["no X", "layer='counts'", "obsm='X_pca'"],
        ["Pass layer='counts'"],
    ),
    (
        partial(FieldError.not_in_anndata, "layer", "count", ["counts"]),
        ["layer='count'", "'counts'"],
        [],
    ),
    (
        partial(FieldError.bad_mask, "mask_var", "3 values", "one truth value per gene"),
        ["mask_var", "3 values", "one truth value per gene"],
        [],
    ),
    (
        partial(FieldError.nothing_kept, "mask_var", "765 genes"),
        ["mask_var", "765 genes"],
        ["Check the mask"],
    ),
    (
        partial(FieldError.partly_missing, 3, 90, 17, "lat 10, lon 20"),
        ["3 of 90 cells", "17 values", "lat 10, lon 20"],
        ["missing='auto'"],
    ),
    (
        partial(FieldError.no_dimension, "dim", "tme", ["time", "lat"]),
        ["'tme'", "'time', 'lat'"],
        [],
    ),
    (
        partial(FieldError.wrong_bed_size, "x.bed", 10, 12, (8, 3)),
        ["'x.bed'", "10 bytes", "8 samples", "3 variants", "12"],
        ["Copy .bed, .bim and .fam"],
    ),
    (partial(FieldError.sample_major, "x.bed"), ["'x.bed'", "sample by sample"], ["make-bed"]),
    (
        partial(FieldError.without_companion, "x.bed", "x.fam"),
        ["'x.bed'", "'x.fam'"],
        ["same folder"],
    ),
    (
        partial(FieldError.not_genotypes, "scale='hwe'"),
        ["scale='hwe'", "0, 1 or 2"],
        [".bed file"],
    ),
    (partial(FieldError.no_variation, 9, 9), ["all 9 variants"], ["Check the samples"]),
    (
        partial(FieldError.alleles_differ, 4, 90, "rs1: A/G, in the model A/C"),
        ["4 of 90", "rs1: A/G"],
        ["same reference"],
    ),
]
