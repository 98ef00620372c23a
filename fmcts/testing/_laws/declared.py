"""Laws of what a game's class declares besides its states: keys, a playout, rules on integers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, cast

from returns.result import Failure, Result, Success

from fmcts import _linked as linked
from fmcts._arguments import shown, whole_number
from fmcts._declared import declared
from fmcts.errors import EndlessGameError, EngineError, FinishedGameError, RulesError
from fmcts.game import GameState, key_of
from fmcts.rng import Rng, SplitMix, thaw
from fmcts.rules import IntegerRules, rules_of
from fmcts.testing._laws.cases import FEW, Case, ask, few, moves_of, named, play
from fmcts.testing._laws.law import Law, OtherwiseError
from fmcts.testing._laws.walks import Disagreement, Ply, after_moves, walk


def _keys(case: Case) -> str | None:
    first: dict[Any, Any] = {}
    for move in few(ask(case.state, 'moves'), 4 * FEW):
        key = key_of(case.state, move)
        try:
            other = first.setdefault(key, move)
        except TypeError:
            return f'the key of {named(move)} is {shown(key)}, which has no hash'
        if other is not move:
            return f'the moves {named(other)} and {named(move)} have the same key {shown(key)}'
        if key_of(case.state, move) != key:
            return f'the key of {named(move)} is {shown(key)}, and asked again it is another'
    return None


def _playout(case: Case) -> str | None:
    own = declared(case.state, 'playout')
    rng = case.game.rng.child(case.plies)
    fast, draws = (_Recorded(rng, case.game.max_plies) for _ in range(2))
    state: Any = case.state
    line: list[Any] = []
    try:
        while moves := moves_of(state):
            line.append(moves[draws.draw(len(moves))])
            state = play(state, line[-1])
        expected = ask(state, 'winner')
    except (OtherwiseError, EndlessGameError):  # another law reports it
        return None
    winner = own(case.state, fast.draw)
    way = f'in the game {shown(line, 80)} '
    if winner is not expected:
        return f'{way}the winner is {shown(winner)} by playout, {shown(expected)} by play'
    if fast.counts != draws.counts:
        return (
            f'{way}playout draws below {shown(fast.counts, 80)}, and there are '
            f'{shown(draws.counts, 80)} moves'
        )
    return None


class _Recorded:
    """Draws of a generator, at most `most`, recorded with the ranges they were drawn from."""

    def __init__(self, rng: Rng, most: int) -> None:
        self.most = most
        self.below: Callable[[int], int] = thaw(rng).draw
        self.counts: list[int] = []

    def draw(self, count: int) -> int:
        self.counts.append(count)
        if len(self.counts) > self.most:
            raise EndlessGameError(f'more than {self.most:,} plies')
        return self.below(count)


def _rules(case: Case) -> str | None:
    rules = rules_of(case.state)
    assert rules is not None  # noqa: S101 - else the law is left out
    try:
        next(walk(case.state, rules, case.game.rng, first_moves=FEW))
    except Disagreement as found:
        return str(found).removeprefix('at the start, ')  # the walk starts here
    return None


KEYS: Final = Law[Case](
    'keys are unique',
    'The keys of the legal moves of a state can be hashed, and no two are equal.',
    _keys,
)
PLAYOUT: Final = Law[Case](
    'the playout agrees',
    '`playout(draw)` gives the winner of the game in which each move is `moves[draw(len(moves))]`.',
    _playout,
)
RULES: Final = Law[Case](
    'the rules on integers agree',
    'The rules that the class declares as `compiled` say the same as its states.',
    _rules,
)


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
    source = SplitMix.from_seed(0) if rng is None else rng
    missing = linked.unsupported_game(start, SplitMix(0, 1))
    if missing:
        raise EngineError(f'the engine compiled does not support {missing}')
    if start.over:
        raise FinishedGameError('the game is over at the start: expected one with moves to check')
    try:
        checking = linked.loaded('checking')
        seen = [*islice(walk(start, cast('IntegerRules', rules_of(start)), source), plies)]
        code = checking.CompiledRules(start)
        for ply in seen:
            for what, compiled, interpreted in _answers(code, ply, start):
                if compiled != interpreted:
                    return Failure(
                        f'{after_moves(ply.path)}, {what}: '
                        f'{compiled} compiled, {interpreted} interpreted'
                    )
    except (Disagreement, RulesError) as error:
        return Failure(str(error))
    return Success(plies)


def _answers(code: Any, ply: Ply, start: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield what compiled rules say of a position, and what Python's rules said.

    :raises Disagreement: a compiled rule would have raised an error.
    """
    rules = cast('IntegerRules', rules_of(start))
    here, menu = ply.fields, ply.menu if isinstance(ply.menu, tuple) else (ply.menu,)
    names = getattr(ply.menu, '_fields', ())
    parts = [f'the field {name} of the menu' for name in names] or ['the menu']
    try:
        yield from zip(parts, code.menu(here), map(signed, menu), strict=True)
        yield 'the side to move', code.number('rule_side', here), ply.side
        if ply.count or names:
            yield 'the number of moves', code.number('rule_count', menu), ply.count
        if rules.chances is not None:
            yield 'the sum of the weights', code.number('rule_chances', here), ply.chances
        if not ply.count and rules.rewards is None:
            yield 'the winner', code.number('rule_winner', here), ply.winner
        for player, reward in enumerate(ply.rewards):
            yield (
                f'the reward of player {player}',
                code.number('rule_rewards', here, player),
                reward,
            )
        fields = type(rules.pack(start))._fields
        for tried in ply.tried:
            number = f'move number {tried.index} ({tried.move})'
            yield f'the move, {number}', code.number('rule_pick', menu, tried.index), tried.move
            if ply.chances:
                yield 'the weight', code.number('rule_weight', here, tried.move), tried.weight
            led_to = [f'the field {name} after {number}' for name in fields]
            yield from zip(
                led_to, code.play(here, tried.move), map(signed, tried.fields), strict=True
            )
    except linked.loaded('checking').RaisedError as error:
        raise Disagreement(f'{after_moves(ply.path)}, {error} raised an error, compiled') from None


def signed(number: int) -> int:
    """Return the signed 64-bit integer with the same bits."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)
