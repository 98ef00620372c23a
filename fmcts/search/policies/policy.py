"""The base class of playout policies, how a random game chooses its next move; and the simplest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, TypeAlias

from attrs import field, frozen

from fmcts._arguments import is_sequence, shown
from fmcts._validators import a_function
from fmcts.errors import MethodError
from fmcts.rng import SplitMix
from fmcts.search.memory import Recalled, Table

Draw: TypeAlias = Callable[[int], int]
"""`draw(count)`: an index below `count`, from the search's generator."""

Choose: TypeAlias = Callable[[Recalled, Any, Sequence[Any], Draw], Any]
"""`choose(recalled, state, moves, draw)`: one of the moves."""

SEEDS: Final = 1 << 62


@frozen
class Policy:
    """A playout policy, written once for all engines in Python.

    A frozen value. Its `numbers` are arguments of its machine code, if it can be compiled
    (`fmcts._linked.searches`). `memories` are the tables that it uses. `name` is the name of a
    policy of this library in `POLICIES`.
    """

    name: ClassVar[str] = ''
    memories: ClassVar[tuple[Table, ...]] = ()

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:  # noqa: ARG002 - its subclasses use them
        """Return one of `moves`, which are all legal moves of `state`: at least one.

        :raises MethodError: a user's function returns none of them.
        """
        raise TypeError(f'the playout policy {type(self).__name__} has no choose')

    def chooser(self) -> Choose:
        """Return a function that chooses a move, given what playouts remember, which it may use.

        It is made once for a search.
        """
        return lambda _recalled, state, moves, draw: self.choose(state, moves, draw)

    @property
    def simplified(self) -> Policy:
        """The policy without parts that change nothing."""
        return self

    @property
    def numbers(self) -> tuple[float, ...]:
        """The run-time parameters of its machine code."""
        return ()

    @property
    def leaves(self) -> tuple[Policy, ...]:
        """The policies that it consists of: itself, if it has no parts."""
        return (self,)


@frozen
class Uniform(Policy):
    """A policy under which all legal moves are equally likely."""

    name = 'uniform'

    def choose(self, _state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """Return a random move, with one draw."""
        return moves[draw(len(moves))]


@frozen
class ByBot(Policy):
    """A policy that plays the moves of `bot`, a function `(state, rng) -> (move, rng)`.

    The bot receives a new generator for each move, `SplitMix.from_seed` of one number drawn from
    the search's generator, so that it may draw any amount.
    """

    bot: Callable[[Any, Any], tuple[Any, Any]] = field(validator=a_function)

    def choose(self, state: Any, moves: Sequence[Any], draw: Draw) -> Any:
        """Return the bot's move.

        :raises MethodError: it is not legal.
        """
        given: Any = self.bot(state, SplitMix.from_seed(draw(SEEDS)))
        pair = is_sequence(given) and len(given) == 2
        if not pair or given[0] not in moves:
            name = getattr(self.bot, '__name__', None) or type(self.bot).__name__
            raise MethodError(
                f'the bot {name} of the playouts must return one of the legal moves '
                f'{shown(moves)}{"" if pair else " and a generator"}, '
                f'not {shown(given[0] if pair else given)}'
            )
        return given[0]
