#include "base/base_fixture.h"
#include "machine/lanes/random_aig_fixture.h"

/* All values of four inputs, as columns of a truth table. */
static const uint64_t columns[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};

typedef struct aig_fixture {
  aig g;
  edge a, b, c, d;
} aig_fixture;

static aig_fixture begin(void **state) {
  aig_fixture f;
  aig_init(&f.g, *state);
  f.a = aig_input(&f.g);
  f.b = aig_input(&f.g);
  f.c = aig_input(&f.g);
  f.d = aig_input(&f.g);
  return f;
}

static uint64_t table_of(const aig_fixture *f, edge e) {
  uint64_t values[256];
  assert_true(f->g.nodes.count <= 256);
  for (uint32_t i = 0; i < 4; i++) values[1 + i] = columns[i];
  aig_evaluate(&f->g, values);
  return edge_value(values, e) & 0xffff;
}

static void operations_are_what_they_are_called(void **state) {
  aig_fixture f = begin(state);
  const uint64_t a = columns[0], b = columns[1], c = columns[2], d = columns[3];
  assert_int_equal(table_of(&f, aig_and(&f.g, f.a, f.b)), a & b);
  assert_int_equal(table_of(&f, aig_or(&f.g, f.a, f.b)), a | b);
  assert_int_equal(table_of(&f, aig_xor(&f.g, f.a, f.b)), a ^ b);
  assert_int_equal(table_of(&f, aig_if(&f.g, f.a, f.b, f.c)), (a & b) | (~a & c));
  assert_int_equal(table_of(&f, aig_majority(&f.g, f.a, f.b, f.c)), (a & b) | (a & c) | (b & c));
  const edge all[4] = {f.a, f.b, f.c, f.d};
  assert_int_equal(table_of(&f, aig_all(&f.g, all, 4)), a & b & c & d);
  assert_int_equal(aig_all(&f.g, all, 0), EDGE_TRUE);
  assert_int_equal(aig_all(&f.g, all, 1), f.a);
}

static void trivial_conjunctions_are_no_nodes(void **state) {
  aig_fixture f = begin(state);
  const uint32_t before = f.g.nodes.count;
  assert_int_equal(aig_and(&f.g, f.a, f.a), f.a);
  assert_int_equal(aig_and(&f.g, f.a, edge_not(f.a)), EDGE_FALSE);
  assert_int_equal(aig_and(&f.g, EDGE_TRUE, f.a), f.a);
  assert_int_equal(aig_and(&f.g, f.a, EDGE_FALSE), EDGE_FALSE);
  assert_int_equal(f.g.nodes.count, before);
}

static void equal_nodes_are_one(void **state) {
  aig_fixture f = begin(state);
  assert_int_equal(aig_and(&f.g, f.a, f.b), aig_and(&f.g, f.b, f.a));
  assert_int_equal(aig_or(&f.g, f.a, f.b), edge_not(aig_and(&f.g, edge_not(f.b), edge_not(f.a))));
}

static void what_two_nodes_tell_is_used(void **state) {
  aig_fixture f = begin(state);
  const edge ab = aig_and(&f.g, f.a, f.b);
  assert_int_equal(aig_and(&f.g, f.a, ab), ab);
  assert_int_equal(aig_and(&f.g, edge_not(f.a), ab), EDGE_FALSE);
  assert_int_equal(aig_and(&f.g, edge_not(f.a), edge_not(ab)), edge_not(f.a));
  assert_int_equal(aig_and(&f.g, f.a, edge_not(ab)), aig_and(&f.g, f.a, edge_not(f.b)));
  const edge a_not_b = aig_and(&f.g, f.a, edge_not(f.b));
  assert_int_equal(aig_and(&f.g, edge_not(ab), edge_not(a_not_b)), edge_not(f.a));
  assert_int_equal(aig_or(&f.g, ab, a_not_b), f.a);
}

/* Every expression of three operations on two variables and their negations. */
static void simplified_expressions_mean_the_same(void **state) {
  const uint64_t tables[4] = {columns[0], ~columns[0], columns[1], ~columns[1]};
  for (uint32_t code = 0; code < 1u << 11; code++) {
    aig_fixture f = begin(state);
    const edge in[4] = {f.a, edge_not(f.a), f.b, edge_not(f.b)};
    const uint32_t i = code & 3, k = code >> 2 & 3, m = code >> 4 & 3, n = code >> 6 & 3;
    const edge left = aig_and(&f.g, in[i], in[k]) ^ (code >> 8 & 1);
    const edge right = aig_and(&f.g, in[m], in[n]) ^ (code >> 9 & 1);
    const edge e = aig_and(&f.g, left, right) ^ (code >> 10 & 1);
    uint64_t expected = ((tables[i] & tables[k]) ^ -(uint64_t)(code >> 8 & 1)) &
                        ((tables[m] & tables[n]) ^ -(uint64_t)(code >> 9 & 1));
    expected ^= -(uint64_t)(code >> 10 & 1);
    assert_int_equal(table_of(&f, e), expected & 0xffff);
  }
}

static void random_expressions_mean_the_same(void **state) {
  for (uint64_t seed = 0; seed < 200; seed++) {
    aig_fixture f = begin(state);
    rng r = rng_new(51, seed);
    edge edges[64] = {f.a, f.b, f.c, f.d};
    uint64_t tables[64];
    memcpy(tables, columns, sizeof columns);
    for (uint32_t i = 4; i < 40; i++) {
      const uint32_t x = rng_below(&r, i), y = rng_below(&r, i), p = rng_below(&r, 2),
                     q = rng_below(&r, 2);
      edges[i] = aig_and(&f.g, edges[x] ^ p, edges[y] ^ q);
      tables[i] = (tables[x] ^ -(uint64_t)p) & (tables[y] ^ -(uint64_t)q);
      assert_int_equal(table_of(&f, edges[i]), tables[i] & 0xffff);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(operations_are_what_they_are_called),
      base_test(trivial_conjunctions_are_no_nodes),
      base_test(equal_nodes_are_one),
      base_test(what_two_nodes_tell_is_used),
      base_test(simplified_expressions_mean_the_same),
      base_test(random_expressions_mean_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
