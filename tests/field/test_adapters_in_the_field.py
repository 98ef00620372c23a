"""What people do with other libraries' games and with strategies, as they reported it."""

import pickle
from fractions import Fraction

import pyspiel
import pytest
from attrs import frozen
from hypothesis import Phase, find, given, settings
from hypothesis.stateful import run_state_machine_as_test
from returns.pipeline import is_successful

from fmcts import Search, SplitMix, analyse, random_bot
from fmcts.game import illegal, options_of
from fmcts.games import find_game, tictactoe
from fmcts.interop import openspiel, replayed
from fmcts.solve import solve
from fmcts.testing import check_bot, check_game, game_machine, lines, positions
from toy_games import play_line

RNG = SplitMix.from_seed(1)
CERTAIN = settings(
    derandomize=True, database=None, deadline=None, max_examples=2000, phases=tuple(Phase)
)


def start_of(name):
    return find_game(name).unwrap().start


# States of OpenSpiel that begin elsewhere.


@pytest.mark.parametrize(
    ('name', 'text'),
    [
        ('chess', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1'),
        ('antichess', 'rnbqkbnr/ppppppp1/8/7p/7P/8/PPPPPPP1/RNBQKBNR w - - 0 2'),
        ('crazyhouse', 'rnbqkbnr/ppppppp1/8/7p/7P/8/PPPPPPP1/RNBQKBNR w KQkq - 0 2'),
        ('shogi', 'lnsgkgsn1/1r5bl/ppppppppp/9/9/8P/PPPPPPPP1/1B5R1/LNSGKGSNL b - 2'),
    ],
)
def test_a_position_from_elsewhere_is_the_one_that_was_given(name, text):
    theirs = pyspiel.load_game(name).new_initial_state(text)
    for _ in range(4):
        mine = openspiel.state_of(theirs)
        assert str(mine) == str(theirs)
        assert mine.moves == tuple(theirs.legal_actions())
        assert mine == openspiel.state_of(theirs) == pickle.loads(pickle.dumps(mine))  # noqa: S301
        assert mine != openspiel.start(name)
        action = mine.moves[len(mine.moves) // 2]
        assert str(mine.play(action)) == str(theirs.child(action))
        theirs.apply_action(action)


@pytest.mark.parametrize(
    ('name', 'text'),
    [('clobber(rows=2,columns=3)', '0oooxxx'), ('dots_and_boxes', '1' + '0' * 11)],
)
def test_a_position_that_openspiel_does_not_write_down_is_refused(name, text):
    """Of these games it writes the actions alone, which may be illegal from the usual start."""
    theirs = pyspiel.load_game(name).new_initial_state(text)
    complaint = r'^this state of \w+ began elsewhere than the game, and what OpenSpiel.s serialize'
    for _ in range(3):
        with pytest.raises(ValueError, match=complaint):
            openspiel.state_of(theirs)
        theirs.apply_action(theirs.legal_actions()[-1])


# States of OpenSpiel that are met in several ways.


def by_text(name):
    """Return the value of a game of OpenSpiel for its player 0, and the number of positions."""
    table = {}

    def value(state):
        if state.is_terminal():
            return state.player_return(0)
        if str(state) not in table:
            below = [value(state.child(action)) for action in state.legal_actions()]
            table[str(state)] = max(below) if state.current_player() == 0 else min(below)
        return table[str(state)]

    return value(pyspiel.load_game(name).new_initial_state()), len(table)


def test_solving_meets_each_position_of_nim_a_few_times():
    name = 'nim(pile_sizes=1;3;5;7)'
    value, count = by_text(name)
    assert (value, count) == (-1.0, 750)
    found = solve(openspiel.start(name))
    assert found.value == (value + 1) / 2
    assert found.nodes < 10 * count


def test_a_graph_of_tic_tac_toe_is_that_of_this_library():
    search = Search(2000, transpositions='sound')
    theirs, mine = (
        analyse(it, RNG, search)[0] for it in (openspiel.start('tic_tac_toe'), tictactoe.start)
    )
    assert theirs.edges > theirs.nodes
    assert (theirs.nodes, theirs.edges, theirs.digest) == (mine.nodes, mine.edges, mine.digest)


@pytest.mark.parametrize('name', [
    'breakthrough(rows=5,columns=3)', 'clobber(rows=3,columns=3)', 'connect_four(rows=4,columns=4)',
    'dots_and_boxes', 'gomoku(size=3,dims=3,connect=3)', 'havannah(board_size=2,swap=true)',
    'hex(board_size=3,swap=true)', 'hex(board_size=3,string_rep=explicit)', 'mnk(m=3,n=3,k=3)',
    'nim', 'othello', 'pentago', 'tic_tac_toe', 'y(board_size=3)',
])  # fmt: skip
def test_equal_texts_have_equal_futures(name):
    """Of equal states OpenSpiel says the same, for random games; most games meet some twice."""
    seen, rng, again = {}, RNG, 0
    wide = name in {'gomoku(size=3,dims=3,connect=3)', 'othello', 'pentago'}
    for _ in range(10 if wide else 60):
        state = openspiel.start(name)
        while True:
            inner = state._state
            over = inner.is_terminal()
            facts = (
                inner.returns()
                if over
                else [(action, str(inner.child(action))) for action in inner.legal_actions()[::3]]
            )
            history, known = seen.setdefault(state, (state.history, (over, facts)))
            again += history != state.history
            assert known == (over, facts), (history, state.history)
            if over:
                break
            index, rng = rng.uniform(0, len(state.moves) - 1)
            state = state.play(state.moves[index])
    assert again or wide


def test_weights_of_a_throw_are_worked_out_once(monkeypatch):
    """A throw of five dice has 7,776 outcomes, and a game of Yacht some fifty throws."""
    made = []

    class Counted(Fraction):
        def __new__(cls, *given):
            made.append(given)
            return Fraction(*given)

    monkeypatch.setattr(replayed, 'Fraction', Counted)
    state, outcomes = openspiel.start('yacht'), 0
    while not state.over:
        outcomes += len(state.chances)
        assert len({weight for _, weight in state.chances}) <= 1  # all are equally likely
        state = state.play(state.chances[0][0] if state.chances else state.moves[0])
    assert outcomes > 20 * len(made)


# Strategies and machines of games with dice.


def drawn(strategy, number):
    values = []

    @settings(CERTAIN, max_examples=number)
    @given(strategy)
    def draw(value):
        values.append(value)

    draw()
    return values


@pytest.mark.parametrize('name', ['pig:20', '2048:2', 'bearoff', 'mnk3:3,3,3'])
def test_positions_and_lines_go_through_the_whole_game(name):
    """All that was drawn before were one or two positions, and never an end."""
    begin = start_of(name)
    found = drawn(positions(begin), 120)
    assert len(set(found)) > 40
    assert 10 < sum(state.over for state in found) < 60
    assert sum(not state.over and state != begin for state in found) > 40
    assert not any(state.over for state in drawn(positions(begin, running=True), 30))
    played = drawn(lines(begin), 60)
    assert max(map(len, played)) > 8
    assert all(play_line(begin, line) for line in played)


@frozen
class Throws:
    """Throw a die three times, or less often."""

    done: tuple = ()
    asked: bool = False
    players = ('thrower',)
    player = 'thrower'
    over = property(lambda self: len(self.done) == 3 or 'stop' in self.done)
    moves = property(lambda self: () if self.over or self.asked else ('throw', 'stop'))
    chances = property(lambda self: tuple((face, 1) for face in range(1, 7) if self.asked))
    rewards = property(lambda self: (0.5,) if self.over else ())

    def play(self, move):
        if move not in options_of(self):
            raise illegal(self, move)
        if move == 'throw':
            return Throws(self.done, asked=True)
        return Throws((*self.done, move))


def test_failures_shrink_to_the_simplest_throws():
    begin = Throws()
    assert is_successful(check_game(begin, positions=20, games=1))
    one = find(positions(begin), lambda state: 6 in state.done, settings=CERTAIN)
    assert one.done == (6,)
    three = find(positions(begin), lambda state: {4, 5, 6} & set(state.done[2:]), settings=CERTAIN)
    assert three.done == (1, 1, 4)
    assert find(lines(begin), lambda line: 5 in line, settings=CERTAIN) == ('throw', 5)


def test_a_machine_reports_an_end_that_pays_another_time_differently():
    numbers = iter(range(1000))

    class Drifting(Throws):
        rewards = property(lambda self: (next(numbers) / 1000,) if self.over else ())

        def play(self, move):
            return Drifting((*self.done, move)) if self.asked else Drifting(self.done, asked=True)

    quick = settings(CERTAIN, max_examples=20, stateful_step_count=12, phases=[Phase.generate])
    with pytest.raises(AssertionError, match='the moves played anew give: rewards '):
        run_state_machine_as_test(game_machine(Drifting()), settings=quick)


def test_a_bot_is_checked_in_a_game_that_begins_with_chance():
    tiles = start_of('2048:2')
    assert is_successful(check_bot(random_bot, tiles, positions=10))
    wrong = check_bot(lambda _state, rng: (99, rng), tiles, positions=4).failure()
    assert (wrong.law, len(wrong.line)) == ('the move is legal', 2)  # two tiles
    assert play_line(tiles, wrong.line).moves
