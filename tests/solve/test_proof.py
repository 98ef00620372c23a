"""Proofs: taken from searches, minimal, and accepted only where they hold."""

import ast
import importlib.util
import inspect
import pickle

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings, strategies as st
from returns.result import Success

from drawn_games import Maze
from fmcts import Player
from fmcts.games import connect4, tictactoe
from fmcts.solve import AlphaBeta, Proof, _checker as checker, check_proof, gather, prove, solve
from fmcts.solve._scores import WIN
from fmcts.testing import positions

NUMBA = importlib.util.find_spec('numba') is not None
HOLDS = Success(None)
both = pytest.mark.parametrize('engine', ['inplace', 'compiled'])
mazes = st.builds(Maze, st.integers(0, 10**6), st.integers(1, 10), st.just(4))
tictactoes = positions(tictactoe.start, running=True)


def stronger(proof):
    """Claims that are the next better ones for the proof's player."""
    if proof.value == 0 and proof.plies is not None:
        yield evolve(proof, plies=proof.plies + 1)
    if proof.value == 0:
        yield evolve(proof, value=0.5, plies=None)
    if proof.value == 0.5:
        yield evolve(proof, value=1)
    if proof.value == 1 and proof.plies is not None:
        yield evolve(proof, plies=proof.plies - 1)


@settings(max_examples=60)
@given(state=mazes | tictactoes, distance=st.booleans())
def test_a_value_is_proven_from_both_sides(state, distance):
    search = AlphaBeta(distance=distance)
    solution = solve(state, search, engine='inplace')
    value, plies = solution.value, solution.plies
    own, others = prove(state, search, engine='inplace')
    if NUMBA:
        assert prove(state, search, engine='compiled') == (own, others)
    assert (own.player, own.value, own.plies) == (state.player, value, plies)
    assert (others.player, others.value, others.plies) == (state.player.other, 1 - value, plies)
    for proof in (own, others):
        assert check_proof(state, proof) == HOLDS
        for claim in stronger(proof):
            assert 'the proof claims ' in check_proof(state, claim).failure()


@both
def test_proof_of_tictactoe_from_the_start(engine):
    proofs = prove(tictactoe.start, engine=engine)
    assert [proof.claim for proof in proofs] == ['X does not lose', 'O does not lose']
    assert [check_proof(tictactoe.start, proof) for proof in proofs] == [HOLDS, HOLDS]
    assert max(len(proof.moves) for proof in proofs) < 500


@both
@settings(max_examples=10)
@given(data=st.data())
def test_proofs_of_connect_four_endings(engine, data):
    state = data.draw(positions(connect4.start, running=True))
    for move in [3, 2, 4, 1, 5, 0, 6] * 6:
        if (state.x | state.o).bit_count() >= 30 or state.over:
            break
        if move in state.moves and not state.play(move).over:
            state = state.play(move)
    for proof in prove(state, engine=engine):
        assert check_proof(state, proof) == HOLDS
        assert all('claims' in check_proof(state, it).failure() for it in stronger(proof))


WON = tictactoe.parse('X.O.O..X.').unwrap()  # X wins within three plies


def test_claims_in_words():
    wins, loses = prove(WON)
    assert wins.claim == 'X wins within 3 plies'
    assert loses.claim == 'O loses no sooner than after 3 plies'
    assert Proof(Player.X, 0, None, {}).claim == 'X may lose'
    wins, loses = prove(WON, AlphaBeta(distance=False))
    assert (wins.claim, loses.claim) == ('X wins', 'O may lose')


def test_a_proof_is_a_value():
    wins, _ = prove(WON)
    assert pickle.loads(pickle.dumps(wins)) == wins == prove(WON)[0]  # noqa: S301 - our own
    assert hash(wins) == hash(prove(WON)[0])


def test_illegal_moves_are_detected():
    wins, _ = prove(WON)
    for state in wins.moves:
        wrong = evolve(wins, moves={**wins.moves, state: 0})
        assert check_proof(WON, wrong).failure() == f'the move 0 is not legal in {state}'


@settings(max_examples=200)
@given(state=mazes, data=st.data())
def test_a_changed_move_is_accepted_only_if_equally_good(state, data):
    own, _ = prove(state, engine='inplace')
    where = data.draw(st.sampled_from([*own.moves]))
    move = data.draw(st.sampled_from(where.moves))
    changed = evolve(own, moves={**own.moves, where: move})
    verdict = check_proof(state, changed)
    worst = worst_line(state, changed)
    assert (verdict == HOLDS) == (worst is not None and worst >= (own.value, key_of(own)))


def key_of(proof):
    plies = proof.plies or 0
    return -plies if proof.value == 1 else plies if proof.value == 0 else 0


def worst_line(state, proof, depth=0):
    """The worst end that the proof's moves lead to, line by line; `None`: it has no move."""
    if state.over:
        value = 0.5 if state.winner is None else float(state.winner is proof.player)
        return value, -depth if value == 1 else depth if value == 0 else 0
    replies = state.moves
    if state.player is proof.player:
        if state not in proof.moves:
            return None
        replies = (proof.moves[state],)
    lines = [worst_line(state.play(move), proof, depth + 1) for move in replies]
    return None if None in lines else min(lines)


@frozen
class Circle:
    """Around and around; X may leave, and has won then."""

    place: int = 0
    size: int | None = 4

    player = Player.X
    over = property(lambda self: self.place < 0)
    winner = property(lambda self: Player.X if self.over else None)
    moves = property(lambda self: () if self.over else ('on', 'leave'))

    def play(self, move):
        there = self.place + 1
        return evolve(
            self, place=-1 if move == 'leave' else there % self.size if self.size else there
        )


def test_circular_lines_are_detected():
    round_about = Proof(Player.X, 1, None, {Circle(place): 'on' for place in range(4)})
    why = 'a line does not end: it continues from Circle(place=3, size=4)'
    assert check_proof(Circle(), round_about).failure() == why
    left = evolve(round_about, moves={**round_about.moves, Circle(2): 'leave'})
    assert check_proof(Circle(), left) == HOLDS
    nothing = Proof(Player.O, 0, None, {})  # X alone moves, and may go on for ever
    why = 'a line does not end: it continues from Circle(place=99, size=None)'
    assert check_proof(Circle(size=None), nothing, max_plies=99).failure() == why


def test_moves_of_another_search_can_be_gathered():
    """Any search that can name a good move can have its proof gathered."""

    def solved(state):
        return solve(state, engine='inplace')

    plies = solved(WON).plies
    moves = gather(WON, Player.X, WIN - plies, lambda state, _least: solved(state).move, step=1)
    assert check_proof(WON, Proof(Player.X, solved(WON).value, plies, moves)) == HOLDS


def test_the_checker_is_short_and_uses_only_the_rules():
    tree = ast.parse(inspect.getsource(checker))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert sum(node.end_lineno - node.lineno + 1 for node in functions) <= 40
    imported = {
        f'{node.module}.{alias.name}'
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if node.module.startswith('fmcts')
    }
    assert imported == {
        'fmcts.game.MAX_PLIES',
        'fmcts.game.GameState',
        'fmcts.game.reward',
        'fmcts.solve._proof.Proof',
    }


@pytest.mark.parametrize(
    ('changed', 'why'),
    [
        ({'player': 'X'}, "player must be Player.X or Player.O, not 'X'"),
        ({'value': 0.7}, 'value must be 0, 0.5 or 1, not 0.7'),
        ({'plies': -1}, 'plies must be a whole number of at least 0, not -1'),
    ],
)
def test_invalid_proofs_are_refused(changed, why):
    with pytest.raises(ValueError, match=why):
        evolve(Proof(Player.X, 1, 3, {}), **changed)


def test_a_search_to_a_depth_proves_nothing():
    with pytest.raises(ValueError, match='a search to a depth proves nothing: depth must be None'):
        prove(tictactoe.start, AlphaBeta(9))


def test_a_proof_is_valid_only_for_its_position():
    wins, _ = prove(WON)
    assert 'the proof has no move for X' in check_proof(tictactoe.start, wins).failure()
    assert solve(tictactoe.start).value == 0.5


@pytest.mark.parametrize(
    'sizes', [(53, 10, 4), (356, 7, 4), (727, 9, 3), (764, 10, 4), (2336, 7, 4), (2804, 7, 4)]
)
def test_a_position_at_two_distances_is_proven_for_the_greater(sizes):
    """Reached by a longer line, a loss must last longer there: it is looked at once more."""
    maze = Maze(*sizes)
    for proof in prove(maze, AlphaBeta(distance=True), engine='inplace'):
        assert check_proof(maze, proof) == HOLDS
