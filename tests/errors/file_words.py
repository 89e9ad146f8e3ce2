"""Messages about files, models and checkpoints: what each repeats, and the way out it shows."""

from functools import partial

from eigenlens.errors import CheckpointError, FileError, ModelFileError, TextFileError

P, M = "a.csv", "a.eigenlens"

FILE_MESSAGES = [
    (partial(FileError.missing, P), ["'a.csv'"], ["spelling"]),
    (partial(FileError.missing, "s3://a/b.csv"), ["'s3://a/b.csv'"], ["whether you may read it"]),
    (partial(FileError.nothing_matches, "b/*.npy"), ["'b/*.npy'"], ["pattern", "folder"]),
    (partial(FileError.no_path, ""), ["'' is empty"], ["'data/*.parquet'", "'.' for all tables"]),
    (
        partial(FileError.not_a_file, "a.csv"),
        ["'a.csv'", "a pipe or a device"],
        ["Copy", "iterator"],
    ),
    (partial(FileError.empty, P), ["'a.csv'", "no rows"], ["program that wrote it"]),
    (partial(FileError.damaged, P, "CSV", "no end"), ["'a.csv'", "CSV", "no end"], ["again"]),
    (partial(FileError.wrong_length, P, 9, 5), ["'a.csv'", "5 rows", "9"], ["opy it again"]),
    (partial(FileError.changed, P), ["'a.csv'", "changed"], ["fit again"]),
    (partial(FileError.unknown_kind, P, [".npy"]), ["'a.csv'"], ["'.npy'", ".csv.gz"]),
    (partial(FileError.unknown_kind, M, []), ["'a.eigenlens'"], ["eigenlens.load('a.eigenlens')"]),
    (
        partial(TextFileError.ragged_line, P, 7, 3, 4),
        ["'a.csv'", "line 7", "4 entries", "3"],
        ["same number of entries", "separator"],
    ),
    (
        partial(FileError.not_a_number, P, "age", "old", 7),
        ["'a.csv'", "'age'", "'old'", "line 7"],
        ["columns=[...]"],
    ),
    (
        partial(FileError.no_numbers, P, "city", "Basel"),
        ["'a.csv'", "no column of numbers", "'city'", "'Basel'"],
        ["categories='auto'", "the file you mean"],
    ),
    (
        partial(TextFileError.other_style, P, "age", "1,5", 7, "Ann"),
        ["'a.csv'", "'age'", "'1,5'", "line 7 (row 'Ann')"],
        ["decimal=','", "thousands=','", "columns=[...]"],
    ),
    (
        partial(TextFileError.unclear_number, P, "age", "1,234", 7, (",", ",")),
        ["'a.csv'", "'age'", "'1,234'", "line 7"],
        ["decimal=','", "thousands=','", "columns=[...]"],
    ),
    (
        partial(TextFileError.binary_text, P),
        ["'a.csv'", "zero bytes"],
        ["encoding='utf-16'"],
    ),
    (
        partial(TextFileError.not_in_encoding, P, "cp1250"),
        ["no text in the encoding 'cp1250'"],
        ["encoding='latin-1'"],
    ),
    (
        partial(TextFileError.not_utf8, P),
        ["'a.csv'", "not UTF-8"],
        ["encoding='cp1252'"],
    ),
    (
        partial(FileError.in_folder_names, "a.csv", "year"),
        ["'a.csv'", "'year'", "names of their folders"],
        ["columns=[...]", "'year=...'"],
    ),
    (
        partial(FileError.different_columns, P, "b.csv", ["x"], ["y"]),
        ["'a.csv'", "'b.csv'", "lacks 'x'", "also has 'y'"],
        ["columns=[...]"],
    ),
    (
        partial(FileError.which_one, "a.h5", ["x", "y"]),
        ["'a.h5'", "2 tables", "'x', 'y'"],
        ["'a.h5::x'"],
    ),
    (partial(FileError.not_inside, "a.h5", "z", ["x"]), ["'a.h5'", "'z'"], ["'x'"]),
    (
        partial(FileError.no_room_to_spool, "/tmp", 2_500_000, "disk full"),
        ["temporary file of 2.5 MB", "'/tmp'", "disk full"],
        ["TMPDIR", "larger memory="],
    ),
    (
        partial(FileError.needs_package, "a.h5", "h5py", "files"),
        ["'a.h5'", "h5py"],
        ["pip install 'eigenlens[files]'"],
    ),
    (
        partial(FileError.not_printed, "it is closed"),
        ["it is closed", "standard output"],
        ["ree some space"],
    ),
    (
        partial(TextFileError.open_quote, P, 3),
        ["'a.csv', line 3", "quotation mark"],
        ["lose the quotation"],
    ),
    (partial(FileError.no_rows, P), ["'a.csv' holds no rows"], ["the program that wrote it"]),
    (partial(FileError.would_overwrite, P), ["'a.csv'", "being read"], ["another name"]),
    (
        partial(FileError.not_written, P, "disk full"),
        ["'a.csv'", "disk full"],
        ["another name or folder"],
    ),
    (
        partial(ModelFileError.not_a_model, M, "it is empty"),
        ["'a.eigenlens'", "it is empty"],
        ["model.save(...)", "eigenlens.fit"],
    ),
    (
        partial(ModelFileError.refused, M, "its mean is NaN"),
        ["'a.eigenlens'", "its mean is NaN"],
        ["opy it again", "save the model again"],
    ),
    (
        partial(ModelFileError.unsound, M, "its mean is NaN"),
        ["'a.eigenlens'", "its mean is NaN"],
        ["Save the model that fit returned"],
    ),
    (
        partial(ModelFileError.newer, M, "its container", 7, 2),
        ["'a.eigenlens'", "newer eigenlens", "version 7", "up to 2"],
        ["pip install --upgrade eigenlens"],
    ),
    (
        partial(ModelFileError.other_kind, M, "cloud", ["subspace"]),
        ["'a.eigenlens'", "'cloud'", "'subspace'"],
        ["pip install --upgrade eigenlens"],
    ),
    (
        partial(ModelFileError.too_large, M, 2_500_001, 1000),
        ["'a.eigenlens'", "2500001 bytes", "budget is 1000"],
        ["memory='3MB'"],
    ),
    (
        partial(ModelFileError.cannot_hold, "such settings", "24 levels"),
        ["such settings", "24 levels"],
        ["dataclasses.replace(model, ...)"],
    ),
    (
        partial(CheckpointError.of_another_fit, "run.ckpt", {"k": ("5", "6")}),
        ["'run.ckpt'", "k (was 5, is 6)"],
        ["elete the file"],
    ),
    (
        partial(CheckpointError.no_place, "a/run.ckpt", "there is no folder 'a'"),
        ["'a/run.ckpt'", "no folder"],
        ["can be written to"],
    ),
    (
        partial(CheckpointError.in_use, "run.ckpt"),
        ["'run.ckpt'", "still running"],
        ["Wait until it has ended", "checkpoint="],
    ),
    (
        partial(CheckpointError.foreign, "run.ckpt"),
        ["'run.ckpt'", "was not changed"],
        ["another path", "checkpoint="],
    ),
    (
        partial(CheckpointError.unreadable, "run.ckpt", "row 'x'"),
        ["'run.ckpt'", "row 'x'"],
        ["another path", "elete the file"],
    ),
    (
        partial(CheckpointError.not_written, "run.ckpt", "disk full"),
        ["'run.ckpt'", "disk full"],
        ["checkpoint="],
    ),
]
