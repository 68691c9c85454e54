/* What can be had of a player of dark tic-tac-toe (games/dark-tic-tac-toe.kif) who moves at random: the
   value of a best response, by enumeration of all that the one who responds may know.

     build/release/tools/dark_response x|o

   The rules are written down here once more, so that nothing is shared with what is judged by it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES = 9, FULL = (1 << SQUARES) - 1 };

/* Squares as bits: those that a player has marked, and those that it has tried. */
typedef struct side {
  uint16_t marks, tried;
} side;

/* What the other may have, with its probability. */
typedef struct world {
  side other;
  double weight;
} world;

typedef struct world_list {
  world *items;
  uint32_t count;
} world_list;

static bool has_line(uint16_t marks) {
  static const uint16_t lines[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
  for (int i = 0; i < 8; i++)
    if ((marks & lines[i]) == lines[i]) return true;
  return false;
}

static world_list list_new(size_t room) {
  world_list l = {malloc((room ? room : 1) * sizeof(world)), 0};
  if (!l.items) abort();
  return l;
}

static void add(world_list *l, side other, double weight) {
  l->items[l->count++] = (world){other, weight};
}

static int compare(const void *a, const void *b) {
  const side *s = &((const world *)a)->other, *t = &((const world *)b)->other;
  return s->marks != t->marks ? s->marks - t->marks : s->tried - t->tried;
}

static void merge_equal(world_list *l) {
  uint32_t kept = 0;
  qsort(l->items, l->count, sizeof *l->items, compare);
  for (uint32_t i = 0; i < l->count; i++)
    if (kept && compare(&l->items[kept - 1], &l->items[i]) == 0)
      l->items[kept - 1].weight += l->items[i].weight;
    else
      l->items[kept++] = l->items[i];
  l->count = kept;
}

static double choose(side own, const world_list *worlds);

/* One try of the other in one world; what it is worth to us if that ends the game. */
static double let_try(side own, const world *w, int square, double weight, world_list *failed,
                      world_list *done) {
  const uint16_t bit = (uint16_t)(1 << square);
  side other = {w->other.marks, w->other.tried | bit};
  if (own.marks & bit) return add(failed, other, weight), 0;
  other.marks |= bit;
  if (has_line(other.marks)) return 0;
  if ((other.marks | own.marks) == FULL) return weight / 2;
  return add(done, other, weight), 0;
}

/* The other tries; whose turn it is then tells us whether it has failed. */
static double let_move(side own, const world_list *worlds) {
  double value = 0;
  if (!worlds->count) return 0;
  world_list failed = list_new((size_t)worlds->count * SQUARES),
             done = list_new((size_t)worlds->count * SQUARES);
  for (uint32_t i = 0; i < worlds->count; i++) {
    const world *w = &worlds->items[i];
    const int left = SQUARES - __builtin_popcount(w->other.tried);
    for (int square = 0; square < SQUARES; square++)
      if (!(w->other.tried >> square & 1))
        value += let_try(own, w, square, w->weight / left, &failed, &done);
  }
  merge_equal(&failed);
  merge_equal(&done);
  value += let_move(own, &failed) + choose(own, &done);
  free(failed.items);
  free(done.items);
  return value;
}

static double try_square(side own, const world_list *worlds, uint16_t bit) {
  double value = 0;
  world_list failed = list_new(worlds->count), done = list_new(worlds->count);
  const side next = {own.marks | bit, own.tried | bit};
  for (uint32_t i = 0; i < worlds->count; i++) {
    const world *w = &worlds->items[i];
    if (w->other.marks & bit)
      add(&failed, w->other, w->weight);
    else if (has_line(next.marks))
      value += w->weight;
    else if ((w->other.marks | next.marks) == FULL)
      value += w->weight / 2;
    else
      add(&done, w->other, w->weight);
  }
  value += choose((side){own.marks, next.tried}, &failed) + let_move(next, &done);
  free(failed.items);
  free(done.items);
  return value;
}

static double choose(side own, const world_list *worlds) {
  double best = 0;
  if (!worlds->count) return 0;
  for (int square = 0; square < SQUARES; square++) {
    if (own.tried >> square & 1) continue;
    const double value = try_square(own, worlds, (uint16_t)(1 << square));
    if (value > best) best = value;
  }
  return best;
}

int main(int argc, char **argv) {
  world empty = {.weight = 1};
  const world_list start = {&empty, 1};
  const bool is_x = argc == 2 && strcmp(argv[1], "x") == 0;
  if (!is_x && (argc != 2 || strcmp(argv[1], "o") != 0)) {
    fputs("usage: dark_response x|o\n", stderr);
    return 2;
  }
  printf("%.2f\n", 100 * (is_x ? choose((side){0}, &start) : let_move((side){0}, &start)));
}
