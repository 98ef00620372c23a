"""Histories in notebooks: HTML without scripts, as in `_notebook`.

Classes in `fmcts.history` call these functions from their `_repr_html_`, and import them only then.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from fmcts._arguments import amount
from fmcts.errors import MissingLibraryError
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
    worth_in_words,
)
from fmcts.search import stats_of
from fmcts.view._board import board_svg, notation_of
from fmcts.view._charts import draw_history
from fmcts.view._notebook import as_html, image, page
from fmcts.view._parts import Facts, Listing, Sentence


def history_html(history: History[Any]) -> str:
    """Return the chart of a search, when its leader changed, and what was searched."""
    game = notation_of(history.root.state)
    write = game.format_move
    agree = history.agreement() if history.first < history.last else None
    sure = (('agreement', f'{agree[0]} of {agree[1]} other seeds'),) if agree else ()
    facts = Facts(
        (
            ('move', write(history.move)),
            *sure,
            ('iterations', f'{history.first:,} to {history.last:,}'),
            ('digest', history.digest),
        )
    )
    if history.first == history.last:
        return page(facts)
    words = f'{game.name}: visits, shares and values of the moves over the iterations'
    leads = ''.join(as_html(Sentence(lead.in_words(write))) for lead in history.leaders())
    return page(_chart(history, words), leads, facts)


def _chart(history: History[Any], words: str) -> str:
    """Return the chart of a search, or what it needs that is not installed."""
    try:
        return image(draw_history(history), words)
    # A notebook shows the rest: a value has to have a picture of some kind everywhere.
    except MissingLibraryError as error:
        return as_html(Sentence(str(error)))


def timeline_html(timeline: Timeline) -> str:
    """Return the visits and value of each move, a row for each version."""
    write = notation_of(timeline.state).format_move
    rows = tuple(
        (
            f'{moment.iterations:,}',
            *(f'{row.visits:,} ({_number(row.value)})' for row in moment.stats),
        )
        for moment in timeline
    )
    headings = ('iterations', *(write(row.move) for row in timeline[0].stats))
    caption = f'visits of each move, and its value for {timeline.state.player}'
    return as_html(Listing(headings, rows, caption))


def change_html(change: Change) -> str:
    """Return the visits that each move gained, and its value before and after."""
    write = notation_of(change.before.state).format_move
    most = max(1, *(it.visits for it in change.moves))
    rows = tuple(
        (write(it.move), f'{it.visits:+,}', _number(it.before), _number(it.after))
        for it in change.moves
    )
    before, after = map(write, change.best)
    best = f'{before} stays the best' if before == after else f'{after} instead of {before}'
    caption = (
        f'iterations {change.before.iterations:,} to {change.after.iterations:,}: '
        f'{amount(len(change.new), "node")} made, {best}'
    )
    shares = tuple(it.visits / most for it in change.moves)
    return as_html(Listing(('move', 'visits', 'value', 'then'), rows, caption, shares=shares))


def stability_html(stability: Stability) -> str:
    """Return how many searches chose each move."""
    moves, counts = zip(*stability.counts, strict=True)
    shares = tuple(count / stability.searches for count in counts)
    rows = tuple(
        (str(move), str(count), f'{share:.0%}')
        for move, count, share in zip(moves, counts, shares, strict=True)
    )
    searches = amount(stability.searches, 'search', 'searches')
    caption = f'{searches} by other generators; bold: the move chosen'
    best = moves.index(stability.move) if stability.move in moves else -1
    headings = ('move', 'searches', 'share')
    return as_html(Listing(headings, rows, caption, best=best, shares=shares))


def what_if_html(found: WhatIf[Any]) -> str:
    """Return the visits and value of each move as they were and would have been, and the chart."""
    other, real = found.history, found.real
    state = real.root.state
    game = notation_of(state)
    rows = tuple(
        (
            game.format_move(was.move),
            f'{was.visits:,}',
            _number(was.value),
            f'{then.visits:,}',
            _number(then.value),
        )
        for was, then in zip(stats_of(real.tree), stats_of(other.tree), strict=True)
    )
    before, after = map(game.format_move, (found.chosen, found.move))
    choice = f'{before} becomes {after}' if found.changes_the_choice else f'{after} all the same'
    worth, was_worth = (worth_in_words(each, state) for each in (found.outcome, found.before))
    sentence = (
        f'had the playout of iteration {found.iteration:,} been worth {worth}, not '
        f'{was_worth.removesuffix(" to X")}: {choice}'
    )
    headings = ('move', 'visits', 'value', 'visits then', 'value then')
    best = next(place for place, row in enumerate(rows) if row[0] == after)
    caption = f'after {amount(other.last, "iteration")}; bold: the move it would have chosen'
    head = page(Sentence(sentence, strong=True), Listing(headings, rows, caption, best=best))
    if other.first == other.last:
        return head
    words = f'{game.name}: the search from iteration {found.iteration:,} on'
    return head + page(_chart(other, words))


def why_html(why: Why) -> str:
    """Return the boards where the path begins and ends, and a table for each of its choices."""
    game = notation_of(why.state)
    write = game.format_move
    *_, before, end = accumulate(why.path, lambda state, move: state.play(move), initial=why.state)
    line = ' '.join(map(write, why.path))
    boards = (
        image(board_svg(why.state, game=game), 'where the iteration begins'),
        image(board_svg(end, before=before, game=game), f'after {line}'),
    )
    worth: Any = why.outcome
    if isinstance(worth, tuple):
        outcome = ('worth', worth_in_words(worth, why.state))
    else:
        outcome = ('worth to X', f'{worth:g}')
    said = why.answer and why.answer.remarks
    remarks = [('evaluation', str(said))] if said else []
    return page(
        Sentence(f'iteration {why.iteration:,}: {line}', strong=True),
        f'<table><tr>{"".join(f"<td>{board}</td>" for board in boards)}</tr></table>',
        *(_choice(choice, write) for choice in why.choices),
        Facts((('playout', ' '.join(map(write, why.playout)) or 'none'), outcome, *remarks)),
    )


def _choice(choice: Choice, write: Callable[[Any], str]) -> Listing:
    """Return what was compared at a node: each move with visits, value, score and its terms."""
    rows = []
    means = () if 'value' in choice.terms else ('mean',)  # which mostly is the first term
    names = () if choice.terms == ('score',) else choice.terms
    for row in choice.scores:
        terms = [*map(_number, row.terms[: len(names)]), *['-'] * (len(names) - len(row.terms))]
        mean = [_number(row.value) for _ in means]
        rows.append((write(row.move), f'{row.visits:,}', *mean, *terms, _number(row.score)))
    best = next(place for place, row in enumerate(choice.scores) if row.move == choice.move)
    headings = ('move', 'visits', *means, *names, 'score')
    return Listing(headings, tuple(rows), choice.in_words(write), best=best)


def parting_html(parting: Parting) -> str:
    """Return where two searches diverge, and what each compared there."""
    choices = (_choice(it, str) for it in parting.choices or ())
    return page(Sentence(str(parting), strong=True), *choices)


def mistake_html(mistake: Mistake) -> str:
    """Return the board, what happened, and the chart of the search."""
    history = mistake.history
    state = history.root.state
    game = notation_of(state)
    board = image(board_svg(state, history.at(history.last), game=game), 'the position')
    lines = ''.join(as_html(Sentence(line)) for line in mistake.in_words(game.format_move))
    return page(board, lines, _chart(history, 'the search over its iterations'))


def _number(number: float | None) -> str:
    if number is None:
        return '-'
    return ('∞' if number > 0 else '-∞') if math.isinf(number) else f'{number:.3f}'
