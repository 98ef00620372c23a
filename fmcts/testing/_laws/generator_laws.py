"""The laws of generators, one function each that describes a breach."""

from __future__ import annotations

import pickle
from typing import Any, Final

from fmcts._arguments import shown
from fmcts.testing._laws.asking import Raised, asked
from fmcts.testing._laws.evenness import SERVED, uneven_children, uneven_numbers, uneven_pairs
from fmcts.testing._laws.generatorcase import (
    STREAM,
    GeneratorCase,
    alike,
    drawn,
    equal_both_ways,
    numbers,
    reads_back,
    refuses,
)
from fmcts.testing._laws.law import Law
from fmcts.testing._laws.pictures import changes, fields_of, picture

NONE: Final = frozenset[str]()
METHODS: Final = ('uniform', 'split', 'child')
RANGES: Final = (
    (0, 0), (7, 7), (-4, -4), (0, 1), (0, 6), (-3, 3), (-10, -4), (1, 2**16), (-(2**30), 2**30 - 1),
    (0, 2**31 - 1), (-(2**63), 2**63 - 1), (0, 2**64 - 1), (-(2**70), 2**70),
)  # fmt: skip
INDICES: Final = (*range(12), 1000, 2**20, 2**31 - 1)


def _generator(case: GeneratorCase) -> str | None:
    lacking = [name for name in METHODS if not callable(getattr(case.generator, name, None))]
    return f'{shown(case.generator)} has no {", ".join(lacking)}' if lacking else None


def _in_range(case: GeneratorCase) -> str | None:
    for low, high in RANGES:
        if high - low >= SERVED and refuses(case.generator, low, high):
            continue
        generator = case.generator
        for _ in range(8):
            number, generator = drawn(generator, low, high)
            if not low <= number <= high:
                return f'uniform({low}, {high}) gave {number}'
    return None


def _whole_range(case: GeneratorCase) -> str | None:
    for low, high in ((0, 1), (0, 2), (-1, 1), (-5, -3)):
        left, generator = {*range(low, high + 1)}, case.generator
        for _ in range(400):  # with three numbers one is missed once in 10**70 times
            number, generator = drawn(generator, low, high)
            left.discard(number)
        if left:
            return f'in 400 draws uniform({low}, {high}) never gave {min(left)}'
    return None


def _backwards(case: GeneratorCase) -> str | None:
    for low, high in ((0, 6), (-3, 3)):
        if refuses(case.generator, high, low):
            continue
        there, here = case.generator.uniform(high, low), case.generator.uniform(low, high)
        if there != here:
            return f'uniform({high}, {low}) gave {shown(there[0])}, and the other way {here[0]}'
    return None


def _answers(generator: Any) -> dict[str, Any]:
    return {
        'uniform(0, 6)': generator.uniform(0, 6),
        'uniform(-3, 3)': generator.uniform(-3, 3),
        'uniform(0, 1048575) in turn': numbers(generator),
        'split()': generator.split(),
        'child(3)': generator.child(3),
    }


def _unchanged(case: GeneratorCase) -> str | None:
    before = picture(case.generator, 'the generator', NONE)
    for name, ask in (
        ('uniform(0, 6)', lambda: case.generator.uniform(0, 6)),
        ('split()', case.generator.split),
        ('child(3)', lambda: case.generator.child(3)),
    ):
        ask()
        changed = next(changes(before, NONE), None)
        if changed is not None:
            return f'{name}: {changed}'
    return None


def _frozen(case: GeneratorCase) -> str | None:
    for name, value in fields_of(case.generator).items():
        if not isinstance(asked(setattr, case.generator, name, value), Raised):
            return f'its field {name} can be set'
    return None


def _the_same_again(case: GeneratorCase) -> str | None:
    first, second = _answers(case.generator), _answers(case.generator)
    for name, answer in first.items():
        if answer != second[name]:
            return f'{name} gave {shown(answer, 80)}, and asked again {shown(second[name], 80)}'
    return None


def _moves_on(case: GeneratorCase) -> str | None:
    generator, seen = case.generator, [case.generator]
    for _ in range(STREAM):
        _, generator = drawn(generator, 0, 6)
        if generator in seen:
            return f'after {len(seen)} draws of uniform(0, 6) it is again {shown(generator, 80)}'
        seen.append(generator)
    return None


def _halves(case: GeneratorCase) -> str | None:
    halves = case.generator.split()
    if not isinstance(halves, tuple) or len(halves) != 2:
        return f'split() gave {shown(halves)}, which is not a pair'
    left, right = halves
    family = {'the generator': case.generator, 'its left half': left, 'its right half': right}
    return alike(family)


def _children(case: GeneratorCase) -> str | None:
    left, right = case.generator.split()
    family = {f'child({index})': case.generator.child(index) for index in INDICES}
    others = {'the generator': case.generator, 'its left half': left, 'its right half': right}
    return alike({**others, **family})


def _any_order(case: GeneratorCase) -> str | None:
    forth = {index: case.generator.child(index) for index in INDICES}
    case.generator.uniform(0, 6)
    case.generator.split()
    back = {index: case.generator.child(index) for index in reversed(INDICES)}
    for index in INDICES:
        if forth[index] != back[index]:
            return (
                f'child({index}) was {shown(forth[index])}, and after other children and draws '
                f'{shown(back[index])}'
            )
    return None


def _by_value(case: GeneratorCase) -> str | None:
    one, two = (case.generator.child(5).uniform(0, 6)[1] for _ in range(2))
    if not equal_both_ways(one, two):
        return f'two that were made alike are not equal: {shown(one)}, {shown(two)}'
    if hash(one) != hash(two):
        return f'two equal ones have the hashes {hash(one)} and {hash(two)}'
    if any(bool(one == other) for other in (None, 0, '', ())):
        return f'{shown(one)} equals a value that is not a generator'
    return None


def _pickled(case: GeneratorCase) -> str | None:
    again = asked(lambda: pickle.loads(pickle.dumps(case.generator)))  # noqa: S301 - our own bytes
    if isinstance(again, Raised):
        return None  # `left_out` reports it
    return reads_back(case.generator, again, 'its pickle')


def _text(case: GeneratorCase) -> str | None:
    if case.text is None:
        return None
    write, read = case.text
    text: Any = write(case.generator)
    if not isinstance(text, str) or len(text.splitlines()) != 1:
        return f'is written as {shown(text)}, which is not a line of text'
    again = read(text)
    unwrap = getattr(again, 'unwrap', None)
    return reads_back(case.generator, again if unwrap is None else unwrap(), f'the text {text!r}')


PICKLED: Final = Law(
    'a generator is read back from its pickle',
    'What is pickled comes back equal, with the same hash, and draws the same numbers.',
    _pickled,
)
TEXT: Final = Law(
    'a generator is read back from its text',
    'The text of a generator, if it has one, is one line that is read as an equal generator.',
    _text,
)
LAWS: Final[tuple[Law[GeneratorCase], ...]] = (
    Law(
        'a generator has its three methods',
        'A generator has uniform(low, high), split() and child(index).',
        _generator,
    ),
    Law(
        'a draw lies in its range',
        'uniform(low, high) gives a pair: an int from low to high, both included, and the next '
        'generator of the same class; or, of more than 2**31 numbers, refuses in one line.',
        _in_range,
    ),
    Law(
        'a draw leaves the generator as it was',
        'uniform, split and child change nothing in the generator that they are asked of.',
        _unchanged,
    ),
    Law('a generator is frozen', 'The fields of a generator cannot be set.', _frozen),
    Law(
        'a child depends on its index alone',
        'child(i) of a generator is the same in whatever order children are asked for, and '
        'whatever was drawn before.',
        _any_order,
    ),
    Law(
        'a draw can be made again',
        'The same generator gives the same number and the same next generator, halves, children.',
        _the_same_again,
    ),
    Law(
        'a draw moves on',
        'Where two numbers or more may be drawn, the next generator is one that was not there yet.',
        _moves_on,
    ),
    Law(
        'every number of a range is drawn',
        'Both bounds of a range are drawn, and what lies between.',
        _whole_range,
    ),
    Law(
        'bounds in the wrong order',
        'With the higher bound first a draw is the same, or is refused in one line.',
        _backwards,
    ),
    Law(
        'halves of a split differ',
        'split gives two generators that differ, in their streams too, from each other and the '
        'generator.',
        _halves,
    ),
    Law(
        'children differ',
        'child(i) differs, in its stream too, from the generator, its halves and other children.',
        _children,
    ),
    Law(
        'generators are equal by value',
        'Two generators that were made alike are equal and have equal hashes.',
        _by_value,
    ),
    PICKLED,
    TEXT,
)
"""The laws that are checked for every generator reached."""

EVEN: Final[tuple[Law[GeneratorCase], ...]] = (
    Law(
        'numbers are even',
        'All numbers of a range come about as often: of 2000 draws none is off by 200.',
        lambda case: uneven_numbers(case.generator),
    ),
    Law(
        'pairs are even',
        'So do all pairs of numbers that are drawn one after the other.',
        lambda case: uneven_pairs(case.generator),
    ),
    Law(
        'children are even',
        'So do all numbers that children, one after another, draw first.',
        lambda case: uneven_children(case.generator),
    ),
)
"""The laws that are checked once."""

GENERATOR_LAWS: Final = (*LAWS, *EVEN)
"""All laws in the order in which they are checked."""
