"""What is seen of a page: by zoom, at night, without colours, with a network, while it waits."""

import base64
import math

import pytest
from attrs import evolve

from fmcts import Player, Search, SplitMix
from fmcts.asking import Evaluation, asking
from fmcts.explore import explore
from fmcts.game import chances_of
from fmcts.games import connect4, tictactoe
from fmcts.games.chance import tiles
from fmcts.games.families import find_member
from fmcts.history import history, hunt
from fmcts.solve import move_values
from fmcts.view._svg import colours_of_moves
from naive_batches import answer, nearest, network
from pages_shown import searched
from test_returns import Coins

RNG = SplitMix.from_seed(42)
# The colours of a picture, read by the browser.
COLOURS = """async ([picture, edge]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width - 2 * edge, image.height - 2 * edge];
  const context = canvas.getContext('2d');
  context.drawImage(image, -edge, -edge);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const found = new Set(new Uint32Array(data.buffer));
  return Array.from(found, (it) => [it & 255, (it >> 8) & 255, (it >> 16) & 255]);
}"""
TEXTS = """(place) => Array.from(document.querySelectorAll(place), (it) => {
  const range = document.createRange();
  range.selectNodeContents(it);
  const { left, right } = range.getBoundingClientRect();
  return [left, right];
})"""


def colours(shown, place, edge=0):
    """The colours that are seen of an element, but for its edge of so many pixels."""
    picture = base64.b64encode(shown.locator(place).first.screenshot()).decode()
    return shown.evaluate(COLOURS, [picture, edge])


def in_sight(shown, place):
    """Whether a whole element is inside the window, to a pixel."""
    box = shown.locator(place).bounding_box()
    return box['y'] > -1 and box['y'] + box['height'] < shown.viewport_size['height'] + 1


@pytest.fixture(scope='module')
def judged():
    """A search with a network, in batches."""
    return searched(connect4.start, Search(120, network=network, batch=8))


# ---- windows ----

WINDOWS = [(720, 450), (800, 1100), (736, 736), (390, 844), (320, 256)]


@pytest.mark.parametrize(('width', 'height'), WINDOWS)
def test_no_row_of_the_table_stays_covered(visit, page, width, height):
    shown = visit(page, viewport={'width': width, 'height': height})
    shown.evaluate('scrollTo(0, 1e6)')  # so that rows come from above, under what stays in sight
    for place in ('#table .name >> nth=0', '#table .name >> nth=6', '#path button >> nth=0'):
        element = shown.locator(place)
        element.focus()
        box = element.bounding_box()
        centre = [box['x'] + box['width'] / 2, box['y'] + box['height'] / 2]
        on_top = element.evaluate(
            '(it, at) => it.contains(document.elementFromPoint(...at))', centre
        )
        assert on_top, place
        assert in_sight(shown, place)
    covered = shown.evaluate("""(() => {
      const time = document.getElementById('time');
      return getComputedStyle(time).position === 'sticky' ? time.offsetHeight / innerHeight : 0;
    })()""")
    assert covered < 1 / 3


def test_a_table_shows_that_it_goes_on(visit, page, made):
    small = {'width': 390, 'height': 844}
    both = explore(made, searched(made.root.state, Search(300, c=0.5)))
    shown = visit(both, viewport=small)
    more = shown.locator('#more')
    assert more.is_visible()
    for _ in range(9):
        if more.is_visible():
            more.click()
            shown.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
    end = shown.locator('#table tbody tr').first.locator('td').last.bounding_box()
    assert end['x'] + end['width'] <= small['width']
    assert not more.is_visible()
    whole = visit(page)
    assert not whole.locator('#more').is_visible()
    last = whole.locator('.open').first.bounding_box()
    box = whole.locator('.scroll').bounding_box()
    assert last['x'] + last['width'] <= box['x'] + box['width']


# ---- colours ----


def test_pictures_of_boards_are_seen_at_night(visit):
    made = searched(tiles.start(2).play((0, 1)).play((3, 1)), Search(30))
    shown = visit(explore(made), color_scheme='dark')
    found = colours(shown, '#board img', edge=8)  # its corners are round
    assert min(max(colour) for colour in found) < 80
    assert max(min(colour) for colour in found) > 240


def test_bars_and_rows_are_seen_without_the_page_s_colours(visit, page):
    shown = visit(page)
    shown.emulate_media(forced_colors='active')
    try:
        for place in ('tr.selected .bar', 'tr.selected .dot', '.row.lit .bar'):
            assert max(max(it) - min(it) for it in colours(shown, place)) > 40, place
        for place, side in (('tr.selected', 'outline'), ('.row.lit', 'borderLeft')):
            line = f'getComputedStyle(document.querySelector("{place}")).{side}Style'
            assert shown.evaluate(line) == 'solid', place
    finally:
        shown.emulate_media(forced_colors='none')


# ---- names ----


def test_long_names_are_neither_overprinted_nor_cut(visit):
    state = tiles.start(3)
    while chances_of(state):
        state = state.play(chances_of(state)[0][0])
    shown = visit(explore(searched(state, Search(40))))
    sides, moves = (shown.evaluate(TEXTS, place) for place in ('.row .who', '.row .move-name'))
    assert any(right > left for left, right in sides)
    for (_, right), (left, _) in zip(sides, moves, strict=True):
        assert right <= left
    edge = shown.locator('#visits svg').bounding_box()
    labels = shown.evaluate(TEXTS, '#visits .label')
    assert labels
    assert all(right <= edge['x'] + edge['width'] for _, right in labels)


# ---- a network ----


def test_a_network_s_search_is_told_in_its_own_words(visit, judged):
    shown = visit(explore(judged), '#formula=1')
    assert 'network' in shown.locator('#title').inner_text()
    heads = shown.locator('#table thead th').all_inner_texts()
    assert heads == [
        *('column', 'visits', 'share', 'prior', 'mean', '+ exploration', '= score', 'margin')
    ]
    priors, _ = answer(connect4.start)
    rows = shown.locator('#table tbody tr').all()
    for row, child in zip(rows, judged.tree.children, strict=True):
        cells = row.locator('td').all_inner_texts()
        prior, n, mean = nearest(priors[child.move]), child.visits, child.value
        bonus = 1.25 * prior * math.sqrt(1 + judged.tree.visits) / (1 + n)
        assert cells[2:6] == [f'{it:.3f}' for it in (prior, mean, bonus, mean + bonus)]
    assert 'where(' not in shown.locator('#main').inner_text()
    line = shown.locator('#formula .numbers').inner_text()
    assert 'where' not in line
    state = connect4.start
    for move in judged.why(120).path:
        state = state.play(move)
    value = answer(state)[1]
    worth = nearest(value if state.player is Player.X else 1 - value)
    told = shown.locator('#playout').inner_text()
    assert told == f'No playout: the network said {worth:.3f} for X.'


def test_a_move_without_visits_shows_what_is_taken_for_its_mean(visit, judged):
    shown = visit(explore(judged), '#k=2&move=0&formula=1')
    none = judged.at(2).tree
    untried = next(move for move in connect4.start.moves if none.child(move) is None)
    row = shown.locator('#table tbody tr').nth(untried)
    assert row.locator('td').nth(3).inner_text() == '(0.500)'
    row.locator('.name').click()
    assert shown.locator('#formula .numbers').inner_text().startswith('= 0.500 + 1.250')


def test_a_score_of_one_term_has_no_second_column_of_it(visit):
    found = searched(tictactoe.start, Search(30, selection='ucb1-fpu'))
    shown = visit(explore(found), '#formula=1')
    heads = shown.locator('#table thead th').all_inner_texts()
    assert heads == ['cell', 'visits', 'share', 'mean', 'score', 'margin', 'perfect play']
    assert '()' not in shown.locator('#main').inner_text()


# ---- the end ----


def test_the_last_version_says_what_was_chosen(visit, page, made):
    shown = visit(page, '#k=400&formula=1')
    best, second = sorted(made.tree.children, key=lambda it: -it.visits)[:2]
    told = shown.locator('#next').inner_text()
    one, two = (f'{it.visits} visits, mean {it.value:.3f}.' for it in (best, second))
    assert told.startswith(
        f'The search ended here and chose {made.move}, with the most visits: {one} '
        f'Of the others, {second.move} has the most: {two}'
    )
    assert 'If it went on, O would take' in told
    assert '→ next' not in shown.locator('#table').inner_text()
    shown.keyboard.press('ArrowLeft')
    assert shown.locator('#next').inner_text().startswith('Next here, O takes ')
    assert '→ next' in shown.locator('#table').inner_text()


def test_an_exact_value_is_why_a_move_was_chosen(visit):
    search = Search(21, solver='exact', c=10.0)
    shown = visit(explore(searched(Coins(), search)), '#k=21&formula=1')
    told = shown.locator('#next').inner_text()
    assert told.startswith('The search ended here and chose left, which is worth 14: 11 visits, ')
    shown = visit(explore(searched(Coins(), evolve(search, iterations=99))), '#formula=1')
    assert shown.locator('#next').inner_text() == 'The search ended here: the position is worth 14.'


@pytest.mark.parametrize(
    ('start', 'search', 'outside'),
    [
        (tictactoe.start, Search(120), True),
        (Coins(), Search(120, c=20.0), False),
    ],
)
def test_the_chart_of_means_draws_what_they_were(visit, start, search, outside):
    made = searched(start, search)
    shown = visit(explore(made))
    ticks = shown.locator('#values .tick:not(.across)').all()
    (low, bottom), (high, top) = (
        (float(it.text_content()), float(it.get_attribute('y')) - 3) for it in (ticks[0], ticks[-1])
    )
    versions = [made.at(k) for k in range(1, 121)]  # a point each, as there are less than 240
    every = [row.value for it in versions for row in it.stats if row.visits]
    assert any(not low <= value <= high for value in every) == outside
    for move, curve in enumerate(shown.locator('#values .curve').all()):
        points = [it.split() for it in curve.get_attribute('d')[1:].split('L')]
        drawn = [low + (high - low) * (float(y) - bottom) / (top - bottom) for _, y in points]
        means = [row.value for it in versions for row in (it.stats[move],) if row.visits]
        assert drawn == pytest.approx(means, abs=0.002 * (high - low))
    assert ('outside the axis' in shown.locator('#over').inner_text()) == outside


# ---- what takes long ----

NO_WORKER = """window.Worker = class {
  constructor() { setTimeout(() => this.onerror(new Event('error'))); }
}"""


@pytest.mark.parametrize('script', ['', NO_WORKER, 'delete window.Worker'])
def test_a_worker_replays_or_where_none_starts_the_page_itself(context, tmp_path, made, script):
    explore(made, seeds=0).save(tmp_path / 'page.html')
    shown = context.new_page()
    shown.add_init_script(script)
    shown.goto((tmp_path / 'page.html').as_uri())
    shown.wait_for_function('window.explorer?.one.found')
    assert shown.evaluate('explorer.one.found') == made.digest
    assert len(shown.workers) == (not script)
    versions = shown.evaluate(
        '[1, 64, 300].map((k) => digestOf(explorer.one, explorer.one.version(k)))'
    )
    assert versions == [made.at(k).digest for k in (1, 64, 300)]
    shown.close()


# ---- what a server is asked for ----


def test_the_fork_that_is_offered_at_the_end_is_made(visit, server):
    shown = visit(server.address)
    shown.keyboard.press('f')
    shown.keyboard.press('Enter')
    shown.wait_for_function('explorer.two !== null')
    found = searched(tictactoe.start.play(4), Search(120)).fork(120, Search(120))
    shown.wait_for_function(f"explorer.two.found === '{found.digest}'")
    told = shown.locator('#answer')
    assert told.inner_text().startswith(f'B, mcts:240 from 120: O plays cell {found.move}.')
    assert 'First difference at iteration 121' in told.inner_text()
    assert told.get_attribute('role') == 'status'
    assert in_sight(shown, '#answer')
    offers = {'mcts': 'mcts:240', 'mcts:120,c=0.5': 'mcts:240,c=0.5', 'mcts,c=1': 'mcts:240,c=1'}
    for name, offer in offers.items():
        shown.evaluate(f"(explorer.one.name = '{name}', explorer.draw())")
        assert shown.locator('#fork-spec').input_value() == offer
    shown.keyboard.press('Escape')
    shown.keyboard.press('ArrowLeft')
    assert shown.locator('#fork-spec').input_value() == name  # it may go another way


def test_errors_are_said_beside_the_form(visit, server):
    shown = visit(server.address, viewport={'width': 1280, 'height': 700})
    shown.keyboard.press('f')
    shown.keyboard.press('Control+a')
    shown.keyboard.type('random')
    shown.keyboard.press('Enter')
    shown.locator('#answer', has_text='expected a tree search').wait_for()
    assert in_sight(shown, '#answer')
    form, told = (shown.locator(it).bounding_box() for it in ('#else', '#answer'))
    assert 0 <= told['y'] - form['y'] - form['height'] < 40
    assert shown.locator('#fork-spec').input_value() == 'random'
    assert all('400 (Bad Request)' in line for line in visit.wrong)
    visit.wrong.clear()


def test_waiting_is_shown_and_asks_once(visit, server):
    shown = visit(server.address, '#k=60', viewport={'width': 1280, 'height': 700})
    held = []
    shown.route('**/what-if*', lambda it: held.append(it))  # noqa: PLW0108 - Playwright marks it
    shown.keyboard.press('w')
    shown.keyboard.press('Enter')
    shown.wait_for_function("document.getElementById('answer').textContent")
    assert shown.locator('#answer').inner_text() == 'The server is searching…'
    assert in_sight(shown, '#answer')
    assert shown.locator('#else').get_attribute('aria-busy') == 'true'
    buttons = shown.locator('#else button')
    assert {it.get_attribute('aria-disabled') for it in buttons.all()} == {'true'}
    shown.keyboard.press('Enter')
    shown.wait_for_timeout(50)
    assert len(held) == 1
    held[0].continue_()
    shown.wait_for_function('explorer.two !== null && !explorer.busy')
    assert shown.locator('#else').get_attribute('aria-busy') == 'false'
    assert {it.get_attribute('aria-disabled') for it in buttons.all()} == {None}
    assert 'First difference at iteration 60' in shown.locator('#answer').inner_text()
    shown.unroute('**/what-if*')


def test_the_bot_s_answer_is_awaited_in_words(visit, server):
    shown = visit(server.address)
    link = shown.locator('#play a')
    said = link.inner_text()
    stay = '(it) => it.addEventListener("click", (event) => event.preventDefault())'
    link.evaluate(stay)  # to look at the page that waits
    link.click()
    assert link.inner_text() == said.replace('the bot answers', 'the bot is searching…') != said
    assert link.get_attribute('role') == 'status'


def test_a_search_that_asks_shows_what_was_said_and_what_is_asked(visit):
    search = asking(connect4.start, RNG, Search(40, selection='puct'), window=3).tell(0, None)
    for number in range(1, 9):
        search = search.tell(number, Evaluation(0.25, cost=0.5, notes='weak', sources=['the book']))
    shown = visit(explore(search), '#k=8')
    told = shown.locator('#playout').inner_text()
    assert told == 'No playout: the network said 0.750 for X. weak (cost 0.5; the book)'
    facts = shown.locator('#facts').inner_text()
    assert facts.endswith(
        f'in flight: {", ".join(" ".join(map(str, it.path)) for it in search.ask())}'
    )
    assert len(search.ask()) == 3


def test_what_is_hidden_is_not_seen(visit, page):
    shown = visit(page)
    seen = '[...document.querySelectorAll("[hidden]")].filter((it) => it.checkVisibility()).length'
    assert shown.locator('#pick').count() == 1
    assert shown.evaluate(seen) == 0


def test_shares_that_are_close_have_the_digits_that_tell_them_apart(visit, page):
    shown = visit(page)
    pairs = [[0.5, 0.42], [0.491, 0.494], [0.48511, 0.48514], [0.5, 0.5]]
    texts = shown.evaluate('(pairs) => pairs.map((it) => percents(...it).join(" "))', pairs)
    found = [it.replace('\xa0', '') for it in texts]
    assert found == ['50% 42%', '49.1% 49.4%', '48.511% 48.514%', '50% 50%']


def test_a_schedule_s_equal_shares_are_no_close_call(visit):
    made = searched(connect4.start, Search(200, schedule='halving', playout='decisive'))
    page = explore(made, seeds=0)
    assert page.title.endswith(' decisive SequentialHalving, 200 iterations')
    first, second = sorted((it.visits for it in made.tree.children), reverse=True)[:2]
    assert second > 0.8 * first
    shown = visit(page)
    assert 'close call' not in shown.locator('#story').inner_text()


@pytest.mark.parametrize('start', [connect4.start, find_member('hex:4').unwrap().start])
def test_moves_have_the_colours_of_charts(visit, start):
    made = searched(start, Search(150))
    shown = visit(explore(made, seeds=0))
    colours = colours_of_moves([it.visits for it in made.at(150).stats])
    assert shown.evaluate('explorer.colours') == [it or '#767676' for it in colours]


# ---- perfect play ----

STARVING = Search(1000, selection='uct', c=0.2)
FORKED = tictactoe.start.play(1).play(0)


def in_words(values):
    outcomes = {0.0: 'loss', 0.5: 'draw', 1.0: 'win'}
    return [outcomes[it.value] + (f' in {it.plies}' if it.plies else '') for it in values]


@pytest.mark.parametrize('by', ['the page', 'Python'])
def test_mistakes_by_perfect_play_are_seen(visit, by):
    mistake = next(hunt(FORKED, STARVING, [10]))
    made = history(FORKED, SplitMix.from_seed(10), STARVING)
    other = made.fork(900, Search(10, c=1)) if by == 'Python' else None
    shown = visit(explore(made, other, seeds=0, before=['1', '0']))
    told, truths = shown.locator('#story'), shown.locator('#table td.truth')
    assert truths.all_inner_texts() == in_words(mistake.values)
    right = ' and '.join(', '.join(map(str, mistake.right)).rsplit(', ', 1))
    assert (
        f'A mistake: by perfect play it loses; {right} draw. '
        f'From try {mistake.since} on no best move led.'
    ) in told.inner_text()
    assert '✗' in shown.locator('#table tr.selected').inner_text()
    wrong = [it.iteration for it in made.leaders() if it.move not in mistake.right]
    marks = shown.locator('#marks .mark', has_text='✗').all()
    assert [int(it.get_attribute('data-k')) for it in marks] == wrong == [1, mistake.since]
    assert shown.locator('#mistakes span').count() == 2
    for k in (1, mistake.since, 1):  # after the last comes the first
        shown.keyboard.press('m')
        assert shown.evaluate('explorer.k') == k
    assert shown.locator('#slider').get_attribute('aria-valuetext').endswith(' leads, a mistake')
    shown.evaluate('explorer.go({ k: 1000, node: explorer.one.childAt(0, 0, 1000) })')
    if by == 'the page':  # it knows what follows, too
        truths.first.wait_for()
        assert truths.all_inner_texts() == in_words(move_values(FORKED.play(FORKED.moves[0])))
    else:
        assert truths.count() == 0


@pytest.mark.parametrize(
    ('state', 'seed', 'wrong'),
    [(FORKED, 11, True), (FORKED.play(3).play(5), 1, False), (tictactoe.start, 1, None)],
)
def test_a_right_choice_says_since_when(visit, state, seed, wrong):
    made = history(state, SplitMix.from_seed(seed), STARVING)
    told = visit(explore(made, seeds=0)).locator('#story').inner_text()
    values = move_values(state)
    best = {it.move for it in values if it.value == max(each.value for each in values)}
    leads = [*made.leaders()]
    mistaken = [
        k
        for one, end in zip(leads, [*(it.iteration for it in leads[1:]), 1001], strict=True)
        for k in range(one.iteration, end)
        if one.move not in best
    ]
    assert bool(mistaken) == bool(wrong)
    if wrong is None:
        assert told.startswith('By perfect play every move draws.')
    elif not wrong:
        assert told.startswith('Right: by perfect play it draws. After no smaller number of tries ')
    else:
        begin, before = mistaken[-1] + 1, f'{len(mistaken)} of the {mistaken[-1]} tries before'
        assert f'it draws. From try {begin} on no worse move led; after {before} it ' in told


def test_what_is_too_large_to_solve_has_no_truth(visit, page):
    shown = visit(page)
    assert 'perfect play' not in shown.locator('#main').inner_text()
    assert shown.evaluate('explorer.one.proven') is None
    assert not shown.locator('#mistake').is_visible()


@pytest.mark.parametrize('options', [{'selection': 'rave'}, {'playout': 'mast'}])
def test_what_a_log_does_not_have_is_said_once(visit, options):
    made = searched(tictactoe.start, Search(200, **options))
    shown = visit(explore(made))
    unknown = 'selection' in options
    assert shown.locator('#hidden').is_visible() == unknown
    told = shown.locator('#path').inner_text()
    assert 'not in this page' not in told
    assert not unknown or ' stands at ' in told
    worth = shown.locator('#playout').inner_text()
    assert worth.startswith('Playout: ' if unknown else 'Playout by mast: ')
