"""`Evaluation`: what an evaluator says of a position, and what it cost; budgets of these."""

from __future__ import annotations

import math
from collections.abc import Hashable
from operator import attrgetter
from typing import Any, Final, NamedTuple

from attrs import evolve, field, fields, frozen
from attrs.validators import optional

from fmcts._arguments import is_number, is_row, shown
from fmcts._promises import rewards_of
from fmcts._validators import as_count, as_float, count_from_zero, finite, must_be
from fmcts.errors import IllegalMoveError, MethodError
from fmcts.game import chances_of, equal, given_winner, reward
from fmcts.search.methods import Method
from fmcts.search.networks import Answer, Expected, Remarks, answer_of, tuples


def _numbers(given: Any) -> Any:
    """Convert a row of numbers, of any library, to a tuple; leave anything else for the check."""
    listed = getattr(given, 'tolist', None)
    given = given if listed is None else listed()
    return tuple(given) if isinstance(given, list) else given


_moves: Final = must_be('a tuple or list of moves', lambda value: isinstance(value, tuple))
_text: Final = must_be('a text', lambda value: isinstance(value, str))
_texts: Final = must_be(
    'a tuple or list of texts',
    lambda value: isinstance(value, tuple) and all(isinstance(one, str) for one in value),
)


@frozen
class Evaluation:
    """An evaluator's answer about a position.

    - `value`: what it is worth to the side to move, from 0 to 1; in a game with rewards or other
      players a tuple with a number for each of them, for one player also the number. `None` if the
      evaluator does not know: the search takes the value that its method gives a move without
      visits.
    - `priors`: a number for each of the state's moves, in order, as of a network; `None`: all
      alike.
    - `proposals`: where a state does not list its moves, those to try, of which `priors` are then;
      equal ones are one move, with the sum of their priors.
    - `end`: a finished state, the end of a playout from there, in place of a value.
    - `cost`, `seconds`, `notes` and `sources`: kept as they are, in histories and receipts too.
      Budgets add up the first two.

    >>> Evaluation(0.75, cost=0.002, notes='two pairs are left')
    Evaluation(value=0.75, priors=None, proposals=None, end=None, cost=0.002, seconds=0.0, \
notes='two pairs are left', sources=())
    """

    value: float | tuple[float, ...] | None = field(default=None, converter=_numbers)
    priors: tuple[float, ...] | None = field(default=None, converter=_numbers)
    proposals: tuple[Any, ...] | None = field(
        default=None, kw_only=True, converter=tuples, validator=optional(_moves)
    )
    end: Any = field(default=None, kw_only=True)
    cost: float = field(default=0.0, kw_only=True, converter=as_float, validator=finite)
    seconds: float = field(default=0.0, kw_only=True, converter=as_float, validator=finite)
    notes: str = field(default='', kw_only=True, validator=_text)
    sources: tuple[str, ...] = field(default=(), kw_only=True, converter=_numbers, validator=_texts)


def evaluation_of(given: Any) -> Evaluation:
    """Return what an evaluator returned as an `Evaluation`.

    A number, or a tuple with one for each player, is a value; a pair is `(priors, value)`; a
    finished state is the end of a playout; `None` means that the evaluator does not know.

    :raises MethodError: it is something else.
    """
    if isinstance(given, Evaluation):
        return given
    if given is None or is_number(given):
        return Evaluation(given)
    if isinstance(given, tuple) and given and all(map(is_number, given)):
        return Evaluation(given)
    if isinstance(given, tuple) and len(given) == 2 and is_row(given[0]):
        return Evaluation(given[1], given[0])
    if hasattr(given, 'over'):
        return Evaluation(end=given)
    raise MethodError(
        f'an answer must be an Evaluation, a value, a pair (priors, value), a finished state or '
        f'None, not {shown(given)}'
    )


NAMES: Final = tuple(it.name for it in fields(Evaluation))
values_of: Final = attrgetter(*NAMES)
"""The values of an evaluation as a tuple, of which `evaluation_again` makes an equal one."""


def evaluation_again(values: tuple[Any, ...]) -> Evaluation:
    """Return the evaluation that has these values."""
    return Evaluation(**dict(zip(NAMES, values, strict=True)))


def checked(
    given: Evaluation, request: Any, method: Method, expected: Expected
) -> tuple[Evaluation, Answer]:
    """Return an evaluation for a request, with a value in place of `end`, and the search's answer.

    :raises MethodError: it is not an answer about this state.
    """
    state, subject = request.state, f'the answer to request {request.id}'
    seats = expected.seats
    if given.end is not None:
        if given.value is not None or not getattr(given.end, 'over', False):
            raise MethodError(f'{subject} must have a finished state as its end, and no value')
        worth: Any = rewards_of(given.end) if seats else None
        if not seats:
            worth = reward(given_winner(given.end), state.player)
        given = evolve(given, end=None, value=worth)
    moves, priors = _options(given, state, subject)
    value: Any = given.value
    if seats:
        value = (0.5,) * seats if value is None else value
        value = (value,) if seats == 1 and is_number(value) else value
    elif value is None:  # what the method expects of a move without visits, for who moved there
        first = min(getattr(method, 'first_play', 0.5), 1.0)
        value = first if request.mover == state.player else 1.0 - first
    answer = answer_of(subject, state, moves, priors, value, expected)
    if given.proposals is not None:
        answer = answer._replace(moves=moves)
    if given.cost or given.seconds or given.notes or given.sources:
        remarks = Remarks(given.cost, given.seconds, given.notes, given.sources)
        return given, answer._replace(remarks=remarks)
    return given, answer


def unlisted(state: Any) -> bool:
    """Return whether a player moves in a state that does not list its moves."""
    return not (state.moves or state.over or chances_of(state))


def _options(given: Evaluation, state: Any, subject: str) -> tuple[tuple[Any, ...], Any]:
    """Return the moves of a state, or the different ones of those proposed, and their priors.

    :raises MethodError: no moves are proposed where none are listed, or the other way round; or a
        proposal has no prior, is not legal, or does not equal itself.
    """
    moves, proposals, priors = state.moves, given.proposals, given.priors
    hidden = not moves and unlisted(state)
    if not proposals if hidden else proposals is not None:
        must = 'propose at least one move' if hidden else 'not propose moves'
        raise MethodError(
            f'{subject} must {must}: the state {"does not list" if hidden else "lists"} its moves'
        )
    moves = proposals or moves
    if priors is None:
        priors = (1.0 / max(len(moves), 1),) * len(moves)
    if not hidden:
        return moves, priors
    priors = tuple(priors) if is_row(priors) else ()
    if len(priors) != len(moves) or not all(map(is_number, priors)):
        raise MethodError(f'{subject} must have a prior for each of {len(moves)} proposals')
    sums: dict[Any, float] = {}
    for move, prior in zip(moves, priors, strict=True):
        if not (isinstance(move, Hashable) and equal(move, move)):
            raise MethodError(f'{subject} must propose hashable moves that equal themselves')
        try:
            state.play(move)
        except IllegalMoveError as error:
            raise MethodError(f'{subject} proposes {error}') from None
        except Exception as error:  # as a user's `play` says that it cannot read a move
            raise MethodError(
                f'{subject} proposes illegal move {shown(move)}: {error!r}'
            ) from error
        sums[move] = sums.get(move, 0.0) + prior
    # A move proposed twice is one move, with the sum of its priors.
    return tuple(sums), (*sums.values(),)


# ---- budgets ----


class Spent(NamedTuple):
    """The cost of answers: their number, and the sums of their `cost` and `seconds`."""

    calls: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    def plus(self, cost: float, seconds: float) -> Spent:
        """Return the sums with one more answer."""
        return Spent(self.calls + 1, self.cost + cost, self.seconds + seconds)


@frozen
class Budget:
    """A limit on what a search asks for; it reads the answers only, never a clock.

    At most `calls` requests are made. No more are made once the answers that were backed up have
    cost `cost`, or have taken `seconds`; those in flight by then are still answered and backed up.
    """

    calls: int | None = field(
        default=None, kw_only=True, converter=as_count, validator=optional(count_from_zero)
    )
    cost: float | None = field(
        default=None, kw_only=True, converter=as_float, validator=optional(finite)
    )
    seconds: float | None = field(
        default=None, kw_only=True, converter=as_float, validator=optional(finite)
    )

    def calls_left(self, made: int, spent: Spent) -> float:
        """Return how many requests may be made, after `made` and what their answers cost."""
        if (self.cost is not None and spent.cost >= self.cost) or (
            self.seconds is not None and spent.seconds >= self.seconds
        ):
            return 0
        return math.inf if self.calls is None else self.calls - made
