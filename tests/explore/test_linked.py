"""A page searches by itself as Python does: links, forks, what-if and playouts, to the digest."""

import math
from functools import cache

import pytest
from hypothesis import given, settings, strategies as st

from fmcts import Search, SplitMix, _linked as linked
from fmcts.bots import parse_bot
from fmcts.explore import explore, searching
from fmcts.explore._data import data_of, run_of
from fmcts.explore._machines import page_data, searching_data
from fmcts.games import GAMES, connect4, find_game, tictactoe
from fmcts.games.chance import mnk3, pig
from fmcts.history import history
from fmcts.rules import OnPositions
from fmcts.solve import move_values
from fmcts.testing import positions
from fmcts.view import notation_of
from naive_batches import network
from pages_shown import needs_node, node

pytestmark = [
    needs_node,
    pytest.mark.skipif(not linked.installed(), reason='llvmlite is missing'),
]
MADE = """
const { machine, before, rng, spec } = told, { iterations, c } = specOf(spec);
const loaded = await machineOf(machine), { numbers, rules } = withC(loaded, c);
const start = loaded.position.map(BigInt);
const position = before ? played(loaded, start, before) : start;
const asked = { position, rng: rng.map(BigInt), iterations, numbers };
const shown = (data) => {
  const search = grow(data), { move, labels, last } = search;
  return {
    move, labels,
    changes: search.bits && Array.from(search.kind, (_, node) => changesOf(search, node)),
    replayed: digestOf(search, search.version(last)),
    kept: digestOf(search, { ...search.statistics, k: last }),
    leads: search.leads.map(({ k, index }) => [k, search.labelAt(0, index)]),
    kinds: search.nodes.map((it) => search.kinds[it]),
  };
};
const data = madeBy(loaded, asked, spec, [{ first: 0, ...rules }]), one = grow(data);
"""


@cache
def games():
    return searching_data()['games']


def machine_in(game, options):
    """What the page of links has for one search of a game."""
    found = games()[game]
    shown = {name: it for name, it in found.items() if name != 'searches'}
    return {**shown, **found['searches'][options]}


def words(rng):
    return [str(rng.state), str(rng.gamma)]


@pytest.mark.parametrize('options', linked.offered_in_pages())
@pytest.mark.parametrize('name', GAMES)
@settings(max_examples=4)
@given(data=st.data(), seed=st.integers(-(2**63), 2**64 - 1))
def test_a_link_is_the_search_that_python_makes(name, options, data, seed):
    game = GAMES[name]
    iterations, c = data.draw(st.integers(1, 400)), data.draw(st.sampled_from(['', ',c=0.37']))
    before, state = [], game.start
    for _ in range(data.draw(st.integers(0, 30))):
        move = data.draw(st.sampled_from(state.moves))
        if state.play(move).over:
            break
        before.append(game.format_move(move))
        state = state.play(move)
    spec = f'mcts:{iterations}{c}{options and ","}{options}'
    rng = SplitMix.from_seed(seed)
    made = history(state, rng, parse_bot(spec).unwrap().search)
    asking = """
    console.log(JSON.stringify({ ...shown(data), rng: fromSeed(BigInt(told.seed)).map(String) }));
    """
    told = {'machine': machine_in(name, options), 'before': before, 'rng': words(rng)}
    found = node(MADE + asking, {**told, 'spec': spec, 'seed': str(seed)})
    assert found['rng'] == words(rng)
    assert found['replayed'] == found['kept'] == made.digest
    assert found['move'] == game.format_move(made.move)
    leads = [[lead.iteration, game.format_move(lead.move)] for lead in made.leaders()]
    assert found['leads'] == leads
    theirs = data_of(run_of(made, seeds=0), game=game)['searches'][0]
    assert found['changes'] == theirs['changes']
    assert [
        [side, [found['labels'][it] for it in its], rows, end, weights]
        for side, its, rows, end, weights in found['kinds']
    ] == [
        [kind[0], [theirs['labels'][it] for it in kind[1]], [*kind[2]], kind[3], [*kind[4]]]
        for kind in map(theirs['kinds'].__getitem__, theirs['nodes'])
    ]


@settings(max_examples=5)
@given(
    state=positions(connect4.start, running=True),
    k=st.integers(1, 299),
    options=st.sampled_from(['', 'solver=on']),
)
def test_forks_what_if_and_playouts_are_python_s(state, k, options):
    rng, spec = SplitMix.from_seed(k), f'mcts:300{options and ","}{options}'
    search = parse_bot(spec).unwrap().search
    made = history(state, rng, search)
    machine = page_data(made, name='mcts:300', game=connect4)['machine']
    asking = """
    const asks = answering({ machine: loaded, asked, players: 'XO' }, one);
    const fork = asks(`fork?k=${told.k}&spec=${encodeURIComponent(told.fork)}`);
    const two = grow(fork);
    const playout = one.kinds[one.kind[one.leaf[told.k - 1]]][3] ? null
      : {
        ...shown(asks(`what-if?k=${told.k}&outcome=0`)),
        steps: (asks(`playout?k=${told.k}`)).steps,
      };
    console.log(JSON.stringify({ fork: shown(fork), apart: firstDifference(one, two).k, playout }));
    """
    if made.last < 300:
        return  # it was resolved
    fork = f'mcts:500,c=0.9{options and ","}{options}'
    told = {'machine': machine, 'before': None, 'rng': words(rng), 'spec': spec, 'fork': fork}
    found = node(MADE + asking, {**told, 'k': k})
    forked = made.fork(k, Search(500 - k, c=0.9, solver=bool(options)))
    assert found['fork']['replayed'] == found['fork']['kept'] == forked.digest
    why = made.why(k)
    assert (found['playout'] is None) == (not why.playout)
    if why.playout:
        assert [it['label'] for it in found['playout']['steps']] == [*map(str, why.playout)]
        other = made.what_if(k, 0).history
        assert found['playout']['replayed'] == found['playout']['kept'] == other.digest


LINKS = linked.installed() and linked.loaded('pages').linker()
LINKED_HERE = [
    pytest.mark.needs_numba,
    pytest.mark.skipif(not LINKS, reason='there is no linker for WebAssembly'),
]
SMALL = {'hex:3': 0, 'nim:3,4,5': 0, 'othello:4': 4, 'connect:4,4,4': 6}  # plies before it is so


@pytest.mark.parametrize(
    'name', ['tictactoe', *(pytest.param(it, marks=LINKED_HERE) for it in SMALL)]
)
@settings(max_examples=5)
@given(data=st.data())
def test_perfect_play_is_python_s(name, data):
    game = find_game(name).unwrap()
    state, line = game.start, []
    for left in range(9, 0, -1):
        if SMALL.get(name, 0) > 9 - left or data.draw(st.booleans()):
            index = data.draw(st.integers(0, len(state.moves) - 1))
            if state.play(state.moves[index]).over:
                break
            line.append(index)
            state = state.play(state.moves[index])
    machine = page_data(history(game.start, SplitMix.from_seed(1), Search(5)), game=game)['machine']
    asking = """
    const loaded = await machineOf(told.machine), position = loaded.position.map(BigInt);
    console.log(JSON.stringify(solvedBy({ machine: loaded, asked: { position } }, told.line)));
    """
    found = node(asking, {'machine': machine, 'line': line})
    worth = {0.0: -1, 1.0: 1}
    assert found == [
        0.5 if it.plies is None else worth[it.value] * it.plies for it in move_values(state)
    ]


def by_a_list(position):
    """An evaluation that only numba's functions for lists can compute."""
    return [place / 2 for place in range(1 + (position[0] & 1))][-1]


def by_exp(position):
    """An evaluation by a function of the C library."""
    return 1.0 / (1.0 + math.exp(float(position[0] & 1)))


LACKING = [
    (connect4.start, Search(20, schedule='halving'), 'a schedule'),
    (connect4.start, Search(20, bounds=True, solver=True), 'bounds'),
    (connect4.start, Search(20, selection='puct'), 'priors'),
    (connect4.start, Search(20, expansion='full'), 'full expansion'),
    (connect4.start, Search(20, final='max'), 'a rule for the choice'),
    (connect4.start, Search(20, transpositions='sound'), 'transpositions'),
    (connect4.start, Search(20, network=network, batch=4), 'network'),
    (mnk3.start(3, 3, 3), Search(20), 'rewards, or other players than two'),
    *(
        pytest.param(
            connect4.start, Search(20, evaluate=OnPositions(function)), why, marks=LINKED_HERE
        )
        for function, why in ((by_a_list, 'a page lacks NRT_'), (by_exp, 'a page lacks exp'))
    ),
]


@pytest.mark.parametrize(('state', 'search', 'why'), LACKING)
def test_other_searches_have_no_machine_and_pages_say_why(state, search, why):
    made = history(state, SplitMix.from_seed(1), search, 'persistent')
    page = explore(made)
    assert 'machine' not in page.data
    assert why in page.data['lacks']


def test_playouts_of_a_graph_are_not_asked_what_they_decided():
    search = Search(40, transpositions='sound')
    (shown,) = explore(history(tictactoe.start, SplitMix.from_seed(1), search)).data['searches']
    assert (shown['agree'][1], shown['decisive'], shown['sampled']) == (20, [], 0)


def test_a_page_continues_a_normalised_search_by_another_c():
    made = history(connect4.start, SplitMix.from_seed(1), Search(20, normalised=True), 'persistent')
    machine = explore(made).data['machine']
    assert machine['stands_for_c'] in machine['rules']


def test_a_game_with_dice_is_python_s():
    state, rng, search = pig.start(30), SplitMix.from_seed(5), Search(300)
    made = history(state, rng, search)
    data = page_data(made, name='mcts:300', seeds=0)
    asking = """
    const asks = answering({ machine: loaded, asked, players: 'XO' }, one);
    const fork = shown(asks('fork?k=100&spec=mcts:200'));
    const { steps } = asks('playout?k=7');
    console.log(JSON.stringify({ ...shown(data), fork, steps }));
    """
    told = {'machine': data['machine'], 'before': None, 'rng': words(rng), 'spec': 'mcts:300'}
    found = node(MADE + asking, told)
    assert found['replayed'] == found['kept'] == made.digest
    assert found['fork']['replayed'] == made.fork(100, Search(100)).digest
    write = notation_of(state).format_move
    assert [it['label'] for it in found['steps']] == [*map(write, made.why(7).playout)]
    theirs = data['searches'][0]
    assert [(kind[0], kind[3], kind[4]) for kind in found['kinds']] == [
        (kind[0], kind[3], [*kind[4]]) for kind in map(theirs['kinds'].__getitem__, theirs['nodes'])
    ]


# ---- in a browser ----


@cache
def links():
    return searching()


def digest_of(state, seed, search):
    return history(state, SplitMix.from_seed(seed), search).digest


def wait_for(shown, address):
    there = f"location.hash.startsWith('{address}')"
    shown.wait_for_function(f'{there} && window.explorer?.one.found')


def test_the_address_is_the_search(visit):
    shown = visit(links(), '#connect4/3,3,2/mcts:500,c=0.5,solver=on/seed=7')
    state = connect4.start.play(3).play(3).play(2)
    digest = digest_of(state, 7, Search(500, c=0.5, solver=True))
    assert shown.evaluate('explorer.one.found') == digest
    assert shown.locator('#digest .same').count() == 1
    assert shown.locator('#title').inner_text() == 'connect4 after 3 3 2: mcts:500,c=0.5,solver=on'
    address = shown.evaluate('(explorer.go({k: 9}), explorer.write(), location.hash)')
    begin = '#connect4/3,3,2/mcts:500,c=0.5,solver=on/seed=7/'
    assert address.startswith(f'{begin}{digest[:12]}&k=9')
    cited = visit(links(), address)
    assert cited.locator('#digest .same').count() == 1
    assert cited.evaluate('explorer.k') == 9
    cited.evaluate(f"location.hash = '{begin}{digest[:12]}&k=10'")
    cited.wait_for_function('window.explorer?.k === 10')
    cited.evaluate("location.hash = '#connect4/3,3,2/mcts:500,c=0.5,solver=on/seed=71'")
    other = digest_of(state, 71, Search(500, c=0.5, solver=True))
    cited.wait_for_function(f"window.explorer?.one.found === '{other}'")
    wrong = visit(links(), f'{begin}000000000000')
    assert wrong.locator('#digest .differs').count() == 1


def test_a_reader_picks_plays_and_forks(visit):
    shown = visit(links(), '#tictactoe//mcts:300/seed=1')
    shown.wait_for_function('window.explorer?.one.sampled > 0')
    made = history(tictactoe.start, SplitMix.from_seed(1), Search(300))
    assert shown.evaluate('explorer.one.agree') == [dict(made.stability().counts)[made.move], 20]
    decided = [[it.iteration, it.move, it.outcome] for it in made.decisive()]
    assert shown.evaluate('explorer.one.decisive') == decided
    tries = {k for k, *_ in decided}  # a draw may decide by a win and by a loss
    assert len(tries) < len(decided)
    assert f'{len(tries)} of {shown.evaluate("explorer.one.sampled")} tries' in (
        shown.locator('#story').inner_text()
    )
    assert 'translateX' in shown.locator('.now').first.get_attribute('style')
    k, move, worth = decided[-1]
    shown.evaluate(f'bothFutures(explorer, {decided[-1]})')
    shown.wait_for_selector('#ply')
    other = made.what_if(k, worth)
    assert (other.iteration, other.move) == (k, move)
    shown.wait_for_function(f"window.explorer?.two?.found === '{other.history.digest}'")
    shown.click('#alone')
    shown.locator('#table .name').nth(2).click()
    shown.locator('#play a').click()
    wait_for(shown, '#tictactoe/2/mcts:300')
    made = history(tictactoe.start.play(2), SplitMix.from_seed(1), Search(300))
    assert shown.evaluate('explorer.one.found') == made.digest
    assert shown.locator('#board .stone').count() == 1
    shown.evaluate('explorer.go({k: 100})')
    shown.locator('#fork-spec').fill('mcts:200,c=0.1')
    shown.locator('#fork button').click()
    shown.wait_for_function('window.explorer?.two?.found')
    forked = made.fork(100, Search(100, c=0.1))
    assert shown.evaluate('explorer.two.found') == forked.digest
    shown.locator('#pick select').select_option('othello')
    shown.locator('#pick [name=before]').fill('d3')
    shown.locator('#pick [name=spec]').fill('mcts:50')
    shown.locator('#pick button').click()
    shown.wait_for_function("window.explorer?.data.game === 'othello' && explorer.one.found")
    state = GAMES['othello'].start.play(19)
    assert shown.evaluate('explorer.one.found') == digest_of(state, 1, Search(50))


@pytest.mark.parametrize(
    ('address', 'why'),
    [
        ('#connect4/3,3', 'expected #GAME/MOVES/SEARCH/seed=NUMBER'),
        ('#go//mcts:9/seed=1', 'this page has tictactoe, connect4, othello'),
        ('#connect4/3,8/mcts:9/seed=1', '"8" is no legal move after 3: the moves are 0, 1, 2'),
        ('#connect4//mc:9/seed=1', 'this page searches by mcts'),
        ('#connect4//mcts:0/seed=1', 'from 1 to'),
        ('#connect4//mcts:9,selection=rave/seed=1', 'no search with the options selection=rave'),
        ('#tictactoe/0,3,1,4,2/mcts:9/seed=1', 'The game is over there'),
    ],
)
def test_an_address_that_is_no_search_is_refused_in_one_line(context, tmp_path, address, why):
    (tmp_path / 'page.html').write_text(links().html)
    shown = context.new_page()
    shown.goto((tmp_path / 'page.html').as_uri() + address)
    shown.wait_for_selector('#notice:not([hidden])')
    assert why in shown.locator('#notice').inner_text()
    assert shown.locator('#pick').is_visible()
    shown.close()


def test_a_file_plays_and_asks_by_itself(visit):
    state, rng = connect4.start.play(3), SplitMix.from_seed(3)
    shown = visit(explore(history(state, rng, Search(200)), before=['3'], name='mcts:200'), '#k=50')
    shown.keyboard.press('p')
    shown.wait_for_selector('#ply')
    assert shown.locator('#board .stone').count() > 8
    shown.locator('#table .name').nth(1).click()
    shown.locator('#play a').click()
    wait_for(shown, '#moves=3,1')
    made = history(state.play(1), rng.child(2), Search(200))
    assert shown.evaluate('explorer.one.found') == made.digest


@pytest.mark.needs_numba
@pytest.mark.skipif(not LINKS, reason='there is no linker for WebAssembly')
def test_a_page_of_another_game_has_a_machine_of_its_own(visit):
    game = find_game('mnk:4,4,3').unwrap()
    made = history(game.start, SplitMix.from_seed(3), Search(200, selection='rave'))
    page = explore(made)
    assert 'machine' in page.data
    shown = visit(page, '#k=60')
    shown.locator('#what-if button').first.click()
    shown.wait_for_function('explorer.two !== null')
    assert shown.evaluate('explorer.two.apart.k') == 60
