"""Faulty graph searches, each a known trap, are detected by the transcription."""

import pytest

import naive_graph as naive
from fmcts import Search, SplitMix, analyse
from fmcts._engines.graph import entry, verbs
from fmcts.games import connect4, tictactoe

SOUND = verbs.sound
WAYS_UP = verbs.ways_up
RECOMPUTED = entry.recomputed
SEEN = verbs.seen
STARTS = (tictactoe.start, connect4.start)


def caught(rule='sound', iterations=400):
    """Whether a search differs from the transcription of its source."""
    for state in STARTS:
        rng = SplitMix.from_seed(1)
        nodes, _ = naive.TRANSCRIBED[rule](state, rng, iterations)
        search = Search(iterations, transpositions=rule)
        analysis, _ = analyse(state, rng, search, engine='inplace')
        if any(naive.differences(analysis.tree, nodes)):
            return True
    return False


def rewards_of_the_leaf(graph, path, number, for_x):
    """Each iteration's reward is added up along the path: states are not computed anew."""
    entries = graph.entries
    for above, place in path:
        entries[above] = verbs.chosen_again(entries[above], place)
    for above in [*(each for each, _ in path), number]:
        one = entries[above]._replace(worth=for_x)
        if above == number:
            one = one._replace(own=one.own + 1)
        entries[above] = entry.credited(one, one.visits + 1, one.total + for_x)


def every_parent(graph, path, number, for_x):
    """What comes up to a state is counted by all its parents, not only by the one on the path."""
    SOUND(graph, path, number, for_x)
    entries = graph.entries
    passed = [each for each, _ in path]
    for below in [number, *reversed(passed)]:
        for above, one in enumerate(list(entries)):
            places = [place for place, edge in enumerate(one.places) if edge and edge.to == below]
            if places and above not in passed:
                again = verbs.chosen_again(one, places[0])
                entries[above] = RECOMPUTED(again, entries)


def without_its_own(one, entries):
    """Where there are edges, the playout of the state itself is forgotten."""
    kept = RECOMPUTED(one, entries)
    own = sum(edge.visits for edge in one.edges)
    return entry.credited(kept, own, kept.total - one.own * one.worth) if own else kept


def totals_of_children(one, entries):
    """A child's whole total counts, however few of its visits came by the edge."""
    total = one.own * one.worth + sum(entries[edge.to].total for edge in one.edges if edge.visits)
    return entry.credited(one, RECOMPUTED(one, entries).visits, total)


def by_visits_of_children(one, entries, _rule):
    """Selection goes by how often the states were visited, and not how often the moves chosen."""
    return SEEN(one, entries, 'naive')


def for_the_wrong_mover(one, entries, rule):
    """What a state is worth is told of the opponent."""
    return [each._replace(value=1.0 - each.value) for each in SEEN(one, entries, rule)]


def once_for_each_state_above(entries, number):
    """By the naive rule: every state above once, not once for each way."""
    return dict.fromkeys(WAYS_UP(entries, number), 1)


MUTANTS = {
    'rewards along the path': (verbs, 'CREDITING', {'sound': rewards_of_the_leaf}),
    'every parent is credited': (verbs, 'CREDITING', {'sound': every_parent}),
    'its own playout is forgotten': (verbs, 'recomputed', without_its_own),
    'totals of children': (verbs, 'recomputed', totals_of_children),
    'child instead of edge visits': (verbs, 'seen', by_visits_of_children),
    'the wrong mover': (verbs, 'seen', for_the_wrong_mover),
}


@pytest.mark.parametrize('name', MUTANTS)
def test_a_faulty_sound_search_is_detected(name, monkeypatch):
    monkeypatch.setattr(*MUTANTS[name])
    assert caught()


def test_a_faulty_naive_search_is_detected(monkeypatch):
    monkeypatch.setattr(verbs, 'ways_up', once_for_each_state_above)
    assert caught('naive')


@pytest.mark.parametrize('rule', ['sound', 'naive'])
def test_correct_searches_pass(rule):
    assert not caught(rule)
