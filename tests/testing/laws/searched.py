"""The violation that a law finds in a search with given results."""

from types import SimpleNamespace

from fmcts import Player, Search
from fmcts.search._analysis import Analysis
from fmcts.search._tree import MutableNode, freeze_in_place
from fmcts.testing._laws.law import Raised, Unchecked, found_by
from fmcts.testing._laws.searches import SEARCH_LAWS, SearchResult

ENDS, ALONE, AGAIN, CONSERVED, BOUNDS, NAMES, PREFIX, OLDER, ENGINES_AGREE, *_ = SEARCH_LAWS[1:]
RAISED = Raised('raised ValueError: no')
THIS = SearchResult(4, 'abc', (1, 2), 'generator')
OTHERS = {
    'move': THIS._replace(move=5),
    'digest': THIS._replace(digest='abd'),
    'stats': THIS._replace(stats=(1, 3)),
    'rng': THIS._replace(rng='other'),
}


def node(visits, *children, move=None, reward=0.0, value=None, state=None):
    value = (reward / visits if visits else 0.0) if value is None else value
    fields = (move, Player.X, state, (), visits, reward, value, children)
    return freeze_in_place(MutableNode(*fields))


def found(law, **told):
    """What the law finds of a search of which this is told, all else being right."""
    known = {'search': Search(10), 'state': SimpleNamespace(moves=(4, 5, 6)), 'parts': (5, 5)}
    told = found_by(law, SimpleNamespace(**{**known, 'found': THIS, **told}))
    return None if isinstance(told, Unchecked) else told


def of(tree, move=4):
    return Analysis(move, tree.visits, tree)
