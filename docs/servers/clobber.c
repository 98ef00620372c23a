/* Clobber, the same game as clobber.js, without a library for JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int width = 5, height = 4;

static void position(const char *cells, char player, const char *version) {
  static const int across[] = {1, 0, -1, 0}, down[] = {0, 1, 0, -1};
  char other = player == 'X' ? 'O' : 'X';
  int count = 0;
  printf("{%s\"state\":\"%s%c\",\"player\":\"%c\",\"moves\":[", version, cells, player, player);
  for (int from = 0; from < width * height; from++)
    for (int way = 0; way < 4 && cells[from] == player; way++) {
      int x = from % width, y = from / width, i = x + across[way], j = y + down[way];
      if (i >= 0 && i < width && j >= 0 && j < height && cells[i + width * j] == other)
        printf("%s\"%c%d%c%d\"", count++ ? "," : "", 'a' + x, y + 1, 'a' + i, j + 1);
    }
  printf("],\"text\":\"");
  for (int y = 0; y < height; y++) printf("%s%.*s", y ? "\\n" : "", width, cells + width * y);
  printf(count ? "\"}" : "\",\"over\":true,\"winner\":\"%c\"}", other);
}

int main(int count, char **words) {
  static char line[1 << 16], start[65];
  if (count == 3) width = atoi(words[1]), height = atoi(words[2]);
  for (int i = 0; i < width * height; i++) start[i] = "XO"[(i % width + i / width) % 2];
  while (fgets(line, sizeof line, stdin)) { /* [["play","XOX.....X","a1b1"],...], without spaces */
    char comma = '[', cells[65], player, from[3], to[3];
    for (char *at = line; (at = strstr(at + 1, "[\"")); comma = ',') {
      putchar(comma);
      if (sscanf(at, "[\"play\",\"%64[XO.]", cells) != 1) {
        position(start, 'X', "\"version\":1,");
        continue;
      }
      player = cells[width * height];
      cells[width * height] = 0;
      sscanf(at + 9 + width * height + 4, "%2s%2s", from, to);
      cells[to[0] - 'a' + width * (to[1] - '1')] = player;
      cells[from[0] - 'a' + width * (from[1] - '1')] = '.';
      position(cells, player == 'X' ? 'O' : 'X', "");
    }
    puts("]");
    fflush(stdout);
  }
}
