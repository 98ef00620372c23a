"""The page in a real browser: every control, by pointer and keyboard, and its results."""

import json
import math
import re

import pytest

from fmcts import Search, SplitMix
from fmcts.explore import explore
from fmcts.explore._data import SAMPLES, data_of, run_of
from fmcts.explore._page import page_of
from fmcts.games import connect4, tictactoe
from fmcts.games.chance import pig
from fmcts.games.families import find_member
from fmcts.history import history, parting, sampled
from fmcts.search.methods import UCB1Tuned
from fmcts.search.resolution.solver import proof_at, proof_number, proof_of
from pages_shown import searched, state_of


def figures(shown):
    """The rows of the table: move, visits and mean."""
    shown.evaluate('explorer.formula || explorer.go({ formula: true })')
    rows = shown.locator('#table tbody tr')
    found = []
    for row in rows.all():
        cells = row.locator('td').all_inner_texts()
        found.append((row.locator('.name').inner_text(), cells[0].replace(',', ''), cells[2]))
    return found


def expected(analysis):
    return [
        (str(it.move), str(it.visits), '\u2013' if it.value is None else f'{it.value:.3f}')
        for it in analysis.stats
    ]


def test_the_page_opens_on_the_chosen_move_and_explains_it(visit, page, made):
    shown = visit(page)
    lead = made.leaders()[-1]
    first, second = sorted(made.tree.children, key=lambda child: -child.visits)[:2]
    shares = [f'{100 * child.value:.0f}\xa0% of {child.visits}' for child in (first, second)]
    assert shown.locator('#headline').inner_text() == (
        f'O plays column {made.move}. It won {shares[0]} tries; '
        f'the next best, column {second.move}, {shares[1]}.'
    )
    story = shown.locator('#story').inner_text()
    assert f'It took the lead from column {lead.before} at try {lead.iteration}' in story
    assert state_of(shown)['k'] == 400
    assert shown.locator('tr.selected .name').inner_text() == str(made.move)
    assert '★ chosen' in shown.locator('tr.selected').inner_text()
    assert figures(shown) == expected(made.at(400))


@pytest.mark.parametrize(('seeds', 'said'), [(4, ' of 4 other seeds agree. '), (0, '')])
def test_the_page_says_how_sure_the_choice_is(visit, made, seeds, said):
    story = visit(explore(made, seeds=seeds)).locator('#story').inner_text()
    if not seeds:
        assert 'seeds agree' not in story
        return
    same = dict(made.stability(seeds).counts).get(made.move, 0)
    assert f': {same}{said}' in story


@pytest.mark.needs_numba
def test_playouts_that_decided_the_choice_are_marked(visit, made):
    decided = made.decisive(200)
    assert decided
    shown = visit(explore(made))
    marks = [mark for mark in shown.locator('#marks .mark').all_inner_texts() if mark == '✱']
    assert len(marks) == len(decided)
    assert f'had try {decided[0].iteration} ended' in shown.locator('#story').inner_text()
    shown.keyboard.press('Home')
    shown.keyboard.press('x')
    after = next(it for it in decided if it.iteration > 1)
    assert state_of(shown)['k'] == after.iteration
    assert f'column {after.move} would' in shown.locator('#decided').inner_text()


@pytest.mark.needs_numba
def test_playouts_are_sampled_up_to_the_early_end_of_a_search():
    state, rng = tictactoe.parse('XO.......').unwrap(), SplitMix.from_seed(1)
    made = history(state, rng, Search(2000, solver=True))
    assert made.last < 2000
    assert run_of(made).sampled == len(sampled(made.last, SAMPLES))


@pytest.fixture(scope='module')
def logged(made):
    """The data of a page with a log; where machine code searches, others make the search again."""
    return data_of(run_of(made, 'mcts:400', seeds=0), game=connect4, before=['3', '3', '2'])


def test_a_changed_log_is_noticed(visit, logged):
    changed = json.loads(json.dumps(logged))
    outcomes = changed['searches'][0]['log']['outcomes']
    outcomes[-1] = 1 - outcomes[-1] if outcomes[-1] != 0.5 else 1
    shown = visit(page_of(changed))
    assert shown.locator('#digest .differs').count() == 1


@pytest.mark.needs_numba
def test_a_page_makes_its_search_again_and_compares(visit, page, made):
    search, *_ = page.data['searches']
    assert 'log' not in search
    assert (search['iterations'], search['digest']) == (400, made.digest)
    shown = visit(page_of({**page.data, 'searches': [{**search, 'digest': 64 * '0'}]}))
    assert shown.locator('#digest .differs').count() == 1


def test_every_step_shows_python_s_version(visit, page, made):
    shown = visit(page)
    for k in (1, 17, 250, 399):
        shown.locator('#slider').fill(str(math.log(k) / math.log(400)))
        assert figures(shown) == expected(made.at(k))
        why = made.why(k)
        assert shown.locator('#path strong').all_inner_texts() == [str(it) for it in why.path]
        best = made.at(k).move
        assert shown.locator('tr:has(.played) .name').inner_text() == str(best)


def test_time_buttons(visit, page, made):
    shown = visit(page)
    changes = [lead.iteration for lead in made.leaders()[1:]]
    for button, k in (
        ('#first', 1),
        ('#forward', 2),
        ('#back', 1),
        ('#change', changes[0]),
        ('#change', changes[1]),
        ('#last', 400),
    ):
        shown.click(button)
        assert state_of(shown)['k'] == k
        assert f'try {k} of 400' in shown.locator('#slider').get_attribute('aria-valuetext')
    leads = shown.locator('.mark', has_text='▲')
    assert leads.count() == len(changes)
    leads.last.click(force=True)  # others may lie above it
    assert state_of(shown)['k'] == changes[-1]
    shown.locator('#visits svg').click(position={'x': 200, 'y': 40})
    assert 1 <= state_of(shown)['k'] < 400


def test_keyboard_shortcuts(visit, page, made):
    shown = visit(page)
    changes = [lead.iteration for lead in made.leaders()[1:]]
    press = shown.keyboard.press
    for key, k in (
        ('ArrowLeft', 399),
        ('Shift+ArrowLeft', 299),
        ('ArrowRight', 300),
        ('Home', 1),
        ('Shift+ArrowRight', 101),
        ('End', 400),
        ('Shift+L', changes[-1]),
        ('l', changes[0]),
    ):
        press(key)
        assert state_of(shown)['k'] == k, key
    press('End')
    press('t')
    press('ArrowDown')
    most = made.tree.most_visited().move
    assert state_of(shown)['line'] == str(most)
    assert shown.evaluate('document.activeElement.className').endswith('here')
    assert shown.locator('[role=treeitem][aria-selected=true]').get_attribute('aria-level') == '2'
    rows = shown.locator('[role=treeitem]').count()
    press('Enter')
    assert shown.locator('[role=treeitem]').count() != rows
    press('Enter')
    assert shown.locator('[role=treeitem]').count() == rows
    press('ArrowLeft')
    assert shown.locator('[role=treeitem]').count() < rows
    press('ArrowRight')
    assert shown.locator('[role=treeitem]').count() == rows
    press('2')
    assert state_of(shown)['selected'] == 2
    press('g')
    assert state_of(shown)['line'] == f'{most} {made.tree.child(most).moves[2]}'
    press('Backspace')
    assert state_of(shown)['line'] == str(most)
    shown.locator('.row.here').focus()
    press('ArrowUp')
    assert state_of(shown)['line'] == ''
    press('?')
    assert shown.locator('#keys').is_visible()
    press('Escape')
    assert not shown.locator('#keys').is_visible()
    shown.click('#help')
    shown.click('#keys button')
    assert not shown.locator('#keys').is_visible()


def test_descending_by_table_board_tree_and_path(visit, page, made):
    shown = visit(page)
    shown.locator('.open').nth(1).click()
    assert state_of(shown)['line'] == '1'
    child = made.tree.child(1)
    stats = [(str(it.move), str(it.visits), f'{it.value:.3f}') for it in child.children]
    assert figures(shown) == stats
    shown.locator('#board .move').first.click()
    assert len(state_of(shown)['line'].split()) == 2
    shown.locator('#line button').first.click()
    assert state_of(shown)['line'] == ''
    shown.locator('#path button').nth(1).click()
    assert state_of(shown)['line'] == str(made.why(400).path[0])
    shown.locator('[role=treeitem]').nth(2).click()
    assert len(state_of(shown)['line'].split()) == 2
    shown.locator('#table .name').first.click()
    assert shown.locator('#formula .numbers').inner_text().startswith('= ')
    folded = shown.locator('.more').first
    rows = shown.locator('[role=treeitem]').count()
    folded.click()
    assert shown.locator('[role=treeitem]').count() > rows
    rows = shown.locator('[role=treeitem]').count()
    above = shown.locator('.more').first.get_attribute('data-more')
    shown.locator(f'[data-node="{above}"]').click()
    shown.locator('.row.here').focus()
    shown.keyboard.press('ArrowRight')  # as the click: those with few tries, too
    assert shown.locator('[role=treeitem]').count() > rows
    shown.locator('.twist[data-fold]').first.click()
    assert shown.locator('[role=treeitem]').count() == 1


def test_the_board_is_the_game_s(visit, page, made):
    shown = visit(page, '#k=400&at=1.0')
    stones = shown.locator('#board .stone').count()
    assert stones == 5
    label = shown.locator('#board svg').get_attribute('aria-label')
    state = made.root.state.play(1).play(0)
    cells = [line for line in connect4.format(state).splitlines() if line[:1] in 'XO.'][:6]
    assert label == f'position 1 0: {"; ".join(line.strip() for line in cells)}'


def test_the_address_contains_the_state(visit, page):
    shown = visit(page)
    shown.keyboard.press('Shift+ArrowLeft')
    shown.keyboard.press('ArrowDown')
    shown.keyboard.press('2')
    before = state_of(shown)
    fragment = shown.evaluate('(explorer.write(), location.hash)')
    again = visit(page, fragment)
    assert state_of(again) == before
    again.evaluate("location.hash = '#k=3'")
    again.wait_for_function('explorer.k === 3')
    assert state_of(again)['line'] == ''


@pytest.mark.parametrize('fragment', ['#k=no&at=99.1&move=77', '#k=-5&at=x', '#with=a', '#k=1e9'])
def test_an_invalid_address_is_harmless(visit, page, fragment):
    found = state_of(visit(page, fragment))
    assert 1 <= found['k'] <= 400
    assert found['line'] == ''


def test_proven_moves_are_marked_and_described(visit):
    state = tictactoe.start.play(0).play(4).play(8)
    made = searched(state, Search(2000, solver=True), SplitMix.from_seed(3))
    shown = visit(explore(made))
    proof = proof_of(proof_number(made.tree.child(made.move)))
    assert f', cell {made.move} is a proven {proof}.' in shown.locator('#story').inner_text()
    assert f'the position is a proven {proof_at(made.tree)}' in shown.locator('#next').inner_text()
    row = shown.locator('tr.selected')
    assert row.locator('.note .proof').inner_text() == '✓'  # as perfect play, beside it
    assert row.locator('.truth').inner_text() == str(proof)
    assert f', {proof}, by perfect play a {proof}; ' in row.locator('.name').get_attribute(
        'aria-label'
    )
    marks = shown.locator('#proofs .mark')
    assert marks.count() >= 2
    shown.keyboard.press('Home')
    shown.keyboard.press('s')
    first = state_of(shown)['k']
    assert first == made.when(lambda tree: any(map(proof_number, tree.children)))
    shown.keyboard.press('Shift+S')
    assert state_of(shown)['k'] == made.last
    marks.first.click()
    assert state_of(shown)['k'] == first
    shown.click('#proof')
    assert state_of(shown)['k'] > first


def test_two_searches_side_by_side(visit):
    state = connect4.start
    one, two = (searched(state, Search(200, c=c)) for c in (1.0, 1.1))
    shown = visit(explore(one, two, name='c=1', other='c=1.1'))
    assert shown.locator('#digest .same').count() == 2
    verdict, first, second = shown.locator('#headline').inner_text().splitlines()
    if one.move == two.move:
        assert verdict == f'Both agree: X plays column {one.move}.'
        assert (first[:11], second[:11]) == ('A: It won ', 'B: It won ')
    else:
        assert verdict == 'The two disagree.'
        assert first.startswith(f'A: X plays column {one.move}. It won ')
        assert second.startswith(f'B: X plays column {two.move}. It won ')
    apart = parting(one, two)
    words = shown.locator('#compared').inner_text()
    assert f'First difference at iteration {apart.iteration}: at the root' in words
    assert apart.term in words
    mine, other = (choice.move for choice in apart.choices)
    assert f'X chooses {mine} in A and {other} in B' in words
    for letter, choice in zip('AB', apart.choices, strict=True):
        rows = [it for it in choice.scores if it.move in (mine, other)]
        scores = ' and '.join(f'{it.move} scores {it.score:.4f}' for it in rows)
        assert f'In {letter}, {scores}.' in words
    shown.keyboard.press('Home')
    shown.keyboard.press('d')
    assert state_of(shown)['k'] == apart.iteration
    shown.click('#last')
    shown.click('#difference')
    assert state_of(shown)['k'] == apart.iteration
    visits = shown.locator('#table td.second').all_inner_texts()
    assert visits == [str(it.visits) for it in two.at(apart.iteration).stats]


def test_a_game_without_a_grid_is_shown_by_images(visit):
    nim = find_member('nim:1,2').unwrap()
    shown = visit(explore(searched(nim.start, Search(60)), game=nim))
    assert shown.locator('#board img').count() == 1
    first = shown.locator('#board img').get_attribute('src')
    shown.locator('.open').first.click()
    assert shown.locator('#board img').get_attribute('src') != first


def test_positions_missing_from_the_file_are_reported_as_missing(visit, monkeypatch):
    monkeypatch.setattr('fmcts.explore._boards.ROOM', 0)
    nim = find_member('nim:1,2').unwrap()
    shown = visit(explore(searched(nim.start, Search(60)), game=nim))
    shown.locator('.open').first.click()
    assert 'is not in this file' in shown.locator('#board').inner_text()


def test_a_game_with_many_moves_folds_its_table(visit):
    hexes = find_member('hex:5').unwrap()
    shown = visit(explore(searched(hexes.start, Search(80)), game=hexes))
    assert shown.locator('#table tbody tr').count() == 12
    shown.locator('#table tfoot button').click()
    assert shown.locator('#table tbody tr').count() == 25


def test_a_file_without_a_machine_names_what_needs_a_server(visit, logged):
    shown = visit(page_of(logged))
    for place in ('#else', '#playout'):
        assert 'fmcts explore' in shown.locator(place).inner_text()
    for key in 'fw':
        shown.evaluate("answer('')")
        shown.keyboard.press(key)
        assert (
            shown.locator('#answer').inner_text()
            == 'This needs the rules of the game: fmcts explore.'
        )


def test_the_page_explains_itself_and_names_the_command(visit, page):
    shown = visit(page)
    shown.click('#about summary')
    told = shown.locator('#about').inner_text()
    assert all(f' {word}' in told for word in ('iteration', 'playout', 'visits', 'mean', 'digest'))
    command = 'fmcts explore connect4 --moves 3,3,2 --bot mcts:400 --rng splitmix:'
    assert command in shown.locator('footer').inner_text()


def test_a_step_updates_only_what_changes(visit, page):
    shown = visit(page)
    shown.locator('#table .name').nth(2).focus()
    shown.evaluate("kept = [...document.querySelectorAll('#table tr, #board g, .row')]")
    shown.evaluate('explorer.go({ k: explorer.k - 1 })')
    assert shown.evaluate('document.activeElement.dataset.index') == '2'
    assert shown.evaluate('kept.filter((it) => !it.isConnected).length') <= 3


def test_rows_of_the_tree_out_of_sight_follow(visit, page):
    shown = visit(page, viewport={'width': 1280, 'height': 400})
    text = 'document.getElementById("tree").textContent'
    whole = shown.evaluate(f'(explorer.go({{ k: 390 }}), explorer.draw(), {text})')
    shown.evaluate('(explorer.go({ k: 200 }), explorer.draw())')
    assert shown.evaluate(f'(explorer.go({{ k: 390 }}), {text})') != whole
    shown.wait_for_function(f'whole => {text} === whole', arg=whole)


@pytest.mark.parametrize('options', [{'selection': 'rave'}, {'playout': 'mast', 'solver': True}])
def test_what_a_page_cannot_compute_is_named(visit, options):
    found = searched(tictactoe.start.play(4), Search(150, **options), SplitMix.from_seed(7))
    shown = visit(explore(found), '#k=100&move=0&formula=1')
    assert shown.locator('#digest .same').inner_text().startswith('digest of visits and rewards')
    assert figures(shown) == expected(found.at(100))
    without = 'Its score depends on statistics that are not in this page.'
    assert (without in shown.locator('#formula').inner_text()) == ('selection' in options)


def test_a_notebook_shows_the_page_in_a_frame(visit, page, tmp_path):
    (tmp_path / 'notebook.html').write_text(f'<!doctype html>{page._repr_html_()}', 'utf-8')
    shown = visit(page)
    shown.goto((tmp_path / 'notebook.html').as_uri())
    frame = shown.frame_locator('iframe')
    frame.locator('#digest .same').wait_for()
    assert len(shown.workers) == 1  # in a frame without an origin, too
    assert not frame.locator('#copy').is_visible()
    frame.locator('#back').click()
    shown.click('summary')
    assert shown.locator('details img').is_visible()  # for readers without scripts
    assert frame.locator('#where').inner_text() == 'try 399 of 400'


def test_a_game_with_dice_shows_what_chance_drew(visit):
    made = searched(pig.start(12), Search(60))
    shown = visit(explore(made), '#k=60&at=0')
    assert 'computed here' in shown.locator('#digest .same').inner_text()
    assert shown.locator('#standing').inner_text() == 'chance to move'
    assert shown.locator('#next').inner_text() == 'Next here: an outcome, drawn by weight.'
    shown.click('#show-formula')
    shown.locator('#table .name').nth(2).click()
    assert '3 is drawn with probability 1 of 6.' in shown.locator('#formula').inner_text()
    last = shown.locator('#path').inner_text()
    assert any(f'chance {it} chance drew it' in last for it in range(1, 7))


def test_an_existing_file_is_not_overwritten(page, tmp_path):
    file = tmp_path / 'page.html'
    assert page.save(file) == file.stat().st_size
    with pytest.raises(FileExistsError, match='give another name, or replace=True'):
        page.save(file)
    assert page.save(file, replace=True) == file.stat().st_size


def test_only_a_command_that_makes_the_search_is_named(made):
    """A search has words for the command line, or a page names no command; so has a position."""

    def command(*given, **options):
        page = explore(*given, seeds=0, **options)
        return re.search('<code id="command">(.*?)</code>', page.html)[1]

    start = searched(connect4.start, Search(20, c=0.5, solver=True))
    other = searched(connect4.start, Search(20, selection=UCB1Tuned()))
    rng = f'--rng splitmix:{start.rng.state}:{start.rng.gamma}'
    known = 'fmcts explore connect4 --bot mcts:20,c=0.5,solver=on'
    assert command(start) == f'{known} {rng}'
    assert command(start, start.fork(10, Search(5, solver=True))) == f'{known} {rng}'
    assert command(start, other) == f'{known} {rng}'
    assert command(other) == command(made) == ''  # a class, a position without its moves
    assert command(made, before=['3', '3', '2']).startswith('fmcts explore connect4 --moves 3,3,2 ')
