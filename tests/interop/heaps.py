"""A program for the protocol: one or two are taken of a heap of five, with a fault to choose.

python heaps.py FAULT FOLDER: what FAULT names happens where two are left, at the second move first.
In FOLDER it tells its process, and the number of lines it was asked.
"""

import json
import os
import sys
import time
from pathlib import Path

fault, folder = sys.argv[1], Path(sys.argv[2])
(folder / f'started_{os.getpid()}').touch()
lines = 0


def position(left):
    return {
        'state': {'taken': 5 - left, 'left': left},
        'player': 'XO'[(5 - left) % 2],
        'moves': [1, 2][:left],
        'over': left == 0,
        'winner': None if left else 'X',
    }


def answer(kind, state, move=None):
    if kind == 'start':
        drifts = {'text': f'asked at {lines}'} if fault == 'drifts' else {}
        return {'version': 2 if fault == 'version' else 1, **position(5), **drifts}
    left = state['left'] - move
    return wrong(left, move) if left == 2 else position(left)


def wrong(left, move):
    match fault:
        case 'exits':
            sys.exit('no such heap: an error of mine')
        case 'killed':
            os.kill(os.getpid(), 9)
        case 'hangs':
            time.sleep(1000)
        case 'closes':
            os.close(1)
            time.sleep(1000)
        case 'array':
            return [left]
    changes = {
        'error': {'error': 'two are not enough'},
        'two_stories': {'player': 'XO'[move % 2]},
        'stranger': {'player': 'Z'},
        'moves': {'moves': 'all'},
        'objects': {'moves': [[{'take': 1}]]},
        'keys': {'keys': [1]},
        'chances': {'chances': [[1, 1]]},
    }
    left_out = 'player' if fault == 'no_player' else ''
    found = position(left) | changes.get(fault, {})
    return {name: value for name, value in found.items() if name != left_out}


for line in sys.stdin:
    lines += 1
    (folder / 'lines').write_text(str(lines))
    questions = json.loads(line)
    said = json.dumps([answer(*question) for question in questions])
    if any(kind == 'play' and state['left'] - move[0] == 2 for kind, state, *move in questions):
        lies = {'words': 'two left', 'short': '[]'}
        said = lies.get(fault, said)
    sys.stdout.write(said + '\n')
    sys.stdout.flush()
