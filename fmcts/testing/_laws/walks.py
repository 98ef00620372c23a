"""Compare rules on integers, as Python runs them, with the game's own states.

Random games are played by both, ply by ply. The positions visited are yielded, so that compiled
rules can be compared with them. Nothing here needs numba.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

from attrs import frozen

from fmcts._promises import rewards_of
from fmcts.bits import WORD
from fmcts.errors import RulesError
from fmcts.game import GameState, chances_of, given_winner, key_of, options_of, players_of
from fmcts.rng import Rng, SplitMix, thaw
from fmcts.rules import (
    IntegerRules,
    fields_of,
    fits,
    move_itself,
    player_number,
    python_number,
    python_position,
)
from fmcts.search.policies import Patient
from fmcts.search.policies.decisive import is_safe


class Disagreement(Exception):  # noqa: N818 - it is what was found, and no failure of the search
    """The first difference between rules and states, in one line."""


@frozen
class Tried:
    """A move that was played: its index, its integer, and the fields it led to.

    Of an outcome also its weight, else 0.
    """

    index: int
    move: int
    fields: tuple[int, ...]
    weight: int = 0


@frozen
class Ply:
    """A position of a random game, and the rules' answers about it.

    `path`: the moves that lead there. `menu`: an integer, or a `NamedTuple` of integers, of one
    class everywhere. `count` is 0 at the end of a game, `winner` 0 before it. `tried` are the moves
    that were played. `chances` is the sum of the weights where chance moves; `rewards` are those of
    the players at the end of a game with rewards.
    """

    path: tuple[Any, ...]
    fields: tuple[int, ...]
    menu: Any
    side: int
    count: int
    winner: int
    tried: tuple[Tried, ...]
    chances: int = 0
    rewards: tuple[float, ...] = ()


def after_moves(path: tuple[Any, ...]) -> str:
    """Return where a position is in its game, in words.

    >>> after_moves(()), after_moves((3, 2))
    ('at the start', 'after the moves [3, 2]')
    """
    return f'after the moves {list(path)}' if path else 'at the start'


# A brief walk: plies, as many as a game of Othello has; and moves of the first position.
PLIES: Final = 64
FIRST_MOVES: Final = 32

SEED: Final = 1

CHANCES: Final = 2**31 - 1  # the largest sum of the weights, by rules on integers

KINDS: Final = Patient.kinds
MENUS: Final = ('menu', *(name for name, _ in KINDS))


def walk(
    start: GameState[Any], rules: IntegerRules, rng: Rng, *, first_moves: int | None = None
) -> Iterator[Ply]:
    """Yield the plies of random games from `start`, without end.

    All moves of every position are tried; with `first_moves`, that many of the first position and
    those that are drawn.

    :raises Disagreement: (while it runs) rules and states disagree.
    """
    draws = thaw(rng)
    state = start
    path: tuple[Any, ...] = ()
    here = _first(start, rules)
    kind: type | None = None
    while True:
        look = _Look(state, rules, path)
        menu = look.menu(here, kind)
        kind, count = type(menu), look.count(menu)
        if not count:
            yield look.end(here, menu)
            state, path, here = start, (), _first(start, rules)
            continue
        drawn = draws.draw(count)
        few = count if first_moves is None else 0 if path else min(count, first_moves)
        ply, positions = look.moves(here, menu, sorted({drawn, *range(few)}))
        yield ply
        move = options_of(state)[drawn]
        state, path, here = state.play(move), (*path, move), positions[drawn]


def _first(start: GameState[Any], rules: IntegerRules) -> Any:
    look = _Look(start, rules, ())
    look.compare('the number of players', rules.players, len(players_of(start)))
    for name in ('chances', 'rewards'):
        declared = getattr(rules, name) is not None
        look.compare(f'whether there are {name}', declared, hasattr(start, name))
    position = look.ask('pack', rules.pack, start)
    try:
        fields_of(position)
    except RulesError as error:
        raise Disagreement(f'at the start, pack: {error}') from error
    return position


@frozen
class _Look:
    """A state, with the rules' position."""

    state: GameState[Any]
    rules: IntegerRules
    path: tuple[Any, ...]

    def differ(self, what: str) -> Disagreement:
        return Disagreement(f'{after_moves(self.path)}, {what}')

    def compare(self, what: str, interpreted: object, own: object) -> None:
        if interpreted != own:
            name = type(self.state).__name__
            raise self.differ(f'{what}: {interpreted} interpreted, {own} by {name}')

    def ask(self, name: str, rule: Callable[..., Any], *given: Any) -> Any:
        """Return a rule's value.

        :raises Disagreement: it raises an error.
        """
        try:
            return rule(*given)
        except MemoryError:
            raise
        except Exception as error:
            text = str(error).strip().partition('\n')[0]
            said = f'{type(error).__name__}: {text}' if text else type(error).__name__
            raise self.differ(f'{name} raised {said}') from error

    def ask_number(self, name: str, rule: Callable[..., Any], *given: Any) -> int:
        """Return the 64-bit integer that a rule returns."""
        return self.number(name, self.ask(name, rule, *given))

    def number(self, name: str, value: object) -> int:
        """Return the value of a rule as a 64-bit integer."""
        try:
            number = operator.index(python_number(value))
        except TypeError:
            raise self.differ(f'{name} gave {value!r}, which is not an integer') from None
        if not fits(number):
            wider = ' (a menu may be a NamedTuple of integers)' if name in MENUS else ''
            raise self.differ(f'{name} gave {number}, which does not fit in 64 bits{wider}')
        return number

    def menu(self, here: Any, kind: type | None) -> Any:
        """Return the menu of a position, which must be of class `kind`, if one is known."""
        return self.menu_of('menu', self.ask('menu', self.rules.menu, here), kind)

    def menu_of(self, name: str, value: Any, kind: type | None) -> Any:
        """Return the menu that the rule `name` returned."""
        given = python_number(value)
        menu: Any
        if isinstance(given, tuple):
            menu = python_position(given) if hasattr(given, '_fields') else given
            try:
                fields_of(menu, 'a menu')
            except RulesError as error:
                raise self.differ(f'{name}: {error}') from error
        else:
            menu = self.number(name, given)
        if kind not in (None, type(menu)):
            raise self.differ(f'{name} gave {given!r}, and at the start a value of {kind.__name__}')
        return menu

    def count(self, menu: Any) -> int:
        """Return how many moves a menu has: as many as the state, and 0 only at the end."""
        wide = isinstance(menu, tuple)
        if not wide:  # then 0 says it, and need not be counted
            self.compare('whether the game is over', not menu, self.state.over)
        count = self.ask_number('count', self.rules.count, menu) if wide or menu else 0
        if wide:
            self.compare('whether the game is over', not count, self.state.over)
        self.compare('the number of moves', count, len(options_of(self.state)))
        return count

    def _chances(self, here: Any) -> int:
        """Return the sum of the weights: 0, or that of the state's chances."""
        chances = self.rules.chances
        total = 0 if chances is None else self.ask_number('chances', chances, here)
        own = sum(weight for _, weight in chances_of(self.state))
        self.compare('chances, the sum of the weights', total, own)
        if total > CHANCES:
            raise self.differ(f'chances gave {total}: accepted are up to 2**31 - 1')
        return total

    def _side(self, here: Any) -> int:
        side = self.ask_number('side', self.rules.side, here)
        self.compare('the side to move', side, player_number(self.state, self.state.player))
        return side

    def end(self, here: Any, menu: Any) -> Ply:
        """Return a finished position."""
        side, fields = self._side(here), fields_of(python_position(here))
        self._chances(here)
        players = len(players_of(self.state))
        rewards: tuple[float, ...] = ()
        if self.rules.rewards is not None:
            rewards = tuple(
                self._reward(here, player, own)
                for player, own in enumerate(
                    self.ask('rewards of the state', rewards_of, self.state)
                )
            )
        winner = self.ask_number('winner', self.rules.winner, here)
        if (
            not rewards and not 0 <= winner <= players
        ):  # a state made from the rules has no winner then
            accepted = 'X (0), O (1) or DRAW (2)' if players == 2 else f'from 0 to {players}'
            raise self.differ(f'winner gave {winner}, which is not {accepted}')
        if not rewards:
            won = given_winner(self.state)
            own = players if won is None else player_number(self.state, won)
            self.compare('the winner', winner, own)
        return Ply(self.path, fields, menu, side, 0, winner, (), 0, rewards)

    def _reward(self, here: Any, player: int, own: float) -> float:
        """Return what a player gets at the end, by the rules and by the state."""
        rewards: Any = self.rules.rewards
        found: float = self.ask('rewards', lambda *given: float(rewards(*given)), here, player)
        self.compare(f'the reward of player {player}', found, own)
        return found

    def moves(self, here: Any, menu: Any, indices: list[int]) -> tuple[Ply, dict[int, Any]]:
        """Return a position with this menu, and those after the moves with these indices."""
        rules, moves, side = self.rules, options_of(self.state), self._side(here)
        chances, weights = self._chances(here), [weight for _, weight in chances_of(self.state)]
        tried: list[Tried] = []
        positions: dict[int, Any] = {}
        seen: dict[int, int] = {}
        # If neither side declares keys, moves are distinguished by value.
        keyed = hasattr(type(self.state), 'key') or rules.key is not move_itself
        for index in indices:
            number = f'move number {index}'
            move = self.ask_number(f'pick of {number}', rules.pick, menu, index)
            if not -(1 << 31) <= move < 1 << 31:
                raise self.differ(f'pick gave {move} for {number}: it must fit in 32 bits')
            if move in seen:
                raise self.differ(f'pick gave {move} for move number {seen[move]} and for {number}')
            seen[move] = index
            weight = 0
            if chances:
                weight = self.ask_number(f'weight of {number}', rules.weight, here, move)
                self.compare(f'the weight of {number}', weight, weights[index])
            elif keyed:
                key = self.ask_number(f'key of {number}', rules.key, here, move)
                self.compare(f'the key of {number}', key, key_of(self.state, moves[index]))
                if not 0 <= key < rules.keys:
                    raise self.differ(f'key gave {key} for {number}: it must be below {rules.keys}')
            positions[index] = there = self.ask(f'play of {number}', rules.play, here, move)
            fields = self._after(here, there, moves[index], f'{number} ({move} by pick)')
            tried.append(Tried(index, move, fields, weight))
        for name, belongs in () if chances else KINDS:
            self._compare_kind(here, menu, name, belongs)
        fields = fields_of(python_position(here))
        ply = Ply(self.path, fields, menu, side, len(moves), 0, tuple(tried), chances)
        return ply, positions

    def _compare_kind(
        self, here: Any, menu: Any, name: str, belongs: Callable[[Any, Any], bool] | None
    ) -> None:
        """Compare the moves that a rule narrows a menu to with those found by trying.

        If only the rules define such moves, they are checked for being safe.
        """
        narrow, rules, state = getattr(self.rules, name), self.rules, self.state
        if narrow is None:
            return
        kept = rules.listed(self.menu_of(name, self.ask(name, narrow, here, menu), type(menu)))
        tried = [*zip(rules.listed(menu), state.moves, strict=True)]
        if belongs is None:
            tried = [(one, move) for one, move in tried if one in kept]
            belongs = is_safe
        self.compare(name, kept, [one for one, move in tried if belongs(state, move)])

    def _after(self, here: Any, there: Any, move: Any, number: str) -> tuple[int, ...]:
        """Return the fields after a move, by the rules and by the state.

        :raises Disagreement: they differ from those of the state after its own `move`.
        """
        if getattr(there, '_fields', None) != here._fields:
            raise self.differ(
                f'play gave {there!r} for {number}, which is not a position such as {here!r}'
            )
        after = self.state.play(move)
        packed = self.ask(f'pack after {number}', self.rules.pack, after)
        try:
            fields, own = fields_of(python_position(there)), fields_of(packed)
        except RulesError as error:
            raise self.differ(f'{number}: {error}') from error
        found = [
            f'the field {name} of the position: {rule} interpreted, {state} by '
            f'{type(self.state).__name__}'
            for name, rule, state in zip(here._fields, fields, own, strict=True)
            if (rule - state) & WORD
        ]
        if found:
            raise self.differ(f'{number}, which is {move!s} there, leads to {"; ".join(found)}')
        return fields


def brief_walk(state: GameState[Any], rules: IntegerRules) -> Iterator[Ply]:
    """Yield the same few plies from `state` every time.

    :raises Disagreement: (while it runs) rules and states disagree.
    """
    rng = SplitMix.from_seed(SEED)
    yield from islice(walk(state, rules, rng, first_moves=FIRST_MOVES), 1 if state.over else PLIES)
