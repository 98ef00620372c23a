"""Writes golden.json anew. Run it only for a change of the results that the changelog names:

python tests/search/make_golden.py > tests/search/golden.json
"""

import itertools
import json
import sys

from fmcts import Search, analyse, rng as rngs
from fmcts.games import GAMES

POSITIONS = {
    'tictactoe': [[], ['4', '0'], ['4', '0', '2', '5', '3', '6'], ['0', '8', '1']],
    'connect4': [[], ['3', '3', '2'], ['3', '3', '3', '3', '3', '2'], ['0', '6', '1', '5', '2']],
    'othello': [[], ['d3', 'c5'], ['f5', 'f4', 'e3', 'f6', 'g5']],
}
RNGS = ['splitmix:42', 'stdgen:529669860:1', 'splitmix:7:9']
SEARCHES = [
    {'iterations': 300, 'expansion': 'in-order'},
    {'iterations': 300, 'expansion': 'random', 'c': 0.5},
    {'iterations': 300, 'expansion': 'full', 'final': 'ucb'},
    {'iterations': 60, 'expansion': 'in-order', 'c': 0.0, 'final': 'max'},
    {'iterations': 1, 'expansion': 'full', 'final': 'first-robust'},
]


def cases():
    """One case for each game and position; generators and searches take turns."""
    turns = itertools.cycle(itertools.product(RNGS, SEARCHES))
    for game, positions in POSITIONS.items():
        for moves in positions:
            for rng, search in itertools.islice(turns, 7):
                yield game, moves, rng, search


def main():
    golden = []
    for number, (name, moves, rng_text, search) in enumerate(cases()):
        game = GAMES[name]
        state = game.start
        for move in moves:
            state = state.play(game.parse_move(move).unwrap())
        analysis, rng = analyse(
            state, rngs.parse(rng_text).unwrap(), Search(**search), engine='persistent'
        )
        golden.append(
            {
                'name': f'{name}-{number:02}',
                'game': name,
                'moves': moves,
                'rng': rng_text,
                'search': search,
                'move': game.format_move(analysis.move),
                'digest': analysis.digest,
                'rng_out': rngs.format(rng),
            }
        )
    json.dump(golden, sys.stdout, indent=1)
    sys.stdout.write('\n')


if __name__ == '__main__':
    main()
