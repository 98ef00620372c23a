"""The progress of matches: games done, the score so far, and the match."""

import pytest

from fmcts.cli import main
from fmcts.cli._progress import Progress


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
