"""The reasons for an iteration's path, against the article's formula and the engines."""

import math
from functools import reduce
from itertools import product

import pytest

from fmcts import Search, SplitMix
from fmcts._arithmetic import logarithms
from fmcts.games import connect4, tictactoe
from fmcts.games.tictactoe import TicTacToe
from fmcts.history import history
from fmcts.history._reasons import terms_of
from fmcts.search.methods import METHODS
from tiers import usually

from .conftest import SEARCHES, STARTS

RNG = SplitMix.from_seed(11)
LOG = logarithms(1000)


def node_at(tree, line):
    for move in line:
        tree = tree.child(move)
    return tree


def argmax(scores):
    """The first of the highest."""
    best = max(score for score in scores if score is not None)
    return scores.index(best)


# One iteration of so many; of few iterations more of them.
SOME = [(name, 'tictactoe', 13 if name == 'small' else 29) for name in SEARCHES]
MORE = product(SEARCHES, ['tictactoe', 'connect4'], [13])


@pytest.mark.parametrize(
    ('name', 'game', 'every'), usually(SOME, [*SOME, *(case for case in MORE if case not in SOME)])
)
def test_the_chosen_move_is_the_first_with_the_highest_score(name, game, every):
    h = history(STARTS[game], RNG, SEARCHES[name], 'persistent')
    log, judged = h.log, 0
    for k in range(1, h.last + 1, every):
        why = h.why(k)
        assert (why.iteration, why.outcome) == (k, log.outcomes[k - 1])
        new = range(log.nodes_at(k - 1), log.nodes_at(k))
        assert why.made == sum(not log.graph or log.graph.states[it] == it for it in new)
        line = ()
        for choice in why.choices:
            assert choice.line == line
            line = (*line, choice.move)
            if choice.by != 'score':
                continue
            judged += 1
            scores = [row.score for row in choice.scores]
            assert choice.scores[argmax(scores)].move == choice.move
            assert choice.margin is None or choice.margin >= 0
        assert why.path[: len(line)] == line
        assert [len(it.line) for it in why.backup] == [*range(len(why.path) + 1)]
        after = h.at(k).tree
        for step in why.backup:
            node = node_at(after, step.line)
            assert (step.visits, step.value) == (node.visits, node.value)
    assert judged > 5


def test_scores_equal_the_article_s_formula():
    """UCB1 by hand, from the tree before: q/n + c sqrt(ln(1 + N)/n)."""
    c = 0.7
    h = history(STARTS['connect4'], RNG, Search(300, c=c), 'persistent')
    for k in range(50, 301, 25):
        before = h.at(k - 1).tree
        for choice in h.why(k).choices:
            node = node_at(before, choice.line)
            assert choice.visits == node.visits
            for child, row in zip(node.children, choice.scores, strict=False):
                assert (row.move, row.visits, row.value) == (child.move, child.visits, child.value)
                if choice.by == 'score':
                    bonus = c * math.sqrt(LOG[1 + node.visits] / child.visits)
                    assert row.terms == (child.reward / child.visits, bonus)
                    assert row.score == row.terms[0] + row.terms[1]
            if choice.by == 'untried':
                assert len(node.children) < len(node.moves)
                assert choice.move == node.moves[len(node.children)]


def test_the_terms_of_a_sum_add_up():
    for name in ('ucb1', 'uct', 'puct', 'progressive-bias', 'implicit-minimax', 'baeldung'):
        h = history(STARTS['tictactoe'], RNG, Search(150, selection=name), 'persistent')
        rows = [row for choice in h.why(150).choices for row in choice.scores if row.terms]
        assert rows
        assert all(len(row.terms) > 1 for row in rows)
        for row in rows:
            total = row.terms[0]
            for term in row.terms[1:]:
                total += term
            assert total == row.score


def test_every_method_by_formula_names_its_terms():
    names = {name: terms_of(Search(selection=name).method).names for name in METHODS}
    assert names['ucb1'] == ('value', 'c * sqrt(log_visits / visits)')
    assert names['implicit-minimax'][:2] == ('(1 - alpha) * value', 'alpha * minimax')
    assert 'min(' in ' '.join(names['ucb1-tuned'])
    assert 'max(' in ' '.join(names['rave'])
    assert terms_of(SEARCHES['rule'].method) is None


def test_a_user_s_rule_keeps_its_constants():
    def mine(edge, parent):
        return -edge.value / 2 - (parent.log_visits - 0.25) / edge.visits

    names = terms_of(Search(selection=mine).method).names
    assert names == ('-value / 2 - (log_visits - 0.25) / visits',)


def test_draws_replay_the_iteration():
    """The draws are those of the generator, and the playout's moves are what they choose."""
    h = history(STARTS['connect4'], RNG, Search(80), 'persistent')
    for k in (1, 30, 80):
        why, rng = h.why(k), h.rng_at(k - 1)
        for count, number in why.draws:
            drawn, rng = rng.uniform(0, count - 1)
            assert drawn == number
        assert rng == h.rng_at(k)
        state = h.root.state
        for move in why.path:
            state = state.play(move)
        assert len(why.playout) == len(why.draws)
        for move, (count, number) in zip(why.playout, why.draws, strict=True):
            assert count == len(state.moves)
            assert state.moves[number] == move
            state = state.play(move)
        assert state.over
        assert why.outcome == {None: 0.5, 'X': 1.0, 'O': 0.0}[state.winner and state.winner.value]


def test_reasons_for_choices_without_a_score():
    late = reduce(TicTacToe.play, (0, 1, 2, 4, 3, 5, 7), tictactoe.start)
    histories = {
        'schedule': history(STARTS['tictactoe'], RNG, Search(100, schedule='halving')),
        'selected': history(STARTS['tictactoe'], RNG, Search(100, selection='puct')),
        'late': history(late, RNG, Search(100)),
    }
    by = {
        name: {choice.by for k in range(1, 101, 3) for choice in h.why(k).choices}
        for name, h in histories.items()
    }
    assert {'schedule', 'score', 'untried'} <= by['schedule']
    assert 'untried' not in by['selected']
    assert 'only move' in by['late']


def test_the_only_remaining_move_is_not_called_unvisited():
    h = history(tictactoe.start.play(0).play(4).play(8), RNG, Search(400, solver=True))
    alone = [
        choice
        for k in range(1, h.last + 1, 8)
        for choice in h.why(k).choices
        if choice.by == 'score' and choice.runner_up is None
    ]
    assert any(choice.chosen.visits for choice in alone)
    for choice in alone:
        assert str(choice).endswith(': it is the only one that is not left out')


def test_values_are_told_where_a_score_has_no_terms():
    h = history(tictactoe.start, RNG, Search(100, normalised=True))
    choice = h.why(100).choices[0]
    one, other = choice.chosen.value, choice.runner_up.value
    assert not choice.terms
    assert f'(value {one:.3f} against {other:.3f})' in str(choice)


def test_a_formula_that_is_not_a_sum_is_called_the_score():
    h = history(tictactoe.start, RNG, Search(100, selection='rave'))
    choice = h.why(100).choices[0]
    one, other = choice.chosen.score, choice.runner_up.score
    assert f'(score {one:.3f} against {other:.3f})' in str(choice)
    assert h.why(100)._repr_html_().count('>score<') == len(h.why(100).choices)


def test_str_reads_as_sentences():
    h = history(connect4.start, SplitMix.from_seed(42), Search(2000), 'persistent')
    told = str(h.why(2000)).splitlines()
    assert told[0].startswith('iteration 2000: ')
    assert ' chooses ' in told[1]
    assert ': it leads ' in told[1]
    assert ' against ' in told[1]
    assert told[-2].endswith(': its first visit')
    assert told[-1].startswith('  playout: ')
