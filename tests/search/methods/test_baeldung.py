"""The Java text's search against its program, line by line."""

import math
from importlib.util import find_spec

import pytest
from attrs import evolve
from hypothesis import given, settings, strategies as st

import naive
from fmcts import Search, SplitMix, analyse, play_game
from fmcts._arithmetic import logarithm_of
from fmcts.bots._spec import parse_bot
from fmcts.games import connect4, tictactoe
from fmcts.search._tree import walk
from fmcts.search.methods import Baeldung, Parent
from fmcts.search.methods.method import edge_type
from fmcts.testing import generators, positions
from toy_games import URNS

BAELDUNG = parse_bot('baeldung').unwrap().search
EDGE = edge_type(Baeldung().own_names)
MAX_VALUE, MIN_VALUE = 2**31 - 1, -(2**31)


def baeldung(node, index, *, c=1.41):
    child = node.children[index]
    spread = math.sqrt(logarithm_of(node.visits) / child.visits)
    return child.kept['score'] / child.visits + c * spread


def wins(node, worth, *, end, win_score=10.0, **_):
    if end == 0.0:
        node.kept['score'] = MIN_VALUE
    if worth == 1.0 and node.kept['score'] != MIN_VALUE:
        node.kept['score'] += win_score


test_matches_the_transcription = naive.law(baeldung, wins)


def test_published_value():
    """value(600, 300, 20) is 15.79, to the two digits that its test looks at."""
    value = Baeldung().score(EDGE(20.0, 0.0, 0.0, 300.0), Parent(600.0, logarithm_of(600), 0.5))
    assert abs(value - 15.79) < 0.01
    assert value == 300 / 20 + 1.41 * math.sqrt(logarithm_of(600) / 20)


def test_the_outcomes_of_chance_mark_nothing(engine):
    found, _ = analyse(
        URNS, SplitMix.from_seed(1), evolve(BAELDUNG, iterations=2_000), engine=engine
    )
    _, sure = found.stats
    assert sure.visits > 0.9 * found.iterations
    assert abs(sure.value - 0.99) < 0.01
    assert all(node.columns.own[0] >= 0.0 for node in walk(found))


class Node:
    """`Node` and `State` of the text in one."""

    def __init__(self, state, player, parent=None):
        self.state, self.player, self.parent = state, player, parent
        self.visits, self.score, self.children = 0, 0, []


def uct_value(total_visit, node):
    if node.visits == 0:
        return MAX_VALUE
    return node.score / node.visits + 1.41 * math.sqrt(logarithm_of(total_visit) / node.visits)


def find_next_move(state, rng, iterations):
    """`findNextMove`, with a count in place of a time; `Math.random` is the generator's draw."""
    opponent = state.player.other
    root = Node(state, opponent)
    for _ in range(iterations):
        promising = root
        while promising.children:
            promising = max(
                promising.children, key=lambda node: uct_value(node.parent.visits, node)
            )
        explored = promising
        if not promising.state.over:
            for move in promising.state.moves:
                after = promising.state.play(move)
                promising.children.append(Node(after, promising.state.player, promising))
            index, rng = rng.uniform(0, len(promising.children) - 1)
            explored = promising.children[index]
        # simulateRandomPlayout
        here = explored.state
        if here.over and here.winner is opponent:
            explored.parent.score = MIN_VALUE
        while not here.over:
            index, rng = rng.uniform(0, len(here.moves) - 1)
            here = here.play(here.moves[index])
        # backPropogation; addScore looks whether the score is the least integer
        node = explored
        while node is not None:
            node.visits += 1
            if here.winner is node.player and node.score != MIN_VALUE:
                node.score += 10
            node = node.parent
    best = max(root.children, key=lambda node: node.visits)
    return root, root.children.index(best), rng


@pytest.mark.parametrize('start', [tictactoe.start, connect4.start])
@given(st.data(), generators(), st.integers(1, 150))
@settings(max_examples=25)
def test_matches_the_java_program(start, data, rng, iterations):
    state = data.draw(positions(start, running=True))
    expected, chosen, rng_after = find_next_move(state, rng, iterations)
    search = Search(iterations, selection='baeldung', expansion='full', final='first-robust')
    analysis, after = analyse(state, rng, search, engine='persistent')
    assert (analysis.move, after) == (state.moves[chosen], rng_after)
    pairs = [(analysis.tree, expected)]
    while pairs:
        node, plain = pairs.pop()
        assert (node.visits, node.columns.own) == (plain.visits, (float(plain.score),))
        pairs += zip(node.children, plain.children, strict=True)


@pytest.mark.parametrize('seed', range(8))
def test_draws_against_itself_at_the_default_budget(seed):
    """As the text's own test has it; the shown test of the text has one game."""
    quickest = 'compiled' if find_spec('numba') else 'inplace'  # any finds the same
    bot = evolve(parse_bot('baeldung').unwrap(), engine=quickest)
    record, _ = play_game(tictactoe.start, bot, bot, SplitMix.from_seed(seed))
    assert record.winner is None
