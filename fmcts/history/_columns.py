"""Columns of numbers as bytes, and the answers of a network as such columns."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from fmcts.history._container import FileError
from fmcts.search.networks import Answer


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
