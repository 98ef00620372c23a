"""The printed sessions of the article (002) as command lines; tests/bots has the functions."""

import json

import pytest

POSITION = ['tictactoe', '--moves', '4,0,2,5,3,6', '--json']


def move(here, bot, rng, *words):
    return json.loads(here('move', *POSITION, '--bot', bot, '--rng', rng, *words).out)


def test_bot_random(here):
    answer = move(here, 'random', 'stdgen:1314174216:1')
    assert (answer['move'], answer['rng']) == (8, 'stdgen:2084555406:40692')


def test_bot_random_twice_in_a_row(here):
    first = move(here, 'random', 'stdgen:1984310674:1')
    assert (first['move'], first['rng']) == (7, 'stdgen:1297534637:40692')
    assert move(here, 'random', first['rng'])['move'] == 1


def test_jouer_jeu(here):
    words = ['--first', 'random', '--second', 'random', '--rng', 'stdgen:1314174216:1']
    answer = json.loads(here('play', *POSITION, *words).out)
    assert answer['winner'] is None
    assert answer['board'].split()[:9] == list('OOXXXOOXX')
    assert answer['rng'] == 'stdgen:544765582:2103410263'


@pytest.mark.parametrize(('evaluated', 'victories'), [(8, 0), (7, 4965), (1, 4965)])
def test_eval_coup(here, evaluated, victories):
    words = ['--root-moves', str(evaluated)]
    answer = move(here, 'mc:10000,count=wins', 'stdgen:346137677:1', *words)
    assert answer['stats'] == [{'move': evaluated, 'visits': 10_000, 'value': victories / 10_000}]
    assert answer['rng'] == 'stdgen:826432801:476680813'


def test_bot_mc(here):
    answer = move(here, 'article-mc-pure:30000', 'stdgen:529669860:1')
    assert (answer['move'], answer['rng']) == (7, 'stdgen:1356595715:1539624735')


# Section I-D begins each line of its session with one generator.
STATE = 'stdgen:3304847:1'


def test_bot_random_of_the_state_monad(here):
    first = move(here, 'random', STATE)
    assert first['move'] == 7
    assert move(here, 'random', first['rng'])['move'] == 8


def test_jouer_jeu_of_the_state_monad(here):
    words = ['--first', 'random', '--second', 'random', '--rng', STATE]
    answer = json.loads(here('play', *POSITION, *words).out)
    assert answer['winner'] == 'X'
    assert answer['board'].split()[:9] == list('OXXXXOOXO')


def test_eval_coup_of_the_state_monad(here):
    """The generator goes on from move to move."""
    answer = move(here, 'mc:30000,count=wins', STATE)
    assert answer['stats'] == [
        {'move': move, 'visits': 10_000, 'value': victories / 10_000}
        for move, victories in ((1, 5030), (7, 4898), (8, 0))
    ]


def test_bot_mc_of_the_state_monad(here):
    assert move(here, 'article-mc-state:10000', STATE)['move'] == 7
