"""The parts with which a page searches by itself: the machine of a search, its game's board."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, islice, product
from typing import Any, Final

from attrs import evolve

from fmcts import _linked as linked
from fmcts.asking import Request
from fmcts.explore._boards import Boards, boards_of
from fmcts.explore._data import (
    RecordedSearch,
    agreement_of,
    data_of,
    named,
    run_of,
    shared_data,
    spec_of,
)
from fmcts.explore._formulas import is_whole, own_columns, rules_of
from fmcts.game import options_of, players_of
from fmcts.games import GAMES
from fmcts.games.boards import outcome
from fmcts.history import History
from fmcts.rng import SplitMix, format as format_rng
from fmcts.rules import fields_of, rules_of as declared_rules
from fmcts.search import Search, ignore
from fmcts.view import notation_of

C: Final = 1.0123456789012345
"""Stands for the parameter `c` in formulas; the page writes the number that is wanted for it."""

WORD: Final = 64  # bits of a field
FEW: Final = 16
MORE: Final = 80
LONGEST: Final = 500  # plies
"""Random games whose positions show the bits of a board's cells; and more for the names of moves
where these are not all known by then.
"""


def page_data(
    made: History[Any],
    *others: Callable[[RecordedSearch], RecordedSearch],
    name: str = '',
    game: Any = None,
    before: Sequence[str] = (),
    waiting: Sequence[Request[Any]] = (),
    seeds: int | None = None,
    watch: Callable[[float], object] = ignore,
) -> dict[str, Any]:
    """Return the data of a page, with a machine or why there is none.

    A page that draws all by its machine makes the search again: it needs no log, which takes longer
    to write than the search took. It gets the digest, to compare with its own.

    :param others: functions that return a second search, to be shown beside the first.
    :param watch: called with how much of the log is written, from 0 to 1.
    """
    state, notation = made.root.state, game or notation_of(made.root.state)
    found: Any = 'two searches, or a fork'
    alone = not others and not made.first
    if alone and len(made.root.moves) >= len(options_of(state)):
        found = _search_of(state, made.rng, made.search)
    elif alone:
        found = 'root moves'
    if not isinstance(found, str):
        found |= shown_game(getattr(notation, 'start', state), notation)
        if found['bits'] and found['named'] and found['whole'] and not waiting:
            return {
                **shared_data(state, notation, boards_of(state, notation), before),
                'machine': found,
                'searches': [
                    {
                        'name': name or named(made.search),
                        'spec': spec_of(made.search),
                        'rng': format_rng(made.rng),
                        'iterations': made.last,
                        'digest': made.digest,
                        'agree': agreement_of(made, seeds) if seeds else None,
                        'asks': seeds != 0,
                    }
                ],
            }
    run = run_of(made, name, seeds)
    runs = (run, *(other(run) for other in others))
    data = data_of(*runs, game=game, before=before, waiting=waiting, watch=watch)
    return {**data, ('lacks' if isinstance(found, str) else 'machine'): found}


def _search_of(state: Any, rng: Any, search: Search) -> Any:
    """Return the machine of a search, and the formulas of its page; or why there is none."""
    found = linked.described_for_pages(state, rng, search)
    if isinstance(found, str):
        return found
    return {
        **found,
        'file': base64.b64encode(found['file']).decode(),
        'own': own_columns(search),
        'resolution': search.resolution and search.resolution.column,
        'whole': is_whole(search),
        'rules': json.dumps(rules_of(_with_c(search))),
        'stands_for_c': repr(C),
    }


def searching_data() -> dict[str, Any]:
    """Return the data of a page that makes the searches which its address names."""
    return {
        'games': {name: _game_data(game.start, game) for name, game in GAMES.items()},
    }


def _game_data(start: Any, game: Any) -> dict[str, Any]:
    boards, rng = boards_of(start, game), SplitMix.from_seed(0)
    return {
        'players': [*map(str, players_of(start))],
        'board': boards.parts(start),
        'searches': {
            options: _search_of(start, rng, search)
            for options, search in linked.offered_in_pages().items()
        },
        **shown_game(start, game),
    }


def _with_c(search: Search) -> Search:
    """Return the search with a number in place of `c` that is found again in its formulas."""
    method = search.given_method
    if 'c' not in method.parameters:
        return search
    # A number that occurs nowhere else: the page finds it in the formulas, and puts another in.
    return evolve(search, selection=evolve(method, c=C), c=None)  # type: ignore[call-arg]


@lru_cache(maxsize=8)
def shown_game(start: Any, game: Any) -> dict[str, Any]:
    """Return what a page shows of a game: names of moves by key, ends in words, a board's bits."""
    rules: Any = declared_rules(start)
    boards, games = boards_of(start, game), _random_games(start)
    positions = [*chain.from_iterable(islice(games, FEW))]
    names: dict[int, str] = {}

    def note(positions: Iterable[Any]) -> bool:
        same = True
        for each in positions:
            position = rules.pack(each)
            numbers = rules.listed(rules.menu(position))
            for number, move in zip(numbers, options_of(each), strict=True):
                key = number_of_name(rules, position, number)
                same = same and key == move
                if key not in names:
                    names[key] = game.format_move(move)
        return same

    same = note(positions)
    for key in range(rules.keys) if same else ():
        with suppress(ValueError):  # no move has that key
            names[key] = game.format_move(key)
    known = len(names)  # all that there are, if no more are met in many more games
    if not same and known < rules.keys:
        note(chain.from_iterable(islice(games, MORE)))
    return {
        'moves': names,
        'named': same or len(names) in (known, rules.keys),
        'noun': getattr(game, 'noun', ''),
        'ends': [*map(outcome, (*players_of(start), None))],
        'bits': boards.cells and bits_of_cells(positions, rules, boards),
    }


def number_of_name(rules: Any, position: Any, move: int) -> int:
    """Return the number of a move's name: its key, or of an outcome of chance a number below 0."""
    if rules.chances is not None and rules.chances(position):
        return -1 - move
    return int(rules.key(position, move))


def _random_games(start: Any) -> Iterator[list[Any]]:
    """Yield the positions of random games, always the same."""
    rng = SplitMix.from_seed(1)
    while True:
        positions = [start]
        while not positions[-1].over and len(positions) < LONGEST:
            moves = options_of(positions[-1])
            index, rng = rng.uniform(0, len(moves) - 1)
            positions.append(positions[-1].play(moves[index]))
        yield positions


def bits_of_cells(positions: Sequence[Any], rules: Any, boards: Boards) -> Any:
    """Return, by the side to move, for each cell the bits that say that X and that O is there.

    A bit is the index of a field of the position with the number of the bit. The answer is `None`
    unless all stones of a kind are in one field, where each cell has the same bit as in the fields
    of the others, and all the positions agree with that.
    """
    texts = [boards.letters(state) for state in positions]
    packed = [rules.pack(state) for state in positions]
    sides = [rules.side(each) & 1 for each in packed]
    words = [''.join(f'{it % 2**WORD:064b}'[::-1] for it in fields_of(each)) for each in packed]
    places = [set(range(WORD)) for _ in texts[0] or ()]  # which bit of its field each cell may have
    fields: dict[tuple[int, str], int] = {}
    for side, letter in product((0, 1), 'XO'):
        if None in texts:
            return None
        mine = [at for at, it in enumerate(sides) if it == side]
        known: dict[str, list[int]] = {}  # the bits that are like this in these positions
        for bit, column in enumerate(zip(*(words[at] for at in mine), strict=True)):
            known.setdefault(''.join(column), []).append(bit)
        is_it = str.maketrans('XO.', ''.join('01'[it == letter] for it in 'XO.'))
        rows = (texts[at] or '' for at in mine)
        columns = [''.join(it).translate(is_it) for it in zip(*rows, strict=True)]
        alike = {cell: known.get(it, []) for cell, it in enumerate(columns) if '1' in it}
        within = [{bit // WORD for bit in bits} for bits in alike.values()]
        all_in = set.intersection(*within) if within else set()
        if len(all_in) != 1:
            return None
        [fields[side, letter]] = all_in
        for cell, bits in alike.items():
            places[cell] &= {bit % WORD for bit in bits if bit // WORD in all_in}
    if any(len(it) != 1 for it in places):
        return None
    return [[[(fields[side, it], *place) for it in 'XO'] for place in places] for side in (0, 1)]
