"""A search on two engines, which must find the same."""

from fmcts import analyse


def agree(state, rng, search, other, engine='persistent', **more):
    """Return what `engine` finds and the generator after it; fail if `other` differs at all."""
    one, after = analyse(state, rng, search, engine=engine, **more)
    two, other_after = analyse(state, rng, search, engine=other, **more)
    assert (one.digest, one.move, one.stats, after) == (
        two.digest,
        two.move,
        two.stats,
        other_after,
    )
    assert one.tree == two.tree
    return one, after
