"""The explorer in a browser: its pictures in the documentation, and what a page costs.

    .venv/bin/python benchmarks/explorer.py docs/pictures

It writes three pictures to the folder, and prints the size of a page with 20,000 iterations of
Connect Four, and the processor's time from its opening to the digest and for a step of the slider.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from fmcts import Search, SplitMix
from fmcts.explore import explore
from fmcts.games import connect4
from fmcts.history import history

FLAGS = ('--no-sandbox', '--disable-gpu', '--disable-background-networking')
LARGE = 190_000  # bytes
COUNT = 50
STEPS = """(count) => {
  for (let step = 0; step < count; step++) {
    explorer.go({ k: 1 + (step * 7919) % explorer.last });
    document.body.offsetHeight; // the layout, too
  }
}"""


def pages(folder: Path) -> tuple[Path, Path]:
    """Write the pages: one search of 20,000 iterations, and two of 3,000."""
    state, rng = connect4.start.play(3).play(3).play(2), SplitMix.from_seed(42)
    before = ('3', '3', '2')
    one = explore(history(state, rng, Search(20_000)), name='mcts:20000', before=before)
    size = one.save(folder / 'one.html')
    print(f'page of 20,000 iterations: {size:,} bytes')
    both = [history(state, rng, Search(3_000, c=c)) for c in (2**0.5, 0.5)]
    names = {'name': 'mcts:3000', 'other': 'mcts:3000,c=0.5'}
    explore(*both, **names, before=before).save(folder / 'two.html')
    return folder / 'one.html', folder / 'two.html'


def opened(browser: object, page: Path, fragment: str = '', **options: object) -> Page:
    """Return a page of the browser once it has computed the digest."""
    shown = browser.new_page(**options)
    shown.goto(page.as_uri() + fragment)
    shown.wait_for_selector('#digest .same')
    shown.wait_for_function('window.explorer')
    return shown


def taken(page: Page, file: Path) -> None:
    """Write a picture of a page, in few colours where it would be large."""
    picture = Image.open(BytesIO(page.screenshot())).convert('RGB')
    picture.save(file, optimize=True)
    if file.stat().st_size > LARGE:
        picture.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


def cost(browser: object, file: Path) -> None:
    """Print what a page costs in time of its processor, however busy the machine is."""
    page = browser.new_page(viewport={'width': 1280, 'height': 1180})
    asked = page.context.new_cdp_session(page)
    asked.send('Performance.enable', {'timeDomain': 'threadTicks'})

    def spent() -> float:
        metrics = asked.send('Performance.getMetrics')['metrics']
        return 1000 * next(it['value'] for it in metrics if it['name'] == 'TaskDuration')

    page.goto(file.as_uri())
    page.wait_for_function('window.explorer && explorer.one.found')
    begun = spent()
    page.evaluate(STEPS, COUNT)
    print(f'from opening to the first picture and the digest: {begun:.0f} ms')
    print(f'a step of the slider: {(spent() - begun) / COUNT:.0f} ms, the mean of {COUNT}')


def main(folder: Path) -> None:
    """Take the pictures and the times."""
    with tempfile.TemporaryDirectory() as made, sync_playwright() as driver:
        one, two = pages(Path(made))
        path = shutil.which('chromium') or shutil.which('google-chrome')
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        wide = {'width': 1280, 'height': 1180}
        light = opened(browser, one, viewport=wide)
        taken(light, folder / 'explorer.png')
        cost(browser, one)
        dark = opened(browser, two, '#k=1200&at=1&move=3', viewport=wide, color_scheme='dark')
        taken(dark, folder / 'explorer_two.png')
        phone = opened(browser, one, '#k=7007', viewport={'width': 390, 'height': 1180})
        taken(phone, folder / 'explorer_phone.png')
        browser.close()


if __name__ == '__main__':
    main(Path(sys.argv[1]))
