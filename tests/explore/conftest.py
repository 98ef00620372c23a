"""A browser for the tests of the page."""

import shutil

import pytest

from fmcts import Search, SplitMix
from fmcts.explore import explore
from fmcts.games import connect4, tictactoe
from fmcts.history import history
from pages_shown import answering, running

CHROMIUM = next(
    (
        path
        for name in ('chromium', 'chromium-browser', 'google-chrome')
        if (path := shutil.which(name))
    ),
    None,
)
FLAGS = (
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
)
WIDE = {'width': 1280, 'height': 1000}


@pytest.fixture(scope='module')  # Playwright's event loop must not outlive it: others run their own
def chromium():
    """Chromium, driven by Playwright."""
    playwright = pytest.importorskip('playwright.sync_api', reason='playwright is not installed')
    if CHROMIUM is None:
        pytest.skip('no Chromium is on the path: apt-get install chromium')
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope='module')
def context(chromium):
    """What the pages share; a new one for each page would start a process for each."""
    return chromium.new_context()


@pytest.fixture(scope='module')
def idle():
    """Pages that no test is using: a new one costs more than what a test does with it."""
    return []


@pytest.fixture
def visit(context, idle, tmp_path):
    """A function that opens a page; at the end nothing has gone wrong or left this machine."""
    wrong, asked, pages = [], [], []
    heard = {
        'console': lambda it: wrong.append(it.text),
        'pageerror': lambda it: wrong.append(str(it)),
        'request': lambda it: asked.append(it.url),
    }

    def open_page(page, fragment='', viewport=WIDE, color_scheme='light'):
        address = page if isinstance(page, str) else (tmp_path / 'page.html').as_uri()
        if not isinstance(page, str):
            (tmp_path / 'page.html').write_text(page.html, encoding='utf-8')
        shown = idle.pop() if idle else context.new_page()
        pages.append(shown)
        shown.set_viewport_size(viewport)
        shown.emulate_media(color_scheme=color_scheme)
        for event, listener in heard.items():
            shown.on(event, listener)
        shown.goto(address + fragment)
        shown.wait_for_function(
            'window.explorer && explorer.one.found && !explorer.asking', timeout=60_000
        )
        return shown

    open_page.wrong = wrong
    yield open_page
    for shown in pages:
        for event, listener in heard.items():
            shown.remove_listener(event, listener)
        shown.goto('about:blank')  # nothing is left of it, not even with the same address
        idle.append(shown)
    assert not wrong
    near = ('file://', 'data:', 'blob:', 'http://127.0.0.1:')
    assert not [url for url in asked if not url.startswith(near)]


@pytest.fixture(scope='module')
def made():
    """A search in which the leader changes."""
    state = connect4.start.play(3).play(3).play(2)
    found = history(state, SplitMix.from_seed(0), Search(400), 'persistent')
    assert len(found.leaders()) > 2
    return found


@pytest.fixture(scope='module')
def page(made):
    return explore(made, name='mcts:400', before=['3', '3', '2'])


@pytest.fixture(scope='module')
def server():
    with running(answering(tictactoe.start, 120, '4')) as found:
        yield found
