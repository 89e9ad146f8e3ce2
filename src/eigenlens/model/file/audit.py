"""Reading a container that nobody vouches for: every step is bounded by what the last one showed.

    kind of file  ->  size  ->  seal  ->  list of members  ->  model.json  ->  array by array

Members are stored, not packed, and may not overlap, so nothing unpacks to more than the file has.
The seal tells a damaged file from a whole one, not friend from foe: whoever edits a file can seal
it anew, and then what follows has to hold on its own.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import struct
import zipfile
from pathlib import Path
from typing import IO

from eigenlens.algebra.typing import AnyArray
from eigenlens.errors import ModelFileError
from eigenlens.errors.system import os_error_at
from eigenlens.model.file.container import (
    DIGEST_LETTERS,
    FORMAT,
    MOST_ARRAYS,
    MOST_RECORD_BYTES,
    RECORD,
    ArrayHeader,
    Container,
    member_digest,
    raw_bytes,
)
from eigenlens.model.file.fields import RecordFields
from eigenlens.model.file.record_text import parse_record_text

__all__ = ["read_container"]

SEAL = re.compile(rb"eigenlens-model/([0-9]{1,9}) sha256:([0-9a-f]{64})\Z")
SEAL_ROOM = 100  # bytes at the end of a file that hold the longest seal
END = struct.Struct("<4s4H2LH")  # the last record of a zip
LARGE_END = struct.Struct("<4sQ2H2L4Q")  # of one above 4 GB, with a signpost behind it
SIGNPOST = struct.Struct("<4sLQL")
NAME = re.compile(r"[a-z][a-z0-9_]{0,60}")
MOST_DIRECTORY_BYTES = 1 << 20
SPOILED = (
    zipfile.BadZipFile, struct.error, ValueError, NotImplementedError, RuntimeError, EOFError,
    OverflowError, LookupError,
)  # fmt: skip


def read_container(path: Path, most_bytes: int) -> Container:
    """What is in the file, once all that can be checked without knowing its kind is."""
    try:
        with open(path, "rb", opener=open_without_waiting) as file:
            size = regular_size(file, path)
            count = check_seal(file, size, path, most_bytes)
            with zipfile.ZipFile(file) as archive:
                check_members(archive, count, size, path)
                return unpack_record(archive, path)
    except ModelFileError:
        raise
    except IsADirectoryError:
        raise ModelFileError.not_a_model(path, "it is a folder") from None
    except OSError as error:
        raise os_error_at(path, "read", error, ModelFileError) from error
    except SPOILED as error:
        raise ModelFileError.refused(path, str(error)[:200]) from error


def open_without_waiting(path: str, flags: int) -> int:
    """A pipe that nobody writes to would be waited for without end."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def regular_size(file: IO[bytes], path: Path) -> int:
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        raise ModelFileError.not_a_model(path, "it is no file")
    return status.st_size


def check_seal(file: IO[bytes], size: int, path: Path, most_bytes: int) -> int:
    """The end of the file says what it is, and how many members it has: that comes back."""
    file.seek(max(0, size - SEAL_ROOM - END.size - SIGNPOST.size - LARGE_END.size))
    tail = file.read()
    found = SEAL.search(tail)
    if found is None:
        raise diagnose_missing_seal(file, path)
    if int(found[1]) > FORMAT:
        raise ModelFileError.newer(path, "its container", int(found[1]), FORMAT)
    if size > most_bytes:
        raise ModelFileError.too_large(path, size, most_bytes)
    count = check_end(tail[: found.start()], len(found[0]), path)
    if member_digest(file, size - DIGEST_LETTERS).encode("ascii") != found[2]:
        raise ModelFileError.refused(path, "it was changed after it was written")
    return count


def diagnose_missing_seal(file: IO[bytes], path: Path) -> ModelFileError:
    file.seek(0)
    head = file.read(40)
    if head[:4] == b"PK\x03\x04" and head[30:] == RECORD.encode("ascii"):
        return ModelFileError.refused(path, "it is cut off, or was packed by another program")
    return ModelFileError.not_a_model(
        path, "it does not end with our seal" if head else "it is empty"
    )


def check_end(before: bytes, seal_bytes: int, path: Path) -> int:
    """The lengths that the zip library will believe."""
    if len(before) < END.size:
        raise ModelFileError.refused(path, "it is too short")
    signature, *disks, here, count, directory, _, comment = END.unpack(before[-END.size :])
    ends = [(count, directory)]
    above = before[: -END.size]
    if above[-SIGNPOST.size :][:4] == b"PK\x06\x07":
        large = LARGE_END.unpack(above[: -SIGNPOST.size][-LARGE_END.size :])
        ends.append((large[7], large[8]))
    fits = signature == b"PK\x05\x06" and comment == seal_bytes
    fits = fits and not any(disks) and here == count <= MOST_ARRAYS + 1
    for members, room in ends:
        fits = fits and members == count and room <= MOST_DIRECTORY_BYTES
    if not fits:
        raise ModelFileError.refused(path, "its list of members is not as we write it")
    return int(count)


def check_members(archive: zipfile.ZipFile, count: int, size: int, path: Path) -> None:
    """Names as we give them, each once; stored one behind the other, without overlap."""
    members = archive.infolist()
    names = [member.filename for member in members]
    odd = [name for name in names if name != RECORD and not is_array_name(name)]
    if odd:
        raise ModelFileError.refused(path, f"it has a member {odd[0][:80]!r}")
    if len(set(names)) != count or len(names) != count or RECORD not in names:
        raise ModelFileError.refused(path, f"it does not have {RECORD} and every array once")
    end = 0
    for member in members:
        name = member.filename
        if member.flag_bits or member.compress_type != zipfile.ZIP_STORED:
            raise ModelFileError.refused(path, f"its member {name} is packed or encrypted")
        if member.compress_size != member.file_size or member.header_offset < end:
            raise ModelFileError.refused(path, f"its member {name} overlaps with others")
        end = member.header_offset + 30 + len(name) + member.file_size
    if end > size:
        raise ModelFileError.refused(path, "its members are longer than the file")


def is_array_name(name: str) -> bool:
    return name.endswith(".npy") and NAME.fullmatch(name.removesuffix(".npy")) is not None


def unpack_record(archive: zipfile.ZipFile, path: Path) -> Container:
    sizes = {member.filename: member.file_size for member in archive.infolist()}
    if sizes[RECORD] > MOST_RECORD_BYTES:
        raise ModelFileError.refused(path, f"its {RECORD} is too long")
    array_bytes = sum(sizes.values()) - sizes[RECORD]
    whole = parse_record_text(archive.read(RECORD), array_bytes, path)
    head = RecordFields(path, RECORD, whole)
    if "format" in whole and head.whole("format") > FORMAT:
        raise ModelFileError.newer(path, "its container", head.whole("format"), FORMAT)
    head.only(("format", "kind", "version", "arrays", "record"))
    if head.whole("format", least=1) != FORMAT:
        head.refuse("format", f"is {head.whole('format')}")
    declared = declared_arrays(head.inner("arrays"))
    if set(sizes) != {RECORD, *(f"{name}.npy" for name in declared)}:
        raise ModelFileError.refused(path, f"its members are not those that its {RECORD} lists")
    arrays = {name: array_from(archive, name, one, path) for name, one in declared.items()}
    record = head.inner("record")
    return Container(head.text("kind"), head.whole("version", least=1), dict(record.values), arrays)


def declared_arrays(fields: RecordFields) -> dict[str, ArrayHeader]:
    return {name: declared_array(fields.inner(name)) for name in fields.values}


def declared_array(fields: RecordFields) -> ArrayHeader:
    fields.only(("dtype", "shape", "fortran_order", "sha256"))
    shape = fields.values["shape"]
    if not isinstance(shape, list) or not all(type(size) is int for size in shape):
        fields.refuse("shape", "is no list of whole numbers")
    one = ArrayHeader(
        fields.text("dtype"), tuple(shape), fields.flag("fortran_order"), fields.text("sha256")
    )
    if not one.is_plain:
        fields.refuse("dtype", "or its shape is not one that we write")
    return one


def array_from(archive: zipfile.ZipFile, name: str, one: ArrayHeader, path: Path) -> AnyArray:
    """Room is made only for what the file is known to hold."""
    member = archive.getinfo(f"{name}.npy")
    if member.file_size != len(one.header) + one.data_bytes:
        raise ModelFileError.refused(path, f"its array {name} is not as long as declared")
    with archive.open(member) as stream:
        header = stream.read(len(one.header))
        if header != one.header:
            raise ModelFileError.refused(path, f"its array {name} is not what is declared")
        array = one.empty()
        digest = hashlib.sha256(header)
        for room in raw_bytes(array):
            fill_buffer(stream, room)
            digest.update(room)
    if digest.hexdigest() != one.sha256:
        raise ModelFileError.refused(path, f"the hash of its array {name} is another one")
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def fill_buffer(stream: IO[bytes], room: memoryview) -> None:
    filled = 0
    while filled < len(room):
        count = stream.readinto(room[filled : filled + (1 << 20)])  # type: ignore[attr-defined]
        if not count:
            raise EOFError("it ends too early")
        filled += count
