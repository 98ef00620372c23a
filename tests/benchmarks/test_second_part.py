"""The study of the French series' second part: its counts, and its bots limited by calls."""

from fmcts import SplitMix
from fmcts.games import tictactoe

from .conftest import programs

(study,) = programs('studies', 'second_part')
END = tictactoe.parse('XOXOX.O..').unwrap()  # one of its ends is reached in two ways


def searched(name, state=END, iterations=100):
    return study.searched('tictactoe', state, name, iterations, 1)


def test_a_playout_makes_one_call_per_ply():
    last = tictactoe.parse('XOXXOOOX.').unwrap()
    for name in study.SEARCHES:
        row = searched(name, last, iterations=1)
        assert (row.calls, row.computed, row.nodes, row.states) == (1, 1, 2, 2), name
        assert (row.depth, row.credited, row.value) == (0.5, 1, 0.5), name
        assert searched(name, tictactoe.start, iterations=1).depth == 0.5  # of visited nodes


def nodes_of(state):
    """The states of every line there is."""
    return [state, *(one for move in state.moves for one in nodes_of(state.play(move)))]


def test_with_rollout_expand_terminal_states_are_computed_once():
    nodes = len(nodes_of(END))
    states = len({*nodes_of(END)})
    assert states == nodes - 1
    rows = {name: searched(name) for name in study.SEARCHES}
    for name in ('closing', 'rollout-expand', 'jump'):
        assert (rows[name].iterations, rows[name].nodes) == (nodes - 1, nodes)
    assert rows['rollout-expand'].calls == nodes - 1
    assert rows['closing'].calls > nodes - 1
    assert rows['plain'].iterations == 100
    assert {row.computed for row in rows.values()} == {states - 1}  # but for the root
    whole = [rows[name] for name in ('closing', 'rollout-expand', 'jump', 'sound graph')]
    assert {row.states for row in whole} == {states}
    assert rows['sound graph'].nodes == states
    assert rows['graph'].credited > 100 == rows['sound graph'].credited


def test_a_bot_limited_by_calls_ends_with_the_iteration_that_reaches_the_limit():
    for name in ('plain', 'rollout-expand', 'sound graph'):
        few = next(n for n in range(1, 100) if searched(name, tictactoe.start, n).calls >= 150)
        bots = study.bot_of(name, 'calls', 150), study.bot_of(name, 'iterations', few)
        one, two = (bot(tictactoe.start, SplitMix.from_seed(1)) for bot in bots)
        assert one == two
        assert one != study.bot_of(name, 'calls', 100)(tictactoe.start, SplitMix.from_seed(1))


def test_a_bot_limited_by_calls_ends_when_nothing_is_left_to_call():
    assert study.bot_of('plain', 'calls', 300)(END, SplitMix.from_seed(1))[0] == 8  # which wins
    assert study.bot_of('closing', 'calls', 300)(END, SplitMix.from_seed(1))[0] in END.moves
