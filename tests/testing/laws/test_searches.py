"""`check_search`: positions, engines and breaches."""

from itertools import count

import pytest

from fmcts import EngineError, FinishedGameError, Search, SplitMix
from fmcts._running.registry import ENGINES
from fmcts.games import tictactoe
from fmcts.testing._laws import searches
from fmcts.testing._laws.positions import Reached, positions_of
from fmcts.testing._laws.searches import check_search
from searching import RNG, STATE, breach, cases_of, check, law, watched


@pytest.fixture
def looked(monkeypatch):
    """The laws and cases that are looked at; none is broken, and no other process is asked."""
    return watched(monkeypatch)


def test_searches_start_at_near_positions_and_in_random_games(looked):
    check(positions=5).unwrap()
    expected = [*positions_of(STATE, RNG.child(0), 5)]
    cases = cases_of(looked)
    assert [case.state for case in cases] == [one.state for one in expected]
    assert [case.rng for case in cases] == [RNG.child(1 + index) for index in range(5)]
    assert [name for name, _ in looked] == ['one'] * 5 + ['two'] * 5
    assert cases_of(looked, 'two') == cases


def test_defaults_of_200_iterations_at_6_positions(looked):
    check().unwrap()
    assert len(cases_of(looked)) == 6
    assert {case.search for case in cases_of(looked)} == {Search(200)}


def test_arguments_of_check_search_are_used(looked):
    rng = SplitMix.from_seed(9)
    given = Search(7, c=0.5)
    check(given, positions=2, iterations=30, rng=rng).unwrap()
    expected = [*positions_of(STATE, rng.child(0), 2)]
    assert [(case.search, case.state, case.rng) for case in cases_of(looked)] == [
        (Search(30, c=0.5), one.state, rng.child(1 + index)) for index, one in enumerate(expected)
    ]


@pytest.mark.parametrize(
    ('engines', 'unable', 'expected'),
    [
        (['inplace'], (), ('inplace',)),
        (['monadic', 'persistent', 'inplace'], (), ('inplace', 'persistent', 'monadic')),
        (['monadic', 'persistent', 'monadic'], (), ('persistent', 'monadic')),
        (['monadic', 'persistent', 'inplace'], ('inplace',), ('persistent', 'inplace', 'monadic')),
        (
            ['monadic', 'persistent', 'inplace'],
            ('inplace', 'persistent'),
            ('monadic', 'inplace', 'persistent'),
        ),
        (None, (), ('inplace', 'persistent', 'monadic', 'compiled')),
    ],
    ids=count(),
)
def test_the_first_supporting_engine_is_used(engines, unable, expected, looked, monkeypatch):
    asked = []

    def found(search, name, state, rng):
        asked.append((search, state, rng))
        return EngineError(f'{name} is unable') if name in unable else 'found'

    monkeypatch.setattr(searches, 'found_by_engine', found)
    monkeypatch.setattr(searches, '_left_out', lambda _case: ())
    monkeypatch.setattr('fmcts.testing._laws.searches.found_by_engine', found)
    check(engines=engines, positions=1).unwrap()
    assert [case.engines for case in cases_of(looked)] == [expected]
    assert set(asked[: 1 + len(unable)]) == {(Search(1), STATE, RNG)}
    assert set(ENGINES) == {*searches.REFERENCES}


def test_the_last_engine_s_refusal_is_reported(monkeypatch):
    monkeypatch.setattr(
        searches, 'found_by_engine', lambda _search, name, *_: EngineError(f'{name} is unable')
    )
    with pytest.raises(EngineError, match=r'^monadic is unable$'):
        check(engines=['monadic', 'inplace'])
    with pytest.raises(EngineError, match=r'^no engine is named: give at least one$'):
        check(engines=[])
    with pytest.raises(EngineError, match=r"^unknown engine 'fast'"):
        check(engines=['fast'])


@pytest.mark.parametrize(
    ('given', 'words'),
    [
        ({'iterations': 1}, 'iterations must be a whole number of at least 2, not 1'),
        ({'positions': 0}, 'positions must be a whole number of at least 1, not 0'),
        ({'judged': -1}, 'judged must be a whole number of at least 0, not -1'),
        (
            {'symmetries': [lambda move: move, lambda move: (move + 1) % 9]},
            'a symmetry must map the moves of the start to each other, and back: 0 goes to 1',
        ),
    ],
    ids=count(),
)
def test_wrong_arguments_are_refused(given, words):
    with pytest.raises(ValueError) as told:  # noqa: PT011 - the message is compared
        check(**given)
    assert str(told.value) == words


@pytest.mark.usefixtures('looked')
def test_smallest_number_of_iterations_and_finished_games():
    check(iterations=2, positions=1).unwrap()
    with pytest.raises(FinishedGameError):
        check_search('ucb1', tictactoe.parse('XXXOO....').unwrap())


def test_a_game_that_cannot_be_played_is_reported():
    class Broken:
        player, winner, over = None, None, False

        def __init__(self, *moves):
            self.moves = moves

        def play(self, _move):
            return Broken()

    told = check_search('ucb1', Broken(1)).failure()
    assert (told.law, told.expected, told.line) == (searches.GAME.name, searches.GAME.sentence, ())
    assert told.found.startswith('raised GameError: ')


# A breach.


def shorter_by(monkeypatch, reached, number=50):
    """Instead of looking for shorter lines this one is taken, if it is wrong there too."""

    def shortened(start, one, found, finds, tries):
        assert (start, one, tries) == (STATE, Reached(STATE), number)
        better = finds(reached)
        return (reached, better) if better else (one, found)

    monkeypatch.setattr(searches, 'shortened', shortened)


def test_the_first_law_broken_anywhere_is_reported(looked, monkeypatch):
    third = law(lambda case: 'empty' if len(case.state.moves) == 9 else None, 'three')
    monkeypatch.setattr(searches, 'AT_ONCE', (searches.AT_ONCE[0], third, searches.AT_ONCE[1]))
    assert check(positions=2, iterations=2) == breach('with 2 iterations: empty', name='three')
    assert [name for name, _ in looked] == ['one', 'one']


def test_a_shorter_line_is_reported_if_found(monkeypatch):
    asked = []

    def found(case):
        asked.append((case.search, case.state, case.rng, case.engines))
        return f'{len(case.state.moves)} moves'

    other = Reached(STATE.play(8), (8,))
    shorter_by(monkeypatch, other)
    monkeypatch.setattr(searches, 'AT_ONCE', (law(found),))
    engines = ('inplace', 'monadic')
    told = check(positions=1, iterations=2, engines=engines)
    assert told == breach('with 2 iterations: 8 moves', (8,))
    assert asked == [(Search(2), state, RNG.child(1), engines) for state in (STATE, other.state)]


def test_an_error_while_shortening_keeps_the_breach(monkeypatch):
    def fails(*_):
        raise ValueError('no')

    monkeypatch.setattr(searches, 'shortened', fails)
    monkeypatch.setattr(searches, 'AT_ONCE', (law(lambda _: 'found'),))
    assert check(positions=1, iterations=2) == breach('with 2 iterations: found')


@pytest.mark.parametrize(
    ('iterations', 'fewest', 'tried', 'told'),
    [
        (100, 1, [100, 2], 2),
        (100, 10, [100, 2, 4, 8, 16], 16),
        (100, 64, [100, 2, 4, 8, 16, 32, 64], 64),
        (100, 65, [100, 2, 4, 8, 16, 32, 64], 100),
        (64, 64, [64, 2, 4, 8, 16, 32], 64),
        (2, 2, [2], 2),
        (3, 3, [3, 2], 3),
    ],
    ids=count(),
)
def test_the_fewest_iterations_that_break_a_law_are_reported(
    iterations, fewest, tried, told, monkeypatch
):
    """By doubling; the words are those of the search by so many."""
    asked = []

    def found(case):
        asked.append(case.search.iterations)
        assert (case.state, case.rng, case.engines) == (STATE, RNG.child(1), ('inplace',))
        assert case.search == Search(case.search.iterations)
        return f'{case.search.iterations}' if case.search.iterations >= fewest else None

    monkeypatch.setattr(searches, 'shortened', lambda _start, one, found, *_: (one, found))
    monkeypatch.setattr(searches, 'AT_ONCE', (law(found),))
    assert check(positions=1, iterations=iterations) == breach(f'with {told} iterations: {told}')
    assert asked == tried
