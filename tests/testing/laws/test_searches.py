"""At which positions `check_search` looks at a search, by which laws, and what it tells of it."""

from itertools import count

import pytest
from returns.result import Failure, Success

from fmcts import EngineError, FinishedGameError, Search, SplitMix
from fmcts.games import connect4, tictactoe
from fmcts.search.engines import ENGINES
from fmcts.testing.laws import searches
from fmcts.testing.laws.law import Breach, Law
from fmcts.testing.laws.positions import Reached, positions_of
from fmcts.testing.laws.search_laws import CONSERVED, ENGINES_AGREE, OLDER, PREFIX
from fmcts.testing.laws.searches import check_search

RNG = SplitMix.from_seed(1)
STATE = tictactoe.start
NAMES = [law.name for law in searches.SEARCH_LAWS]
THERE, ALIKE, WORSE = (
    searches.ELSEWHERE.name,
    searches.SYMMETRIC.name,
    searches.STRENGTH.name,
)
AGREE = ENGINES_AGREE.name


def law(found, name='one'):
    return Law(name, f'It is {name}.', found)


def breach(found, line=(), name='one'):
    return Failure(Breach(name, f'It is {name}.', found, line))


@pytest.fixture
def looked(monkeypatch):
    """The laws and cases that are looked at; none is broken, and no other process is asked."""
    noted = []

    def noting(name):
        return law(lambda case: noted.append((name, case)), name)

    monkeypatch.setattr(searches, 'AT_ONCE', (noting('one'), noting('two')))
    monkeypatch.setattr(searches, 'ELSEWHERE', noting(THERE))
    monkeypatch.setattr(searches, 'answers_elsewhere', lambda *_: Failure('nobody is asked'))
    return noted


def cases_of(looked, name='one'):
    return [case for law_name, case in looked if law_name == name]


def check(search='ucb1', **given):
    return check_search(search, STATE, **{'engines': ['inplace'], 'judged': 0, **given})


# Positions, engines, iterations.


def test_it_is_made_at_near_positions_and_those_of_random_games(looked):
    check(positions=5).unwrap()
    expected = [*positions_of(STATE, RNG.child(0), 5)]
    cases = cases_of(looked)
    assert [case.state for case in cases] == [one.state for one in expected]
    assert [case.rng for case in cases] == [RNG.child(1 + index) for index in range(5)]
    assert [name for name, _ in looked] == ['one'] * 5 + ['two'] * 5
    assert cases_of(looked, 'two') == cases


def test_with_200_iterations_at_6_positions_unless_others_are_asked_for(looked):
    check().unwrap()
    assert len(cases_of(looked)) == 6
    assert {case.search for case in cases_of(looked)} == {Search(200)}


def test_what_is_given_is_taken(looked):
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
def test_the_first_engine_is_one_that_is_able(engines, unable, expected, looked, monkeypatch):
    asked = []

    def found(search, name, state, rng):
        asked.append((search, state, rng))
        return EngineError(f'{name} is unable') if name in unable else 'found'

    monkeypatch.setattr(searches, 'found_by_engine', found)
    monkeypatch.setattr(searches, '_left_out', lambda _case: ())
    monkeypatch.setattr('fmcts.testing.laws.searchcase.found_by_engine', found)
    check(engines=engines, positions=1).unwrap()
    assert [case.engines for case in cases_of(looked)] == [expected]
    assert set(asked[: 1 + len(unable)]) == {(Search(1), STATE, RNG)}
    assert set(ENGINES) == {*searches.REFERENCES}


def test_where_no_engine_is_able_the_last_says_why(monkeypatch):
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
            'a symmetry must take the moves of the start to each other, and back: 0 goes to 1',
        ),
    ],
    ids=count(),
)
def test_wrong_arguments_are_refused(given, words):
    with pytest.raises(ValueError) as told:  # noqa: PT011 - the message is compared
        check(**given)
    assert str(told.value) == words


@pytest.mark.usefixtures('looked')
def test_two_iterations_are_enough_and_a_finished_game_is_none():
    check(iterations=2, positions=1).unwrap()
    with pytest.raises(FinishedGameError):
        check_search('ucb1', tictactoe.parse('XXXOO....').unwrap())


def test_a_game_that_cannot_be_played_is_told():
    class Broken:
        player, winner, over = None, None, False

        def __init__(self, *moves):
            self.moves = moves

        def play(self, _move):
            return Broken()

    told = check_search('ucb1', Broken(1)).failure()
    assert (told.law, told.expected, told.line) == (
        searches.GAME.name,
        searches.GAME.sentence,
        (),
    )
    assert told.found.startswith('raised GameError: ')


# A breach.


def shorter_by(monkeypatch, reached, number=50):
    """Instead of looking for shorter lines this one is taken, if it is wrong there too."""

    def shortened(start, one, found, finds, tries):
        assert (start, one, tries) == (STATE, Reached(STATE), number)
        better = finds(reached)
        return (reached, better) if better else (one, found)

    monkeypatch.setattr(searches, 'shortened', shortened)


def test_the_first_law_is_told_that_is_broken_anywhere(looked, monkeypatch):
    third = law(lambda case: 'empty' if len(case.state.moves) == 9 else None, 'three')
    monkeypatch.setattr(searches, 'AT_ONCE', (searches.AT_ONCE[0], third, searches.AT_ONCE[1]))
    assert check(positions=2, iterations=2) == breach('with 2 iterations: empty', name='three')
    assert [name for name, _ in looked] == ['one', 'one']


def test_the_line_is_a_shorter_one_if_one_is_found(monkeypatch):
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


def test_what_raises_in_looking_for_shorter_ones_leaves_the_breach_as_it_is(monkeypatch):
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
def test_the_fewest_iterations_that_break_it_are_told(iterations, fewest, tried, told, monkeypatch):
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


# Another process.


@pytest.fixture
def answers(monkeypatch):
    """What the other process answers, and what it is asked."""
    asked = []

    def give(*given):
        def answers(function, cases):
            asked.append((function, cases))
            return Success(given)

        monkeypatch.setattr(searches, 'answers_elsewhere', answers)
        monkeypatch.setattr(searches, 'pickled', lambda function: function)
        return asked

    return give


def test_another_process_is_asked_the_same(looked, answers):
    asked = answers('a', 'b', 'c')
    passed = check(positions=3).unwrap()
    assert dict(passed.cases)[THERE] == 3
    assert [case.elsewhere for case in cases_of(looked, THERE)] == ['a', 'b', 'c']
    ((function, given),) = asked
    cases = cases_of(looked)
    assert function.args == cases[0].asking.args == (Search(200), 'inplace')
    assert given == [(case.state, case.rng) for case in cases]


@pytest.mark.usefixtures('looked')
def test_a_breach_in_another_process_is_told_with_its_line(answers, monkeypatch):
    answers('right', 'wrong', 'wrong')

    def found(case):
        return None if case.elsewhere == 'right' else f'there {len(case.state.moves)}'

    monkeypatch.setattr(searches, 'ELSEWHERE', law(found, 'there'))
    _, one, _ = positions_of(STATE, RNG.child(0), 3)
    assert check(positions=3) == breach(f'there {len(one.state.moves)}', one.line, 'there')


# As a whole.


def mirrored(move):
    return move // 3 * 3 + 2 - move % 3


def test_symmetries_are_looked_at_where_they_are_given(looked, monkeypatch):
    asked = []

    def favoured(*given):
        asked.append(given)
        return 'favoured' if len(asked) == 2 else None

    monkeypatch.setattr(searches, 'favoured', favoured)
    symmetries = (mirrored, lambda move: 8 - move)
    passed = check(symmetries=iter(symmetries), positions=1, engines=['monadic']).unwrap()
    assert dict(passed.cases)[ALIKE] == 2
    assert passed.left_out[-2:] == (ALWAYS[0], ALWAYS[2])
    told = check(symmetries=symmetries, positions=1).failure()
    assert (told.law, told.expected, told.found) == (ALIKE, searches.SYMMETRIC.sentence, 'favoured')
    assert told.line == ()
    rng = RNG.child(0)
    assert asked == [
        (Search(200), engine, STATE, rng, symmetries) for engine in ('monadic', 'inplace')
    ]
    assert len(looked) == 4


@pytest.mark.usefixtures('looked')
def test_strength_is_judged_in_small_games(monkeypatch):
    asked = []
    monkeypatch.setattr(searches, 'puzzles', lambda *given: given)
    monkeypatch.setattr(
        searches, 'weaker', lambda *given: asked.append(given) or ('worse' if asked[1:] else None)
    )
    passed = check(positions=1, judged=7, engines=['monadic']).unwrap()
    assert dict(passed.cases)[WORSE] == 7
    told = check_search('ucb1', STATE, positions=1, engines=['inplace']).failure()
    assert (told.law, told.expected, told.found) == (WORSE, searches.STRENGTH.sentence, 'worse')
    rng = RNG.child(0)
    assert asked == [
        (Search(200), engine, (STATE, rng.child(0), number), rng.child(1))
        for engine, number in (('monadic', 7), ('inplace', 150))
    ]


@pytest.mark.usefixtures('looked')
def test_of_a_large_game_no_position_is_judged(monkeypatch):
    monkeypatch.setattr(searches, 'is_small', lambda start: start is STATE)
    passed = check_search('ucb1', connect4.start, engines=['inplace'], positions=1).unwrap()
    assert dict(passed.left_out)[WORSE] == 'the game has more than 20,000 positions'
    assert dict(passed.cases)[WORSE] == 0


# What was looked at, and what was left out.

ALWAYS = (
    (THERE, 'nobody is asked'),
    (ALIKE, 'no symmetry was given'),
    (WORSE, 'no position was to be judged'),
)
NO_OTHER = (AGREE, 'there is but one engine to ask')


def counted(search, **given):
    passed = check(search, positions=3, iterations=8, **given).unwrap()
    assert [name for name, _ in passed.cases] == NAMES
    numbers = {name: number for name, number in passed.cases if number != 3}
    assert {numbers.pop(name) for name in (THERE, ALIKE, WORSE)} == {0}
    assert passed.left_out[-3:] == ALWAYS
    return numbers, passed.left_out[:-3]


@pytest.mark.usefixtures('looked')
@pytest.mark.parametrize(
    ('search', 'expected'),
    [
        (Search(), {}),
        (
            Search(schedule='halving'),
            dict.fromkeys(
                (PREFIX.name, OLDER.name),
                'a schedule shares out the count of iterations, and cannot be gone on from',
            ),
        ),
        (
            Search(transpositions='naive'),
            {CONSERVED.name: 'the rule naive credits every parent'},
        ),
        (Search(transpositions='sound'), {}),
    ],
    ids=count(),
)
def test_what_cannot_be_looked_at_is_told_once(search, expected):
    assert counted(search) == (
        {**dict.fromkeys(expected, 0), AGREE: 0},
        (*expected.items(), NO_OTHER),
    )


@pytest.mark.usefixtures('looked')
def test_engines_are_counted_where_one_answered(monkeypatch):
    """Where the board is empty both refuse; elsewhere one of them does."""

    def found(_search, name, state, _rng):
        if name == 'persistent' or (name == 'monadic' and len(state.moves) == 9):
            return EngineError('no')
        return 'found'

    monkeypatch.setattr('fmcts.testing.laws.searchcase.found_by_engine', found)
    numbers, left_out = counted('ucb1', engines=['inplace', 'persistent', 'monadic'])
    assert len([one for one in positions_of(STATE, RNG.child(0), 3) if not one.line]) == 1
    assert numbers == {AGREE: 2}
    assert left_out == ((AGREE, 'persistent: no'), (AGREE, 'monadic: no'))
