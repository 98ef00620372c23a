"""Each wrong game, bot, search, generator and simulator breaks the law named for it, in one line.

`reports.txt` has the reports. Of one that ends with `...` what follows depends on hashes, addresses
or noise.
"""

from functools import partial
from pathlib import Path

import pytest

import zoo_bots
import zoo_declared  # noqa: F401 - it enters its games
import zoo_games  # noqa: F401 - the same
import zoo_generators
import zoo_methods
import zoo_simulators
from fmcts import testing
from fmcts._running.registry import ENGINES, Engine
from fmcts.games import tictactoe
from fmcts.testing import (
    check_bot,
    check_game,
    check_rng,
    check_search,
    check_simulator,
    same_game,
)
from fmcts.testing._laws.elsewhere import ALREADY
from tiers import EXHAUSTIVE
from toy_games import play_line
from zoo_right import WRONG

LINES = (Path(__file__).parent / 'reports.txt').read_text('utf-8').splitlines()
REPORTS = dict(line.split(' | ', 1) for line in LINES)
FEWER = {'positions': 40, 'games': 6}
"""The default run looks at fewer positions, where these have the breach."""

NEARER = {
    'AfterTheEnd': (0, 3, 1),
    'GoesOn': (0, 3, 1),
    'Leading': (0, 3, 1),
    'NeverFull': (0, 1, 2, 4),
}
"""It begins nearer to breaches that are far away, as all positions before them are looked at."""


def game(wrong, begun, extent):
    if wrong.theirs is not None:
        return same_game(wrong.start, wrong.theirs, **wrong.told)
    return check_game(play_line(wrong.start, begun), max_plies=50, **(extent | wrong.told))


def search(name, law):
    few = 210 if name == 'a stop that counts' else 60
    return partial(
        check_search,
        zoo_methods.WRONG[name].search,
        tictactoe.start,
        engines=('inplace', 'persistent', 'monadic'),
        iterations=few,
        symmetries=zoo_methods.SYMMETRIES if name == 'to the left' else (),
        judged=150 if law == zoo_methods.WORSE else 0,
    )


def engine(name):
    run, _, replaced = zoo_methods.WRONG_ENGINES[name]
    before, ENGINES[replaced] = ENGINES[replaced], Engine(replaced, run)
    try:
        engines = ('inplace', 'persistent')
        return check_search('ucb1', zoo_methods.LATE, engines=engines, judged=0)
    finally:
        ENGINES[replaced] = before


def cases():
    """All that is wrong: its name, its law, the length of the line (`None`: any), the check."""
    for wrong in WRONG:
        begun = NEARER.get(wrong.name, ())
        run = partial(game, wrong, begun, FEWER)
        yield f'game {wrong.name}', wrong.law, wrong.line - len(begun), run
    for name, (bot, start, law) in zoo_bots.WRONG.items():
        yield f'bot {name}', law, None, partial(check_bot, bot, start, tries=20)
    for name, (rng, law, text) in zoo_generators.WRONG.items():
        yield f'generator {name}', law, None, partial(check_rng, rng, text=text)
    for name, (_, law) in zoo_methods.WRONG.items():
        yield f'search by {name}', law, None, search(name, law)
    for name, (_, law, _) in zoo_methods.WRONG_ENGINES.items():
        yield f'engine that {name}', law, 0, partial(engine, name)
    for name, (reset, law, line) in zoo_simulators.WRONG.items():
        few = {'actions': (-1, 1), 'positions': 30, 'games': 2, 'steps': 20}
        run = partial(check_simulator, reset, zoo_simulators.step, **few)
        yield f'simulator {name}', law, line, run


CASES = {f'{name}: {law}': (law, line, check) for name, law, line, check in cases()}
SUITES = {
    'game': (*testing.GAME_LAWS, *testing.CHANCE_LAWS, *testing.SAME_LAWS),
    'bot': testing.BOT_LAWS[1:],  # the first is that of games, as bots and searches see them
    'generator': testing.GENERATOR_LAWS,
    'search': testing.SEARCH_LAWS[1:],
    'simulator': testing.SIMULATOR_LAWS,
}
IN_A_PROCESS = {law.name for laws in SUITES.values() for law in laws if law.scope == 'process'}


@pytest.mark.parametrize('name', CASES)
def test_everything_wrong_is_reported(name, monkeypatch):
    law, line, check = CASES[name]
    if law not in IN_A_PROCESS:  # a start of Python costs more than all the rest
        monkeypatch.setenv(ALREADY, '1')
    breach = check().failure()
    assert breach.law == law
    assert line in {None, len(breach.line)}, str(breach)
    report, cut, _ = REPORTS.get(name, '').partition(' ...')
    found = str(breach)[: len(report) if cut else None]
    assert found == report, f'the line of reports.txt: {name} | {breach}'


@pytest.mark.parametrize(
    'wrong', [it for it in WRONG if it.theirs is None], ids=lambda it: f'{it.name}: {it.law}'
)
@EXHAUSTIVE
def test_the_line_of_a_wrong_game_is_as_short_from_its_beginning(wrong, monkeypatch):
    if wrong.law not in IN_A_PROCESS:
        monkeypatch.setenv(ALREADY, '1')
    breach = game(wrong, (), {}).failure()
    assert (breach.law, len(breach.line)) == (wrong.law, wrong.line), str(breach)


@pytest.mark.parametrize('suite', SUITES)
def test_every_law_has_something_wrong(suite):
    like = {'search': ('search', 'engine')}.get(suite, suite)
    broken = {law for name, (law, *_) in CASES.items() if name.startswith(like)}
    assert broken == {law.name for law in SUITES[suite]}


def test_no_two_laws_share_a_name():
    for laws in SUITES.values():
        names = {law.name: law.sentence for law in laws}
        assert all(names[law.name] == law.sentence or law.basic for law in laws)
