// Clobber: a stone moves onto a neighbour of the other colour, which is gone; who cannot move loses.
const [width = 5, height = 4] = process.argv.slice(2).map(Number)
const other = { X: 'O', O: 'X' }
const letters = 'abcdefgh'

function position(cells, player) {
  const moves = []
  for (let from = 0; from < width * height; from++) {
    const x = from % width, y = Math.floor(from / width)
    if (cells[from] !== player) continue
    for (const [across, down] of [[1, 0], [0, 1], [-1, 0], [0, -1]]) {
      const [i, j] = [x + across, y + down]
      if (i < 0 || i >= width || j < 0 || j >= height) continue
      if (cells[i + width * j] === other[player]) moves.push(letters[x] + (y + 1) + letters[i] + (j + 1))
    }
  }
  const state = cells.join('') + player, over = moves.length === 0
  const text = state.slice(0, -1).match(RegExp(`.{${width}}`, 'g')).join('\n')
  return { state, player, moves, over, winner: over ? other[player] : null, text }
}

function answer([kind, state, move]) {
  if (kind === 'start') {
    const cells = Array.from({ length: width * height }, (_, i) => 'XO'[(i % width + Math.floor(i / width)) % 2])
    return { version: 1, ...position(cells, 'X') }
  }
  if (kind !== 'play') return { error: `unknown question ${kind}` }
  const cells = [...state], player = cells.pop()
  const cell = (word) => letters.indexOf(word[0]) + width * (word[1] - 1)
  cells[cell(move.slice(2))] = player
  cells[cell(move)] = '.'
  return position(cells, other[player])
}

require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  console.log(JSON.stringify(JSON.parse(line).map(answer)))
})
