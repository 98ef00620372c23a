"""Values of positions: all engines against plain minimax and published results."""

import functools
import math
from fractions import Fraction
from typing import ClassVar, NamedTuple

import pytest
from attrs import evolve, frozen
from hypothesis import assume, given, settings, strategies as st
from returns.result import Failure, Success

from drawn_games import Maze
from fmcts import EndlessGameError, IllegalMoveError, Player, Search, SplitMix, analyse
from fmcts.games import connect4, othello, tictactoe
from fmcts.rules import IntegerRules, OnPositions
from fmcts.solve import (
    AlphaBeta,
    MoveValue,
    Solution,
    check_expectation,
    check_proof,
    expectation,
    move_values,
    searched_proofs,
    solve,
)
from fmcts.testing import generators, positions
from tiers import exhaustive, is_interpreted, usually
from toy_games import Corridor, Long, drawn_trees, solved

ENGINES = ['inplace', 'compiled']
both = pytest.mark.parametrize('engine', ENGINES)
mostly_interpreted = pytest.mark.parametrize('engine', usually(is_interpreted, ENGINES))
mazes = st.builds(Maze, st.integers(0, 10**6), st.integers(1, 12), st.just(4))
tables = st.sampled_from([0, 1, 4, 20, 1 << 22])


# ---- minimax written as plainly as can be ----

LONG = math.inf


def rank(line, distance):
    """The better for whoever has the line `(value, plies)`, the greater: what was seen to its end
    counts for more than what was only thought to be worth as much.
    """
    value, plies = line
    if plies is None:
        return value, 0, 0
    return value, 1 if value else -1, (-plies if value else plies) if distance else 0


def turned(line, again):
    """A line one ply earlier, for who moved there; `again`: the same side moves after."""
    value, plies = line
    return value if again else 1 - value, None if plies is None else plies + 1


def minimax(state, depth=LONG, evaluate=lambda _state: 0.5, *, distance=True):
    """`(value, plies, move)` for the side to move; of a finished game without a move."""
    return searcher(evaluate, distance)(state, depth)


@functools.lru_cache(maxsize=4)
def searcher(evaluate, distance):
    """The function that searches; it remembers the positions of earlier calls."""

    @functools.cache
    def best(state, depth):
        if state.over:
            won = state.winner
            return (0.5, None) if won is None else (float(won is state.player), 0)
        if depth == 0:
            worth = evaluate(state)
            return (worth if state.player is Player.X else 1 - worth), None
        return max(map(rows(state, depth), state.moves), key=lambda line: rank(line, distance))

    def rows(state, depth):
        def row(move):
            child = state.play(move)
            return turned(best(child, depth - 1), child.player is state.player)

        return row

    def search(state, depth):
        value, plies = best(state, depth)
        if state.over:
            return value, plies, None
        row = rows(state, depth)
        move = max(state.moves, key=lambda move: rank(row(move), distance))
        return value, plies if distance else None, move

    return search


def min_ab(state, alpha, beta):
    """The worth to X of a position in which O moves, as in the C text: -1, 0 or 1."""
    if state.over:
        return 0 if state.winner is None else 1 if state.winner is Player.X else -1
    for move in state.moves:
        beta = min(beta, max_ab(state.play(move), alpha, beta))
        if beta <= alpha:
            break
    return beta


def max_ab(state, alpha, beta):
    """The same where X moves."""
    if state.over:
        return 0 if state.winner is None else 1 if state.winner is Player.X else -1
    for move in state.moves:
        alpha = max(alpha, min_ab(state.play(move), alpha, beta))
        if beta <= alpha:
            break
    return alpha


def text_player(state):
    """The first of the moves that those two give the best worth."""
    if state.player is Player.X:
        return max(state.moves, key=lambda move: min_ab(state.play(move), -1, 1))
    return min(state.moves, key=lambda move: max_ab(state.play(move), -1, 1))


# ---- values ----


def found(solution):
    return solution.value, solution.plies, solution.move


def unfinished(start):
    """Every position of a game that is not over, each once."""
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        yield state
        for child in map(state.play, state.moves):
            if not child.over and child not in seen:
                seen.add(child)
                waiting.append(child)


@both
def test_all_positions_of_tictactoe_equal_minimax(engine):
    states = [*unfinished(tictactoe.start)]
    assert len(states) == 4520
    for state in states if engine == 'compiled' else states[::15]:
        assert found(solve(state, engine=engine)) == minimax(state)


@both
@settings(max_examples=60)
@given(state=mazes, depth=st.none() | st.integers(1, 6), distance=st.booleans(), table=tables)
def test_drawn_games_with_double_moves_equal_minimax(engine, state, depth, distance, table):
    search = AlphaBeta(depth, distance=distance, table=table)
    expected = minimax(state, **({} if depth is None else {'depth': depth}), distance=distance)
    assert found(solve(state, search, engine=engine)) == expected


def eighths(position):
    """An evaluation of positions that can be turned round without a rounding."""
    return (position.seed * 31 + position.room * 17 + position.turn * 5) % 9 / 8


@mostly_interpreted
@settings(max_examples=100)
@given(state=mazes, depth=st.integers(1, 6), distance=st.booleans(), table=tables)
def test_depth_limits_with_an_evaluation_equal_minimax(engine, state, depth, distance, table):
    def of_states(state):
        return eighths(state.packed())

    expected = minimax(state, depth, of_states, distance=distance)
    search = AlphaBeta(depth, OnPositions(eighths), distance=distance, table=table)
    assert found(solve(state, search, engine=engine)) == expected
    search = AlphaBeta(depth, of_states, distance=distance, table=table)
    assert found(solve(state, search)) == expected


def thirds(position):
    return position.room % 4 / 3


@pytest.mark.exhaustive
@pytest.mark.needs_numba
@given(state=mazes, depth=st.integers(1, 6))
def test_evaluations_are_never_rounded(state, depth):
    search = AlphaBeta(depth, OnPositions(thirds))
    one, other = (solve(state, search, engine=engine) for engine in ENGINES)
    assert found(one) == found(other)
    if one.plies is None:
        numbers = {number / 3 for number in range(4)} | {0.5}
        assert one.value in (numbers if state.player is Player.X else {1 - it for it in numbers})


def test_evaluations_are_returned_unchanged():
    worth = 0.1 + 0.2
    for state, value in ((tictactoe.start, worth), (tictactoe.start.play(4), 1 - worth)):
        solution = solve(state, AlphaBeta(2, lambda _state: worth))
        assert found(solution) == (value, None, state.moves[0])


@both
@settings(max_examples=25)
@given(data=st.data())
def test_connect_four_and_othello_endings_equal_minimax(engine, data):
    game = data.draw(st.sampled_from([connect4, othello]))
    state = data.draw(positions(game.start, running=True))
    discs = (state.x | state.o).bit_count()
    search = AlphaBeta(None if discs > (32 if game is connect4 else 57) else 3)
    expected = minimax(state, *([] if search.depth is None else [search.depth]))
    assert found(solve(state, search, engine=engine)) == expected


# Positions that Pascal Pons has solved, "moves score": columns from 1, and by how many of the own
# stones before the last the side to move wins, or loses.
SOLVED = [
    ('16357157437461355316457465722', 1),
    ('2166166176633734115273317322475724', -2),
    ('2234233713673272772715315511456', 5),
    ('27321655356115733463527613277', 6),
    ('34767211234546537225571614622534', -1),
    ('3743473142223477134365214527555', -4),
    ('42454611251266217126153276635', -3),
    ('44575513446562755321334667417', 2),
    ('51464447236564127622711777642215635', 3),
    ('5234366411554144162665134725717653', -3),
    ('61134124344226244271352657663', 5),
    ('72435116367432615375446632372672127', 0),
]


def won_by(plies, stones):
    """How many stones before the last the winner has four: 1 with the last one."""
    winner_has = (stones + plies + 1) // 2  # X moves at even numbers, and so on in turn
    return 22 - winner_has


@both
@pytest.mark.parametrize(('moves', 'score'), SOLVED)
def test_solved_positions_of_connect_four(engine, moves, score):
    columns = [int(letter) - 1 for letter in moves]
    state = functools.reduce(connect4.Connect4.play, columns, connect4.start)
    solution = solve(state, engine=engine)
    assert solution.value == (score > 0) + (score == 0) / 2
    if score:
        assert won_by(solution.plies, len(moves)) == abs(score)


@pytest.mark.needs_numba
@pytest.mark.parametrize('table', [1, 64, 3_000, 1 << 22])
def test_the_size_of_the_table_does_not_change_the_result(table):
    """It grows while the position is solved, or is too small all along."""
    moves = (0, 3, 3, 2, 3, 5, 6, 0, 2, 3, 2, 2, 6, 0, 0, 6)
    state = functools.reduce(connect4.Connect4.play, moves, connect4.start)
    known = solve(state, engine='compiled')
    assert solve(state, AlphaBeta(table=table), engine='compiled') == known
    assert known.nodes > 10_000


@pytest.mark.parametrize(('plies', 'value'), [(5_000, 0.0), exhaustive((5_001, 1.0))])
@both
def test_games_of_any_length(engine, plies, value):
    assert found(solve(Long(plies, ways=1), engine=engine)) == (value, plies, 0)


@mostly_interpreted
def test_endless_games_are_refused(engine):
    with pytest.raises(EndlessGameError, match='a game of Long is not over after 2,000 plies'):
        solve(Long(-1, ways=1), AlphaBeta(max_plies=2_000), engine=engine)
    assert found(solve(Long(-1, ways=1), AlphaBeta(50), engine=engine)) == (0.5, None, 0)
    assert found(solve(Long(60, ways=1), AlphaBeta(max_plies=60), engine=engine)) == (0.0, 60, 0)


class Place(NamedTuple):
    at: int
    turn: int


@frozen
class Walk:
    """Each in turn steps left or right, from 0 until 3 or -3; it need not end."""

    at: int = 0
    turn: int = 0
    compiled: ClassVar = IntegerRules(
        pack=lambda state: Place(state.at, state.turn),
        menu=lambda place: 3 if -3 < place.at < 3 else 0,
        play=lambda place, move: Place(place.at + 2 * move - 1, 1 - place.turn),
        side=lambda place: place.turn,
        winner=lambda place: 0 if place.at > 0 else 1,
    )

    player = property(lambda self: (Player.X, Player.O)[self.turn])
    moves = property(lambda self: () if self.over else (0, 1))
    over = property(lambda self: abs(self.at) == 3)
    winner = property(lambda self: (Player.X if self.at > 0 else Player.O) if self.over else None)

    def play(self, move):
        return type(self)(self.at + 2 * move - 1, 1 - self.turn)


@pytest.mark.parametrize('engine', [*ENGINES, 'auto'])
def test_games_that_go_round_are_refused_soon(engine):
    seen = []
    with pytest.raises(EndlessGameError, match='a game of Walk goes round: its positions'):
        solve(Walk(), AlphaBeta(max_plies=50_000), engine=engine, watch=seen.append)
    assert max(seen, default=0) < 10_000
    assert found(solve(Walk(-2, 1), engine=engine)) == (1.0, 1, 0)
    assert found(solve(Walk(), AlphaBeta(6), engine=engine)) == (0.5, None, 0)


def test_single_player_games():
    assert found(solve(Corridor(7), engine='inplace')) == (1.0, 7, 1)


@both
def test_equals_the_text_s_perfect_player(engine):
    """Deterministic, and the first of equals: steps 6 and 7 of the C course."""
    whole = AlphaBeta(distance=False, table=0)
    for state in [*unfinished(tictactoe.start)][:: 3 if engine == 'compiled' else 30]:
        solution = solve(state, whole, engine=engine)
        assert solution.move == text_player(state)
        assert solution.plies is None


@both
@settings(max_examples=30)
@given(state=mazes, distance=st.booleans())
def test_move_values_equal_minimax(engine, state, distance):
    rows = move_values(state, AlphaBeta(distance=distance), engine=engine)
    for row, move in zip(rows, state.moves, strict=True):
        child = state.play(move)
        value, plies, _ = minimax(child, distance=distance)
        again = child.player is state.player
        plies = plies + 1 if distance and plies is not None else None
        assert row == MoveValue(move, value if again else 1 - value, plies)


def test_root_moves_are_respected():
    state = tictactoe.parse('X.O.O..XX').unwrap()
    assert [row.move for row in move_values(state, root_moves=(6, 1))] == [1, 6]
    with pytest.raises(IllegalMoveError, match='illegal move 0: the legal moves are 1, 3, 5, 6'):
        move_values(state, root_moves=(0,))


def test_equality_ignores_nodes():
    assert Solution(1, 1.0, 2, nodes=3) == Solution(1, 1.0, 2, nodes=4)


# ---- searched ----


def verified(state, analysis):
    """The proofs, which hold, and say together what the position is worth."""
    proofs = searched_proofs(analysis)
    assert [check_proof(state, proof) for proof in proofs] == [Success(None)] * len(proofs)
    for_x, _ = solved(state)
    for proof in proofs:
        assert proof.value == (for_x if proof.player is Player.X else 1.0 - for_x)
    assert len(proofs) == (2 if for_x == 0.5 else 1)
    return proofs


@pytest.mark.parametrize('bounds', [False, True])
@given(drawn_trees(), generators())
@settings(max_examples=80)
def test_every_proof_holds(bounds, game, rng):
    """In trees of any shape, with equal positions in several places."""
    search = Search(100_000, solver=True, bounds=bounds)
    analysis, _ = analyse(game, rng, search, engine='inplace')
    for proof in verified(game, analysis):
        for state in proof.moves:
            rest = {other: move for other, move in proof.moves.items() if other != state}
            assert isinstance(check_proof(game, evolve(proof, moves=rest)), Failure)


@pytest.mark.parametrize('bounds', usually([True], [False, True]))
@given(positions(tictactoe.start, running=True), generators())
@settings(max_examples=30)
def test_proofs_of_tictactoe(bounds, state, rng):
    analysis, _ = analyse(state, rng, Search(1000, solver=True, bounds=bounds), engine='inplace')
    assume(analysis.proof is not None)
    verified(state, analysis)


def test_a_stronger_claim_than_proven_fails():
    state = tictactoe.parse('X.O.O..X.').unwrap()
    analysis, _ = analyse(state, SplitMix.from_seed(1), Search(1000, solver=True))
    (proof,) = searched_proofs(analysis)
    assert proof.plies == 3
    assert isinstance(check_proof(state, evolve(proof, plies=2)), Failure)


@pytest.mark.parametrize('search', [Search(3), Search(3, solver=True)])
def test_unproven_searches_have_no_proof(search):
    analysis, _ = analyse(tictactoe.start, SplitMix.from_seed(1), search)
    with pytest.raises(ValueError, match='nothing is proven of the root'):
        searched_proofs(analysis)


# ---- chance and any number of players ----


@frozen
class Thirds:
    """One of three players takes a draw, or a lottery that each of them wins once in three."""

    at: str = 'begin'
    players = ('one', 'two', 'three')
    player = 'one'
    moves = property(lambda self: ('draw', 'lottery') if self.at == 'begin' else ())
    chances = property(lambda self: tuple((it, 1) for it in self.players if self.at == 'lottery'))
    over = property(lambda self: not (self.moves or self.chances))
    winner = property(lambda self: self.at if self.at in self.players else None)

    def play(self, move):
        return Thirds(move)


@frozen
class Shares(Thirds):
    """The same with rewards: the first move gives tenths, and the second as much on average."""

    at: str = 'begin'
    chances = property(
        lambda self: (('one', 7), ('two', 2), ('three', 1)) if self.at == 'lottery' else ()
    )

    @property
    def rewards(self):
        if self.at == 'draw':
            return (0.7, 0.2, 0.1)
        return tuple(float(it == self.at) for it in self.players) if self.over else ()

    def play(self, move):
        return Shares(move)


@pytest.mark.parametrize(
    ('start', 'values'),
    [(Thirds(), (1, 1, 1)), (Shares(), (2.1, 0.6, 0.3))],
    ids=['third', 'tenth'],
)
def test_of_equal_moves_the_first_is_the_best(start, values):
    found = expectation(start)
    assert found.move == 'draw'
    assert found.table[start.play('draw')] == found.table[start.play('lottery')] == found.values
    assert found.values == tuple(Fraction(str(it)) / 3 for it in values)
    assert check_expectation(found) == len(found.table) == 6
