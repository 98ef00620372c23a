"""Rules on integers compared with a game's own states, and compiled rules with Python's.

Random games are played by both, ply by ply. What Python's rules answer in a position is recorded,
so that the compiled rules can be asked the same. Only `check_rules` needs the compiled engine.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from attrs import field, frozen
from returns.result import Failure, Result, Success

from fmcts import _linked as linked
from fmcts._arguments import whole_number
from fmcts._promises import gained_of, rewards_of
from fmcts.bits import WORD
from fmcts.errors import EngineError, FinishedGameError, RulesError
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
    rules_of,
)
from fmcts.search.policies import Patient
from fmcts.search.policies.decisive import is_safe
from fmcts.testing._laws.cases import Case
from fmcts.testing._laws.law import FEW, Answer, Raised, Unchecked, asked, law

CHANCES: Final = 2**31 - 1
"""The largest sum of the weights, by rules on integers."""

MENUS: Final = ('menu', *(name for name, _ in Patient.kinds))


class Disagreement(Exception):  # noqa: N818 - it is what was found, and no failure of the search
    """The first difference between rules and states, in one line."""


@frozen
class Call:
    """A rule that was asked: about what, in words, and Python's answer."""

    what: str
    rule: str
    given: tuple[Any, ...]
    answer: Any


@frozen
class RulesCase:
    """A state of a random game, the moves that lead to it, and the rules that were asked there.

    Its methods compare a rule's answer with the state.

    :raises Disagreement: (each method) they differ, or the rule raises an error.
    """

    state: GameState[Any]
    rules: IntegerRules
    path: tuple[Any, ...] = ()
    calls: list[Call] = field(factory=list)

    def differ(self, what: str) -> Disagreement:
        """Return the difference, with the place in the game."""
        where = f'after the moves {list(self.path)}' if self.path else 'at the start'
        return Disagreement(f'{where}, {what}')

    def compare(self, what: str, interpreted: object, own: object) -> None:
        """Compare the answers of the rules and of the state."""
        if interpreted != own:
            kind = type(self.state).__name__
            raise self.differ(f'{what}: {interpreted} interpreted, {own} by {kind}')

    def ask(self, name: str, rule: Callable[..., Any], *given: Any) -> Any:
        """Return a rule's value."""
        found = asked(rule, *given)
        if isinstance(found, Raised):
            raise self.differ(f'{name} {found.text}')
        return found

    def whole(self, name: str, value: object) -> int:
        """Return the value of a rule as a 64-bit integer."""
        try:
            number = operator.index(python_number(value))
        except TypeError:
            raise self.differ(f'{name} gave {value!r}, which is not an integer') from None
        if not fits(number):
            wider = ' (a menu may be a NamedTuple of integers)' if name in MENUS else ''
            raise self.differ(f'{name} gave {number}, which does not fit in 64 bits{wider}')
        return number

    def number(self, what: str, rule: str, *given: Any, of: str = '') -> int:
        """Return the integer that a rule answers, and record it as being about `what`."""
        name = f'{rule} of {of}' if of else rule
        answer = self.whole(name, self.ask(name, getattr(self.rules, rule), *given))
        self.calls.append(Call(what, rule, given, answer))
        return answer

    @classmethod
    def first(cls, start: GameState[Any], rules: IntegerRules) -> Any:
        """Return the position that the rules pack the start as, and compare what has no place."""
        look = cls(start, rules)
        look.compare('the number of players', rules.players, len(players_of(start)))
        for name in ('chances', 'rewards', 'gained'):
            declared = getattr(rules, name) is not None
            look.compare(f'whether there are {name}', declared, hasattr(start, name))
        position = look.ask('pack', rules.pack, start)
        look.fields_of('pack', position)
        return position

    def menu(self, here: Any, kind: type | None) -> Any:
        """Return the menu, which must be of the class `kind`, if one is known."""
        menu = self.menu_of('menu', self.ask('menu', self.rules.menu, here), kind)
        self.calls.append(Call('the menu', 'menu', (here,), menu))
        return menu

    def menu_of(self, name: str, value: Any, kind: type | None) -> Any:
        """Return the menu that the rule `name` gave: an integer, or a `NamedTuple` of integers."""
        given: Any = python_number(value)
        if not isinstance(given, tuple):
            menu: Any = self.whole(name, given)
        else:
            menu = python_position(given) if hasattr(given, '_fields') else given
            self.fields_of(name, menu, 'a menu')
        if kind not in (None, type(menu)):
            raise self.differ(f'{name} gave {given!r}, and at the start a value of {kind.__name__}')
        return menu

    def fields_of(self, name: str, position: Any, *what: str) -> tuple[int, ...]:
        """Return the integers of a position, or of a menu, that the rule `name` gave."""
        try:
            return fields_of(position, *what)
        except RulesError as error:
            raise self.differ(f'{name}: {error}') from error

    def count(self, menu: Any) -> int:
        """Return how many moves a menu has: as many as the state, and 0 only at the end."""
        wide = isinstance(menu, tuple)
        if not wide:  # then 0 says it, and need not be counted
            self.compare('whether the game is over', not menu, self.state.over)
        count = self.number('the number of moves', 'count', menu) if wide or menu else 0
        if wide:
            self.compare('whether the game is over', not count, self.state.over)
        self.compare('the number of moves', count, len(options_of(self.state)))
        return count

    def mover(self, here: Any) -> int:
        """Compare the side to move; return the sum of the weights where chance moves, or 0."""
        side = self.number('the side to move', 'side', here)
        self.compare('the side to move', side, player_number(self.state, self.state.player))
        total = 0
        if self.rules.chances is not None:
            total = self.number('the sum of the weights', 'chances', here)
        own = sum(weight for _, weight in chances_of(self.state))
        self.compare('chances, the sum of the weights', total, own)
        if self.rules.gained is not None:
            owned = self.ask(
                'gained of the state', lambda it: gained_of(it, self.rules.players), self.state
            )
            self.numbers('gained', 'what was gained', here, owned)
        if total > CHANCES:
            raise self.differ(f'chances gave {total}: accepted are up to 2**31 - 1')
        return total

    def end(self, here: Any) -> None:
        """Compare a finished position: its rewards, or its winner."""
        self.mover(here)
        if self.rules.rewards is not None:
            owned = self.ask('rewards of the state', rewards_of, self.state)
            self.numbers('rewards', 'the reward', here, owned)
        if self.rules.rewards is not None or self.rules.gained is not None:
            return
        players = len(players_of(self.state))
        winner = self.number('the winner', 'winner', here)
        if not 0 <= winner <= players:
            accepted = 'X (0), O (1) or DRAW (2)' if players == 2 else f'from 0 to {players}'
            raise self.differ(f'winner gave {winner}, which is not {accepted}')
        won = given_winner(self.state)
        own = players if won is None else player_number(self.state, won)
        self.compare('the winner', winner, own)

    def numbers(self, name: str, what: str, here: Any, owned: tuple[float, ...]) -> None:
        """Compare what a rule of that name gives each player with what the state gives."""
        rule: Any = getattr(self.rules, name)
        for player, own in enumerate(owned):
            whose = f'{what} of player {player}'
            found = self.ask(name, lambda *given: float(rule(*given)), here, player)
            self.compare(whose, found, own)
            self.calls.append(Call(whose, name, (here, player), found))

    def moves(self, here: Any, menu: Any, indices: Sequence[int]) -> dict[int, Any]:
        """Compare the moves with these indices, and return the positions after them."""
        rules, moves, chances = self.rules, options_of(self.state), self.mover(here)
        after: dict[int, Any] = {}
        seen: dict[int, int] = {}
        # If neither side declares keys, moves are distinguished by value.
        keyed = hasattr(type(self.state), 'key') or rules.key is not move_itself
        for index in indices:
            number = f'move number {index}'
            move = self.number('', 'pick', menu, index, of=number)
            number_and_move = f'{number} ({move})'
            self.calls[-1] = Call(f'the move, {number_and_move}', 'pick', (menu, index), move)
            if not -(1 << 31) <= move < 1 << 31:
                raise self.differ(f'pick gave {move} for {number}: it must fit in 32 bits')
            if move in seen:
                raise self.differ(f'pick gave {move} for move number {seen[move]} and for {number}')
            seen[move] = index
            if chances:
                weight = self.number('the weight', 'weight', here, move, of=number)
                own = chances_of(self.state)[index][1]
                self.compare(f'the weight of {number}', weight, own)
            elif keyed:
                name = f'key of {number}'
                key = self.whole(name, self.ask(name, rules.key, here, move))
                self.compare(f'the {name}', key, key_of(self.state, moves[index]))
                if not 0 <= key < rules.keys:
                    raise self.differ(f'key gave {key} for {number}: it must be below {rules.keys}')
            after[index] = there = self.ask(f'play of {number}', rules.play, here, move)
            fields = self._after(here, there, moves[index], f'{number} ({move} by pick)')
            self.calls.append(Call(f'after {number_and_move}', 'play', (here, move), fields))
        for name, belongs in () if chances else Patient.kinds:
            self._compare_kind(here, menu, name, belongs)
        return after

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

    def _after(self, here: Any, there: Any, move: Any, number: str) -> Any:
        """Return the position after a move, which the state packed after its own `move` equals."""
        if getattr(there, '_fields', None) != here._fields:
            raise self.differ(
                f'play gave {there!r} for {number}, which is not a position such as {here!r}'
            )
        packed = self.ask(f'pack after {number}', self.rules.pack, self.state.play(move))
        there = python_position(there)
        fields, own = self.fields_of(number, there), self.fields_of(number, packed)
        found = [
            f'the field {name} of the position: {rule} interpreted, {state} by '
            f'{type(self.state).__name__}'
            for name, rule, state in zip(here._fields, fields, own, strict=True)
            if (rule - state) & WORD  # the same bits, signed or not
        ]
        if found:
            raise self.differ(f'{number}, which is {move!s} there, leads to {"; ".join(found)}')
        return there


def walk(
    start: GameState[Any], rules: IntegerRules, rng: Rng, *, first_moves: int | None = None
) -> Iterator[RulesCase]:
    """Yield the positions of random games from `start`, compared, without end.

    All moves of every position are tried; with `first_moves`, that many of the first position and
    those that are drawn.

    :raises Disagreement: (while it runs) rules and states disagree.
    """
    draws = thaw(rng)
    look, here = RulesCase(start, rules), RulesCase.first(start, rules)
    kind: type | None = None
    while True:
        menu = look.menu(here, kind)
        kind, count = type(menu), look.count(menu)
        if not count:
            look.end(here)
            yield look
            look, here = RulesCase(start, rules), RulesCase.first(start, rules)
            continue
        drawn = draws.draw(count)
        few = count if first_moves is None else 0 if look.path else min(count, first_moves)
        after = look.moves(here, menu, sorted({drawn, *range(few)}))
        yield look
        move, here = options_of(look.state)[drawn], after[drawn]
        look = RulesCase(look.state.play(move), rules, (*look.path, move))


def check_rules(
    start: GameState[Any], *, plies: int = 10_000, rng: Rng | None = None
) -> Result[int, str]:
    """Compare a game's rules on integers with its states over `plies` plies of random games.

    Return `Success(plies)` if they agree, else `Failure` with the first difference. Every move of
    every position met is tried. First the rules as Python runs them are compared with the states:
    positions, sides, moves and their order, ends, winners. Then the compiled rules are compared
    with what Python found.

    :raises EngineError: the game declares no rules on integers, or numba is not installed.
    :raises FinishedGameError: the game is over at `start`.
    :raises ValueError: `plies` is not a whole number of at least 1.
    """
    whole_number('plies', plies)
    missing, rules = linked.unsupported_game(start, SplitMix(0, 1)), rules_of(start)
    if missing or rules is None:
        raise EngineError(f'the engine compiled does not support {missing}')
    if start.over:
        raise FinishedGameError('the game is over at the start: expected one with moves to check')
    try:
        checking = linked.loaded('checking')
        seen = [*islice(walk(start, rules, SplitMix.from_seed(0) if rng is None else rng), plies)]
        code = checking.CompiledRules(start)
        for here in seen:
            for call in here.calls:
                try:
                    found = _compiled(code, call)
                except checking.RaisedError as error:
                    raise here.differ(f'{error} raised an error, compiled') from None
                for what, compiled, interpreted in found:
                    if compiled != interpreted:
                        raise here.differ(f'{what}: {compiled} compiled, {interpreted} interpreted')
    except (Disagreement, RulesError) as error:
        return Failure(str(error))
    return Success(plies)


def _compiled(code: Any, call: Call) -> list[tuple[str, Any, Any]]:
    """Return each number that the compiled rule answers, and Python's, with what it is about."""
    found, names = code.ask(call.rule, *call.given), getattr(call.answer, '_fields', ())
    if not isinstance(found, list):
        return [(call.what, found, call.answer)]
    of = call.what if call.rule == 'play' else 'of the menu'
    whats = [f'the field {name} {of}' for name in names] or [call.what]
    answers = call.answer if names else (call.answer,)
    return [*zip(whats, found, map(signed, answers), strict=True)]


def signed(number: int) -> int:
    """Return the signed 64-bit integer with the same bits."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


@law(
    'the rules on integers agree',
    'The rules that the class declares as `compiled` say the same as its states.',
)
def the_rules_on_integers_agree(case: Case) -> Answer:
    rules = rules_of(case.state)
    if rules is None:
        return Unchecked(f'{case.game.kind.__name__} declares no rules on integers')
    try:
        next(walk(case.state, rules, case.game.rng, first_moves=FEW))
    except Disagreement as found:
        return str(found).removeprefix('at the start, ')  # the walk starts here
    return None
