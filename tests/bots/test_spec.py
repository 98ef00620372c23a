"""Bots read from text: what each means, and one line where it means nothing."""

import attrs
import pytest
from returns.result import Success

from fmcts.bots import (
    alphabeta,
    article_mc_pure,
    mcts,
    monte_carlo,
    perfect,
    random_bot,
)
from fmcts.bots._spec import (
    DEFAULT_BOT,
    RECIPES,
    Human,
    budget,
    choices,
    parse_bot,
    with_number,
)
from fmcts.search._description import Search
from fmcts.search.methods import (
    GRAVE,
    METHODS,
    RAVE,
    FirstPlay,
)


@pytest.mark.parametrize(
    ('text', 'bot'),
    [
        ('random', random_bot),
        ('human', Human()),
        ('mc', monte_carlo(1000)),
        ('mc:300', monte_carlo(300)),
        (
            'mc:300,count=wins,order=last,ties=last',
            monte_carlo(300, count='wins', order='last', ties='last'),
        ),
        ('mc:ties=last', monte_carlo(1000, ties='last')),
        ('mc:playouts=7', monte_carlo(7)),
        ('mcts', mcts()),
        (DEFAULT_BOT, mcts(Search(iterations=1000))),
        (
            'mcts:1000,c=0.5,expansion=random,final=max',
            mcts(Search(1000, c=0.5, expansion='random', final='max')),
        ),
        ('mcts:c=2,solver=on', mcts(Search(c=2.0, solver=True))),
        ('mcts:solver=exact', mcts(Search(solver='exact'))),
        ('mcts:9,schedule=halving', mcts(Search(9, schedule='halving'))),
        ('mcts:50,c=1e-1', mcts(Search(iterations=50, c=0.1))),
        (' mcts : 50 , c = .5 '.replace(' : ', ':'), mcts(Search(iterations=50, c=0.5))),
        ('article-mc-pure:30000', article_mc_pure(30000)),
        ('article-mc-pure', article_mc_pure(1000)),
        ('perfect', perfect()),
        ('alphabeta', alphabeta()),
        ('alphabeta:4', alphabeta(4)),
        (
            'alphabeta:4,distance=off,table=0,max_plies=99',
            alphabeta(4, distance=False, table=0, max_plies=99),
        ),
    ],
)
def test_specs_of_bots(text, bot):
    assert parse_bot(text).unwrap() == bot


MC_TAKES = 'mc takes a number and the options count, order, ties, max_plies'


@pytest.mark.parametrize(
    ('text', 'named'),
    [
        ('', "''"),
        ('mtcs:10', "'mtcs' (did you mean mcts?)"),
        ('RANDOM', "'RANDOM' (did you mean random?)"),
    ],
)
def test_an_unknown_bot_is_refused(text, named):
    assert parse_bot(text).failure() == f'unknown bot {named}: accepted are {", ".join(RECIPES)}'


@pytest.mark.parametrize(
    ('text', 'why'),
    [
        ('mcts:x', "iterations must be a whole number, not 'x'"),
        ('mc:-5', 'playouts must be a whole number of at least 1, not -5'),
        ('mcts:c=x', "c must be a number, not 'x'"),
        ('mcts:solver=yes', "solver must be on, off or exact, not 'yes'"),
        ('mcts:c=1e999', 'c must be a finite number of at least 0, not inf'),
        ('mcts:5,c=1,c=2', 'c is given twice: give it once'),
        ('mcts:5,iterations=6', 'iterations is given twice: give it once'),
        ('random:5', 'random takes no number and no options: write only random'),
        ('alphabeta:0', 'depth must be a whole number of at least 1, not 0'),
        ('human:', 'human takes no number and no options: write only human'),
        ('mc:5,', f"expected option=value, not ''; {MC_TAKES}"),
        ('mc:5,tie=last', f"unknown option 'tie' (did you mean ties?); {MC_TAKES}"),
        (
            'mcts:expansion=ful',
            (
                'expansion must be one of in-order, random, full, selected, jump, '
                "not 'ful' (did you mean full?)"
            ),
        ),
        (
            'article-mc-pure:5,count=wins',
            "unknown option 'count'; article-mc-pure takes a number and the options as_printed",
        ),
        ('mehat-mc:5,count=wins', "unknown option 'count'; mehat-mc takes a number only"),
        ('closing:7,as_printed=yes', "as_printed must be on or off, not 'yes'"),
    ],
)
def test_an_invalid_spec_is_one_line(text, why):
    assert parse_bot(text).failure() == f'bot {text!r}: {why}'


def test_long_numbers_are_refused_and_cut_in_messages():
    assert parse_bot('mc:' + '9' * 18) == Success(monte_carlo(10**18 - 1))
    assert parse_bot('mc:' + '9' * 5000).failure() == (
        f"bot 'mc:{'9' * 117}...': playouts must have at most 18 digits, not 5000"
    )


def test_with_number_keeps_the_options():
    """Whether they stand before or after that of the number in the alphabet."""
    text = 'mcts:50, c=1,selection=rave, iterations=3'
    assert with_number(text, 8) == 'mcts:8,c=1,selection=rave'
    assert with_number('mc:count=wins,playouts=3,ties=last', 8) == 'mc:8,count=wins,ties=last'
    assert with_number('mcts', 8) == 'mcts:8'


def test_options_are_explained_by_their_type():
    told = dict(choices('mcts'))
    assert [
        told[name] for name in ('max_nodes', 'c', 'closing', 'solver', 'schedule', 'expansion')
    ] == [
        'a whole number',
        'a number',
        'on or off',
        'on, off or exact',
        'halving or shot',
        'in-order, random, full, selected or jump',
    ]


def test_every_field_of_a_search_except_functions_is_an_option():
    functions = {
        'evaluate',
        'evaluate_after',
        'network',
        'proposals',
        'batch',
        'collisions',
        'sliding',
        'reward',
        'stop',
    }
    assert {'iterations', *RECIPES['mcts'].options} == set(attrs.fields_dict(Search)) - functions


@pytest.mark.parametrize(
    ('text', 'method'),
    [
        ('mcts:9,selection=rave,k=500', RAVE(k=500)),
        ('mcts:9,k=500,selection=rave,c=0.5', RAVE(c=0.5, k=500)),
        ('mcts:9,selection=ucb1-fpu,first_play=0.7', FirstPlay(first_play=0.7)),
        ('mcts:9,selection=grave,ref=20,b=1e-4', GRAVE(ref=20, b=1e-4)),
        ('grave:9,ref=20', GRAVE(ref=20)),
        ('grave:9,ref=20,c=0.5', GRAVE(ref=20, c=0.5)),
        ('mehat-rave:9,k=100', RAVE(k=100)),
    ],
)
def test_parameters_of_a_method_are_options(text, method):
    search = parse_bot(text).unwrap().search
    assert (search.method, search.iterations) == (method, 9)


def test_every_parameter_of_every_method_is_an_option():
    known = {number for name in METHODS for number in METHODS[name]().parameters}
    assert known == {*RECIPES['mcts'].numbers, 'c'}
    assert not set(RECIPES['mcts'].numbers) & set(attrs.fields_dict(Search))
    accepted = dict(choices('mcts'))
    for number in RECIPES['mcts'].numbers:
        having = [name for name in METHODS if number in METHODS[name]().parameters]
        words = accepted[number].removeprefix('a number, with selection ')
        assert words.replace(' or ', ', ').split(', ') == having
    assert dict(choices('grave'))['ref'] == 'a number'


@pytest.mark.parametrize(
    ('text', 'why'),
    [
        ('mcts:k=5', 'k belongs to selection widening or rave, not to ucb1'),
        ('mcts:selection=rave,ref=5', 'ref belongs to selection grave, not to rave'),
        ('mcts:selection=rave,k=x', "k must be a number, not 'x'"),
        ('mcts:selection=amaf,alpha=2', 'alpha must be a number from 0 to 1, not 2.0'),
        (
            'mehat-rave:ref=1',
            "unknown option 'ref'; mehat-rave takes a number and the options c, m",
        ),
        ('mcts:selection=rave,refs=1', "unknown option 'refs' (did you mean ref?); mcts takes a n"),
    ],
)
def test_invalid_parameters_are_one_line(text, why):
    assert parse_bot(text).failure().startswith(f'bot {text!r}: {why}')


def test_budget_of_bots_that_search():
    assert budget(mcts(Search(iterations=7))) == 7
    assert budget(monte_carlo(8)) == 8
    assert budget(random_bot) is None
    assert budget(perfect()) is None
