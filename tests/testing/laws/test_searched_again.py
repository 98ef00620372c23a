"""Repeated searches: at once, in parts, on other engines, in another process."""

from itertools import count

import pytest

from fmcts import EngineError, Search
from fmcts.testing._laws.law import Raised
from fmcts.testing._laws.searches import ELSEWHERE, NOT_SEARCHED, Continued
from searched import AGAIN, ENGINES_AGREE, OLDER, OTHERS, PREFIX, RAISED, THIS, found


def ways():
    """How a second search is told to each law, and the words by which it calls that."""
    return [
        (AGAIN, lambda two: {'again': two}, 'searched again'),
        (
            PREFIX,
            lambda two: {'continued': Continued(two, None, None), 'parts': (4, 6)},
            'in parts of 4 and 6 iterations',
        ),
        (
            ENGINES_AGREE,
            lambda two: {'by_engine': (('two', two),), 'engines': ('one', 'two')},
            'by the engine two, where one was first,',
        ),
        (ELSEWHERE, lambda two: {'elsewhere': two}, 'in a second process'),
    ]


@pytest.mark.parametrize(('law', 'tells', 'when'), ways(), ids=count())
def test_differences_are_named(law, tells, when):
    expected = {
        'move': f'the move found is 4, and {when} 5',
        'digest': f"the digest found is 'abc', and {when} 'abd'",
        'stats': f'the stats found is (1, 2), and {when} (1, 3)',
        'rng': f"the rng found is 'generator', and {when} 'other'",
    }
    assert {name: found(law, **tells(two)) for name, two in OTHERS.items()} == expected
    assert None not in [found(law, **{**tells(THIS), 'found': two}) for two in OTHERS.values()]
    assert found(law, **tells(THIS._replace())) is None
    assert found(law, **tells(RAISED)) == f'{when} it raised ValueError: no'
    assert found(law, **tells(None)) == f'found {str(THIS)[:40]}..., and {when} None'


@pytest.mark.parametrize(('law', 'tells', 'when'), ways(), ids=count())
def test_equal_errors_count_as_equal_results(law, tells, when):
    assert found(law, found=RAISED, **tells(Raised(RAISED.text))) is None
    told = found(law, found=RAISED, **tells(THIS))
    assert told == f'found {RAISED}, and {when} {str(THIS)[:40]}...'


def test_a_tree_that_cannot_be_continued_is_reported_once():
    """Where the second part raises, that the older tree changed is no second breach."""
    assert (
        found(PREFIX, continued=RAISED) == 'in parts of 5 and 5 iterations it raised ValueError: no'
    )
    assert found(OLDER, continued=RAISED) is None


def test_a_search_with_a_schedule_is_not_continued():
    search = Search(10, schedule='halving')
    changed = Continued(OTHERS['move'], ('abc', []), ('abd', [1]))
    assert found(PREFIX, search=search, continued=changed) is None
    assert found(OLDER, search=search, continued=changed) is None


def test_refusing_engines_are_skipped():
    refused = ('two', EngineError('no'))
    wrong = (('three', OTHERS['move']), ('four', OTHERS['rng']))
    engines = ('one', 'two', 'three', 'four')
    assert found(ENGINES_AGREE, engines=engines, by_engine=(refused,)) is None
    assert found(ENGINES_AGREE, engines=engines, by_engine=(refused, *wrong)) == (
        'the move found is 4, and by the engine three, where one was first, 5'
    )


def test_a_process_that_was_not_asked_breaks_nothing():
    assert found(ELSEWHERE, elsewhere=NOT_SEARCHED) is None


# Older trees.


@pytest.mark.parametrize(
    ('before', 'after', 'words'),
    [
        (('abc', [1, 2]), ('abc', [1, 2]), None),
        (
            ('abc', [1, 2]),
            ('abd', [1, 2]),
            'the first tree has another digest after the second search',
        ),
        (('abc', [1, 2]), ('abd', [1, 3]), '1 node of the first tree changed in the second search'),
        (
            ('abc', [1, 2, 3]),
            ('abc', [2, 2, 4, 5]),
            '2 nodes of the first tree changed in the second search',
        ),
        (
            ('abc', [1, 2]),
            ('abc', [1, 2, 3]),
            '1 node of the first tree changed in the second search',
        ),
    ],
    ids=count(),
)
def test_changes_of_an_older_tree_are_reported(before, after, words):
    assert found(OLDER, continued=Continued(THIS, before, after)) == words
    assert found(OLDER, continued=Continued(THIS, after, before)) == words
