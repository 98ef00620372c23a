"""`MODULE:NAME`: a user's own games and bots, in every command."""

import json
import sys
from pathlib import Path

import pytest

from fmcts.cli._named import load_named

MODULE = """
from typing import NamedTuple

from attrs import frozen

from fmcts import Player, Search
from fmcts.bots._presets import RECIPES
from fmcts.games.from_rules import make_game
from fmcts.rules import IntegerRules
from fmcts.solve import AlphaBeta


class Heap(NamedTuple):
    left: int
    turn: int


game = make_game('subtraction', Heap(13, 0), IntegerRules(
    menu=lambda heap: min(heap.left, 3), count=lambda menu: menu, pick=lambda _, index: index + 1,
    play=lambda heap, taken: Heap(heap.left - taken, 1 - heap.turn),
    side=lambda heap: heap.turn, winner=lambda heap: 1 - heap.turn,
))


@frozen
class Pairs:
    left: tuple = ((1, 2), (3, 4), 'all')
    player: Player = Player.X
    moves = property(lambda self: self.left)
    over = property(lambda self: not self.left)
    winner = property(lambda self: self.player.other if self.over else None)

    def play(self, move):
        return Pairs(tuple(m for m in self.left if m not in (move, 'all')), self.player.other)


class Failing(Pairs):
    moves = property(lambda self: 1 // 0)


class Lazy(Pairs):
    moves = property(lambda self: iter(self.left))


class Method(Pairs):
    def over(self):
        return not self.left


class Silent(Pairs):
    def play(self, move):
        pass


start, lazy, method, silent = Pairs(), Lazy(), Method(), Silent()
failing = Failing()
failing_bot = lambda state, rng: ({}[1], rng)
offline_bot = lambda state, rng: open('weights')
lost_bot = lambda state, rng: (state.moves[0], None)
recipe = RECIPES['mc']
search = Search(60)
rave = Search(60, selection='rave')
first = Search(60, selection=lambda edge, parent: edge.value + 0.5)
perfect = AlphaBeta()
spec = 'mcts:50,c=0.3'
number = 7


class inner:
    bot = staticmethod(lambda state, rng: (state.moves[-1], rng))
"""


@pytest.fixture(scope='module', autouse=True)
def _own_modules(tmp_path_factory):
    """A folder with modules, in which the commands are run."""
    folder = tmp_path_factory.mktemp('own')
    (folder / 'owngame.py').write_text(MODULE)
    (folder / 'ownbroken.py').write_text('one = 1\nlater = [][one]\n')
    (folder / 'ownsyntax.py').write_text('one = 1\nlater = (\n')
    (folder / 'ownexit.py').write_text('import sys\nsys.exit(3)\n')
    (folder / 'ownmissing.py').write_text('import no_such_thing\n')
    (folder / 'nim.py').write_text('game = 1\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, 'path', list(sys.path))
        yield folder
    for name in [name for name in sys.modules if name.startswith('own')]:
        del sys.modules[name]


def in_json(here, *words):
    """Searches in Python: what other tests have loaded would compile these games here."""
    engine = ('--engine', 'inplace') if words[0] in {'move', 'play'} else ()
    code, out, err = here(*words, *engine, '--json')
    assert (code, err) == (0, '')
    return json.loads(out)


def test_every_command_accepts_a_user_s_game(here):
    assert in_json(here, 'show', 'owngame:game', '--moves', '3,2')['legal'] == [1, 2, 3]
    assert in_json(here, 'move', 'owngame:game', '--bot', 'mcts:80')['iterations'] == 80
    played = in_json(here, 'play', 'owngame:game', '--first', 'perfect', '--second', 'random')
    assert played['winner'] == 'X'
    compared = in_json(
        here, 'compare', 'owngame:game', '--iterations', '40', '--engines', 'inplace,persistent'
    )
    assert compared['agree']


@pytest.mark.parametrize(
    ('name', 'why'),
    [
        ('lazy', 'moves is <tuple_iterator object'),
        ('method', 'over is a method: make it a property (@property)'),
        ('silent', 'play gives None: expected the next state'),
    ],
)
@pytest.mark.parametrize('words', ['show {}', 'move {}', 'match {} random random --games 2'])
def test_a_game_that_breaks_the_interface_is_refused_where_it_does(refused, name, why, words):
    line = MODULE.splitlines().index(f'class {name.title()}(Pairs):') + 2
    told = refused(*words.format(f'owngame:{name}').split())
    assert told.startswith(f'owngame:{name}: owngame.py, line {line}: {why}')


def test_files_name_a_game_by_where_it_is_found(here):
    files = ('games.jsonl', 'games.zip', 'receipt.json')
    words = ('match', 'owngame:game', 'mc:2', 'random', '--games', '2', '--engine', 'inplace')
    assert here(*words, '--out', files[0], '--bundle', files[1]).code == 0
    assert here('move', 'owngame:game', '--bot', 'mcts:9', '--receipt', files[2]).code == 0
    for file in (files[0], files[2]):
        assert here('verify', file, '--engine', 'inplace').code == 0
    assert json.loads(Path(files[0]).read_text().partition('\n')[0])['game'] == 'owngame:game'


def test_a_user_s_search_takes_numbers_of_its_method(here, refused):
    """Each search equals that of a recipe with the same method and numbers."""
    for own, known in (
        ('owngame:search,c=0.3', 'mcts:60,c=0.3'),
        ('owngame:rave:40,k=7, c=0.5', 'mcts:40,selection=rave,c=0.5,k=7'),
    ):
        one, two = (in_json(here, 'move', 'tictactoe', '--bot', it) for it in (own, known))
        assert one['digest'] == two['digest']
    options = ('--against', 'random', '--games', '2', '--engine', 'inplace')
    found = here('sweep', 'tictactoe', 'owngame:rave:{3,4},k={1,2}', *options, '--json')
    assert [it['parameters'] for it in json.loads(found.out)['points']] == [
        {'budget': budget, 'k': k} for budget in '34' for k in '12'
    ]
    for spec, why in (
        ('owngame:rave:9,x=1', "it takes the options c, k, not 'x=1'"),
        ('owngame:rave:9,c=1,c=2', "it takes the options c, k, not 'c=2'"),
        ('owngame:recipe,c=1', 'only a tree search takes options after its name'),
        ('owngame:first,c=1', "it takes no options, not 'c=1'"),
        ('owngame:rave,k=a', "k must be a number, not 'a'"),
        ('owngame:rave,c=-1', 'c must be a finite number of at least 0, not -1.0'),
    ):
        assert refused('move', 'tictactoe', '--bot', spec) == f"bot '{spec}': {why}"


def test_every_command_accepts_a_family_member(here):
    assert in_json(here, 'show', 'mnk:4,4,3', '--moves', 'b2,a1')['legal'][0] == 'b1'
    assert in_json(here, 'move', 'nim:3,4,5', '--bot', 'perfect')['move'] == 'a2'
    played = in_json(here, 'play', 'hex:3', '--first', 'perfect', '--second', 'random')
    assert played['winner'] == 'X'
    compared = in_json(
        here, 'compare', 'othello:4', '--iterations', '40', '--engines', 'inplace,monadic'
    )
    assert (compared['game'], compared['agree']) == ('othello:4', True)


def test_a_state_without_text(here):
    shown = in_json(here, 'show', 'owngame:start', '--moves', '1:2')
    assert (shown['game'], shown['legal'], shown['player']) == ('owngame:start', ['3:4'], 'O')
    assert here('show', 'owngame:start').out.endswith('\nX to move\n')
    moved = in_json(here, 'move', 'owngame:start', '--bot', 'perfect', '--root-moves', '1:2,all')
    assert moved['move'] in {'all', '1:2'}
    code, out, _ = here(
        'play', 'owngame:start', '--first', 'human', '--second', 'random', stdin=b'hint\n5\n3:4\n'
    )
    assert code == 0
    assert "unknown move '5': the legal moves are 1:2, 3:4, all" in out


@pytest.mark.parametrize('bot', ['search', 'recipe', 'spec', 'perfect', 'inner.bot'])
def test_every_kind_of_user_bot(here, bot):
    moved = in_json(here, 'move', 'tictactoe', '--bot', f'owngame:{bot}', '--moves', '0,3,1,4')
    played = in_json(here, 'play', 'tictactoe', '--first', f'owngame:{bot}', '--second', 'random')
    assert moved['move'] == (8 if bot == 'inner.bot' else 2)
    assert played['moves']


def test_a_user_s_search_accepts_a_number(here):
    moved = in_json(here, 'move', 'tictactoe', '--bot', 'owngame:search:70')
    assert (moved['iterations'], moved['bot']) == (70, 'owngame:search:70')
    timed = in_json(here, 'move', 'tictactoe', '--bot', 'owngame:search', '--time', '0.02')
    again = in_json(here, 'move', 'tictactoe', '--bot', timed['bot'])
    assert timed['bot'] == f'owngame:search:{timed["iterations"]}'
    assert (again['digest'], again['rng']) == (timed['digest'], timed['rng'])
    compared = in_json(
        here, 'compare', 'tictactoe', '--bot', 'owngame:search', '--engines', 'inplace,persistent'
    )
    assert compared['iterations'] == 60


@pytest.mark.parametrize(
    ('words', 'complaint'),
    [
        ('show owngame:gam', 'the module owngame has no gam (did you mean game?)'),
        ('show owngame:number', 'owngame:number is 7, which has no player: expected a game from '),
        ('show owngame:Pairs', 'owngame:Pairs is a class: expected the initial state of the game'),
        ('show owngame', "unknown game 'owngame': expected tictactoe, connect4 or othello, or "),
        ('show nosuch:game', 'no module nosuch in '),
        (
            'show ownbroken:game',
            'the module ownbroken cannot be imported: ownbroken.py, line 2: IndexError: list index',
        ),
        (
            'show ownsyntax:game',
            'the module ownsyntax cannot be imported: ownsyntax.py, line 2: SyntaxError: ',
        ),
        (
            'show ownexit:game',
            'the module ownexit cannot be imported: ownexit.py, line 2: SystemExit: 3',
        ),
        (
            'show ownmissing:game',
            'the module ownmissing cannot be imported: ownmissing.py, line 1: ModuleNotFoundError',
        ),
        ('show owngame:failing', 'owngame.py, line 38: ZeroDivisionError: '),
        (
            'show nim:game',
            "game 'nim:game': expected nim:PILE,..., such as nim:3,4,5",
        ),
        ('show owngame:start --board nim.py', 'nim.py: owngame:start is a state without a text'),
        ('move tictactoe --bot owngame:failing_bot', 'owngame.py, line 57: KeyError: 1'),
        ('move tictactoe --bot owngame:offline_bot', 'owngame.py, line 58: FileNotFoundError: '),
        (
            'move tictactoe --bot owngame:lost_bot',
            'the bot of X: expected a generator after its move, not None',
        ),
        ('move tictactoe --bot owngame:number', 'owngame:number is 7: expected a bot, which takes'),
        ('move tictactoe --bot owngame:Pairs', "owngame:Pairs is <class 'owngame.Pairs'>: expecte"),
        ('move tictactoe --bot owngame:recipe:9', "bot 'owngame:recipe:9': only a tree search"),
        ('move tictactoe --bot owngame:search:0', "bot 'owngame:search:0': iterations must be a"),
    ],
)
def test_errors_are_one_line(refused, words, complaint):
    assert refused(*words.split()).startswith(complaint)


def test_modules_are_found_in_the_current_folder(process):
    shown = process('show', 'owngame:game')
    assert (shown.code, shown.out) == (0, 'left 13\nturn 0\nX to move\n')


def test_names_are_loaded_from_modules():
    assert load_named('owngame:number') == 7
    assert load_named(' owngame:inner.bot ').__name__ == '<lambda>'
    assert load_named('math:pi') > 3
    for text in ('owngame', 'owngame:', ':game', 'own game:x', 'owngame:game:3', 'a:b c', ''):
        with pytest.raises(ValueError, match='expected MODULE:NAME, such as mygame:game'):
            load_named(text)


def test_receipts_of_a_state_without_text_can_be_compared(here, tmp_path):
    files = [str(tmp_path / name) for name in 'ab']
    for file, bot in zip(files, ('mcts:9', 'mcts:9,c=0.1'), strict=True):
        words = 'move', 'owngame:start', '--moves', '1:2', '--bot', bot, '--engine', 'inplace'
        assert here(*words, '--receipt', file).code == 0
    done = here('verify', *files, '--parting', '--engine', 'inplace')
    assert (done.code, done.err) in {(0, ''), (1, '')}
