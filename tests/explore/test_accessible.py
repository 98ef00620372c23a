"""What a page is to those who use it by keyboard, by ear, enlarged, or in other colours."""

import pytest

from fmcts import Search
from fmcts.explore import explore, searching
from fmcts.games import tictactoe
from fmcts.games.chance import pig
from pages_shown import searched

axe = pytest.importorskip('axe_playwright_python.sync_playwright', reason='axe is not installed')
RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']


PAGES = {
    'two': lambda made: explore(made, searched(made.root.state, Search(200, c=0.5))),
    'proofs': lambda _: explore(
        searched(tictactoe.start.play(0).play(4).play(8), Search(2000, solver=True))
    ),
    'any': lambda _: searching(),
    'dice': lambda _: explore(searched(pig.start(12), Search(60))),
}


SEEN = [
    ('two', 320, 'dark', {}),
    ('two', 1280, 'light', {'formula': True}),
    ('proofs', 1280, 'dark', {'selected': 0}),
    ('dice', 320, 'light', {'k': 20, 'phase': 1}),
    ('any', 320, 'dark', {}),
]
KINDS = ['two', 'formula', 'proofs', 'phase', 'any']
LINK = '#tictactoe//mcts:100/seed=1'


@pytest.mark.parametrize(('name', 'width', 'scheme', 'chosen'), SEEN, ids=KINDS)
def test_axe_finds_nothing(visit, made, name, width, scheme, chosen):
    size = {'width': width, 'height': 800}
    link = LINK if name == 'any' else ''
    shown = visit(PAGES[name](made), link, viewport=size, color_scheme=scheme)
    shown.evaluate('(chosen) => explorer.go(chosen)', chosen)
    found = axe.Axe().run(shown, options={'runOnly': RULES}).response['violations']
    assert [(it['id'], it['nodes'][0]['html']) for it in found] == []
    assert shown.evaluate('document.documentElement.scrollWidth') <= width


def test_the_search_plays_and_stops(visit, page):
    shown = visit(page)
    shown.keyboard.press('Space')  # from the beginning, since it is at the end
    shown.wait_for_function('explorer.k > 1 && explorer.k < 400')
    assert 'Stop' in shown.locator('#run').inner_text()
    shown.keyboard.press('Space')
    stopped = shown.evaluate('explorer.k')
    shown.select_option('#speed', '10')
    shown.click('#run')
    shown.wait_for_function(f'explorer.k > {stopped + 1}')
    shown.keyboard.press('End')
    shown.wait_for_function('!explorer.playing')
    assert 'Play' in shown.locator('#run').inner_text()


def test_an_iteration_in_its_phases(visit, page, made):
    shown = visit(page, '#k=19')
    why = made.why(20)
    before, after = ([str(it.visits) for it in made.at(k).stats] for k in (19, 20))
    stones = []
    for phase in ('select', 'expand', 'play out', 'back up'):
        shown.keyboard.press('n')
        assert shown.locator('#this').inner_text() == f'Try 20: {phase}'
        assert shown.locator('#phases > .current').count() == 1
        if phase == 'play out':
            shown.wait_for_selector('#ply')
        stones.append(shown.locator('#board .stone').count())
        counts = shown.locator('#table tbody td:nth-child(3)').all_inner_texts()
        assert counts == (after if phase == 'back up' else before)
    begun, leaf = 3, 3 + len(why.path)
    assert stones == [leaf - 1, leaf, leaf + len(why.playout), begun]
    shown.keyboard.press('n')
    assert shown.locator('#this').inner_text() == 'Try 21: select'


def test_keys_can_be_switched_off_but_in_the_slider_and_the_tree(visit, page):
    shown = visit(page)
    shown.click('#help')
    shown.click('#shortcuts')
    shown.keyboard.press('Escape')
    shown.evaluate('document.activeElement.blur()')
    for key in ('Home', 'l', 'ArrowLeft', '3', 'n'):
        shown.keyboard.press(key)
    assert shown.evaluate('[explorer.k, explorer.phase]') == [400, None]
    shown.locator('#slider').focus()
    for key, k in (('ArrowLeft', 399), ('PageDown', 299), ('Home', 1), ('ArrowUp', 2)):
        shown.keyboard.press(key)
        assert shown.evaluate('explorer.k') == k
    shown.locator('.row.here').focus()
    shown.keyboard.press('ArrowDown')
    assert shown.evaluate('explorer.node') > 0
    again = visit(page)  # the choice is kept
    again.keyboard.press('Home')
    assert again.evaluate('explorer.k') == 400
    again.evaluate('localStorage.clear()')
    up_and_down = visit(page)
    at = up_and_down.evaluate('scrollY')
    up_and_down.keyboard.press('ArrowDown')  # scrolls: what is chosen stays
    up_and_down.wait_for_function('at => scrollY > at', arg=at)
    assert up_and_down.evaluate('explorer.node') == 0
