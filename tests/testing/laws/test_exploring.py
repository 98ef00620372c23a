"""Which laws are checked where, how often, and how the line to a breach is shortened."""

from itertools import count

import pytest
from attrs import evolve, frozen

from fmcts import SplitMix
from fmcts.testing._laws.exploring import exploring
from fmcts.testing._laws.law import Law, Unchecked, few, nearest

RNG = SplitMix.from_seed(1)


@frozen(eq=False)
class Steps:
    """A line of steps, `width` in each of `plies`; `barred` raises an error."""

    line: tuple = ()
    width: int = 2
    plies: int = 3
    barred: object = None
    merges: object = tuple
    checked = True

    @property
    def options(self):
        return range(self.width) if len(self.line) < self.plies else ()

    @property
    def identity(self):
        return self.merges(self.line)

    def step(self, move):
        if move == self.barred:
            raise ValueError(move)
        return evolve(self, line=(*self.line, move))


def lines(items):
    return [item.line for item in items]


def law(finds, name='a law', **how):
    return Law(name, 'It holds.', lambda item: 'wrong' if finds(item.line) else None, **how)


def never(_line):
    return False


ALL = [(), (0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize(
    ('start', 'how', 'expected'),
    [
        (Steps(plies=2), {}, ALL),
        (Steps(plies=2), {'deepest': 1}, ALL[:3]),
        (Steps(plies=2), {'deepest': 0}, ALL[:1]),
        (Steps(plies=2, barred=0), {}, [(), (1,), (1, 1)]),
        (Steps(plies=2, merges=sum), {'merged': True}, [(), (1,), (1, 1)]),
        (Steps(plies=2, merges=list), {'merged': True}, ALL),  # no hash
        (Steps(plies=1, width=63), {}, [(), *((2 * place,) for place in range(32))]),
    ],
    ids=count(),
)
def test_the_nearest_come_first(start, how, expected):
    assert lines(nearest(start, **how)) == expected


@pytest.mark.parametrize(
    ('most', 'expected'),
    [(63, [*range(63)]), (62, [62 * at // 61 for at in range(62)]), (3, [0, 31, 62]), (2, [0, 62])],
)
def test_many_moves_are_sampled_evenly(most, expected):
    assert [*few(range(63), most)] == expected


def explored(start, *laws, positions=99, games=0, without=(), quick=(), **how):
    """The exploration after both phases, and the steps of all that were checked."""
    tries = how.pop('tries', 2000)
    with exploring(lambda: start, laws, without=without, **how) as run:
        run.look_near(positions, quick=[law for law in laws if law.name in quick])
        run.look_far(games, RNG, whole=1, most=50, tries=tries)
    return run


def test_every_law_is_checked_everywhere():
    laws = law(never, 'one'), law(never, 'two'), law(never, 'first', scope='start')
    run = explored(Steps(plies=2), *laws, without=['two'])
    passed = run.result().unwrap()
    assert lines(run.seen) == ALL
    assert dict(passed.cases) == {'one': 7, 'first': 1}
    assert passed.left_out == (('two', 'it was not asked for'),)


def test_what_cannot_be_checked_is_reported():
    def seldom(item):
        return None if item.line == (1,) else Unchecked('too hard')

    def partly(item):
        return Unchecked('in part', partly=True) if item.line == (1,) else None

    def no(_item):
        return Unchecked('never')

    laws = [Law(each.__name__, '', each) for each in (no, partly, seldom)]
    passed = explored(Steps(plies=2), *laws).result().unwrap()
    assert dict(passed.cases) == {'partly': 7, 'seldom': 1}
    assert passed.left_out == (('no', 'never'), ('partly', 'in part'))


@pytest.mark.parametrize(
    ('how', 'counts', 'others'),
    [
        ({}, {'one': 5, 'two': 3, 'three': 7}, ['two']),
        ({'basic': True}, {'one': 3, 'two': 3, 'three': 2}, []),
        ({'to_the_first': True}, {'one': 3, 'two': 3, 'three': 2}, []),
    ],
)
def test_a_law_is_checked_until_it_is_broken(how, counts, others):
    """And nothing else once a basic law is broken."""
    laws = (
        law(lambda line: line == (0, 1), 'one'),
        law(lambda line: line == (1,), 'two', basic='basic' in how),
        law(never, 'three'),
    )
    run = explored(Steps(plies=2), *laws, to_the_first='to_the_first' in how)
    assert dict(run.counts) == counts
    breach = run.result().failure()
    assert (breach.law, breach.line) == (('one', (0, 1)) if others else ('two', (1,)))
    assert [other.law for other in breach.others] == others


def test_quick_laws_are_checked_farther():
    laws = law(never, 'slow'), law(lambda line: line == (1, 1, 1), 'quick')
    run = explored(Steps(), *laws, positions=2, quick=['quick'])
    assert run.counts['slow'] == 2
    assert run.result().failure().line == (1, 1, 1)


@pytest.mark.parametrize(
    ('start', 'positions', 'extent'),
    [
        (Steps(plies=2), 7, '7 positions (all) and 0 in 0 longer games'),
        (
            Steps(plies=2),
            6,
            '6 positions (the nearest, up to 2 plies from the start) and 0 in 0 longer games',
        ),
        (
            Steps(plies=1, width=33),
            99,
            '33 positions (the nearest, up to 1 ply from the start) and 0 in 0 longer games',
        ),
        (Steps(plies=0), 9, 'the start alone, which lists nothing to play'),
    ],
    ids=count(),
)
def test_the_extent_is_reported(start, positions, extent):
    assert explored(start, law(never), positions=positions).result().unwrap().extent == extent


def test_a_law_that_no_position_was_found_for_is_left_out():
    nowhere = type('Nowhere', (Steps,), {'checked': False})
    passed = explored(nowhere(), law(never), positions=9).result().unwrap()
    assert passed.cases == ()
    assert passed.left_out == (('a law', 'no position was found to check it at'),)


# Drawn games.


def test_drawn_games_go_to_the_end_and_depend_on_the_generator_alone():
    def drawn(rng):
        with exploring(lambda: Steps(width=5, plies=20), [law(never)]) as run:
            run.look_far(30, rng, whole=0, most=50)
        return lines(run.seen)

    assert drawn(RNG) == drawn(RNG) != drawn(RNG.child(1))
    run = explored(Steps(width=5, plies=20), law(never), positions=1, games=30)
    ends = {line for line in lines(run.seen) if len(line) == 20}
    assert len(ends) > 20
    assert run.result().unwrap().extent.endswith(' in 30 longer games')
    with exploring(lambda: Steps(width=2, plies=8), [law(never)]) as run:
        run.look_far(30, RNG, whole=0, most=50)
    assert run.games == 30  # of 32 that are begun: Hypothesis breaks off what it has seen


def test_most_games_end_late_if_one_position_of_each_is_checked():
    """In half of them moves that end the game are avoided where that can be done."""

    class Cliff(Steps):
        options = property(
            lambda self: (0, 1, 2) if 2 not in self.line and len(self.line) < 20 else ()
        )

    with exploring(Cliff, [law(never)]) as run:
        run.look_far(60, RNG, whole=0, most=50)
    assert len(run.seen) == 60
    assert sum(2 in line for line in lines(run.seen)) < 20
    assert max(map(len, lines(run.seen))) == 20


@pytest.mark.parametrize(
    ('finds', 'tries', 'length'),
    [
        (lambda line: line.count(1) >= 3, 2000, 3),
        (lambda line: len(line) > 14 and line[-1] == 1, 100_000, 15),
        # Too far to look at all: here Hypothesis makes the line short.
        (lambda line: line.count(3) >= 8, 20_000, 8),
        (lambda line: len(line) == 30 and line[3] > 2, 2000, 30),
    ],
    ids=count(),
)
def test_a_breach_far_away_gets_a_short_line(finds, tries, length):
    width = 2 if length == 15 else 4
    laws = law(never, 'other'), law(finds)
    run = explored(Steps(width=width, plies=30), *laws, positions=1, games=40, tries=tries)
    breach = run.result().failure()
    assert finds(breach.line)
    assert len(breach.line) == length
    assert run.items['a law'].line == breach.line


def test_of_equal_positions_one_is_tried():
    """So a hundred tries reach a sum of 12, which takes six moves at least."""
    start = Steps(width=3, plies=40, merges=sum)
    run = explored(start, law(lambda line: sum(line) >= 12), positions=1, games=9, tries=100)
    assert run.result().failure().line == (2,) * 6


def test_without_tries_the_line_stays():
    """And each try counts: shortening ends, whatever is left to do."""
    lengths = []
    for tries in (0, 100, 20_000):
        checked = []

        def finds(line, checked=checked):
            checked.append(line)
            return line.count(3) >= 8

        start = Steps(width=4, plies=40)
        run = explored(start, law(finds), positions=1, games=40, tries=tries)
        lengths.append(len(run.result().failure().line))
        assert len(checked) - run.late - 1 <= 3 * tries
    assert lengths[0] >= lengths[1] >= lengths[2] == 8


def test_games_that_differ_when_played_again_are_no_error():
    calls = count()

    class Moody(Steps):
        options = property(lambda self: range(2 + next(calls) % 3) if len(self.line) < 9 else ())

    run = explored(Moody(), law(lambda line: sum(line) > 5), positions=1, games=40)
    assert sum(run.result().failure().line) > 5


def test_given_lines_are_followed_and_shortened():
    laws = law(lambda line: 1 in line), law(never, 'other')
    with exploring(lambda: Steps(plies=9), laws) as run:
        run.look_along([(0, 0, 0, 1, 0), (0, 7, 0)])
    assert run.result().failure().line == (1,)
    assert run.counts['other'] == 10


# Hypothesis.


def test_without_hypothesis_the_extra_is_named(run_python):
    code = (
        'import sys; sys.modules["hypothesis"] = None\n'
        'from fmcts.games import tictactoe; from fmcts.testing import check_game\n'
        'check_game(tictactoe.start)'
    )
    done = run_python('-c', code)
    assert done.stderr.splitlines()[-1] == (
        "fmcts.errors.MissingLibraryError: laws need hypothesis: pip install 'fmcts[testing]'"
    )
