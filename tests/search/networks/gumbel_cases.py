"""What the library finds in a case of `mctx.json`, which `benchmarks/gumbel.py` writes."""

from drawn_trees import Drawn, network
from fmcts import Search, SplitMix, analyse
from fmcts.search.gumbel_halving import GumbelHalving
from fmcts.search.methods import Gumbel
from fmcts.selfplay import improved_policy


def search_of(case):
    return Search(
        case['iterations'],
        network=network,
        selection=Gumbel(case['c_visit'], case['c_scale'], rescale=case['rescale']),
        schedule=GumbelHalving(case['considered'], case['scale'], tuple(case['numbers'])),
    )


def ours(case, engine='inplace'):
    """Visits and the move, as mctx counts them, and the improved policy."""
    state, search = Drawn(case['seed'], case['width'], case['depth']), search_of(case)
    found, _ = analyse(state, SplitMix.from_seed(0), search, engine=engine)
    visits = [row.visits for row in found.stats]
    return visits, found.move, improved_policy(found, search)
