#include "board/graph_places.h"

#include <math.h>

/* Springs along links and a force that drives all cells apart (Fruchterman and Reingold), from a
   circle on, with a fixed number of rounds: the same graph always looks the same. */
enum { ROUNDS = 200, PLACED_MOST = 150 };

typedef struct force {
  double x, y;
} force;

static void start_on_circle(board *b) {
  const double radius = b->cells.count / 4.0 + 0.5;
  for (uint32_t i = 0; i < b->cells.count; i++) {
    const double angle = 6.2831853 * i / b->cells.count;
    b->cells.items[i].x = radius * sin(angle);
    b->cells.items[i].y = -radius * cos(angle);
  }
}

static void push_apart(const board *b, force *f) {
  for (uint32_t i = 0; i < b->cells.count; i++)
    for (uint32_t k = 0; k < b->cells.count; k++) {
      if (i == k) continue;
      const double dx = b->cells.items[i].x - b->cells.items[k].x;
      const double dy = b->cells.items[i].y - b->cells.items[k].y;
      const double square = fmax(dx * dx + dy * dy, 0.01);
      f[i].x += 2.6 * dx / square;
      f[i].y += 2.6 * dy / square;
    }
}

static void pull_links(const board *b, force *f) {
  for (uint32_t i = 0; i < b->links.count; i++) {
    const board_link l = b->links.items[i];
    const double dx = b->cells.items[l.to].x - b->cells.items[l.from].x;
    const double dy = b->cells.items[l.to].y - b->cells.items[l.from].y;
    const double length = sqrt(dx * dx + dy * dy) / 1.6;
    f[l.from].x += dx * length;
    f[l.from].y += dy * length;
    f[l.to].x -= dx * length;
    f[l.to].y -= dy * length;
  }
}

/* Parts that nothing joins stay near each other. */
static void pull_inwards(const board *b, force *f) {
  for (uint32_t i = 0; i < b->cells.count; i++) {
    f[i].x -= 0.15 * b->cells.items[i].x;
    f[i].y -= 0.15 * b->cells.items[i].y;
  }
}

static void move_by(board *b, const force *f, double most) {
  for (uint32_t i = 0; i < b->cells.count; i++) {
    const double length = fmax(hypot(f[i].x, f[i].y), 1e-9);
    const double by = fmin(length, most) / length;
    b->cells.items[i].x += f[i].x * by;
    b->cells.items[i].y += f[i].y * by;
  }
}

static void move_to_origin(board *b) {
  double x = 1e9, y = 1e9;
  for (uint32_t i = 0; i < b->cells.count; i++) {
    x = fmin(x, b->cells.items[i].x);
    y = fmin(y, b->cells.items[i].y);
  }
  for (uint32_t i = 0; i < b->cells.count; i++) {
    b->cells.items[i].x = round((b->cells.items[i].x - x) * 100) / 100;
    b->cells.items[i].y = round((b->cells.items[i].y - y) * 100) / 100;
  }
}

void graph_place(board *b, arena *scratch) {
  start_on_circle(b);
  force *f = arena_new_array(scratch, force, b->cells.count);
  for (uint32_t round = 0; round < ROUNDS && b->cells.count <= PLACED_MOST; round++) {
    memset(f, 0, b->cells.count * sizeof *f);
    push_apart(b, f);
    pull_links(b, f);
    pull_inwards(b, f);
    move_by(b, f, 1.0 * (ROUNDS - round) / ROUNDS);
  }
  move_to_origin(b);
}
