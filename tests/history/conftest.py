"""The searches whose histories are tested: every kind of column, expansion and playout."""

from fmcts import Search
from fmcts.games import connect4, othello, tictactoe

STARTS = {
    'tictactoe': tictactoe.start.play(4),
    'connect4': connect4.start.play(3).play(3),
    'othello': othello.start,
}


def halved(state):
    """What a state is worth to X: not a whole number of halves."""
    return 0.3 if state.player.value == 'X' else 0.6


def rule(edge, parent):
    """A rule that branches, so that no formula can be traced."""
    return edge.value + (0.5 if edge.visits > 10 else 1.0) * parent.log_visits / edge.visits


SEARCHES = {
    'plain': Search(200),
    'random': Search(200, expansion='random', c=0.4),
    'full': Search(120, expansion='full'),
    'selected': Search(200, selection='ucb1-fpu'),
    'jump': Search(200, expansion='jump'),
    'solver': Search(250, solver=True, bounds=True),
    'closing': Search(250, closing=True, final='max'),
    'tuned': Search(200, selection='ucb1-tuned'),
    'rave': Search(150, selection='rave'),
    'grave': Search(150, selection='grave'),
    'puct': Search(150, selection='puct'),
    'minimax': Search(150, selection='implicit-minimax'),
    'mast': Search(150, playout='mast'),
    'nst': Search(150, playout='nst'),
    'power-mean': Search(150, selection='power-mean'),
    'bayes': Search(150, selection='bayes-uct2'),
    'reply': Search(150, playout='last-good-reply', solver=True),
    'chains': Search(150, rollout_expand=True),
    'joined': Search(150, rollout_expand=True, expansion='jump', playout='mast'),
    'evaluated': Search(150, evaluate=halved),
    'cut': Search(150, evaluate=halved, evaluate_after=3),
    'rule': Search(150, selection=rule),
    'small': Search(200, max_nodes=90),
    'sound': Search(150, transpositions='sound'),
    'naive': Search(120, transpositions='naive', expansion='random'),
    'full graph': Search(120, transpositions='sound', expansion='full'),
}
