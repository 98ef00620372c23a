"""Laws of states as values: nothing changes them, and equal moves give equal states."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from fmcts._arguments import shown
from fmcts.game import equal
from fmcts.testing._laws.cases import (
    Case,
    differences,
    few,
    hash_of,
    look,
    moves_of,
    named,
    play,
    playable,
    same,
)
from fmcts.testing._laws.exploring import reached
from fmcts.testing._laws.law import Law, OtherwiseError, raised
from fmcts.testing._laws.pictures import Picture, changes, picture, unlike
from fmcts.testing._laws.recording import others_like

LAST: Final = 16
"""The number of earlier states that are checked with a position."""

EXCHANGED: Final = 5
"""The number of last plies in which two are exchanged, to reach an equal state in another way."""

FIRST: Final = 8
AGAIN: Final = 4
"""To find chance, how many moves are played, and how often at the start; elsewhere twice. And how
many moves are played in two equal states.
"""


def replayed(case: Case) -> Any:
    """Return the state that the moves of the line lead to from a fresh start."""
    state = case.game.fresh()
    for move in case.line:
        state = play(state, move)
    return state


def _pure(case: Case) -> str | None:
    """Play the line again and watch for changes from the beginning."""
    game, line = case.game, case.line
    state = game.fresh()
    pictures = []
    for plies, move in enumerate([*line, None]):
        look(state)  # later accesses may use what the first one caches
        _hashed(state)
        if len(line) - plies < LAST:
            pictures.append((plies, picture(state, type(state).__name__, game.memos)))
        if plies < len(line):
            state = play(state, move)
    found = _changed_here(state, pictures[-1][1], game.memos)
    if found:
        return found
    for plies, before in reversed(pictures):
        for change in changes(before, game.memos):
            return f'what is played here changes the state after {plies} plies: {change}'
    return None


def _changed_here(state: Any, before: Picture, memos: frozenset[str]) -> str | None:
    seen, hashed = look(state), _hashed(state)
    steady = hashed == _hashed(state)  # otherwise another law reports it
    for move in few(moves_of(state)):
        with suppress(OtherwiseError):  # another law reports it
            play(state, move)
        other = next(changes(before, memos), None) or differences(seen, look(state))
        if other is None and steady and hashed != _hashed(state):
            other = 'it has another hash'
        if other:
            return f'playing {named(move)} changes the state that it is played in: {other}'
    return None


def _hashed(state: Any) -> int | None:
    """Return the hash of a state, or `None`: another law checks that it has one."""
    try:
        return hash_of(state)
    except OtherwiseError:
        return None


def _no_chance(case: Case) -> str | None:
    """Compare states that the same moves lead to: the moves of the line, and one more.

    More is played at the start, so that dice are usually found there.
    """
    memos = case.game.memos
    if case.line and (what := _other_state(case.state, replayed(case), memos)):
        return f'played again, the same moves lead to another state: {what}'
    for move in few(playable(case.state), FIRST):
        with suppress(OtherwiseError):  # another law reports it
            first, *others = (play(case.state, move) for _ in range(2 if case.line else AGAIN))
            found = (_other_state(first, other, memos) for other in others)
            if what := next(filter(None, found), None):
                return f'played again, {named(move)} leads to another state: {what}'
    return None


def _generator(case: Case) -> str | None:
    """Replace generators that the state holds, and see whether moves lead to other states."""
    state, memos = case.state, case.game.memos
    for thing, _, way in picture(state, type(state).__name__, memos):
        for other in others_like(thing):
            with suppress(Exception):  # what cannot be copied or played another law reports
                twin = copy.deepcopy(state, {id(thing): other})
                for move in few(playable(state), FIRST) if look(twin) == look(state) else ():
                    one, two = play(state, move), play(twin, move)
                    what = differences(look(one), look(two)) or _unlike_beside(one, two, memos)
                    if what is not None:
                        return (
                            'play draws from a generator in the state: use chances; with another '
                            f'{type(thing).__name__} as {way}, {named(move)} leads to another '
                            f'state: {what}'
                        )
    return None


def _unlike_beside(one: Any, two: Any, memos: frozenset[str]) -> str | None:
    """Return how two states differ beside their generators."""
    bare = []
    for state in (one, two):
        parts = [thing for thing, _, _ in picture(state, '', memos)]
        held = {id(part): 'a generator' for part in parts if next(others_like(part), None)}
        bare.append(copy.deepcopy(state, held))
    return unlike(bare[0], bare[1], type(one).__name__, memos)


def _other_state(one: Any, two: Any, memos: frozenset[str]) -> str | None:
    """Return how a state differs from one that the same moves led to, unless they are equal."""
    other = differences(look(one), look(two))
    if other is not None:
        return f'the two have {other}'
    return None if equal(one, two) else unlike(one, two, type(one).__name__, memos)


def _equal(case: Case) -> str | None:
    state, again = case.state, replayed(case)
    other = differences(look(state), look(again))
    if other:
        return f'the same moves lead to two states with {other}'
    if not equal(state, again) or state != again:
        return f'the same moves lead to two states that are not equal: {_both(state, again)}'
    for move in few(playable(state)):
        one, two = play(state, move), play(state, move)
        if not equal(one, two) or one != two:
            return (
                f'{named(move)}, played twice, gives states that are not equal: {_both(one, two)}'
            )
    return None


def _both(one: Any, two: Any) -> str:
    left, right = shown(one, 80), shown(two, 80)
    return f'twice {left}' if left == right else f'{left} and {right}'


def _hash(case: Case) -> str | None:
    if hash_of(case.state) != hash_of(replayed(case)):
        return 'the same moves lead to two states with different hashes'
    for move in few(playable(case.state)):
        if hash_of(play(case.state, move)) != hash_of(play(case.state, move)):
            return f'{named(move)}, played twice, gives states with different hashes'
    return None


def _different(case: Case) -> str | None:
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


def _alike(case: Case) -> str | None:
    """Compare with the cases that have an equal state."""
    met = case.met
    others = {id(other): other for other in (*_exchanged(case), *met.recent)}
    first = met.first.setdefault(case.state, case)
    met.recent.append(case)
    for one in {**others, id(first): first}.values():
        if not equal(case.state, one.state) or same(case.line, one.line):
            continue
        met.pairs += 1
        other = differences(look(case.state), look(one.state))
        if other is None and hash_of(case.state) != hash_of(one.state):
            other = 'another hash'
        for move in few(playable(case.state), AGAIN) if other is None else ():
            other = differences(look(play(case.state, move)), look(play(one.state, move)))
            if other is not None:
                other = f'{other} after {named(move)}'
                break
        if other is not None:
            moves = ', '.join(map(named, one.line))
            return f'the state equals that after [{moves}], but they have {other}'
    return None


def _exchanged(case: Case) -> Iterator[Case]:
    """Yield the cases reached if the last ply and an earlier one are exchanged, where legal."""
    path = case.path
    for back in range(2, min(EXCHANGED, len(path) - 1) + 1):
        first, *between, last = [one.move for one in path[-back:]]
        other = reached(path[-back - 1], [last, *between, first], legal=True)
        if other is not None:
            yield other


def importable(kind: type) -> bool:
    """Return whether a class is found under its name in its module, as pickles need it."""
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split('.'):
        found = getattr(found, name, None)
    return found is kind


def pickles(state: Any) -> bool:
    """Return whether a state can be pickled; its class need not be found by its name for that."""
    try:
        pickle.dumps(state)
    except Exception:  # noqa: BLE001 - the user's code may raise anything
        return False
    return True


def has_subclasses(kind: type) -> bool:
    """Return whether a class has subclasses that are found under their names in modules."""
    return any(map(importable, kind.__subclasses__()))


def _pickled(case: Case) -> str | None:
    return _copied(case, pickle.loads(pickle.dumps(case.state)), 'unpickled')  # noqa: S301 - its own bytes


def _deep_copied(case: Case) -> str | None:
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
        return f'the {how} state is not equal to the one it was made of: {_both(state, made)}'
    if hash_of(state) != hash_of(made):
        return f'the {how} state has another hash'
    return None


def _subclass(case: Case) -> str | None:
    twin = subclassed(case.state)
    for move in few(playable(case.state), 4):
        after = play(twin, move)
        if type(after) is not type(twin):
            return (
                f'in a subclass of {type(case.state).__name__}, playing {named(move)} gives '
                f'a {type(after).__name__}'
            )
    return None


def subclassed(state: Any) -> Any:
    """Return the state as one of a subclass that adds nothing."""
    kind = type(state)
    sub = type(f'SubclassOf{kind.__name__}', (kind,), {'__slots__': (), '__module__': __name__})
    twin = copy.copy(state)
    object.__setattr__(twin, '__class__', sub)
    return twin


PICKLING: Final = Law[Case](
    'states pickle', 'A pickled state comes back equal, with the same hash and moves.', _pickled
)
COPYING: Final = Law[Case](
    'states copy',
    '`copy.deepcopy` gives an equal state with the same hash and moves.',
    _deep_copied,
)

PURE: Final = Law[Case](
    'play is pure',
    '`play` gives a new state and leaves the one it is played in, and all before it, as they '
    'were, deeply.',
    _pure,
    basic=True,
)
NO_CHANCE: Final = Law[Case](
    'no chance',
    'The same moves from the same start always lead to the same state: `play` draws no dice and no '
    'cards.',
    _no_chance,
    basic=True,
)
GENERATOR: Final = Law[Case](
    'no generator in the state',
    'With another generator in its place, `play` gives the same state: it draws nothing that a '
    'search would foresee.',
    _generator,
)
SUBCLASS: Final = Law[Case](
    'a subclass stays itself',
    '`play` gives a state of the same class, also in a subclass, where there is one.',
    _subclass,
)

ALIKE: Final = Law[Case](
    'equal states are alike',
    'Equal states have the same player, moves, end, winner and hash, whatever led to them, and so '
    'do the states after the same move.',
    _alike,
)

LAWS_OF_STATES: Final[tuple[Law[Case], ...]] = (
    Law(
        'equal by value',
        'The same moves from the same start lead to equal states that say the same.',
        _equal,
    ),
    Law('hashed by value', 'States have hashes, and those of equal states are equal.', _hash),
    Law(
        'states differ',
        'No state equals an earlier one of its line with no chance in between, as the game could '
        'go round for ever, nor a value of another type.',
        _different,
    ),
    ALIKE,
)
