"""pgx's board games as states. See https://github.com/sotetsuk/pgx; extra `pgx`, with JAX.

>>> from fmcts import Search, SplitMix, analyse
>>> state = start('connect_four')
>>> for move in (3, 0, 3, 0, 3):
...     state = state.play(move)
>>> analysis, rng = analyse(state, SplitMix.from_seed(1), Search(iterations=500))
>>> state.player.name, analysis.move                                    # O must block
('O', 3)

pgx's own states are arrays that contain everything a step reads. A state here is their bytes: equal
states are the same position with the same past, as far as the game depends on it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, Self, TypeAlias

from attrs import asdict, evolve, field, frozen

from fmcts._extras import loaded
from fmcts.game import Player, illegal, is_legal
from fmcts.interop.replayed import RANDOM_START, environment, unfit

pgx, jax, jnp, np = (
    loaded(module, f'{__name__} needs', 'fmcts[pgx]', called='pgx')
    for module in ('pgx', 'jax', 'jax.numpy', 'numpy')
)

__all__ = ['PgxState', 'start']

Make: TypeAlias = str | Callable[[], Any]

PLAYERS: Final = tuple(Player)
KEYS: Final = range(8)  # with which a game without chance starts in the same state
OVER, TURN, WON, MENU = range(4)  # the first bytes of a state; then come legal actions


@frozen(repr=False)
class PgxState:
    """A state of a game of pgx. Moves are its actions; the player who moves first is X.

    `game` is the name, or the function that makes the environment; `data` are the bytes of all
    arrays except the observation (which is computed from the others), with the most used ones
    first. In a finished game the side to move is pgx's.
    """

    game: Make
    data: bytes
    moves: tuple[int, ...] = field(eq=False)
    player: Player = field(eq=False)
    winner: Player | None = field(eq=False)

    @property
    def over(self) -> bool:
        """True if the game is finished."""
        return not self.moves

    def play(self, move: int, /) -> Self:
        """Return the state after `move`; this state does not change.

        :raises IllegalMoveError: `move` is not one of `moves`.
        """
        if not is_legal(move, self.moves):
            raise illegal(self, move)
        step = _rules_of(self.game).step
        after = step(np.frombuffer(self.data, np.uint8), np.int32(move))
        return evolve(self, **_facts(self.game, after))

    def playout(self, draw: Callable[[int], int]) -> Player | None:
        """Return the winner of a uniformly random game from here; `None` for a draw.

        :param draw: `draw(n)` gives an index below n; called once a ply, for `moves[index]`.
        """
        rules = _rules_of(self.game)
        now = np.frombuffer(self.data, np.uint8)
        while not now[OVER]:
            actions = now[rules.menu].nonzero()[0]
            now = np.asarray(rules.step(now, np.int32(actions[draw(len(actions))])))
        return _winner(now)

    def __repr__(self) -> str:
        """Return the game, whose turn it is, and the moves; pgx has no text for its boards."""
        return f'PgxState({self.game!r}, player={self.player}, moves={self.moves})'

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the data to pickle, with the version of the rules."""
        version = _rules_of(self.game).version
        return _unpickled, (type(self), version, asdict(self, recurse=False))


def start(game: Make) -> PgxState:
    """Return the start of a game of pgx, such as `connect_four`.

    Instead of a name, `game` may be a function that makes an environment, such as its class; it
    must be at the top level of a module if states are to be pickled. The rules are compiled once
    for each name or function, which takes seconds.

    :raises ValueError: pgx has no game of that name; it is not for two players; or its start is
        random. (An environment does not say whether there is chance later, or hidden information.)
    """
    return PgxState(game, **_facts(game, _rules_of(game).begin))


@frozen(eq=False)
class _Rules:
    """A game's rules on bytes. `step(data, action)` returns the bytes of the next state.

    `begin` is the first state, `menu` the slice with the legal actions, `version` pgx's version.
    """

    step: Callable[[Any, Any], Any]
    begin: Any
    menu: slice
    version: str


@functools.lru_cache(maxsize=1 << 6)  # a pure function of what makes the environment
def _rules_of(game: Make) -> _Rules:
    env, begin = _checked(game)
    first = begin.current_player
    leaves, nested = jax.tree.flatten(_rest_of(begin))
    menu = slice(MENU, MENU + begin.legal_action_mask.size)

    def pack(state: Any) -> Any:
        arrays = (state.legal_action_mask, *jax.tree.leaves(_rest_of(state)))
        ahead = jnp.sign(state.rewards[first] - state.rewards[1 - first])
        over, turn = state.terminated | state.truncated, state.current_player != first
        front = jnp.stack([over, turn, ahead + 1]).astype(jnp.uint8)
        return jnp.concatenate([front, *map(_bytes_of, arrays)])

    def unpack(data: Any) -> Any:
        found, at = [], menu.stop
        for leaf in leaves:
            found.append(_array_of(data[at : at + leaf.nbytes], leaf))
            at += leaf.nbytes
        return jax.tree.unflatten(nested, found).replace(
            legal_action_mask=data[menu] != 0, observation=jnp.zeros_like(begin.observation)
        )

    step = jax.jit(lambda data, action: pack(env.step(unpack(data), action)))
    data = np.asarray(pack(begin))
    step(data, np.int32(0))  # compile now, not during a game
    return _Rules(step, data, menu, version=f'{env.id} {env.version}')


def _checked(game: Make) -> tuple[Any, Any]:
    """Return the environment, if it can be searched, and its first state."""
    env = environment('pgx', game, pgx.available_envs(), pgx.make, 'num_players')
    if env.num_players != len(PLAYERS):
        raise unfit('pgx', env.id, f'it has {env.num_players} players, not 2')
    keys = jnp.stack([jax.random.PRNGKey(key) for key in KEYS])
    begins = jax.tree.map(np.asarray, jax.jit(jax.vmap(env.init))(keys))
    if any((it != it[0]).any() for it in (begins.observation, begins.legal_action_mask)):
        raise unfit('pgx', env.id, RANDOM_START)
    return env, jax.tree.map(lambda leaf: jnp.asarray(leaf[0]), begins)


def _rest_of(state: Any) -> Any:
    """Return a state without its first bytes and the observation, a function of the rest."""
    return state.replace(legal_action_mask=None, observation=None)


def _bytes_of(array: Any) -> Any:
    """Return the bytes of an array, flattened."""
    if array.dtype == bool:
        return array.astype(jnp.uint8).ravel()
    return jax.lax.bitcast_convert_type(array, jnp.uint8).ravel()


def _array_of(data: Any, like: Any) -> Any:
    """Return the array with these bytes, of the shape and type of `like`."""
    if like.dtype == bool:
        return data.reshape(like.shape) != 0
    wide = like.dtype.itemsize > 1
    shape = (*like.shape, like.dtype.itemsize) if wide else like.shape
    return jax.lax.bitcast_convert_type(data.reshape(shape), like.dtype)


def _facts(game: Make, data: Any) -> dict[str, Any]:
    """Return the fields of a state with these bytes."""
    data = np.asarray(data)
    legal = data[_rules_of(game).menu].nonzero()[0]
    return {
        'data': data.tobytes(),
        'moves': () if data[OVER] else tuple(legal.tolist()),
        'player': PLAYERS[data[TURN]],
        'winner': _winner(data) if data[OVER] else None,
    }


def _winner(data: Any) -> Player | None:
    """Return the winner of the finished game."""
    return (Player.O, None, Player.X)[data[WON]]


def _unpickled(kind: type[PgxState], version: str, fields: dict[str, Any]) -> PgxState:
    """Return the state that was pickled.

    :raises ValueError: it was pickled with another version of the game's rules.
    """
    here = _rules_of(fields['game']).version
    if version != here:
        raise ValueError(
            f'the state was pickled with {version}, but {here} is installed: install {version}'
        )
    return kind(**fields)
