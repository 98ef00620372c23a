"""Laws of states as values: nothing changes them, and equal moves give equal states."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from attrs import evolve

from fmcts._arguments import shown
from fmcts.game import equal
from fmcts.testing._laws.cases import (
    Case,
    differences,
    hash_of,
    look,
    moves_of,
    picture,
    play,
    playable,
    same,
)
from fmcts.testing._laws.law import (
    FEW,
    Answer,
    OtherwiseError,
    Unchecked,
    few,
    law,
    raised,
    stepped,
)
from fmcts.testing._laws.watching import METHODS, Snapshot, changed, parts, unlike

OTHERS: Final = 8
"""The number of other generators that are put in the place of one in a state."""

LAST: Final = 16
"""The number of earlier states that are checked with a position."""

EXCHANGED: Final = 5
"""The number of last plies in which two are exchanged, to reach an equal state in another way."""

FIRST: Final = 8
AGAIN: Final = 4
"""To find chance, how many moves are played, and how often at the start; elsewhere twice. And how
many moves are played in two equal states.
"""


@law(
    'play is pure',
    '`play` gives a new state and leaves the one it is played in, and all before it, as they '
    'were, deeply.',
    basic=True,
)
def play_is_pure(case: Case) -> str | None:
    """Play the line again and watch for changes from the beginning."""
    line, state = case.line, case.game.fresh()
    earlier: deque[tuple[int, Any, Snapshot]] = deque(maxlen=LAST)
    for plies, move in enumerate([*line, None]):
        seen, hashed = look(state), _hashed(state)  # later accesses may use what this one caches
        if len(line) - plies < LAST:
            earlier.append((plies, state, picture(case, state)))
        if plies < len(line):
            state = play(state, move)
    steady = hashed == _hashed(state)  # otherwise another law reports it
    # The state itself after each move, to name the move; the earlier ones once, at the end.
    for move in few(moves_of(state)):
        with suppress(OtherwiseError):  # another law reports it
            play(state, move)
        other = changed(earlier[-1][2], picture(case, state)) or differences(seen, look(state))
        if other is None and steady and hashed != _hashed(state):
            other = 'it has another hash'
        if other:
            return f'playing {shown(move)} changes the state that it is played in: {other}'
    for plies, before, was in reversed(earlier):
        if other := changed(was, picture(case, before)):
            return f'what is played here changes the state after {plies} plies: {other}'
    return None


def _hashed(state: Any) -> int | None:
    """Return the hash of a state, or `None`: another law checks that it has one."""
    try:
        return hash_of(state)
    except OtherwiseError:
        return None


def _twice(case: Case, count: int, again: int = 2) -> Iterator[tuple[str | None, Any, Any]]:
    """Yield pairs of states made alike: of the line, and after each of `count` moves, by name."""
    yield None, case.state, case.again
    for move in few(playable(case.state), count):
        first, *others = (play(case.state, move) for _ in range(again))
        yield from ((shown(move), first, other) for other in others)


@law(
    'no chance',
    'The same moves from the same start always lead to the same state: `play` draws no dice and no '
    'cards.',
    basic=True,
)
def no_chance(case: Case) -> str | None:
    """Compare states that the same moves lead to; more often at the start, to find dice there."""
    with suppress(OtherwiseError):  # another law reports it
        for move, one, two in _twice(case, FIRST, 2 if case.line else AGAIN):
            what = differences(look(one), look(two))
            what = f'the two have {what}' if what else None
            if what is None and not equal(one, two):
                what = unlike(one, two, type(one).__name__, case.game.memos)
            if what is not None:
                leads = f'{move} leads' if move else 'the same moves lead'
                return f'played again, {leads} to another state: {what}'
    return None


nothing_is_drawn_inside_play: Final = evolve(
    no_chance,
    name='nothing is drawn inside play',
    sentence='The same moves and outcomes from the same start always lead to the same state: what '
    'is drawn belongs in `chances`.',
)


@law(
    'no generator in the state',
    'With another generator in its place, `play` gives the same state: it draws nothing that a '
    'search would foresee.',
)
def no_generator_in_the_state(case: Case) -> str | None:
    """Replace generators that the state holds, and see whether moves lead to other states."""
    state, memos = case.state, case.game.memos
    for way, thing in parts(state, type(state).__name__, memos):
        for other in others_like(thing):
            with suppress(Exception):  # what cannot be copied or played another law reports
                # The memo of `deepcopy` says that `thing` has been copied already: as `other`.
                twin = copy.deepcopy(state, {id(thing): other})
                for move in few(playable(state), FIRST) if look(twin) == look(state) else ():
                    one, two = play(state, move), play(twin, move)
                    what = differences(look(one), look(two)) or unlike(
                        _bare(one, memos), _bare(two, memos), type(one).__name__, memos
                    )
                    if what is not None:
                        return (
                            'play draws from a generator in the state: use chances; with another '
                            f'{type(thing).__name__} as {way}, {shown(move)} leads to another '
                            f'state: {what}'
                        )
    return None


def _bare(state: Any, memos: frozenset[str]) -> Any:
    """Return a copy of a state without its generators."""
    held = [thing for _, thing in parts(state, '', memos) if next(others_like(thing), None)]
    return copy.deepcopy(state, {id(thing): 'a generator' for thing in held})


def others_like(thing: Any) -> Iterator[Any]:
    """Yield other generators of the kind of `thing`; none if it is not a generator.

    Generators are the library's, or those of Python or NumPy.
    """
    kind, numpy_random = type(thing), sys.modules.get('numpy.random')
    for seed in range(OTHERS):
        if isinstance(thing, random.Random) or (
            numpy_random is not None and isinstance(thing, numpy_random.RandomState)
        ):
            yield kind(seed)
        elif numpy_random is not None and isinstance(thing, numpy_random.Generator):
            yield kind(type(thing.bit_generator)(seed))
        elif all(callable(getattr(thing, name, None)) for name in METHODS):
            yield thing.child(seed)


@law(
    'equal by value',
    'The same moves from the same start lead to equal states with equal members.',
)
def equal_by_value(case: Case) -> str | None:
    for move, one, two in _twice(case, FEW):
        # What a move leads to is looked at with its own case; here equality is what counts.
        other = None if move else differences(look(one), look(two))
        if other:
            return f'the same moves lead to two states with {other}'
        if not equal(one, two) or one != two:  # `__ne__` may be the user's own
            left, right = shown(one, 80), shown(two, 80)
            both = f'twice {left}' if left == right else f'{left} and {right}'
            made = f'{move}, played twice, gives' if move else 'the same moves lead to two'
            return f'{made} states that are not equal: {both}'
    return None


@law('hashed by value', 'States have hashes; equal states have equal ones.')
def hashed_by_value(case: Case) -> str | None:
    for move, one, two in _twice(case, FEW):
        if hash_of(one) != hash_of(two):
            made = f'{move}, played twice, gives' if move else 'the same moves lead to two'
            return f'{made} states with different hashes'
    return None


@law(
    'states differ',
    'No state equals an earlier one of its line with no chance in between, as the game could go '
    'round for ever, nor a value of another type.',
)
def states_differ(case: Case) -> str | None:
    for other in (None, 'a state'):
        try:
            same = bool(case.state == other)
        except Exception as error:  # noqa: BLE001 - the user's code may raise anything
            return f'comparing the state with {shown(other)} {raised(error)}'
        if same:
            return f'the state equals {shown(other)}'
    for back, earlier in enumerate(reversed(case.path[:-1][-LAST:]), 1):
        if look(earlier.state).chances:  # chance ends what goes round, sooner or later
            break
        if equal(case.state, earlier.state):
            which = f'{back} plies before it' if back > 1 else 'before it'
            return f'the state equals the one {which}'
    return None


@law(
    'equal states are alike',
    'Equal states have the same player, moves, end, winner and hash, whatever led to them, and so '
    'do the states after the same move.',
)
def equal_states_are_alike(case: Case) -> Answer:
    """Compare with the cases that have an equal state."""
    met, pairs = case.met, 0
    # Not by a dictionary alone: there equal states with different hashes never meet.
    others = {id(other): other for other in (*_exchanged(case), *met.recent)}
    first = met.first.setdefault(case.state, case)
    met.recent.append(case)
    for one in {**others, id(first): first}.values():
        if not equal(case.state, one.state) or same(case.line, one.line):
            continue
        pairs += 1
        other = differences(look(case.state), look(one.state))
        if other is None and hash_of(case.state) != hash_of(one.state):
            other = 'another hash'
        for move in few(playable(case.state), AGAIN) if other is None else ():
            other = differences(look(play(case.state, move)), look(play(one.state, move)))
            if other is not None:
                other = f'{other} after {shown(move)}'
                break
        if other is not None:
            moves = ', '.join(map(shown, one.line))
            return f'the state equals that after [{moves}], but they have {other}'
    return None if pairs else Unchecked('no two lines led to equal states')


def _exchanged(case: Case) -> Iterator[Case]:
    """Yield the cases reached if the last ply and an earlier one are exchanged, where legal."""
    path, line = case.path, case.line
    for back in range(2, min(EXCHANGED, len(line)) + 1):
        first, *between, last = line[-back:]
        other: Case | None = path[-back - 1]
        for move in (last, *between, first):
            if other is not None:
                legal = any(equal(move, option) for option in other.options)
                other = stepped(other, move) if legal else None
        if other is not None:
            yield other


def importable(kind: type) -> bool:
    """Return whether a class is found under its name in its module, as pickles need it."""
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split('.'):
        found = getattr(found, name, None)
    return found is kind


@law('states pickle', 'A pickled state comes back equal, with the same hash and moves.')
def states_pickle(case: Case) -> Answer:
    kind = case.game.kind
    try:
        made = pickle.loads(pickle.dumps(case.state))  # noqa: S301 - its own bytes
    except Exception:
        if importable(kind):
            raise
        return Unchecked(f'{kind.__qualname__} is not a name in a module, which pickles need')
    return _copied(case, made, 'unpickled')


@law('states copy', '`copy.deepcopy` gives an equal state with the same hash and moves.')
def states_copy(case: Case) -> str | None:
    return _copied(case, copy.deepcopy(case.state), 'copied')


def _copied(case: Case, made: Any, how: str) -> str | None:
    """Return how a state differs from another made from it, in words."""
    state = case.state
    if type(made) is not type(state):
        return f'the {how} state is a {type(made).__name__}, not a {type(state).__name__}'
    other = differences(look(state), look(made))
    if other:
        return f'the state and the {how} one have {other}'
    if not equal(state, made):
        both = f'{shown(state, 80)} and {shown(made, 80)}'
        return f'the {how} state is not equal to the one it was made of: {both}'
    if hash_of(state) != hash_of(made):
        return f'the {how} state has another hash'
    return None


@law(
    'a subclass stays itself',
    '`play` gives a state of the same class, also in a subclass, where there is one.',
)
def a_subclass_stays_itself(case: Case) -> Answer:
    kind = type(case.state)
    if not any(map(importable, case.game.kind.__subclasses__())):
        return Unchecked(f'{case.game.kind.__name__} has no subclass')
    if case.game.memos:
        return Unchecked('what states remember would be taken over')
    try:
        twin = subclassed(case.state)
    except Exception as error:  # noqa: BLE001 - a class may refuse in any way
        return Unchecked(f'no subclass of {kind.__name__} can be made: that {raised(error)}')
    for move in few(playable(case.state), 4):
        after = play(twin, move)
        if type(after) is not type(twin):
            return (
                f'in a subclass of {kind.__name__}, playing {shown(move)} gives a '
                f'{type(after).__name__}'
            )
    return None


def subclassed(state: Any) -> Any:
    """Return the state as one of a subclass that adds nothing."""
    kind = type(state)
    sub = type(f'SubclassOf{kind.__name__}', (kind,), {'__slots__': (), '__module__': __name__})
    twin = copy.copy(state)
    object.__setattr__(twin, '__class__', sub)
    return twin
