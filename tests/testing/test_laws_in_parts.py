"""Building blocks of the laws: short lines, comparison, loading of scripts."""

import sys

import pytest
from attrs import frozen

from fmcts import SplitMix
from fmcts.games import tictactoe
from fmcts.testing._laws.cases import Case, Description, few, look, same
from fmcts.testing._laws.exploring import Plan, breadth_first, explore, reached, shortest
from fmcts.testing._laws.games_elsewhere import answers, load_script
from fmcts.testing._laws.law import Breach, Law, OtherwiseError

# Lines.


def cases_of(start):
    told = Description(start, SplitMix.from_seed(1))

    def fresh_of():
        met = {}
        return lambda: Case(told, told.fresh(), met=met)

    return fresh_of


def law(found):
    return Law('a law', 'It is kept.', found)


def test_shortest_lines_come_first():
    fresh = cases_of(tictactoe.start)()
    lines = [case.line for case in breadth_first(fresh, 1 + 9 + 72 + 504)]
    assert lines == sorted(lines, key=len)
    assert len({*lines}) == len(lines)
    assert [len(line) for line in lines].count(3) == 504
    merged = [*breadth_first(fresh, 10_000, merged=True)]
    assert len(merged) == len({case.state for case in merged}) == 5478
    assert max(len(case.line) for case in breadth_first(fresh, 500, deepest=1)) == 1


def test_a_line_is_shortened_as_far_as_possible():
    """Where X has the corners 0 and 8: three plies, of which one is O's."""
    corners = law(lambda case: 'both' if case.state.x & 257 == 257 else None)
    long = Breach('a law', 'It is kept.', 'both', (4, 1, 8, 2, 0))
    found = shortest(cases_of(tictactoe.start), corners, long)
    assert (len(found.line), found.found) == (3, 'both')


def test_a_breach_that_does_not_recur_is_reported_as_found():
    once = law(lambda _case: None)
    breach = Breach('a law', 'It is kept.', 'something', (4, 1))
    assert shortest(cases_of(tictactoe.start), once, breach) == breach


def test_deep_lines_are_shortened_by_dropping_plies():
    """A game of 60 plies, whose fault needs the move `b` ten times: too deep to look at all."""

    @frozen
    class Letters:
        played: str = ''
        moves, over, player, winner = ('a', 'b', 'c', 'd'), False, None, None

        def play(self, move):
            return Letters(self.played + move)

    ten = law(lambda case: 'ten' if case.state.played.count('b') >= 10 else None)
    breach = Breach('a law', 'It is kept.', 'ten', tuple('abcd' * 15))
    assert shortest(cases_of(Letters()), ten, breach).line == ('b',) * 10


def test_counts_cover_everything_checked():
    plan = Plan(10, 2, 100, SplitMix.from_seed(1), 1, 7)
    found = explore(cases_of(tictactoe.start), [law(lambda _: None)], plan, lambda _: None)
    assert found.breaches == ()
    ((name, number),) = found.cases
    assert name == 'a law'
    assert 10 + 6 + 1 <= number <= 10 + 10 + 1  # a whole game, and the end of another


def test_an_unplayable_line_reaches_nothing():
    fresh = cases_of(tictactoe.start)()
    assert reached(fresh(), (4, 4)) is None
    assert reached(fresh(), (4, 0)).line == (4, 0)


def test_few_includes_the_first_and_the_last():
    assert [*few(range(1000), 5)] == [0, 249, 499, 749, 999]


def test_same_compares_part_by_part():
    assert same((1, [2]), (1.0, [2]))
    assert not same((1, 2), (2, 1))
    assert not same((1, 2), (1, 2, 3))


# What the other process does.


def test_a_script_is_loaded_without_running_it(tmp_path, monkeypatch):
    for name in ('modules', 'path'):
        monkeypatch.setattr(sys, name, getattr(sys, name).copy())
    script = tmp_path / 'script.py'
    script.write_text('import os\nONE = 1\ndef two(): return 2\nprint(1 / 0)\nraise SystemExit\n')
    load_script(str(script))
    main = sys.modules['__main__']
    assert (main.ONE, main.two(), main.__file__) == (1, 2, str(script))


def test_answers_continue_after_an_error():
    start = tictactoe.start
    said = answers(start, [None, (0, 4), (0, 40), (2, 0), (1, 0)])
    assert [isinstance(answer, str) for answer in said] == [False, False, True, True, False]
    assert said[2] == 'is not reached'
    assert said[4][1] == start.play(4).play(0)


def test_a_property_that_raises_is_reported_in_words():
    with pytest.raises(OtherwiseError, match=r'^asking for over raised ValueError: no$'):
        look(type('Bad', (), {'player': 1, 'moves': (), 'over': property(no)})())


def no(_self):
    raise ValueError('no')
