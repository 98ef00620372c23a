"""Networks: one function that gives priors and values for many states at once.

`Search(network=f, batch=64)` collects up to 64 positions and calls `f` once for all of them:
`f(states) -> (priors, values)`. The answers are checked here, and rounded to multiples of
`GRID`, so that what differs between machines in the last bits of a product of matrices changes a
search only where it crosses the middle between two multiples.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Final, NamedTuple, TypeAlias

from fmcts._arguments import amount, shown
from fmcts._extras import loaded
from fmcts._promises import limits_of
from fmcts.errors import MethodError
from fmcts.game import Player, has_rewards, players_of
from fmcts.rules import OnPositions, fields_of, rules_of

GRID: Final = 2.0**-20
"""Priors and values are multiples of it."""

_EXACT: Final = 2.0**31
_SHIFT: Final = 1.5 * 2.0**52 * GRID
"""Added to a number from 0 to `_EXACT`, it gives a multiple of `GRID`, rounded by IEEE 754."""

_WRAP: Final = 1 << 64
_X: Final = Player.X  # an attribute of an enumeration takes longer to read
_LARGE: Final = 2.0**1000  # a larger prior is infinite in multiples of the grid


class Remarks(NamedTuple):
    """An evaluator's additions to an answer; no search depends on them.

    >>> str(Remarks(0.002, 1.5, '6 * 4 is left', ('page 3',)))
    '6 * 4 is left (cost 0.002; 1.5 s; page 3)'
    """

    cost: float = 0.0
    seconds: float = 0.0
    notes: str = ''
    sources: tuple[str, ...] = ()

    def __str__(self) -> str:
        facts = [f'cost {self.cost:g}'] if self.cost else []
        facts += [f'{self.seconds:g} s'] if self.seconds else []
        told = '; '.join((*facts, *self.sources))
        return f'{self.notes} ({told})'.strip() if told else self.notes


class Answer(NamedTuple):
    """A network's output for one state.

    `priors`: a number for each of its moves, in their order. `for_x`: the value for X, from 0 to 1;
    in a game with rewards or other players, a tuple with that of each player. `moves`: those that
    an evaluator proposes where the state lists none.
    """

    priors: tuple[float, ...]
    for_x: Any
    remarks: Remarks | None = None
    moves: tuple[Any, ...] | None = None

    def moves_of(self, state: Any) -> tuple[Any, ...]:
        """Return the moves that the priors are of."""
        return state.moves if self.moves is None else self.moves


class Answering:
    """A network whose answers are checked and rounded already, one for each state.

    Histories keep what a network says, and repeat it later.
    """

    def __call__(self, states: Sequence[Any]) -> list[Answer]:
        """Return the answers."""
        raise NotImplementedError


class Expected(NamedTuple):
    """What a game expects of answers about its states.

    `seats`: how many numbers a value has, one for each player of a game with rewards; else 0.
    `limits`: the least and the greatest. `keys`: those of the moves by the game's rules, `None` if
    there are no rules.
    """

    seats: int = 0
    limits: tuple[float, float] = (0.0, 1.0)
    keys: int | None = None


_WINNER: Final = Expected()
"""What a game of two players expects that has a winner, and no rules."""


def expected_of(state: Any) -> Expected:
    """Return what the game of a state expects."""
    rules = rules_of(state)
    seats = len(players_of(state)) if has_rewards(state) else 0
    return Expected(seats, limits_of(state), None if rules is None else rules.keys)


_LARGE_VALUE: Final = 2.0**32
"""Values from here on are not rounded."""

Network: TypeAlias = Callable[[Any], tuple[Any, Any]] | OnPositions | Answering
"""`f(states) -> (priors, values)`, or `OnPositions(f)` of a function of an array of integers."""


def rounded(number: float) -> float:
    """Return the multiple of `GRID` nearest to a number; in the middle between two, the even one.

    >>> rounded(0.1) == 104858 / 2**20, rounded(0.5)
    (True, 0.5)
    """
    return round(number / GRID) * GRID


def tuples(given: Any) -> Any:
    """Return lists, as moves are written in JSON, as tuples; anything else as it is."""
    return tuple(map(tuples, given)) if isinstance(given, list | tuple) else given


def answers_of(
    network: Network, states: Sequence[Any], moves: Sequence[Sequence[Any]] | None = None
) -> list[Answer]:
    """Return what a network says of each state, checked and rounded: one call.

    None of the states is over. `moves` are the legal moves of each, if they are known.

    :raises MethodError: the network does not answer as it should; the message says how.
    :raises ValueError: it is one of positions, and the states declare no rules on integers.
    """
    if isinstance(network, Answering):
        return network(states)
    if isinstance(network, OnPositions):
        given = network.function(positions_of(states))
    else:
        given = network([*states])
    expected = expected_of(states[0])
    arrays = None if expected.seats else as_arrays(given, len(states))
    if arrays is None:
        rows, values = as_rows(network, given, len(states), expected)
    else:
        rows, values = (array.tolist() for array in arrays)
    if moves is None:
        moves = [state.moves for state in states]
    return [
        _answer(network, state, legal, row, value, expected)
        for state, legal, row, value in zip(states, moves, rows, values, strict=True)
    ]


def answer_of(
    subject: Any, state: Any, moves: Sequence[Any], priors: Any, value: Any, expected: Expected
) -> Answer:
    """Return what was said of one state with these moves, checked and rounded.

    `subject` is the network, or what errors say in its place.
    """
    row, value = _row(subject, priors), _value(subject, value, expected)
    return _answer(subject, state, moves, row, value, expected)


def _answer(
    network: Network,
    state: Any,
    moves: Sequence[Any],
    row: list[float],
    value: Any,
    expected: Expected,
) -> Answer:
    priors = _priors(network, row, state, moves, expected.keys)
    # Networks speak for the side to move; trees add up for X.
    return Answer(priors, value if expected.seats or state.player is _X else 1.0 - value)


def positions_of(states: Sequence[Any]) -> Any:
    """Return an array of 64-bit integers: a row for each state, the fields of its position.

    A field beyond 2**63 is what the same bits are as a signed number.

    :raises ValueError: the states declare no rules on integers.
    :raises MissingLibraryError: NumPy is not installed.
    """
    numpy = loaded('numpy', 'a network on positions needs', 'fmcts[fast]', 'NumPy')
    rules = rules_of(states[0])
    if rules is None:
        raise ValueError(f'{type(states[0]).__name__} declares no rules on integers')
    packed = [rules.pack(state) for state in states]
    kind = type(packed[0])
    plain = {*map(type, packed)} == {kind} and hasattr(kind, '_fields')
    # Nearly all positions are tuples of plain integers, which NumPy converts in one call.
    if plain and {*map(type, chain.from_iterable(packed))} == {int}:
        with suppress(OverflowError):  # a field beyond 2**63
            return numpy.array(packed, dtype=numpy.int64)
    rows = [fields_of(position) for position in packed]
    signed = [[field if field < _WRAP // 2 else field - _WRAP for field in row] for row in rows]
    return numpy.array(signed, dtype=numpy.int64)


def as_rows(
    network: Network, given: Any, count: int, expected: Expected = _WINNER
) -> tuple[list[list[float]], list[Any]]:
    """Return the rows of priors as floats and the values as rounded ones, `count` of each.

    With `seats`, a value is a tuple of their number; of one, it may be the number itself.

    :raises MethodError: they are something else.
    """
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise _wrong(network, f'must return a pair (priors, values), not {shown(given)}')
    priors, values = (_listed(part) for part in given)
    for one, many, part in (
        ('row of priors', 'rows of priors', priors),
        ('value', 'values', values),
    ):
        if not isinstance(part, list):
            raise _wrong(network, f'gave {shown(part)}: expected {many}, one for each state')
        if len(part) != count:
            gave = amount(len(part), one, many)
            raise _wrong(network, f'gave {gave} for {amount(count, "state")}')
    return [_row(network, row) for row in priors], [_value(network, it, expected) for it in values]


def as_arrays(given: Any, count: int) -> tuple[Any, Any] | None:
    """Return priors and rounded values as arrays of NumPy, if they are `count` arrays of one width.

    `None` if they are anything else, or wrong: `as_rows` converts them, or says what is wrong.
    """
    arrays = shaped(given, count)
    if arrays is None:
        return None
    numpy: Any = sys.modules['numpy']
    priors, values = arrays
    least, most = numpy.minimum.reduce, numpy.maximum.reduce
    priors = numpy.ascontiguousarray(priors, dtype=numpy.float64)
    # Written so that NaN, of which every comparison is false, is refused too.
    if not (least(priors, None) >= 0.0 and most(priors, None) < _LARGE):
        return None
    values = numpy.add(values, 0.0, dtype=numpy.float64)  # no zero is negative
    if not (least(values) >= 0.0 and most(values) <= 1.0):
        return None
    # `rint` rounds a half to the even multiple, as `round` does in `rounded`.
    return priors, numpy.rint(values / GRID) * GRID


def shaped(given: Any, count: int) -> tuple[Any, Any] | None:
    """Return priors and values if they are `count` numbers in arrays; else `None`.

    Arrays of other libraries become arrays of NumPy, without a copy where both share memory.
    """
    array = getattr(sys.modules.get('numpy'), 'ndarray', None)  # absent while a thread loads it
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        return None
    priors, values = (_array(each) for each in given) if array is not None else given
    if type(priors) is not array or type(values) is not array:  # a subclass may mask
        return None
    if priors.dtype.kind not in 'fiu' or values.dtype.kind not in 'fiu':
        return None
    if priors.ndim != 2 or not priors.size or len(priors) != count or values.shape != (count,):
        return None
    return priors, values


def _array(given: Any) -> Any:
    """Return an array of another library as one of NumPy; anything else as it is."""
    if hasattr(given, '__array__') and not isinstance(given, sys.modules['numpy'].ndarray):
        with suppress(
            TypeError, ValueError, RuntimeError
        ):  # torch's on a device, or with gradients
            return given.__array__()
    return given


def _listed(given: Any) -> Any:
    """Return an array of any library as nested lists, and a tuple as a list."""
    if isinstance(given, tuple):
        return [*given]
    listed = getattr(given, 'tolist', None)
    return given if listed is None else listed()


def _row(network: Network, given: Any) -> list[float]:
    row = _listed(given)
    if not isinstance(row, list):
        raise _wrong(network, f'gave the priors {shown(given)}: expected a row of numbers')
    try:
        if not row or min(row) >= 0.0:
            numbers = [*map(float, row)]
            total = sum(numbers)  # NaN spreads to it
            if total < _LARGE or (total < math.inf and max(numbers) < _LARGE):
                return numbers
    except (TypeError, ValueError, OverflowError):
        pass
    raise _wrong(network, f'gave the priors {shown(given)}: expected finite numbers of at least 0')


def _value(network: Network, given: Any, expected: Expected) -> Any:
    seats, (least, most), _ = expected
    if seats:
        numbers = _listed(given)
        row = [numbers] if seats == 1 and not isinstance(numbers, list) else numbers
        if isinstance(row, list) and len(row) == seats:
            return tuple(_value(network, number, expected._replace(seats=0)) for number in row)
        within = 'finite' if most > 1.0 else 'from 0 to 1'
        raise _wrong(
            network,
            f'gave the value {shown(given)}: expected {amount(seats, "number")} {within}, '
            'one for each player',
        )
    try:
        if least <= given <= most:
            number = float(given)
            return rounded(number) if abs(number) < _LARGE_VALUE else number
    except (TypeError, ValueError):
        pass
    if most > 1.0:
        raise _wrong(network, f'gave the value {shown(given)}: expected a finite number')
    raise _wrong(
        network,
        f'gave the value {shown(given)}: expected a number from 0, the side to move loses, '
        'to 1, it wins',
    )


def _priors(
    network: Network, row: list[float], state: Any, moves: Sequence[Any], keys: int | None
) -> tuple[float, ...]:
    """Return the rounded numbers of a state's moves; of a row by key, in proportion to their sum.

    `keys` are those of the game's rules, `None` if there are no rules. Of positions a row with a
    number for each key is by key, also if as many moves are legal.
    """
    count, width = len(moves), len(row)
    if not count:  # chance moves there
        return ()
    # A row as long as the moves is by move, unless it is by key and all keys happen to be legal.
    if width == count and (width != keys or not isinstance(network, OnPositions)):
        if sum(row) < _EXACT:
            return tuple([number + _SHIFT - _SHIFT for number in row])  # as `rounded`, but faster
        return tuple(map(rounded, row))
    if width < count or (keys is not None and width != keys):
        raise wrong_width(network, width, count)
    key = getattr(type(state), 'key', None)
    chosen, total = [], 0.0
    for place in moves if key is None else [key(state, move) for move in moves]:
        if type(place) is not int or not 0 <= place < width:
            raise wrong_width(network, width, count)
        number = row[place]
        chosen.append(number)
        total += number
    # A network that gives all its share to illegal moves says nothing of the legal ones.
    if not total:
        return (rounded(1.0 / count),) * count
    return tuple([rounded(number / total) for number in chosen])


def wrong_width(network: Network | None, width: int, moves: int) -> MethodError:
    """Return the error for a row of priors of that width; the caller raises it."""
    return _wrong(
        network,
        f'gave {amount(width, "prior")} for a state with {amount(moves, "move")}: '
        'expected one for each move, '
        'or a longer row with one for each key that a move can have',
    )


def _wrong(network: Network | None, how: str) -> MethodError:
    function: Any = network.function if isinstance(network, OnPositions) else network
    if not isinstance(function, str):
        function = f'the network {getattr(function, "__name__", type(function).__name__)}'
    return MethodError(f'{function} {how}')
