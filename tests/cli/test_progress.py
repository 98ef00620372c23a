from types import SimpleNamespace

import pytest

from fmcts import SplitMix, monte_carlo, random_bot
from fmcts.cli import _progress as progress, main
from fmcts.cli._progress import PATIENCE, Progress, decide
from fmcts.games import tictactoe

RNG = SplitMix.from_seed(0)


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand, and a standard error that counts as a terminal."""
    clock = SimpleNamespace(now=100.0, drawn=[])
    monkeypatch.setattr(progress, 'monotonic', lambda: clock.now)
    stderr = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr(progress, 'sys', SimpleNamespace(stderr=stderr))
    monkeypatch.setattr(Progress, '_draw', lambda _self, *what: clock.drawn.append(what))
    return clock


def test_progress_appears_after_a_second_ten_times_a_second(clock):
    assert PATIENCE == 1.0
    with Progress() as shown:
        watch = shown.watching('X thinks', 9)
        clock.now += PATIENCE - 0.0625
        watch(1)
        assert clock.drawn == []
        clock.now += 0.0625
        watch(2)
        watch(3)
        clock.now += 0.0625
        watch(4)
        clock.now += 0.0625
        watch(5)
    assert clock.drawn == [('X thinks', 9, 2), ('X thinks', 9, 5)]


def test_the_clock_starts_with_the_first_of_several_searches(clock):
    with Progress() as shown:
        shown.watching('X thinks', 9)(9)
        clock.now += PATIENCE
        shown.watching('O thinks', 9)(1)
    assert clock.drawn == [('O thinks', 9, 1)]


def test_nothing_is_drawn_without_a_terminal(monkeypatch):
    stderr = SimpleNamespace(isatty=lambda: False)
    monkeypatch.setattr(progress, 'sys', SimpleNamespace(stderr=stderr))
    monkeypatch.setattr(progress, 'monotonic', iter([0.0]).__next__)  # the clock is not asked again
    with Progress() as shown:
        shown.watching('X thinks', 9)(9)
    assert shown.bar is None


@pytest.mark.parametrize('bot', [monte_carlo(90), random_bot])
def test_watching_does_not_change_a_bot_s_play(bot):
    with Progress() as shown:
        assert decide(bot, tictactoe.start, RNG, shown)[:2] == bot(tictactoe.start, RNG)


@pytest.mark.parametrize(
    ('words', 'names'),
    [
        (['match', 'tictactoe', 'mc:9', 'random'], [('mc:9', 'random')]),
        (['match', 'tictactoe', 'mcts:9', 'random', '--keep-trees'], [('mcts:9', 'random')]),
        (
            ['tournament', 'tictactoe', 'mc:9', 'mc:2', 'random'],
            [('mc:9', 'mc:2'), ('mc:9', 'random'), ('mc:2', 'random')],
        ),
        (
            ['curve', 'tictactoe', 'mc:count=wins', '--budgets', '2,9', '--against', 'random'],
            [('mc:2,count=wins', 'random'), ('mc:9,count=wins', 'random')],
        ),
    ],
    ids=['match', 'keep_trees', 'tournament', 'curve'],
)
def test_the_score_of_the_running_match_is_shown(words, names, monkeypatch, capsys):
    shown = []
    monkeypatch.setattr(
        Progress,
        'watching',
        lambda _self, label, total: lambda done: shown.append((label.split(), total, done)),
    )
    assert main([*words, '--games', '6']) == 0
    capsys.readouterr()
    total = 6 * len(names)
    assert [(total_, done) for _, total_, done in shown] == [(total, n + 1) for n in range(total)]
    for number, (label, _, _) in enumerate(shown):
        one, points, colon, lost, two = label
        assert (one, two) == names[number // 6]
        assert (colon, float(points) + float(lost)) == (':', number % 6 + 1)
