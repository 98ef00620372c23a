"""Wrong bots, each with one realistic mistake, and the law that it breaks.

And right ones, of every shape that a bot may have.
"""

import functools
from typing import NamedTuple

from fmcts import Search, mcts, monte_carlo, perfect, random_bot
from fmcts.bots import article_mc_pure
from fmcts.games import connect4, tictactoe
from fmcts.state import from_state, to_state
from zoo_bot_games import Fruits, Heaps, some
from zoo_bots_answering import (
    ExplainsAnother,
    Opening,
    Planner,
    ThinksLongerWhenFast,
    answers_its_opponent_s_cell,
    fails_when_one_move_is_left,
    gives_a_list,
    gives_the_generator_first,
    gives_the_index,
    gives_the_move_alone,
    leaves_when_it_loses,
    plays_by_hash,
    plays_nothing_when_one_move_is_left,
    plays_the_first_of_a_set,
    stops_at_the_end_of_a_stream,
    takes_from_the_list,
    takes_turns,
)
from zoo_bots_drawing import (
    KeepsItsFirstGenerator,
    asks_three_with_one_generator,
    begins_anew_every_time,
    draws_from_a_child_and_keeps_the_parent,
    draws_from_a_hidden_generator,
    draws_from_the_clock,
    draws_from_the_global_generator,
    hands_back_a_seed,
    hands_back_the_old_one,
    hands_back_the_one_before_the_last,
    remembers_the_answer_and_its_generator,
    seeds_the_global_generator,
    splits_and_hands_back_the_half_it_used,
)
from zoo_bots_right import (
    Called,
    Slots,
    WithOptions,
    answers_by_name,
    looks_at_a_child_for_nothing,
    remembers_what_follows_from_the_state,
    splits,
    takes_children,
)


class Case(NamedTuple):
    """A bot, the game it is asked in, and the law that it breaks."""

    bot: object
    start: object
    law: str


ONCE = 'no number is drawn twice'
COMES = 'the generator is derived from the given one'
AGAIN = 'a second call returns the same'
LEGAL = 'the move is legal'
PAIR = 'the answer is a pair'
GLOBAL = 'no global generator'
ANSWERS = 'a bot answers'
ELSEWHERE = 'another process plays the same'
GRID = tictactoe.start

WRONG = {
    case.bot.__name__ if hasattr(case.bot, '__name__') else type(case.bot).__name__: case
    for case in (
        Case(hands_back_the_old_one, GRID, ONCE),
        Case(hands_back_the_one_before_the_last, GRID, ONCE),
        Case(draws_from_a_child_and_keeps_the_parent, GRID, ONCE),
        Case(splits_and_hands_back_the_half_it_used, GRID, ONCE),
        Case(asks_three_with_one_generator, GRID, 'a generator is drawn from once'),
        Case(begins_anew_every_time, GRID, COMES),
        Case(KeepsItsFirstGenerator(), GRID, COMES),
        Case(remembers_the_answer_and_its_generator, GRID, COMES),
        Case(hands_back_a_seed, GRID, 'a generator is returned'),
        Case(draws_from_the_global_generator, GRID, GLOBAL),
        Case(seeds_the_global_generator, GRID, GLOBAL),
        Case(draws_from_a_hidden_generator, connect4.start, AGAIN),
        Case(draws_from_the_clock, connect4.start, AGAIN),
        Case(takes_turns, GRID, AGAIN),
        Case(gives_the_move_alone, GRID, PAIR),
        Case(gives_a_list, GRID, PAIR),
        Case(gives_the_generator_first, GRID, LEGAL),
        Case(gives_the_index, Fruits(), LEGAL),
        Case(answers_its_opponent_s_cell, GRID, LEGAL),
        Case(plays_nothing_when_one_move_is_left, GRID, LEGAL),
        Case(fails_when_one_move_is_left, connect4.start, ANSWERS),
        Case(leaves_when_it_loses, GRID, ANSWERS),
        Case(stops_at_the_end_of_a_stream, GRID, ANSWERS),
        Case(takes_from_the_list, Heaps([2, 3, 1]), 'the arguments do not change'),
        Case(Planner(), GRID, 'nothing is remembered'),
        Case(Opening(), GRID, ELSEWHERE),
        Case(plays_the_first_of_a_set, Fruits(), ELSEWHERE),
        Case(plays_by_hash, Fruits(), ELSEWHERE),
        Case(ThinksLongerWhenFast(), GRID, 'every engine plays the same'),
        Case(ExplainsAnother(), GRID, 'the analysis is the answer'),
    )
}

LATER = tictactoe.parse('XOXO.....').unwrap()

RIGHT = {
    'random_bot': (random_bot, GRID),
    'random_bot, moves as text': (random_bot, Fruits()),
    'random_bot, a list in the state': (random_bot, Heaps([2, 3, 1])),
    'monte_carlo': (monte_carlo(20, engine='inplace'), Fruits()),
    'article_mc_pure': (article_mc_pure(5), GRID),
    'mcts': (mcts(Search(30), engine='inplace'), GRID),
    'mcts, another engine': (mcts(Search(20), engine='monadic'), Fruits()),
    'mcts, solver': (mcts(Search(40, solver=True), engine='persistent'), Fruits()),
    'perfect': (perfect(engine='inplace'), LATER),
    'an action of State': (from_state(to_state(random_bot)), GRID),
    'a lambda': (lambda state, rng: (state.moves[0], rng), GRID),
    'a partial': (functools.partial(some), GRID),
    'a class': (Called(), GRID),
    'slots': (Slots(), GRID),
    'an analyse of its own': (WithOptions(), GRID),
    'a named tuple': (answers_by_name, GRID),
    'a split': (splits, GRID),
    'children': (takes_children, GRID),
    'a child for nothing': (looks_at_a_child_for_nothing, GRID),
    'a memo of a pure function': (remembers_what_follows_from_the_state, GRID),
}
