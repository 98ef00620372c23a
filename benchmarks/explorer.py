"""The explorer in a browser: its pictures in the documentation, and what a page costs.

    .venv/bin/python benchmarks/explorer.py docs/pictures

It writes the pictures to the folder, and prints what a page with 20,000 iterations of Connect Four
costs: its bytes; what making it takes of the processor; how long after opening the first picture
and the digest are there, also of the page whose address is the search; and how long a step of the
slider takes, to the frame that shows it. The time of the page's processor is given besides: on a
busy machine it means more. Without a folder there are no pictures:

    .venv/bin/python benchmarks/explorer.py
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from fmcts import Search, SplitMix
from fmcts.explore import explore, searching
from fmcts.games import connect4
from fmcts.history import history

FLAGS = ('--no-sandbox', '--disable-gpu', '--disable-background-networking')
LARGE = 190_000  # bytes
COUNT = 100
STEP = """async (k) => {
  const begin = performance.now();
  explorer.go({ k });
  await new Promise((shown) => requestAnimationFrame(() => {
    const after = new MessageChannel(); // a task that follows the frame
    after.port1.onmessage = shown;
    after.port2.postMessage(0);
  }));
  return performance.now() - begin;
}"""
WATCH = """(() => {
  const seen = window.seen = {};
  const look = () => {
    if (!seen.picture && document.querySelector('#board svg')) seen.picture = performance.now();
    if (!seen.digest && document.querySelector('#digest .same')) seen.digest = performance.now();
    if (!seen.digest) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""


def pages(folder: Path) -> tuple[Path, Path, Path]:
    """Write the pages: one search of 20,000 iterations, two of 3,000, and that of all searches."""
    state, rng = connect4.start.play(3).play(3).play(2), SplitMix.from_seed(42)
    before = ('3', '3', '2')
    begin = time.process_time()
    made = history(state, rng, Search(20_000))
    searched = time.process_time()
    one = explore(made, name='mcts:20000', before=before)
    size = one.save(folder / 'one.html')
    print(f'page of 20,000 iterations: {size:,} bytes')
    print(
        f'search with its log ({made.engine}): {searched - begin:.1f} s, '
        f'page: {time.process_time() - searched:.1f} s'
    )
    both = [history(state, rng, Search(3_000, c=c)) for c in (2**0.5, 0.5)]
    names = {'name': 'mcts:3000', 'other': 'mcts:3000,c=0.5'}
    explore(*both, **names, before=before).save(folder / 'two.html')
    searching().save(folder / 'any.html')
    return folder / 'one.html', folder / 'two.html', folder / 'any.html'


def opened(browser: object, page: Path, fragment: str = '', **options: object) -> Page:
    """Return a page of the browser once it has computed the digest."""
    shown = browser.new_page(**options)
    shown.goto(page.as_uri() + fragment)
    shown.wait_for_selector('#digest .same')
    shown.wait_for_function('window.explorer && !explorer.asking')
    return shown


def taken(page: Page, file: Path) -> None:
    """Write a picture of a page, in few colours where it would be large."""
    picture = Image.open(BytesIO(page.screenshot())).convert('RGB')
    picture.save(file, optimize=True)
    if file.stat().st_size > LARGE:
        picture.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


LINK = '#connect4/3,3,2/mcts:20000/seed=42'
UNLUCKY = '#tictactoe/1,0/mcts:1000,selection=uct,c=0.2/seed=10'


def linked(browser: object, file: Path) -> None:
    """Print how long after opening the page has made the search that its address names."""
    times = []
    for _ in range(COUNT // 10):
        page = browser.new_page(viewport={'width': 1280, 'height': 1180})
        page.add_init_script(WATCH)
        page.goto(file.as_uri() + LINK)
        page.wait_for_function('window.seen.digest')
        times.append(page.evaluate('window.seen.digest'))
        page.close()
    print(
        f'an address that is the search: the digest after {statistics.median(times):.0f} ms '
        f'(the median of {len(times)}), all within {max(times):.0f} ms'
    )


def cost(browser: object, file: Path) -> None:
    """Print what a page costs in time of its processor, however busy the machine is."""
    page = browser.new_page(viewport={'width': 1280, 'height': 1180})
    asked = page.context.new_cdp_session(page)
    asked.send('Performance.enable', {'timeDomain': 'threadTicks'})

    def spent() -> float:
        metrics = asked.send('Performance.getMetrics')['metrics']
        return 1000 * next(it['value'] for it in metrics if it['name'] == 'TaskDuration')

    page.add_init_script(WATCH)
    page.goto(file.as_uri())
    page.wait_for_function('window.seen.digest')
    begun, seen = spent(), page.evaluate('window.seen')
    print(f'opening: the first picture after {seen["picture"]:.0f} ms, the digest after '
          f'{seen["digest"]:.0f} ms; {begun:.0f} ms of the processor')  # fmt: skip
    steps, busy = [], []
    for step in range(COUNT):
        before = spent()
        steps.append(page.evaluate(STEP, 1 + step * 7919 % 20_000))
        busy.append(spent() - before)
    for name, times in (('a step', steps), ('of the processor', busy)):
        print(
            f'{name}: {statistics.median(times):.0f} ms (the median of {COUNT}), 19 of 20 within '
            f'{sorted(times)[COUNT * 19 // 20 - 1]:.0f} ms, all within {max(times):.0f} ms'
        )


def main(folder: Path | None) -> None:
    """Take the times, and the pictures if there is a folder."""
    with tempfile.TemporaryDirectory() as made, sync_playwright() as driver:
        one, two, link = pages(Path(made))
        path = shutil.which('chromium') or shutil.which('google-chrome')
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        cost(browser, one)
        linked(browser, link)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            pictures(browser, one, two, link, folder)
        browser.close()


def pictures(browser: object, one: Path, two: Path, link: Path, folder: Path) -> None:
    """Write the pictures of the documentation."""
    wide, narrow = ({'width': width, 'height': 1180} for width in (1280, 390))
    first, story = {'width': 1200, 'height': 700}, {'width': 1280, 'height': 900}
    for theme in ('light', 'dark'):
        for name, page, place, viewport in (
            ('explorer', one, '', wide),
            ('first_screen', one, '#k=7007', first),
            ('unlucky', link, UNLUCKY, story),
            ('explorer_phone', one, '#k=7007', narrow),
        ):
            seen = opened(browser, page, place, viewport=viewport, color_scheme=theme)
            taken(seen, folder / f'{name}_{theme}.png')
    dark = opened(browser, two, '#k=1200&at=1&move=3', viewport=wide, color_scheme='dark')
    taken(dark, folder / 'explorer_two.png')


if __name__ == '__main__':
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
