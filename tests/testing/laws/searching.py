"""Searches checked on tic-tac-toe, by laws that record what they check."""

from returns.result import Failure

from fmcts import SplitMix
from fmcts.games import tictactoe
from fmcts.testing._laws import searches
from fmcts.testing._laws.law import Breach, Law
from fmcts.testing._laws.searches import ENGINES_AGREE, check_search

RNG = SplitMix.from_seed(1)
STATE = tictactoe.start
NAMES = [law.name for law in searches.SEARCH_LAWS]
THERE, ALIKE, WORSE = (searches.ELSEWHERE.name, searches.SYMMETRIC.name, searches.STRENGTH.name)
AGREE = ENGINES_AGREE.name


def law(found, name='one'):
    return Law(name, f'It is {name}.', found)


def breach(found, line=(), name='one'):
    return Failure(Breach(name, f'It is {name}.', found, line))


def watched(monkeypatch):
    """The laws and cases that will be looked at; none is broken, and no other process is asked."""
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
