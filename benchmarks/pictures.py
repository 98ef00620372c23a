"""The pictures of docs/pictures.md.

    python benchmarks/pictures.py [FOLDER]

writes them to docs/pictures, or to another folder; the same on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any

from fmcts import Player, Search, SplitMix, analyse, trees
from fmcts.games import connect4, find_game, othello, tictactoe
from fmcts.history import history
from fmcts.view import board_svg, draw, draw_history, draw_probabilities, draw_versions

HERE = Path(__file__).parent.parent / 'docs/pictures'
RNG = SplitMix.from_seed(42)


def after(start: Any, *moves: Any) -> Any:
    """Return the state after moves."""
    return reduce(lambda state, move: state.play(move), moves, start)


def analysed(state: Any, iterations: int = 2_000, **options: Any) -> Any:
    """Return an analysis of a state."""
    return analyse(state, RNG, Search(iterations, **options))[0]


def pictures() -> Iterator[tuple[str, str]]:
    """Yield the name of each picture, and the picture."""
    before = after(connect4.start, 3, 3)
    state = before.play(2)
    found = analysed(state)
    yield 'connect4', board_svg(state, found, before=before)
    game = after(othello.start, 19, 18)
    yield 'othello', board_svg(game, analysed(game, 500), before=after(othello.start, 19))
    won = after(tictactoe.start, 4, 0, 3, 7, 5)
    yield 'tictactoe', board_svg(won)
    game = find_game('hex:5').unwrap()
    joined = after(game.start, 2, 6, 7, 8, 11, 12, 16, 13, 21)
    yield 'hex', board_svg(joined, before=after(game.start, 2, 6, 7, 8, 11, 12, 16, 13))
    for name in ('breakthrough:5,4', 'nim:3,4,5'):
        start = find_game(name).unwrap().start
        yield name.partition(':')[0], board_svg(start, analysed(start, 500))
    yield 'tree', draw(found, depth=2, visits=70)
    proven = analysed(after(tictactoe.start, 4, 0, 2, 6, 3), 500, solver=True)
    yield 'tree_boards', draw(proven, depth=2, visits=0, boards=True)
    grown = trees(after(tictactoe.start, 4), SplitMix.from_seed(1), Search())
    versions = [tree for tree, _ in islice(grown, 40)]
    yield 'versions', draw_versions(versions[38], versions[39])
    yield 'history', draw_history(history(state, RNG, Search(20_000)))
    article = after(tictactoe.start, 4, 0, 2, 5, 3, 6)
    yield 'probabilities', draw_probabilities(article, player=Player.X)


def main() -> None:
    """Write them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures():
        text = f'{picture}\n'
        (folder / f'{name}.svg').write_text(text, encoding='utf-8', newline='\n')


if __name__ == '__main__':
    main()
