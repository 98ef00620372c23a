"""What each strategy draws: within its bounds, including both ends."""

from collections import Counter

import pytest
from hypothesis import strategies as st

from drawing import drawn, ends_of_numbers
from fmcts import FinishedGameError, Player, SplitMix, StdGen
from fmcts.games import tictactoe
from fmcts.rng._stdgen import MODULUS1, MODULUS2
from fmcts.testing import Formula, _strategies as strategies
from fmcts.testing._drawn import Drawn, Graph
from fmcts.testing._grammar import LEAVES
from lines import Corridor, play_line

START = tictactoe.start


# Words and generators.


def test_edges_are_single_bits_and_their_complements():
    bits = {2**bit for bit in range(64)}
    below = {bit - 1 for bit in bits}
    all_of_them = 2**64 - 1
    assert all_of_them == strategies.WORD
    assert {*strategies.EDGES} == bits | below | {all_of_them - edge for edge in bits | below}
    assert (0, 1, 2**63 - 1, 2**63, all_of_them) == strategies.ENDS


def test_words_are_edges_or_any():
    values = Counter(drawn(strategies.words(), 300))
    assert all(0 <= word < 2**64 for word in values)
    assert all(values[end] for end in strategies.ENDS)
    assert sum(values[edge] for edge in {*strategies.EDGES} - {*strategies.ENDS}) > 50
    others = [word for word in values if word not in strategies.EDGES]
    assert sum(word >= 2**56 for word in others) > 40


def test_generators_are_of_both_kinds_in_any_state():
    values = drawn(strategies.generators(), 1000)
    kinds = Counter(map(type, values))
    assert min(kinds[SplitMix], kinds[StdGen]) > 30
    seeded = {SplitMix.from_seed(end).gamma for end in strategies.ENDS}
    gammas = {rng.gamma for rng in values if type(rng) is SplitMix}
    assert gammas & seeded
    assert {1, 2**64 - 1} <= gammas
    assert all(gamma % 2 for gamma in gammas)
    assert {type(rng) for rng in drawn(strategies.splitmixes(), 20)} == {SplitMix}


def test_states_of_a_stdgen_are_any_and_often_extreme():
    values = drawn(strategies.stdgens(), 150)
    for name, modulus in (('s1', MODULUS1), ('s2', MODULUS2)):
        states = Counter(getattr(rng, name) for rng in values)
        assert all(states[end] >= 3 for end in (1, 2, modulus - 2, modulus - 1))
        assert len(states) > 30


def test_bounds_of_the_numbers_of_generators(monkeypatch):
    between = ends_of_numbers(monkeypatch)
    strategies.words()
    strategies.stdgens()
    assert between == [(0, 2**64 - 1), (1, MODULUS1 - 1), (1, MODULUS2 - 1)]


# Positions and lines.


def stones(state):
    return (state.x | state.o).bit_count()


def test_positions_are_of_all_stages_and_often_terminal():
    values = drawn(strategies.positions(START))
    assert {stones(state) for state in values} == {*range(10)}
    assert 0.2 < sum(state.over for state in values) / len(values) < 0.6
    assert len({*values}) > 30


def test_running_positions_are_not_over():
    values = drawn(strategies.positions(START, running=True))
    assert not any(state.over for state in values)
    assert {stones(state) for state in values} == {*range(9)}
    near_the_end = tictactoe.parse('XXOOOXX..').unwrap()
    assert not any(
        state.over for state in drawn(strategies.positions(near_the_end, running=True), 40)
    )
    before_the_end = tictactoe.parse('XXOOOXXO.').unwrap()
    assert {*drawn(strategies.positions(before_the_end, running=True), 10)} == {before_the_end}
    over = tictactoe.parse('XXXOO....').unwrap()
    with pytest.raises(FinishedGameError, match='its game is over'):
        drawn(strategies.positions(over, running=True), 1)


def test_positions_are_limited_to_max_plies():
    for running in (False, True):
        values = drawn(strategies.positions(START, max_plies=3, running=running), 80)
        assert {stones(state) for state in values} == {0, 1, 2, 3}


def test_long_games_are_played_for_five_hundred_plies_and_lines_for_two_hundred(monkeypatch):
    assert min(state.left for state in drawn(strategies.positions(Corridor(600)), 20)) == 100
    monkeypatch.setattr(strategies, 'GOING_ON', st.just(1))
    assert {len(line) for line in drawn(strategies.lines(Corridor(300)), 3)} == {200}


def test_moves_of_positions_are_drawn_uniformly(monkeypatch):
    """By a stand-in for the generator: its seeds have 32 bits, and each move is asked for once."""
    asked = []

    class Lowest:
        @staticmethod
        def from_seed(seed):
            assert 0 <= seed < 2**32
            return Lowest

        @staticmethod
        def uniform(low, high):
            asked.append((low, high))
            return low, Lowest

    monkeypatch.setattr(strategies, 'SplitMix', Lowest)
    between = ends_of_numbers(monkeypatch)
    drawn(strategies.positions(START, max_plies=2), 5)
    assert {*asked} == {(0, 8), (0, 7)}
    assert {*between} == {(0, 2**32 - 1), (0, 3), (0, 2)}  # a game, whether its end, a stage


def test_a_line_continues_with_probability_31_in_32():
    assert {*drawn(strategies.GOING_ON, 600)} == {*range(32)}


def test_lines_are_legal_and_of_all_lengths():
    values = drawn(strategies.lines(START))
    lengths = {len(line) for line in values}
    assert {0, 1, 9} <= lengths <= {*range(10)}
    assert len(lengths) > 6
    early = sum(not state_after(line).over for line in values)
    assert 0.1 < early / len(values) < 0.9
    assert {0, 8} <= {line[0] for line in values if line}


def state_after(line):
    return play_line(START, line)


def test_lines_are_limited_to_max_plies():
    values = drawn(strategies.lines(START, max_plies=2), 80)
    assert {len(line) for line in values} == {0, 1, 2}


# Games.


def test_games_have_all_sizes_and_few_moves_at_each_position():
    values = [game.graph for game in drawn(strategies.games(), 150)]
    sizes = {len(graph.after) for graph in values}
    assert {2, 16} <= sizes <= {*range(2, 17)}
    assert len(sizes) > 10
    widths = Counter(len(after) for graph in values for after in graph.after if after)
    assert {*widths} == {1, 2, 3, 4}
    assert {player for graph in values for player in graph.players} == {*Player}
    assert {winner for graph in values for winner in graph.winners} == {*Player, None}
    ends = {(len(graph.after), sum(not after for after in graph.after)) for graph in values}
    assert {(2, 1), (3, 1), (3, 2)} <= ends
    assert all(1 <= count < size for size, count in ends)
    for graph in values:
        size = len(graph.after)
        running = [bool(after) for after in graph.after]
        assert running == sorted(running, reverse=True)
        assert len(graph.players) == len(graph.winners) == size
        for at, after in enumerate(graph.after):
            assert all(at < to < size for to in after)
    steps = Counter(
        (to - at, len(graph.after) - to)
        for graph in values
        for at, after in enumerate(graph.after)
        for to in after
    )
    assert any(step == 1 for step, _ in steps)
    assert any(left == 1 for _, left in steps)


def test_the_positions_of_a_game_are_limited():
    values = drawn(strategies.games(max_positions=3), 60)
    assert {len(game.graph.after) for game in values} == {2, 3}
    assert {game.at for game in values} == {0}
    assert type(values[0]) is Drawn
    assert type(values[0].graph) is Graph


def test_options_are_keyword_only():
    for strategy in (strategies.positions, strategies.lines):
        with pytest.raises(TypeError, match='positional'):
            strategy(START, 3)
    for strategy in (strategies.games, strategies.formulas):
        with pytest.raises(TypeError, match='positional'):
            strategy(3)


def test_formulas_have_at_most_eight_numbers(monkeypatch):
    monkeypatch.setattr(strategies, 'drawn_formula', lambda _draw, size: size)
    assert drawn(strategies.formulas(), 1) == [8]


def test_formulas_are_of_many_kinds():
    texts = {formula.text for formula in drawn(strategies.formulas(), 40)}
    assert len(texts) > 15
    assert {formula.text for formula in drawn(strategies.formulas(size=1), 60)} <= {*LEAVES}
    assert isinstance(drawn(strategies.formulas(), 1)[0], Formula)
