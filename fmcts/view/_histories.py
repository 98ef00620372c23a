"""Histories in notebooks: HTML without scripts, as in `_notebook`.

Classes in `fmcts.history` call these functions from their `_repr_html_`, and import them only then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from fmcts._arguments import amount
from fmcts.game import GameState
from fmcts.history import (
    Change,
    Choice,
    History,
    Mistake,
    Parting,
    Stability,
    Timeline,
    WhatIf,
    Why,
)
from fmcts.history._reasons import worth_in_words
from fmcts.search._analysis import stats_of
from fmcts.view._board import board_svg, notation_of
from fmcts.view._charts import draw_history
from fmcts.view._html import bar, draw, image, page, table
from fmcts.view._parts import Facts, Sentence


def history_html(history: History[Any]) -> str:
    """Return the chart of a search, when its leader changed, and what was searched."""
    game = notation_of(history.root.state)
    write = game.format_move
    leads = ''.join(draw(Sentence(lead.in_words(write))) for lead in history.leaders())
    facts = Facts(
        (
            ('move', write(history.move)),
            ('iterations', f'{history.first:,} to {history.last:,}'),
            ('digest', history.digest),
        )
    )
    if history.first == history.last:
        return page(draw(facts))
    words = f'{game.name}: visits, shares and values of the moves over the iterations'
    return page(image(draw_history(history), words), leads, draw(facts))


def timeline_html(timeline: Timeline) -> str:
    """Return the visits and value of each move, a row for each version."""
    game = notation_of(timeline.state)
    moves = [game.format_move(row.move) for row in timeline[0].stats]
    rows = [
        (
            f'{moment.iterations:,}',
            *(f'{row.visits:,} ({_number(row.value)})' for row in moment.stats),
        )
        for moment in timeline
    ]
    caption = f'visits of each move, and its value for {timeline.state.player}'
    return table(('iterations', *moves), rows, caption)


def change_html(change: Change) -> str:
    """Return the visits that each move gained, and its value before and after."""
    game = notation_of(change.before.state)
    most = max(1, *(it.visits for it in change.moves))
    rows = [
        (
            game.format_move(it.move),
            f'{it.visits:+,}',
            _number(it.before),
            _number(it.after),
            bar(it.visits / most),
        )
        for it in change.moves
    ]
    before, after = map(game.format_move, change.best)
    best = f'{before} stays the best' if before == after else f'{after} instead of {before}'
    caption = (
        f'iterations {change.before.iterations:,} to {change.after.iterations:,}: '
        f'{amount(len(change.new), "node")} made, {best}'
    )
    return table(('move', 'visits', 'value', 'then', ''), rows, caption)


def stability_html(stability: Stability) -> str:
    """Return how many searches chose each move."""
    rows = [
        (
            str(move),
            str(count),
            f'{count / stability.searches:.0%}',
            bar(count / stability.searches),
        )
        for move, count in stability.counts
    ]
    places = [place for place, (move, _) in enumerate(stability.counts) if move == stability.move]
    searches = amount(stability.searches, 'search', 'searches')
    caption = f'{searches} by other generators; bold: the move chosen'
    return table(('move', 'searches', 'share', ''), rows, caption, places[0] if places else -1)


def what_if_html(found: WhatIf[Any]) -> str:
    """Return the visits and value of each move as they were and would have been, and the chart."""
    other, real = found.history, found.real
    game = notation_of(real.root.state)
    both = zip(stats_of(real.tree), stats_of(other.tree), strict=True)
    rows = [
        (
            game.format_move(was.move),
            f'{was.visits:,}',
            _number(was.value),
            f'{then.visits:,}',
            _number(then.value),
        )
        for was, then in both
    ]
    before, after = map(game.format_move, (found.chosen, found.move))
    choice = f'{before} becomes {after}' if found.changes_the_choice else f'{after} all the same'
    worth, was_worth = (
        worth_in_words(each, real.root.state) for each in (found.outcome, found.before)
    )
    sentence = (
        f'had the playout of iteration {found.iteration:,} been worth {worth}, not '
        f'{was_worth.removesuffix(" to X")}: {choice}'
    )
    headings = ('move', 'visits', 'value', 'visits then', 'value then')
    best = next(place for place, row in enumerate(rows) if row[0] == after)
    caption = f'after {amount(other.last, "iteration")}; bold: the move it would have chosen'
    drawn = table(headings, rows, caption, best)
    head = draw(Sentence(sentence, strong=True))
    if other.first == other.last:
        return page(head, drawn)
    words = f'{game.name}: the search from iteration {found.iteration:,} on'
    return page(head, drawn, image(draw_history(other), words))


def why_html(why: Why) -> str:
    """Return the boards where the path begins and ends, and a table for each of its choices."""
    game = notation_of(why.state)
    write = game.format_move
    states = [*_along(why.state, why.path)]
    line = ' '.join(map(write, why.path))
    playout = ' '.join(map(write, why.playout)) or 'none'
    head = Sentence(f'iteration {why.iteration:,}: {line}', strong=True)
    boards = [
        f'<td>{image(board_svg(states[0], game=game), "where the iteration begins")}</td>',
        f'<td>{image(board_svg(states[-1], before=states[-2], game=game), f"after {line}")}</td>',
    ]
    worth: Any = why.outcome
    if isinstance(worth, tuple):
        outcome = ('worth', worth_in_words(worth, why.state))
    else:
        outcome = ('worth to X', f'{worth:g}')
    end = Facts((('playout', playout), outcome))
    return page(
        draw(head),
        f'<table><tr>{"".join(boards)}</tr></table>',
        *(choice_html(choice, write) for choice in why.choices),
        draw(end),
    )


def choice_html(choice: Choice, write: Callable[[Any], str]) -> str:
    """Return what was compared at a node: each move with visits, value, score and its terms."""
    rows = [
        (
            write(row.move),
            f'{row.visits:,}',
            _number(row.value),
            *_padded(list(map(_number, row.terms)), len(choice.terms)),
            _number(row.score),
        )
        for row in choice.scores
    ]
    best = next(place for place, row in enumerate(choice.scores) if row.move == choice.move)
    headings = ('move', 'visits', 'mean', *choice.terms, 'score')
    return table(headings, rows, choice.in_words(write), best)


def parting_html(parting: Parting) -> str:
    """Return where two searches diverge, and what each compared there."""
    choices = parting.choices or ()
    return page(
        draw(Sentence(str(parting), strong=True)), *(choice_html(it, str) for it in choices)
    )


def mistake_html(mistake: Mistake) -> str:
    """Return the board, what happened, and the chart of the search."""
    history = mistake.history
    state = history.root.state
    game = notation_of(state)
    board = image(board_svg(state, history.at(history.last), game=game), 'the position')
    lines = ''.join(draw(Sentence(line)) for line in mistake.in_words(game.format_move))
    return page(board, lines, image(draw_history(history), 'the search over its iterations'))


def _along(state: GameState[Any], moves: Sequence[Any]) -> list[GameState[Any]]:
    """Return the positions on a line, the first included."""
    return reduce(lambda line, move: [*line, line[-1].play(move)], moves, [state])


def _padded(cells: list[str], width: int) -> list[str]:
    return cells + ['-'] * (width - len(cells))


def _number(number: float | None) -> str:
    if number is None:
        return '-'
    return ('∞' if number > 0 else '-∞') if math.isinf(number) else f'{number:.3f}'
