"""OpenSpiel's games as states, and bots as OpenSpiel's `Bot`. See https://openspiel.readthedocs.io.

>>> from fmcts import Search, SplitMix, analyse, mcts
>>> begin = start('breakthrough(rows=6,columns=6)')
>>> analysis, rng = analyse(begin, SplitMix.from_seed(1), Search(iterations=200))
>>> begin.name_of(analysis.move)
'e5d4'

A bot plays in OpenSpiel's own loop:

>>> import pyspiel
>>> bots = [FmctsBot(mcts(Search(100)), SplitMix.from_seed(seed)) for seed in (1, 2)]
>>> len(pyspiel.evaluate_bots(pyspiel.load_game('tic_tac_toe').new_initial_state(), bots, 1))
2
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Self, TypeAlias

from attrs import evolve, field, frozen

from fmcts._arguments import cut, did_you_mean, shown
from fmcts._extras import loaded
from fmcts.bots import Bot
from fmcts.game import Player
from fmcts.interop.replayed import DENOMINATOR, Replayed, whole_weights
from fmcts.rng import Rng

pyspiel = loaded('pyspiel', f'{__name__} needs', 'fmcts[interop]', called='OpenSpiel')

__all__ = [
    'FmctsBot',
    'OpenSpielChanceState',
    'OpenSpielState',
    'start',
    'state_of',
]

PLAYERS = tuple(Player)
OPTIONAL = 'chances', 'players', 'rewards', 'gained'
WHOLE_TEXTS = frozenset(
    (
        *('breakthrough', 'clobber', 'connect_four', 'dots_and_boxes', 'gomoku', 'havannah'),
        *('hex', 'mnk', 'nim', 'othello', 'pentago', 'tic_tac_toe', 'y'),
    )
)
"""Games in which the text and the player say everything about what can follow.

In others the text leaves something out: repetitions in `chess` and `go`, the amazon that moves in
`amazons`, the die in `einstein_wurfelt_nicht`, the plies left in `pig`.
"""


@frozen(eq=False)
class _OfOpenSpiel(Replayed):
    _state: Any = field(repr=False)

    @property
    def identity(self) -> Any:
        """The text and the player in games of `WHOLE_TEXTS`, the moves in others."""
        name = str(self.origin[1]).partition('(')[0]
        return (str(self._state), self.player) if name in WHOLE_TEXTS else self.history

    def after(self, move: int) -> Self:
        """Return the state after a legal move."""
        facts = _facts(self._members, self._state.child(move), self.player, self._state)
        return evolve(self, history=(*self.history, move), **facts)

    @property
    def _members(self) -> tuple[str, ...]:
        return ()

    def name_of(self, move: int) -> str:
        """Return OpenSpiel's name of a legal move."""
        return str(self._state.action_to_string(move))

    def __str__(self) -> str:
        """Return OpenSpiel's text of the state."""
        return str(self._state)


@frozen(eq=False)
class OpenSpielState(_OfOpenSpiel):
    """A state of a zero-sum game for two without chance. Moves are its actions; its player 0 is X.

    In a finished game the side to move is the opponent of the player who moved last.
    """

    def playout(self, draw: Callable[[int], int]) -> Player | None:
        """Return the winner of a uniformly random game from here; `None` for a draw.

        :param draw: `draw(n)` gives an index below n; called once a ply, for `moves[index]`.
        """
        # OpenSpiel's own loop, stepped in place: a playout needs no states in between.
        state = self._state.clone()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[draw(len(actions))])
        return _winner(state)


@frozen(eq=False)
class OpenSpielChanceState(_OfOpenSpiel):
    """A state of any other game, with those members of `fmcts.game.ChanceState` that it needs.

    - `chances` are OpenSpiel's outcomes with whole numbers in place of probabilities (see `start`).
      Where chance moves, the player is who moved last, at the start the first.
    - `players` are 0, 1..., or X and O in a zero-sum game for two.
    - `rewards`, if the players are others: what each gets in OpenSpiel, put on a scale from the
      game's `min_utility` (0) to its `max_utility` (1).
    - `gained`, in a game such as `2048` whose rewards come on the way: by how much OpenSpiel's
      return of each player grew, on its own scale.
    """

    more: Mapping[str, Any] = field(repr=False)

    @property
    def over(self) -> bool:
        """True if the game is finished."""
        return bool(self._state.is_terminal())

    def __getattr__(self, name: str) -> Any:
        """Return a member that only some games have."""
        if name in OPTIONAL and name in self.more:
            return self.more[name]
        raise AttributeError(f'{type(self).__name__!r} object has no attribute {name!r}')

    @property
    def _members(self) -> tuple[str, ...]:
        return tuple(self.more)


def _facts(members: tuple[str, ...], state: Any, mover: Any, before: Any = None) -> dict[str, Any]:
    """Return the fields of a state of OpenSpiel to which `mover` has just moved.

    `members`: those of `ChanceState` that it has. `before`: the state before it; `None`: it is the
    first.
    """
    over, now, game = state.is_terminal(), state.current_player(), state.get_game()
    moves = () if over or state.is_chance_node() else tuple(state.legal_actions())
    several = 'rewards' in members or 'gained' in members
    facts = {'state': state, 'moves': moves}
    facts['winner'] = _winner(state) if over and not several else None
    if not members:
        return {**facts, 'player': mover.other if over else PLAYERS[now]}
    players: tuple[Any, ...] = tuple(range(game.num_players())) if several else PLAYERS
    outcomes = tuple(state.chance_outcomes()) if state.is_chance_node() else ()
    chances = _weights(outcomes, game.get_type().short_name) if outcomes else ()
    more: dict[str, Any] = {'chances': chances, 'players': players}
    if 'gained' in members:
        # Returns are summed from the start; what this step brought is their difference.
        pairs = zip(state.returns(), (before or state).returns(), strict=True)
        more['gained'] = tuple(now - then for now, then in pairs)
    elif several:
        least, most = game.min_utility(), game.max_utility()
        rewards = ((reward - least) / (most - least) for reward in state.returns())
        more['rewards'] = tuple(rewards) if over else ()
    return {**facts, 'player': players[now] if now >= 0 else mover, 'more': more}


@functools.lru_cache(maxsize=1 << 6)  # a throw of five dice has 7,776 outcomes, again and again
def _weights(outcomes: tuple[tuple[int, float], ...], game: str) -> tuple[tuple[int, int], ...]:
    """Return the outcomes with whole numbers that are as their probabilities.

    :raises ValueError: a probability is not a fraction, or they do not add up to 1.
    """
    actions, chances = zip(*(pair for pair in outcomes if pair[1]), strict=True)
    weights = whole_weights(chances)
    if weights is None:
        raise ValueError(
            f"OpenSpiel's game {game} has probabilities that are not fractions with a denominator "
            f'of at most {DENOMINATOR:,} that add up to 1'
        )
    return tuple(zip(actions, weights, strict=True))


def start(game: str) -> AnyState:
    """Return the start of a game named as in OpenSpiel: `tic_tac_toe`, `hex(board_size=5)`.

    Games with chance (`pig`) and of any number of players (`pig(players=3)`, `2048`) have the
    members of `fmcts.game.ChanceState`. A weight of an outcome is its probability as a fraction of
    a denominator of at most 10,000, equal to it but for rounding, times the least number that makes
    all of them whole. Outcomes without probability are left out. (Where chance moves later and its
    probabilities are not such fractions, `play` raises `ValueError`.)

    :raises ValueError: OpenSpiel has no such game or parameter, its players move at the same time,
        it has hidden information, or it draws by chance itself.
    """
    if not isinstance(game, str):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'game must be a name as OpenSpiel writes it, such as tic_tac_toe, not {shown(game)}'
        )
    name, names = game.partition('(')[0], tuple(pyspiel.registered_names())
    if name not in names:  # OpenSpiel would list them all on standard error
        more = did_you_mean(name, names)
        if name.startswith('python_'):
            more = ' yet: import open_spiel.python.games, which adds the games in Python'
        raise ValueError(f'OpenSpiel has no game {cut(name)!r}{more}')
    try:
        found = pyspiel.load_game(game)
    except pyspiel.SpielError as error:
        why = str(error).partition('\n')[0]
        raise ValueError(f'OpenSpiel cannot load {cut(game)!r}: {why}') from None
    _check(found)
    return _begin(str(found))


def state_of(state: Any) -> AnyState:
    """Return the state of an OpenSpiel state, which is copied.

    If OpenSpiel's state began elsewhere than its game does (`new_initial_state` with a text), the
    `history` begins here.

    :raises ValueError: as in `start`; or `state` is not a state of OpenSpiel, or began elsewhere
        and OpenSpiel does not read back what it writes about it.
    """
    if not isinstance(state, pyspiel.State):
        raise ValueError(  # noqa: TRY004 - as for any wrong argument
            f'state must be a state of OpenSpiel, not {shown(state)}'
        )
    game = state.get_game()
    _check(game)
    again = game.new_initial_state()
    # Played again from the start: if that gives the same state, the moves are its whole history.
    for action in state.history():
        if action not in again.legal_actions():
            break
        again.apply_action(action)
    # Both, since a few games write down the actions without where they began.
    if (again.serialize(), str(again)) == (state.serialize(), str(state)):
        return _made(again, (_begin, str(game)), tuple(state.history()))
    with suppress(pyspiel.SpielError):
        found = _resume(pyspiel.serialize_game_and_state(game, state))
        if str(found) == str(state):
            return found
    raise ValueError(
        f'this state of {game.get_type().short_name} began elsewhere than the game, and what '
        "OpenSpiel's serialize() says about it gives another state"
    )


def _check(game: Any) -> None:
    kind = game.get_type()
    name = str(game).partition('(')[0]
    wanted = (
        (name in pyspiel.registered_names(), f'OpenSpiel does not load it by its name {name}'),
        (kind.dynamics == kind.Dynamics.SEQUENTIAL, 'its players move at the same time'),
        (
            kind.chance_mode != kind.ChanceMode.SAMPLED_STOCHASTIC,
            'it draws by chance itself and does not list the outcomes',
        ),
        (kind.information == kind.Information.PERFECT_INFORMATION, 'it has hidden information'),
        (game.min_utility() < game.max_utility(), 'all its ends are worth the same'),
    )
    for right, wrong in wanted:
        if not right:
            raise ValueError(
                f"OpenSpiel's game {kind.short_name} cannot be searched: {wrong}; expected a "
                'game whose players move in turn, without hidden information'
            )


def _begin(game: str) -> AnyState:
    """Return the start of a game that is already checked."""
    return _made(pyspiel.load_game(game).new_initial_state(), (_begin, game))


def _resume(text: str) -> AnyState:
    """Return the state that OpenSpiel wrote down as `text`; its history begins there."""
    return _made(pyspiel.deserialize_game_and_state(text)[1], (_resume, text))


def _made(state: Any, origin: tuple[Any, str], history: tuple[int, ...] = ()) -> AnyState:
    """Return the state of an OpenSpiel state that nobody else changes."""
    game = state.get_game()
    about = game.get_type()
    kind: Any = OpenSpielChanceState
    members: tuple[str, ...] = ('chances', 'players')
    players: Sequence[Any] = range(game.num_players())
    if game.num_players() == len(PLAYERS) and about.utility == about.Utility.ZERO_SUM:
        players = PLAYERS
        if about.chance_mode == about.ChanceMode.DETERMINISTIC:
            kind, members = OpenSpielState, ()
    else:
        on_the_way = about.reward_model == about.RewardModel.REWARDS
        members = (*members, 'gained' if on_the_way else 'rewards')
    # Chance and the end have players below 0.
    movers = [ply.player for ply in state.full_history() if ply.player >= 0]
    mover = players[movers[-1] if movers else 0]
    found: AnyState = kind(origin=origin, history=history, **_facts(members, state, mover))
    return found


def _winner(state: Any) -> Player | None:
    first = state.player_return(0)
    return None if first == 0 else PLAYERS[first < 0]


AnyState: TypeAlias = OpenSpielState | OpenSpielChanceState
"""A state of a game of OpenSpiel."""


class FmctsBot(pyspiel.Bot):  # type: ignore[name-defined,misc] # OpenSpiel has no types
    """A bot of this library as OpenSpiel's `Bot`, which keeps the generator between its moves.

    The generator continues from game to game, so that games differ; two bots made with the same
    arguments play the same games.

    :param bot: `(state, rng) -> (move, rng)`, where the state is an `OpenSpielState`.
    :param rng: the generator of its first move; the attribute `rng` is that of the next move.
    """

    def __init__(self, bot: Bot[Any, Any, Any], rng: Rng) -> None:
        """Start before the first move."""
        pyspiel.Bot.__init__(self)
        self.bot = bot
        self.rng = rng

    def restart(self) -> None:
        """Start a new game."""

    def restart_at(self, _state: Any) -> None:
        """Start a new game in that state."""

    def step(self, state: Any) -> int:
        """Return the action that the bot chooses.

        :raises ValueError: as in `start`.
        """
        move, self.rng = self.bot(state_of(state), self.rng)
        return int(move)
