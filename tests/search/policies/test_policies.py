"""Playout policies: their choices, the same in every engine."""

import re

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

from chained import agree
from drawn_games import WIDEST, Maze
from fmcts import Player, Search, SplitMix, analyse
from fmcts.games import connect4
from fmcts.rng import thaw
from fmcts.rules import OnPositions, rules_of
from fmcts.search.policies import (
    MAST,
    POLICIES,
    AntiDecisive,
    Decisive,
    LastGoodReply,
    Mixture,
    Narrowing,
    Patient,
    Uniform,
    epsilon,
)
from fmcts.testing import check_rules, generators, positions
from toy_games import small_positions

RNG = SplitMix.from_seed(1)
MIXED = Mixture((Decisive(), Uniform(), AntiDecisive()), (0.25, 0.5, 0.25))
mazes = st.builds(
    Maze,
    st.integers(0, 99_999), st.integers(1, 5), st.integers(1, WIDEST),
)  # fmt: skip


def wins(state, move):
    """The paper's decisive move, once more."""
    after = state.play(move)
    return after.over and after.winner == state.player


def anti_decisive(state):
    """The moves after which no reply wins; written out anew."""
    kept = []
    for move in state.moves:
        after = state.play(move)
        opponent = Player.O if state.player is Player.X else Player.X
        if after.over:
            if after.winner is not opponent:
                kept.append(move)
        elif after.player is not opponent or not any(wins(after, it) for it in after.moves):
            kept.append(move)
    return kept


def chosen(policy, state):
    """All that the policy may choose, by trying every draw."""
    found, count = [], []

    def draw(size):
        count.append(size)
        return len(found)

    while not found or len(found) < count[0]:
        found.append(policy.choose(state, state.moves, draw))
    return found


@given(small_positions)
def test_decisive_moves(state):
    expected = [move for move in state.moves if wins(state, move)] or [*state.moves]
    assert chosen(Decisive(), state) == expected


@given(small_positions | mazes)
@settings(max_examples=300)
def test_anti_decisive_moves(state):
    """A move after which the same side moves again is safe, whatever either could do then."""
    winning = [move for move in state.moves if wins(state, move)]
    assert chosen(AntiDecisive(), state) == (winning or anti_decisive(state) or [*state.moves])


@given(positions(connect4.start, running=True))
@settings(max_examples=300)
def test_threats_by_bits_equal_threats_by_trial(state):
    rules = rules_of(state)
    position = rules.pack(state)
    cells = rules.menu(position)
    moves = dict(zip(rules.listed(cells), state.moves, strict=True))
    kept = {name: getattr(rules, name)(position, cells) for name in ('winning', 'safe')}
    assert [moves[cell] for cell in rules.listed(kept['winning'])] == [
        move for move in state.moves if wins(state, move)
    ]
    assert [moves[cell] for cell in rules.listed(kept['safe'])] == anti_decisive(state)


def discs(stones):
    """The (column, row) of each disc."""
    return {divmod(cell, 7) for cell in range(49) if stones >> cell & 1}


def in_four(cell, mine):
    """Whether a disc on that cell would stand in four of a row, by looking along each line."""
    for step in ((1, 0), (0, 1), (1, 1), (1, -1)):
        row = 1
        for sign in (1, -1):
            at = (cell[0] + sign * step[0], cell[1] + sign * step[1])
            while at in mine:
                row, at = row + 1, (at[0] + sign * step[0], at[1] + sign * step[1])
        if row >= 4:
            return True
    return False


def patient(state):
    """Safe moves, but for those right below a cell where the player would win."""
    mine = discs(state.x if state.player is Player.X else state.o)
    heights = [sum(column == at for at, _ in discs(state.x | state.o)) for column in range(7)]
    above = [(column, heights[column] + 1) for column in range(7)]
    return [
        move
        for move in anti_decisive(state)
        if above[move][1] > 5 or not in_four(above[move], mine)
    ]


@given(positions(connect4.start, running=True))
@settings(max_examples=300)
def test_patient_moves(state):
    winning = [move for move in state.moves if wins(state, move)]
    expected = winning or patient(state) or anti_decisive(state) or [*state.moves]
    assert chosen(Patient(), state) == expected


@pytest.mark.parametrize('name', ['winning', 'safe', 'patient'])
def test_faulty_fast_threats_are_detected_by_check_rules(name):
    class Wrong(connect4.Connect4):
        compiled = evolve(connect4.Connect4.compiled, **{name: lambda _position, cells: cells})

    complaint = check_rules(Wrong(), plies=200).failure()
    assert re.match(rf'(at the start|after the moves .*), {name}: \[.*\] interpreted', complaint)


def first_field(position):
    return (position[0] % 16) / 16.0


# To the end of the game or to an evaluation; test_shapes has other policies.
THREATS = Search(
    playout=Mixture((Patient(), Decisive()), (0.5, 0.5)),
    evaluate=OnPositions(first_field),
    evaluate_after=1,
)


@pytest.mark.needs_numba
@given(
    positions(connect4.start, running=True),
    st.integers(0, 99),
    st.integers(1, 60),
    st.integers(1, 42),
)
@settings(max_examples=20)
def test_compiled_playouts_are_the_same(state, seed, iterations, plies):
    search = evolve(THREATS, iterations=iterations, evaluate_after=plies)
    agree(state, SplitMix.from_seed(seed), search, 'compiled')


@given(small_positions, generators(), st.sampled_from([Decisive(), MIXED, MAST(), LastGoodReply()]))
@settings(max_examples=30)
def test_epsilon_0_is_the_policy_and_1_is_uniform(state, rng, policy):
    """To the digest: a part without weight draws nothing."""

    def found(playout):
        analysis, after = analyse(state, rng, Search(8, playout=playout), engine='inplace')
        return analysis.digest, after

    assert found(epsilon(policy, 0)) == found(policy)
    assert found(epsilon(policy, 1)) == found('uniform')
    assert found(Mixture((policy, Uniform(), policy), (0, 1, 0))) == found('uniform')


def test_parts_are_chosen_in_proportion_to_their_weights():
    """Of 2,000 choices about as many by each part as its weight says, of what only it chooses."""
    only = [
        Narrowing(lambda state, index=index: state.moves[index : index + 1]) for index in (0, 1, 2)
    ]
    mixture, draws = Mixture(tuple(only), (0.5, 0.125, 0.375)), thaw(RNG)
    moves = connect4.start.moves
    counts = [0, 0, 0]
    for _ in range(2000):
        counts[mixture.choose(connect4.start, moves, draws.draw)] += 1
    pairs = zip(counts, (1000, 250, 750), strict=True)
    assert all(abs(count - share) < 100 for count, share in pairs)
    assert mixture.limits == (2**19, 2**19 + 2**17)


@pytest.mark.needs_numba
def test_every_named_policy_has_machine_code():
    from fmcts._linked.structure import _unable_leaf  # noqa: PLC0415 - where there is numba

    leaves = {name: Search(playout=name).policy.leaves for name in POLICIES}
    assert [name for name, its in leaves.items() if any(map(_unable_leaf, its))] == []
