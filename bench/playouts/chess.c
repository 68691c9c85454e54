/* Chess, drawn after 200 plies.  Legal moves are found for all pieces at once, as sets of target
   squares, one set for each way to move: a square that is reached in one direction is reached by
   one piece only, so that a set and a square in it name a move, and counting bits counts moves.
   No list of moves is ever made. */
#include "rays.h"

#include <string.h>

enum { PLIES = 200, SQUARES = 64, TOGETHER = 2 };

static const char *const role_names[2] = {"white", "black"};

#define ROW(n) (ROW_1 << 8 * ((n)-1))
#define SQUARE(file, row) (1ull << ((file) - 'a' + 8 * ((row)-1)))
#define HOME(row) (SQUARE('a', row) | SQUARE('e', row) | SQUARE('h', row))

/* Ways to move: first the eight directions of lines, then of jumps, then the rest. */
enum {
  JUMPS = DIRECTIONS,
  PUSH = 2 * DIRECTIONS,
  PUSH_FAR,
  TAKE_RIGHT,
  TAKE_LEFT,
  KING,
  CASTLE,
  COMMON_WAYS = 3 * DIRECTIONS
};

/* Ways that are seldom open.  A promotion counts four times, once for each piece. */
enum { PROMOTE, PROMOTE_RIGHT, PROMOTE_LEFT, PASSING_RIGHT, PASSING_LEFT, RARE_WAYS };
enum { PROMOTION_PIECES = 4 };

typedef struct state {
  uint64_t own, other; /* of the player to move, and of the one who moved last */
  uint64_t pawns, knights, kings;
  uint64_t diagonals, straights; /* pieces that go along them: a queen is in both */
  uint64_t untouched;            /* home squares of kings and rooks that nothing left or entered */
  uint64_t passing;              /* the square that a pawn has just passed, or none */
  uint32_t ply;
} state;

typedef struct view {
  _Alignas(64) uint64_t targets[COMMON_WAYS];
  uint64_t rare[RARE_WAYS];
  uint64_t sums[3]; /* a byte a way: moves in it and in those before, of each eight ways */
  uint32_t common;  /* moves in common ways */
  bool mate;
} view;

/* What differs between the players.  Turns are counts for rotating a word. */
typedef struct side {
  uint8_t up, up_right, up_left; /* turns that move a pawn */
  uint8_t right_axis, left_axis; /* directions of its captures */
  uint64_t third, last;          /* rows */
  uint64_t king_home, short_rook, long_rook;
  uint64_t short_empty, long_empty, short_safe, long_safe;
  uint64_t short_target, long_target;
} side;

#define CASTLING(row) \
  .king_home = SQUARE('e', row), .short_rook = SQUARE('h', row), .long_rook = SQUARE('a', row), \
  .short_empty = SQUARE('f', row) | SQUARE('g', row), \
  .long_empty = SQUARE('b', row) | SQUARE('c', row) | SQUARE('d', row), \
  .short_safe = SQUARE('f', row) | SQUARE('g', row), \
  .long_safe = SQUARE('c', row) | SQUARE('d', row), .short_target = SQUARE('g', row), \
  .long_target = SQUARE('c', row)

static const side sides[2] = {{.up = 8,
                               .up_right = 9,
                               .up_left = 7,
                               .right_axis = UP_RIGHT,
                               .left_axis = UP_LEFT,
                               .third = ROW(3),
                               .last = ROW(8),
                               CASTLING(1)},
                              {.up = 56,
                               .up_right = 57,
                               .up_left = 55,
                               .right_axis = DOWN_RIGHT,
                               .left_axis = DOWN_LEFT,
                               .third = ROW(6),
                               .last = ROW(1),
                               CASTLING(8)}};

static const rays jump_step = {17, 47, 15, 49, 10, 54, 6, 58};

#define FILES_12 (FILE_1 | FILE_1 << 1)
#define FILES_78 (FILE_8 | FILE_8 >> 1)
static const rays jump_inside = {~(ROW(1) | ROW(2) | FILE_1), ~(ROW(7) | ROW(8) | FILE_8),
                                 ~(ROW(1) | ROW(2) | FILE_8), ~(ROW(7) | ROW(8) | FILE_1),
                                 ~(ROW(1) | FILES_12),        ~(ROW(8) | FILES_78),
                                 ~(ROW(1) | FILES_78),        ~(ROW(8) | FILES_12)};

/* Where a move that arrives at a square may have come from, by way and square; the ways of the
   second player's pawns come last.  Along a line it is the piece that stands nearest. */
static uint64_t origins[COMMON_WAYS + DIRECTIONS][SQUARES];

static uint64_t turn(uint64_t x, uint32_t by) { return x << (by & 63) | x >> (-by & 63); }

/* ---- attacks ---- */

static uint64_t jumps_from(uint64_t x) {
  const uint64_t one = (x >> 1 & ~FILE_8) | (x << 1 & ~FILE_1);
  const uint64_t two = (x >> 2 & ~FILES_78) | (x << 2 & ~FILES_12);
  return one << 16 | one >> 16 | two << 8 | two >> 8;
}

static uint64_t around(uint64_t x) {
  const uint64_t row = x | (x >> 1 & ~FILE_8) | (x << 1 & ~FILE_1);
  return (row | row << 8 | row >> 8) & ~x;
}

static uint64_t strikes(uint64_t pawns, const side *c) {
  return (turn(pawns, c->up_right) & ~FILE_1) | (turn(pawns, c->up_left) & ~FILE_8);
}

INLINE rays sliders(const state *s, uint64_t of) {
  const uint64_t d = s->diagonals & of, t = s->straights & of;
  return (rays){t, t, t, t, d, d, d, d};
}

/* ---- origins ---- */

static uint64_t ray_behind(uint64_t square, uint32_t direction) {
  uint64_t ray = 0;
  for (uint64_t x = square; x & inside[direction]; ray |= x)
    x = turn(x, (uint32_t)-step_1[direction]);
  return ray;
}

#define PREPARES
static void prepare(void) {
  for (uint32_t i = 0; i < SQUARES; i++) {
    const uint64_t to = 1ull << i;
    for (uint32_t d = 0; d < DIRECTIONS; d++) {
      origins[d][i] = ray_behind(to, d);
      origins[JUMPS + d][i] = turn(to, (uint32_t)-jump_step[d]);
    }
    for (uint32_t player = 0; player < 2; player++) {
      const side *c = &sides[player];
      uint64_t(*way)[SQUARES] = origins + player * DIRECTIONS;
      way[PUSH][i] = turn(to, -(uint32_t)c->up);
      way[PUSH_FAR][i] = turn(to, -(2u * c->up));
      way[TAKE_RIGHT][i] = turn(to, -(uint32_t)c->up_right);
      way[TAKE_LEFT][i] = turn(to, -(uint32_t)c->up_left);
      way[KING][i] = around(to);
      way[CASTLE][i] = ~0ull;
    }
  }
}

INLINE state start(void) {
  return (state){.own = ROW(1) | ROW(2),
                 .other = ROW(7) | ROW(8),
                 .pawns = ROW(2) | ROW(7),
                 .knights = SQUARE('b', 1) | SQUARE('g', 1) | SQUARE('b', 8) | SQUARE('g', 8),
                 .kings = SQUARE('e', 1) | SQUARE('e', 8),
                 .diagonals = SQUARE('c', 1) | SQUARE('d', 1) | SQUARE('f', 1) | SQUARE('c', 8) |
                              SQUARE('d', 8) | SQUARE('f', 8),
                 .straights = SQUARE('a', 1) | SQUARE('d', 1) | SQUARE('h', 1) | SQUARE('a', 8) |
                              SQUARE('d', 8) | SQUARE('h', 8),
                 .untouched = HOME(1) | HOME(8)};
}

/* ---- where pieces other than the king may go ---- */

typedef struct bounds {
  uint64_t target; /* squares they may go to */
  rays lines;      /* pieces that may go along a direction */
  uint64_t pushing, taking_right, taking_left, jumping;
} bounds;

INLINE bounds without_bounds(const state *s) {
  return (bounds){~s->own, in_all(~0ull), ~0ull, ~0ull, ~0ull, ~0ull};
}

static uint64_t targets_in_check(const state *s, const side *c, uint64_t king, rays sees,
                                 rays back) {
  const rays checks = (rays)((back & king) != 0);
  const uint64_t leaps =
      s->other & ((jumps_from(king) & s->knights) | (strikes(king, c) & s->pawns));
  uint64_t count = bit_count(leaps);
  for (uint32_t d = 0; d < DIRECTIONS; d++) count += checks[d] & 1;
  return count == 1 ? leaps | in_any(sees & checks) : 0;
}

/* What the opponent's lines reach if they go on behind my king, which cannot flee along them. */
SELDOM uint64_t attacked_through(state s, uint64_t king) {
  const passage p = passage_over(in_all(~(s.own | s.other) | king));
  return in_any(step(fill(sliders(&s, s.other), &p)));
}

/* With a piece of mine between my king and a line, or in check.  `sees` is what my king sees in
   each direction, `back` the lines of the opponent that come from there. */
static bounds bounds_under_fire(state s, const side *c, uint64_t king, rays sees, rays back,
                                bool in_check) {
  const rays pinned = sees & back & s.own;
  const uint64_t unpinned = ~in_any(pinned);
  const rays lines = in_all(unpinned) | pinned | opposite(pinned);
  return (bounds){.target = in_check ? targets_in_check(&s, c, king, sees, back) : ~s.own,
                  .lines = lines,
                  .pushing = lines[UP],
                  .taking_right = lines[c->right_axis],
                  .taking_left = lines[c->left_axis],
                  .jumping = unpinned};
}

/* ---- seldom moves ---- */

/* Whether my king is safe after a pawn has gone from one square to another and taken on a third. */
static bool passing_is_safe(const state *s, uint64_t king, uint64_t from, uint64_t to,
                            uint64_t taken, const side *c) {
  const uint64_t other = s->other & ~taken, all = (((s->own | s->other) ^ from) & ~taken) | to;
  const passage p = passage_over(in_all(~all));
  const uint64_t lines = in_any(step(fill(in_all(king), &p)) & sliders(s, other));
  return !(lines | (jumps_from(king) & s->knights & other) | (strikes(king, c) & s->pawns & other));
}

static void look_for_passing(const state *s, view *v, const side *c, uint64_t king) {
  const uint64_t pawns = s->pawns & s->own, to = s->passing, taken = turn(to, -(uint32_t)c->up);
  const uint64_t from_left = turn(to & ~FILE_1, -(uint32_t)c->up_right) & pawns;
  const uint64_t from_right = turn(to & ~FILE_8, -(uint32_t)c->up_left) & pawns;
  if (from_left && passing_is_safe(s, king, from_left, to, taken, c)) v->rare[PASSING_RIGHT] = to;
  if (from_right && passing_is_safe(s, king, from_right, to, taken, c)) v->rare[PASSING_LEFT] = to;
}

static void look_for_promotions(view *v, uint64_t last) {
  static const uint8_t ways[] = {PUSH, TAKE_RIGHT, TAKE_LEFT};
  for (uint32_t i = PROMOTE; i <= PROMOTE_LEFT; i++) {
    v->rare[i] = v->targets[ways[i]] & last;
    v->targets[ways[i]] &= ~last;
  }
}

static uint32_t count_rare(const view *v) {
  uint32_t promotions = 0;
  for (uint32_t i = PROMOTE; i <= PROMOTE_LEFT; i++) promotions += bit_count(v->rare[i]);
  return promotions * PROMOTION_PIECES + bit_count(v->rare[PASSING_RIGHT]) +
         bit_count(v->rare[PASSING_LEFT]);
}

static uint32_t look_for_rare(state s, view *v, const side *c, uint64_t king) {
  for (uint32_t i = 0; i < RARE_WAYS; i++) v->rare[i] = 0;
  look_for_promotions(v, c->last);
  if (s.passing) look_for_passing(&s, v, c, king);
  return count_rare(v);
}

static uint64_t castling_targets(state s, const side *c, uint64_t attacked) {
  const uint64_t all = s.own | s.other, home = s.untouched;
  const bool is_short =
      (home & c->short_rook) && !(all & c->short_empty) && !(attacked & c->short_safe);
  const bool is_long =
      (home & c->long_rook) && !(all & c->long_empty) && !(attacked & c->long_safe);
  return (is_short ? c->short_target : 0) | (is_long ? c->long_target : 0);
}

/* ---- all moves ---- */

INLINE void look_for_pawns(const state *s, view *v, const side *c, const bounds *b) {
  const uint64_t pawns = s->pawns & s->own, empty = ~(s->own | s->other);
  const uint64_t pushed = turn(pawns & b->pushing, c->up) & empty, prey = s->other & b->target;
  v->targets[PUSH] = pushed & b->target;
  v->targets[PUSH_FAR] = turn(pushed & c->third, c->up) & empty & b->target;
  v->targets[TAKE_RIGHT] = turn(pawns & b->taking_right, c->up_right) & ~FILE_1 & prey;
  v->targets[TAKE_LEFT] = turn(pawns & b->taking_left, c->up_left) & ~FILE_8 & prey;
}

/* Bits in each of eight sets, a byte each. */
INLINE uint64_t count_each(rays sets) {
#ifdef __AVX512VPOPCNTDQ__
  const __m512i counts = _mm512_popcnt_epi64((__m512i)sets);
  return (uint64_t)_mm_cvtsi128_si64(_mm512_cvtepi64_epi8(counts));
#else
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < DIRECTIONS; i++) bytes |= (uint64_t)bit_count(sets[i]) << 8 * i;
  return bytes;
#endif
}

/* For sets that come from different places, where a load of all of them would have to wait. */
INLINE uint64_t count_rest(const view *v) {
  uint64_t bytes = 0;
  for (uint32_t i = PUSH; i <= CASTLE; i++)
    bytes |= (uint64_t)bit_count(v->targets[i]) << 8 * (i - PUSH);
  return bytes;
}

/* Each byte with those below it added up: no position has more than 218 moves. */
INLINE uint64_t sums_of(uint64_t bytes) { return bytes * 0x0101010101010101ull; }

INLINE uint32_t look(const state *s, view *v) {
  const side *c = &sides[s->ply & 1], *c2 = &sides[~s->ply & 1];
  const uint64_t all = s->own | s->other, king = s->kings & s->own;
  const passage over_empty = passage_over(in_all(~all));
  const rays raked = step(fill(sliders(s, s->other), &over_empty)), back = opposite(raked);
  const rays sees = step(fill(in_all(king), &over_empty));
  uint64_t attacked = in_any(raked) | jumps_from(s->knights & s->other) |
                      strikes(s->pawns & s->other, c2) | around(s->kings & s->other);
  const bool in_check = attacked & king;

  bounds b = without_bounds(s);
  if (UNLIKELY(in_check || is_any(sees & back & s->own))) {
    b = bounds_under_fire(*s, c, king, sees, back, in_check);
    if (in_check) attacked |= attacked_through(*s, king);
  }

  const uint64_t knights = s->knights & s->own & b.jumping;
  const rays lines = step(fill(sliders(s, s->own) & b.lines, &over_empty)) & b.target;
  const rays jumps = rotate(in_all(knights), jump_step) & jump_inside & b.target;
  memcpy(v->targets, &lines, sizeof lines);
  memcpy(v->targets + JUMPS, &jumps, sizeof jumps);
  look_for_pawns(s, v, c, &b);
  v->targets[KING] = around(king) & ~(s->own | attacked);
  v->targets[CASTLE] = 0;
  if (UNLIKELY(s->untouched & c->king_home) && !in_check)
    v->targets[CASTLE] = castling_targets(*s, c, attacked);

  uint32_t rare = 0;
  const uint64_t pawns_to = v->targets[PUSH] | v->targets[TAKE_RIGHT] | v->targets[TAKE_LEFT];
  if (UNLIKELY(s->passing | (pawns_to & c->last))) rare = look_for_rare(*s, v, c, king);
  v->sums[0] = sums_of(count_each(lines));
  v->sums[1] = sums_of(count_each(jumps));
  v->sums[2] = sums_of(count_rest(v));
  v->common = (uint32_t)((v->sums[0] >> 56) + (v->sums[1] >> 56) + (v->sums[2] >> 56));
  v->mate = in_check && !(v->common + rare);
  return s->ply < PLIES ? v->common + rare : 0;
}

/* ---- making a move ---- */

INLINE uint64_t moved(uint64_t pieces, uint64_t from, uint64_t to) {
  return (pieces & ~(from | to)) | (pieces & from ? to : 0);
}

INLINE void move_piece(state *s, uint64_t from, uint64_t to) {
  s->own ^= from | to;
  s->other &= ~to;
  s->pawns = moved(s->pawns, from, to);
  s->knights = moved(s->knights, from, to);
  s->kings = moved(s->kings, from, to);
  s->diagonals = moved(s->diagonals, from, to);
  s->straights = moved(s->straights, from, to);
  s->untouched &= ~(from | to);
}

static void play_promotion(state *s, uint64_t from, uint64_t to, uint32_t piece) {
  move_piece(s, from, to);
  s->pawns ^= to;
  if (piece == 0) s->knights |= to;
  if (piece & 1) s->diagonals |= to;
  if (piece & 2) s->straights |= to;
}

static state play_rare(state s, const view *v, uint32_t n) {
  const side *c = &sides[s.ply & 1];
  const uint8_t turns[RARE_WAYS] = {c->up, c->up_right, c->up_left, c->up_right, c->up_left};
  uint32_t way = 0;
  for (;; way++) {
    const uint32_t moves = bit_count(v->rare[way]) * (way <= PROMOTE_LEFT ? PROMOTION_PIECES : 1);
    if (n < moves) break;
    n -= moves;
  }
  if (way <= PROMOTE_LEFT) {
    const uint64_t to = nth_bit(v->rare[way], n / PROMOTION_PIECES);
    play_promotion(&s, turn(to, -(uint32_t)turns[way]), to, n % PROMOTION_PIECES);
  } else {
    const uint64_t to = v->rare[way], taken = turn(to, -(uint32_t)c->up);
    move_piece(&s, turn(to, -(uint32_t)turns[way]), to);
    s.other ^= taken;
    s.pawns ^= taken;
  }
  s.passing = 0;
  return s;
}

/* How many of eight bytes are at most n: the way in which move n of the eight is. */
INLINE uint32_t bytes_at_most(uint64_t bytes, uint32_t n) {
  const uint64_t tops = 0x8080808080808080ull, each = n * 0x0101010101010101ull;
  const uint64_t low = (each | tops) - (bytes & ~tops);
  return bit_count(((each & ~bytes) | (~(each ^ bytes) & low)) & tops);
}

INLINE void castle(state *s, const side *c, uint64_t to) {
  const uint64_t rook = to == c->short_target ? c->short_rook | to >> 1 : c->long_rook | to << 1;
  s->own ^= rook;
  s->straights ^= rook;
}

INLINE void play_common(state *s, const view *v, uint32_t n) {
  const side *c = &sides[s->ply & 1];
  const uint32_t lines = (uint32_t)(v->sums[0] >> 56), jumps = (uint32_t)(v->sums[1] >> 56);
  uint64_t sums = v->sums[0];
  uint32_t first = 0, before = 0;
  if (n >= lines) sums = v->sums[1], first = JUMPS, before = lines;
  if (n >= lines + jumps) sums = v->sums[2], first = PUSH, before = lines + jumps;
  n -= before;
  const uint32_t in_eight = bytes_at_most(sums, n), way = first + in_eight;
  n -= (uint32_t)(sums << 8 >> 8 * in_eight & 0xff);

  const uint64_t to = nth_bit(v->targets[way], n);
  const uint32_t row = way + (way >= PUSH && s->ply & 1 ? DIRECTIONS : 0);
  const uint64_t origin = origins[row][lowest(to)] & (way >= KING ? s->own & s->kings : s->own);
  const uint64_t from = way & 1 ? lowest_bit(origin) : highest_bit(origin);
  move_piece(s, from, to);
  s->passing = way == PUSH_FAR ? turn(to, -(uint32_t)c->up) : 0;
  if (UNLIKELY(way == CASTLE)) castle(s, c, to);
}

INLINE void play(state *s, const view *v, uint32_t n) {
  if (LIKELY(n < v->common))
    play_common(s, v, n);
  else
    *s = play_rare(*s, v, n - v->common);
  const uint64_t own = s->own;
  s->own = s->other;
  s->other = own;
  s->ply++;
}

INLINE result score(const state *s, const view *v) {
  if (!v->mate) return DRAWN;
  return s->ply & 1 ? FIRST_WINS : SECOND_WINS;
}

#include "program.h"
