"""pgx's games compared with ours."""

import pickle
import re
from pathlib import Path

import jax
import numpy as np
import pgx
import pytest
from pgx.hex import Hex
from returns.pipeline import is_successful

from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import connect4, othello, tictactoe
from fmcts.interop.pgx import start
from fmcts.testing import check_game, same_game

RNG = SplitMix.from_seed(1)


@pytest.mark.parametrize(
    ('name', 'ours'), [('tic_tac_toe', tictactoe.start), ('connect_four', connect4.start)]
)
def test_the_same_game_gives_the_same_search(name, ours):
    """Playouts and all; the digest names every node."""
    one, after = analyse(start(name), RNG, Search(200))
    two, other_after = analyse(ours, RNG, Search(200), engine='persistent')
    assert (one.digest, one.move, after) == (two.digest, two.move, other_after)
    assert is_successful(found := same_game(ours, start(name), positions=100, games=2)), found


@pytest.mark.parametrize('name', ['tic_tac_toe', 'othello'])
def test_the_games_keep_all_laws(name):
    found = check_game(start(name), positions=15, games=2)
    assert is_successful(found), found


@pytest.mark.parametrize('game', ['connect_four', 'othello', 'gardner_chess', Hex])
def test_states_equal_pgx_s(game):
    """Whichever of its players pgx lets begin."""
    env = pgx.make(game) if isinstance(game, str) else game()
    step = jax.jit(env.step)
    for key in (0, 1):
        theirs = env.init(jax.random.PRNGKey(key))
        state, first, rng = start(game), int(theirs.current_player), SplitMix.from_seed(key)
        while not theirs.terminated:
            assert state.moves == tuple(np.flatnonzero(theirs.legal_action_mask).tolist())
            assert state.player is [*Player][int(theirs.current_player) != first]
            assert (state.over, state.winner) == (False, None)
            index, rng = rng.uniform(0, len(state.moves) - 1)
            theirs = step(theirs, state.moves[index])
            state = state.play(state.moves[index])
        assert (state.over, state.moves) == (True, ())
        rewards = theirs.rewards.tolist()
        assert rewards[first] == -rewards[1 - first]
        assert state.winner is {0: None, 1: Player.X, -1: Player.O}[rewards[first]]


def test_othello_ends_where_pgx_continues():
    """Ours, and OpenSpiel's, is over then."""
    ours, theirs, rng = othello.start, start('othello'), SplitMix.from_seed(330)
    while not ours.over:
        assert ours.moves == theirs.moves
        index, rng = rng.uniform(0, len(ours.moves) - 1)
        ours, theirs = ours.play(ours.moves[index]), theirs.play(ours.moves[index])
    assert (theirs.over, theirs.moves) == (False, (64,))
    end = theirs.play(64).play(64)
    assert (end.over, end.winner) == (True, ours.winner)


def test_states_are_values():
    one, two = (start('tic_tac_toe').play(a).play(4).play(b) for a, b in ((0, 8), (8, 0)))
    assert (one, hash(one)) == (two, hash(two))  # the same position, reached in two ways
    assert one != start('tic_tac_toe').play(0).play(4).play(7)
    assert one != start('connect_four')
    again = pickle.loads(pickle.dumps(one))  # noqa: S301 - our own bytes
    assert (again, again.moves, again.player) == (one, one.moves, Player.O)
    assert again.play(1) == two.play(1)
    assert repr(one) == "PgxState('tic_tac_toe', player=O, moves=(1, 2, 3, 5, 6, 7))"


def test_transpositions_are_found():
    search = Search(400, transpositions='sound')
    theirs, _ = analyse(start('tic_tac_toe'), RNG, search, engine='inplace')
    ours, _ = analyse(tictactoe.start, RNG, search, engine='inplace')
    assert (theirs.digest, theirs.nodes) == (ours.digest, ours.nodes)


def test_a_pickle_from_other_rules_is_refused():
    make, (kind, version, fields) = start('tic_tac_toe').play(4).__reduce__()
    assert version == 'tic_tac_toe v0'
    with pytest.raises(
        ValueError, match='pickled with tic_tac_toe v9, but tic_tac_toe v0 is installed'
    ):
        make(kind, 'tic_tac_toe v9', fields)


@pytest.mark.parametrize(
    ('game', 'complaint'),
    [
        ('tictactoe', r"pgx has no game 'tictactoe'.*tic_tac_toe"),
        ('2048', "pgx's game 2048 cannot be searched: it has 1 players, not 2"),
        ('sparrow_mahjong', 'it has 3 players, not 2'),
        ('backgammon', 'backgammon cannot be searched: it does not always start in the same state'),
    ],
)
def test_unsupported_games_are_refused(game, complaint):
    with pytest.raises(ValueError, match=complaint):
        start(game)


def test_the_docs_example_runs():
    text = (Path(__file__).parents[2] / 'docs/interop.md').read_text(encoding='utf-8')
    code = re.search(r'## pgx\n.*?```python\n(.*?)```', text, re.DOTALL)[1]
    *lines, last = code.splitlines()
    names = {'analyse': analyse, 'Search': Search, 'rng': RNG}
    exec('\n'.join(lines), names)  # noqa: S102 - our own
    what, _, expected = last.partition('# ')
    assert eval(what, names) == int(expected[0])  # noqa: S307 - the same
