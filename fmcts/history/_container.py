"""The format of files of trees and histories: a line of JSON, compressed numbers, and a checksum.

Version 1, byte for byte:

- the line `fmcts-file-1`, ended by a line feed;
- a line of JSON, an object of at most 65,536 bytes: `kind` (`tree` or `history`), `fmcts` (the
  version that wrote it), `bytes` (the size of the numbers before compression), and further fields
  that depend on the kind (see `fmcts.history._files`);
- the numbers, compressed in the zlib format (RFC 1950);
- 32 bytes: a BLAKE2b digest of that size, of everything before it.

Memory is limited by the length of the file: numbers that claim to be more than 200 times as long
as their compressed form are refused before any memory is allocated for them, and so is a tree with
more nodes than that form has bytes, since each node has a position of the game. (What would be
refused is written uncompressed.)
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from fmcts import __version__
from fmcts._arguments import shown
from fmcts._saving import write_whole
from fmcts.search.networks import Answer

MAGIC: Final = b'fmcts-file-1\n'
FAMILY: Final = b'fmcts-file-'
CHECKSUM: Final = 32
LONGEST_HEAD: Final = 1 << 16
MOST_TIMES: Final = 200
FREE: Final = 1 << 16  # bytes that may be compressed to anything


class FileError(ValueError):
    """Raised for a file that does not contain what it should; the message is one line."""


@frozen
class Contents:
    """The content of a file: its line of JSON, and its numbers, which it has in `packed` bytes."""

    head: Mapping[str, Any]
    numbers: bytes
    packed: int


def write(path: Path, kind: str, head: Mapping[str, Any], numbers: bytes, nodes: int) -> int:
    """Write a file, completely or not at all, and return its size in bytes.

    `nodes` are those of the tree in the numbers.

    :raises OSError: it cannot be written.
    """
    about = {'kind': kind, 'fmcts': __version__, 'bytes': len(numbers), **head}
    line = json.dumps(about, allow_nan=False).encode() + b'\n'
    packed = zlib.compress(numbers, 1 if kind == 'tree' else 6)
    if len(numbers) > most_bytes(len(packed)) or nodes > len(packed):
        packed = zlib.compress(numbers, 0)
    whole = MAGIC + line + packed
    whole += _checksum(whole)
    return write_whole(path, whole)


def read(path: Path, kind: str) -> Contents:
    """Return the content of a file, which must be of that kind.

    :raises FileError: it is something else, or was altered.
    :raises OSError: it cannot be read.
    """
    return _contents(path.read_bytes(), kind)


@contextmanager
def naming(path: object) -> Iterator[None]:
    """Add the name of the file to errors about it."""
    try:
        yield
    except FileError as error:
        raise FileError(f'{path}: {error}') from None


def _contents(whole: bytes, kind: str) -> Contents:
    if not whole.startswith(MAGIC):
        if whole.startswith(FAMILY):
            raise FileError('a file of a later version of fmcts: this one reads fmcts-file-1')
        raise FileError('not a file of fmcts: expected one that begins with fmcts-file-1')
    body, checksum = whole[:-CHECKSUM], whole[-CHECKSUM:]
    if _checksum(body) != checksum:
        raise FileError('its checksum does not match: it was altered or cut off')
    end = body.find(b'\n', len(MAGIC), len(MAGIC) + LONGEST_HEAD)
    head = _head(body[len(MAGIC) : end] if end > 0 else b'')
    if head['kind'] != kind:
        raise FileError(f'it holds a {shown(head["kind"])}, expected a {kind!r}')
    packed = body[end + 1 :]
    return Contents(head, unpacked(packed, head['bytes']), len(packed))


def _head(line: bytes) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    wanted = {'kind': str, 'fmcts': str, 'bytes': int}
    if not isinstance(head, dict) or any(
        type(head.get(name)) is not kind for name, kind in wanted.items()
    ):
        raise FileError('its second line is not what fmcts writes there')
    return head


def unpacked(packed: bytes, size: int) -> bytes:
    """Return the `size` bytes that were compressed.

    :raises FileError: they are not what was compressed.
    """
    if not 0 <= size <= most_bytes(len(packed)):
        raise FileError(f'it claims {shown(size)} bytes of numbers in {len(packed)} bytes')
    unpacking = zlib.decompressobj()
    try:
        numbers = unpacking.decompress(packed, size + 1)
    except zlib.error as error:
        raise FileError(f'its numbers are damaged ({error})') from None
    if len(numbers) != size or not unpacking.eof or unpacking.unused_data:
        raise FileError(f'its numbers are not the {size} bytes that it claims')
    return numbers


def most_bytes(packed: int) -> int:
    """Return how many bytes may be compressed to `packed` bytes."""
    return FREE + MOST_TIMES * packed


def _checksum(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=CHECKSUM).digest()


def planes(column: Any) -> bytes:
    """Return the bytes of a column, all least significant ones first."""
    if sys.byteorder == 'big':
        column = column[:]
        column.byteswap()
    content, size = column.tobytes(), column.itemsize
    return b''.join(content[place::size] for place in range(size))


def columns_in(numbers: bytes, shapes: Iterable[tuple[int, str]]) -> list[array[Any]]:
    """Return the columns of those lengths and types."""
    found: list[array[Any]] = []
    at = 0
    for length, form in shapes:
        column: array[Any] = array(form)
        end = at + length * column.itemsize
        column.frombytes(_mixed(numbers[at:end], column.itemsize))
        if sys.byteorder == 'big':
            column.byteswap()
        found.append(column)
        at = end
    return found


def _mixed(planes: bytes, width: int) -> bytes:
    """Return the bytes of a column from its planes."""
    length = len(planes) // width
    found = bytearray(len(planes))
    for place in range(width):
        found[place::width] = planes[place * length : (place + 1) * length]
    return bytes(found)


def bytes_of_answers(answers: Sequence[Answer]) -> bytes:
    """Return a network's answers as columns: how many priors each has, values, and all priors."""
    if not answers:
        return b''
    widths = array('I', [len(answer.priors) for answer in answers])
    values = array('d', [answer.for_x for answer in answers])
    priors = array('d', [prior for answer in answers for prior in answer.priors])
    return b''.join(map(planes, (widths, values, priors)))


def answers_in(numbers: bytes, count: int) -> list[Answer]:
    """Return `count` answers of a network from their columns.

    :raises FileError: the columns do not match their counts, or are not answers of a network.
    """
    widths = (
        columns_in(numbers[: 4 * count], [(count, 'I')])[0] if len(numbers) >= 4 * count else []
    )
    shapes = [(count, 'I'), (count, 'd'), (sum(widths), 'd')]
    if len(numbers) != sum(length * array(form).itemsize for length, form in shapes):
        raise FileError('the answers have another number of bytes than their counts say')
    _, values, priors = columns_in(numbers, shapes)
    if not (all(0 <= it <= 1 for it in values) and all(0 <= it < math.inf for it in priors)):
        raise FileError('an answer of its network has a value or a prior out of range')
    following = iter(priors)
    return [
        Answer(tuple(islice(following, width)), value)
        for width, value in zip(widths, values, strict=True)
    ]
