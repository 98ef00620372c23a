"""The laws of bots: correct ones break none, lines are the shortest, and what cannot be checked."""

import pytest

import zoo_bots
from fmcts import Search, SplitMix, mcts, random_bot
from fmcts._running.registry import ENGINES
from fmcts.games import connect4, tictactoe
from fmcts.testing import BOT_LAWS, check_bot
from fmcts.testing._laws.bots import PositionCase
from fmcts.testing._laws.elsewhere import ALREADY
from fmcts.testing._laws.law import nearest
from toy_games import play_line

RNG = SplitMix.from_seed(3)
LAWS = {law.name: law for law in BOT_LAWS}
ELSEWHERE = ('random_bot', 'random_bot, moves as text', 'mcts', 'slots', 'a lambda', 'a partial')
"""The right bots that are asked in a second process too."""


@pytest.fixture
def alone(monkeypatch):
    """No second process is asked: a start of Python costs more than all the rest."""
    monkeypatch.setenv(ALREADY, '1')


@pytest.mark.parametrize('name', zoo_bots.RIGHT)
def test_correct_bots_keep_all_laws(name, request):
    bot, start = zoo_bots.RIGHT[name]
    if name not in ELSEWHERE:
        request.getfixturevalue('alone')
    passed = check_bot(bot, start, positions=10).unwrap()
    assert {name for name, count in passed.cases if count} | {*dict(passed.left_out)} == {*LAWS}


def shortest(bot, start, is_wrong):
    """The fewest moves to a position in which the bot is wrong: all are looked at in order."""
    near = (here for here in nearest(PositionCase(start, RNG), merged=True) if here.checked)
    return next(len(here.line) for here in near if is_wrong(bot, here.state))


def gives_no_legal_move(bot, state):
    try:
        return bot(state, RNG)[0] not in state.moves
    except (Exception, SystemExit):  # noqa: BLE001 - as the bots of the zoo do
        return True


@pytest.mark.parametrize(
    ('name', 'start'),
    [
        ('answers_its_opponent_s_cell', tictactoe.start),
        ('plays_nothing_when_one_move_is_left', zoo_bots.LATER),
        ('leaves_when_it_loses', tictactoe.start),
        ('stops_at_the_end_of_a_stream', tictactoe.parse('..XO.....').unwrap()),
    ],
    ids=str,
)
def test_the_line_to_a_breach_is_the_shortest(name, start):
    bot = zoo_bots.WRONG[name].bot
    breach = check_bot(bot, start, tries=6000).failure()
    assert len(breach.line) == shortest(bot, start, gives_no_legal_move)
    state = play_line(start, breach.line)
    assert gives_no_legal_move(bot, state)


def needs_the_last_cell(state, rng):
    return state.moves[0], rng.child(state.moves.index(8))


def test_without_tries_the_line_is_not_shortened():
    first = check_bot(needs_the_last_cell, tictactoe.start, positions=4, tries=0).failure()
    shorter = check_bot(needs_the_last_cell, tictactoe.start, positions=4).failure()
    assert (first.law, first.expected) == (shorter.law, shorter.expected)
    assert len(shorter.line) == 1 < len(first.line)


def test_laws_that_cannot_be_checked_are_reported():
    """An engine that lacks something says so itself; a bot in a function is found by no name."""
    bot = mcts(Search(10), engine='inplace')
    passed = check_bot(bot, zoo_bots.Fruits(), positions=4).unwrap()
    told = dict(passed.left_out)
    assert told.keys() == {'every engine plays the same'}
    assert 'compiled: the engine compiled does not support' in told['every engine plays the same']
    assert dict(passed.cases)['every engine plays the same'] == 4

    def local(state, rng):
        return state.moves[0], rng

    passed = check_bot(local, tictactoe.start, positions=4).unwrap()
    assert 'another process plays the same' not in dict(passed.cases)
    reason = dict(passed.left_out)['another process plays the same']
    assert reason.startswith('it cannot be pickled for another process: ')


def only_splitmix(state, rng):
    """As the compiled engine: it takes a generator by its class."""
    if type(rng) is not SplitMix:
        raise TypeError('a SplitMix, please')
    return zoo_bots.some(state, rng)


def only_splitmix_and_reuses_it(state, rng):
    return only_splitmix(state, rng)[0], rng


def only_splitmix_and_begins_anew(state, rng):
    return only_splitmix(state, rng)[0], SplitMix.from_seed(4)


@pytest.mark.usefixtures('alone')
def test_a_bot_that_insists_on_splitmix_is_observed_from_outside():
    told = dict(check_bot(only_splitmix, tictactoe.start).unwrap().left_out)
    for law in (zoo_bots.ONCE, zoo_bots.COMES):
        assert told[law].startswith(
            'seen from outside, as given a generator that keeps a record it '
        )
        assert told[law].endswith('raised TypeError: a SplitMix, please')
    breach = check_bot(only_splitmix_and_reuses_it, tictactoe.start).failure()
    assert (breach.law, breach.line) == (zoo_bots.ONCE, ())
    breach = check_bot(only_splitmix_and_begins_anew, tictactoe.start).failure()
    assert (breach.law, breach.line) == (zoo_bots.COMES, ())


def test_numpy_s_global_generator_is_watched():
    numpy = pytest.importorskip('numpy', reason='numpy is missing here')

    def bot(state, rng):
        return state.moves[numpy.random.randint(len(state.moves))], rng

    breach = check_bot(bot, tictactoe.start).failure()
    assert breach.law == zoo_bots.GLOBAL
    assert breach.found == "NumPy's global generator was drawn from or seeded"


class Broken(tictactoe.TicTacToe):
    @property
    def moves(self):
        return (*super().moves, 0)


def test_a_broken_game_is_a_breach_too():
    breach = check_bot(random_bot, Broken()).failure()
    assert breach.law == 'the game can be played'
    assert 'has the move 0 twice' in breach.found


@pytest.mark.usefixtures('alone')
def test_all_engines_are_compared():
    """Also the compiled one, where there is numba."""
    passed = check_bot(mcts(Search(20)), connect4.start, positions=6).unwrap()
    assert dict(passed.cases)['every engine plays the same'] == 6
    refused = [why.partition(':')[0] for law, why in passed.left_out if law != zoo_bots.ELSEWHERE]
    assert {*refused} <= {'compiled'} <= {*ENGINES}
