"""The sliding puzzle of docs/worked_games.md: one player, a winner only where it is solved."""

from attrs import frozen

from fmcts.game import illegal

SOLVED = (1, 2, 3, 4, 5, 6, 7, 8, 0)


@frozen
class Puzzle:
    """The tiles, 0 for the gap, and how many moves are left; a move is the tile that slides."""

    cells: tuple = (4, 1, 3, 0, 2, 6, 7, 5, 8)  # solved in six moves
    left: int = 6
    players = ('player',)
    player = 'player'
    over = property(lambda self: self.cells == SOLVED or self.left == 0)
    winner = property(lambda self: 'player' if self.cells == SOLVED else None)

    @property
    def moves(self):
        row, column = divmod(self.cells.index(0), 3)
        beside = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        cells = [3 * r + c for r, c in beside if r in range(3) and c in range(3)]
        return () if self.over else tuple(sorted(self.cells[cell] for cell in cells))

    def play(self, tile):
        if tile not in self.moves:
            raise illegal(self, tile)
        swapped = {tile: 0, 0: tile}
        return Puzzle(tuple(swapped.get(it, it) for it in self.cells), self.left - 1)
