"""Parts of a page as HTML for notebooks; and analyses, results and comparisons as such pages.

The HTML is readable without scripts and style sheets: bars are characters, because pages that show
notebooks (such as GitHub's) may strip styles, and images are in `img` elements, which isolate them
from the page. Classes elsewhere call these functions from their `_repr_html_`, and import them only
then.
"""

from __future__ import annotations

import base64
from contextlib import suppress
from typing import Any, Final

from attrs import evolve, fields

from fmcts._arguments import amount, shown
from fmcts.compare import Comparison
from fmcts.games.boards import standing
from fmcts.matches import MatchResult, TournamentResult
from fmcts.record import GameRecord
from fmcts.rng import format as format_rng
from fmcts.search import Analysis, Search
from fmcts.view._board import board_svg, notation_of, record_svg
from fmcts.view._designs import figures, verdict
from fmcts.view._parts import Board, Facts, Listing, Part, Sentence, standings, statistics
from fmcts.view._svg import DARK, INK, STYLE, element, plain
from fmcts.view.formulas import method_lines

FULL: Final = 12  # characters of a bar
BOARDS: Final = 6  # of the line to a broken law
EIGHTHS: Final = ' ▏▎▍▌▋▊▉█'


def bar(share: float) -> str:
    """Return a bar for a share from 0 to 1.

    >>> bar(1.0), bar(0.26), bar(0.0)
    ('████████████', '███▏', '')
    """
    eighths = round(8 * FULL * min(max(share, 0.0), 1.0))
    return (EIGHTHS[8] * (eighths // 8) + EIGHTHS[eighths % 8]).strip()


def as_html(part: Part) -> str:
    """Return the part as HTML."""
    match part:
        case Board(text=text):
            return f'<pre>{plain(text)}</pre>'
        case Facts(pairs=pairs):
            return ''.join(
                f'<div>{plain(name)}: <code>{plain(value)}</code></div>' for name, value in pairs
            )
        case Sentence(text=text, strong=strong):
            return f'<div><b>{plain(text)}</b></div>' if strong else f'<div>{plain(text)}</div>'
        case Listing():
            return _table(part)


def _table(listing: Listing) -> str:
    """Return a table, its best row bold and its shares as bars in a last column."""
    bars = [bar(share) for share in listing.shares]
    headings = (*listing.headings, '') if bars else listing.headings
    rows = []
    for place, row in enumerate(listing.rows):
        cells = []
        for column, text in enumerate((*row, *bars[place : place + 1])):
            right = column and headings[column] and not listing.prose
            inside = plain(text.strip())
            inside = f'<b>{inside}</b>' if place == listing.best else inside
            cells.append(f'<td style="text-align:{"right" if right else "left"}">{inside}</td>')
        rows.append(f'<tr>{"".join(cells)}</tr>')
    head = ''.join(f'<th scope="col">{plain(it.strip())}</th>' for it in headings)
    above = f'<caption>{plain(listing.caption)}</caption>' if listing.caption else ''
    return f'<table>{above}<thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def image(picture: str, words: str) -> str:
    """Return an image as an `img` element, on white, as the colours of the page are unknown."""
    paper = element('rect', width='100%', height='100%', rx=6, fill='#ffffff')
    # An `img` does not know the colour of the page's text.
    drawn = picture.replace(STYLE, paper, 1).replace(INK, DARK)
    data = base64.b64encode(drawn.encode('utf-8')).decode('ascii')
    return f'<img alt="{plain(words)}" src="data:image/svg+xml;base64,{data}"/>'


def page(*parts: Part | str) -> str:
    """Return parts below each other; some may be HTML already."""
    drawn = (part if isinstance(part, str) else as_html(part) for part in parts)
    return ''.join(f'<div>{part}</div>' for part in drawn)


def analysis_html(analysis: Analysis[Any]) -> str:
    """Return the board with the share of each move, the table of moves, and what was found."""
    state = analysis.tree.state
    game = notation_of(state)
    write = game.format_move
    facts = (
        ('move', write(analysis.move)),
        ('line', ' '.join(map(write, analysis.principal_variation))),
        ('iterations', f'{analysis.iterations:,}'),
        ('digest', analysis.digest),
    )
    words = f'{game.name}, {state.player} to move: {write(analysis.move)} was chosen'
    board = image(board_svg(state, analysis), words)
    return page(board, statistics(analysis, write), Facts(facts))


def record_html(record: GameRecord[Any, Any, Any]) -> str:
    """Return the last position with the numbers of the moves, who won, and the moves."""
    game = notation_of(record.start)
    ended = f'{amount(len(record.moves), "move")}: {standing(record.final)}'
    board = image(record_svg(record), f'{game.name}, {ended}')
    moves = ' '.join(map(game.format_move, record.moves))
    return page(board, Facts((('moves', moves), ('generator', format_rng(record.rng_in)))))


def search_html(search: Search) -> str:
    """Return what a search changes of the defaults, and its formulas."""
    usual = type(search)(search.iterations)
    names = (it.name for it in fields(type(search)) if it.init)
    own = [
        (name, shown(getattr(search, name)))
        for name in names
        if getattr(search, name) != getattr(usual, name) or name == 'selection'
    ]
    return page(
        Sentence(amount(search.iterations, 'iteration'), strong=True),
        Facts((*own, *(('formula', line) for line in method_lines(search.method)))),
    )


def breach_html(breach: Any) -> str:
    """Return a broken law, and the last positions of the line to it, as far as they can be drawn.

    :param breach: a `fmcts.testing.Breach`.
    """
    boards, state, before = [], breach.start, None
    with suppress(Exception):  # a game that breaks a law may break in any way
        for number in range(len(breach.line) + 1):
            where = f'after {", ".join(map(str, breach.line[:number]))}' if number else 'the start'
            boards.append(image(board_svg(state, before=before), where))
            if number < len(breach.line):
                before, state = state, state.play(breach.line[number])
    law = Sentence(breach.law, strong=True)
    return page(law, ''.join(boards[-BOARDS:]), Sentence(str(breach)))


def match_html(result: MatchResult) -> str:
    """Return how many games the first bot won, drew and lost, and its score."""
    one, two = result.match.names
    counts = {'won': result.wins, 'drawn': result.draws, 'lost': result.losses}
    played = len(result.games)
    shares = tuple(count / max(played, 1) for count in counts.values())
    rows = tuple(
        (name, str(count), f'{share:.1%}' if played else '-')
        for (name, count), share in zip(counts.items(), shares, strict=True)
    )
    game = notation_of(result.match.start).name
    caption = f'{game}: {one} against {two}, {amount(played, "game")}'
    table = Listing((one, 'games', 'share'), rows, caption, shares=shares)
    if not played:
        return page(table)
    low, high = result.interval
    score = f'{result.score:.1%} ({low:.1%} to {high:.1%} with a confidence of 95 %)'
    return page(table, Facts((('score', score),)))


def tournament_html(result: TournamentResult) -> str:
    """Return the standings."""
    return as_html(evolve(standings(result), caption='Elo: 0 for the mean'))


def comparison_html(comparison: Comparison[Any]) -> str:
    """Return what each design cost, and whether they agree."""
    if not comparison.designs:
        return as_html(Facts(tuple((it.engine, it.why) for it in comparison.refused)))
    game = notation_of(comparison.designs[0].analysis.tree.state)
    return page(figures(comparison), verdict(comparison, game))
