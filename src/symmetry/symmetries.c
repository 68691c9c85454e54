/* The graph.  An atom is a vertex where it is read, one where it is negated and one where it is a
   head; a rule is joined to its head and to what it reads.  Fluents, moves, roles, goals and
   percepts are vertices that are joined to their atoms, and colours tell all of these apart. */
#include "symmetry/symmetries.h"

#include "base/hash.h"
#include "symmetry/automorphism.h"

/* Larger graphs are not looked at: bliss would need too much memory and time. */
enum { VERTICES_MAX = 1 << 21, EDGES_MAX = 1 << 23 };

/* Numbers that generators may take, all together. */
enum { IMAGES_MAX = 1 << 24, GENERATORS_MAX = 256 };

typedef enum vertex_colour {
  COLOUR_ATOM,
  COLOUR_HOLDS, /* of the atoms of fluents, and so on */
  COLOUR_NEXT,
  COLOUR_DOES,
  COLOUR_LEGAL,
  COLOUR_TERMINAL,
  COLOUR_FLUENT,
  COLOUR_FIRST_FLUENT, /* holds at the start */
  COLOUR_MOVE,
  COLOUR_PERCEPT,
  COLOUR_NEGATION,
  COLOUR_HEAD,
  COLOUR_RULE,
  COLOUR_OTHERS /* from here on: roles, goal values, marks */
} vertex_colour;

typedef struct maker {
  const ground_program *g;
  arena *keep;
  id_vec colours, edges;
  uint32_t first_fluent, first_move, first_role; /* vertices behind those of atoms */
  uint32_t width;                                /* vertices whose images are wanted */
  uint32_t *negations, *heads;                   /* by atom: its vertices; ID_NONE: none yet */
  uint32_t next_colour;
} maker;

static uint32_t add_vertex(maker *k, uint32_t colour) {
  vec_push(k->keep, &k->colours, colour);
  return k->colours.count - 1;
}

static void add_edge(maker *k, uint32_t a, uint32_t b) {
  vec_push(k->keep, &k->edges, a);
  vec_push(k->keep, &k->edges, b);
}

/* Joins what has an atom to it; an atom belongs to one kind of things alone. */
static void join_atom(maker *k, uint32_t vertex, atom_id atom, vertex_colour colour) {
  if (atom == ATOM_NONE) return;
  if (k->colours.items[atom] == COLOUR_ATOM) k->colours.items[atom] = colour;
  add_edge(k, vertex, atom);
}

static void add_fluents(maker *k) {
  k->first_fluent = k->colours.count;
  for (uint32_t i = 0; i < k->g->fluents.count; i++) {
    const ground_fluent *f = &k->g->fluents.items[i];
    const uint32_t vertex = add_vertex(k, f->initially ? COLOUR_FIRST_FLUENT : COLOUR_FLUENT);
    join_atom(k, vertex, f->holds, COLOUR_HOLDS);
    join_atom(k, vertex, f->next, COLOUR_NEXT);
  }
}

static void add_moves(maker *k) {
  k->first_move = k->colours.count;
  for (uint32_t i = 0; i < k->g->moves.count; i++) {
    const uint32_t vertex = add_vertex(k, COLOUR_MOVE);
    join_atom(k, vertex, k->g->moves.items[i].does, COLOUR_DOES);
    join_atom(k, vertex, k->g->moves.items[i].legal, COLOUR_LEGAL);
  }
}

static bool is_random(const ground_program *g, uint32_t role) {
  return role_is_nature(g->terms, g->roles.items[role].term);
}

static void add_roles(maker *k, bool may_change) {
  const ground_program *g = k->g;
  const uint32_t alike = k->next_colour++;
  k->first_role = k->colours.count;
  for (uint32_t i = 0; i < g->roles.count; i++) {
    const bool is_free = may_change && !is_random(g, i);
    const uint32_t vertex = add_vertex(k, is_free ? alike : k->next_colour++);
    const ground_role *r = &g->roles.items[i];
    for (uint32_t move = r->first_move; move < r->first_move + r->move_count; move++)
      add_edge(k, vertex, k->first_move + move);
  }
}

/* The colour of a goal is that of the first one with the same value. */
static void add_goals(maker *k) {
  const ground_program *g = k->g;
  uint32_t *colours = arena_new_array(k->keep, uint32_t, g->goals.count + (size_t)1);
  for (uint32_t i = 0; i < g->goals.count; i++) {
    uint32_t same = 0;
    while (g->goals.items[same].term != g->goals.items[i].term) same++;
    colours[i] = same < i ? colours[same] : k->next_colour++;
    const uint32_t vertex = add_vertex(k, colours[i]);
    add_edge(k, vertex, k->first_role + g->goals.items[i].role);
    add_edge(k, vertex, g->goals.items[i].atom);
  }
}

static void add_percepts(maker *k) {
  for (uint32_t i = 0; i < k->g->percepts.count; i++) {
    const uint32_t vertex = add_vertex(k, COLOUR_PERCEPT);
    add_edge(k, vertex, k->first_role + k->g->percepts.items[i].role);
    add_edge(k, vertex, k->g->percepts.items[i].atom);
  }
}

static void add_marks(maker *k) {
  for (uint32_t i = 0; i < k->g->marks.count; i++)
    add_edge(k, add_vertex(k, k->next_colour++), k->g->marks.items[i].atom);
}

static uint32_t vertex_beside(maker *k, uint32_t *vertices, atom_id atom, vertex_colour colour) {
  if (vertices[atom] == ID_NONE) {
    vertices[atom] = add_vertex(k, colour);
    add_edge(k, vertices[atom], atom);
  }
  return vertices[atom];
}

static void add_rules(maker *k) {
  const ground_program *g = k->g;
  for (uint32_t r = 0; r < g->rules.count; r++) {
    const ground_rule *rule = &g->rules.items[r];
    const uint32_t vertex = add_vertex(k, COLOUR_RULE);
    add_edge(k, vertex, vertex_beside(k, k->heads, rule->head, COLOUR_HEAD));
    for (uint32_t i = 0; i < rule->body_count; i++) {
      const ground_literal l = g->literals.items[rule->body + i];
      const atom_id atom = literal_atom(l);
      const bool is_negated = literal_is_negated(l);
      add_edge(k, vertex,
               is_negated ? vertex_beside(k, k->negations, atom, COLOUR_NEGATION) : atom);
    }
  }
}

static uint32_t *no_vertices(const maker *k) {
  const uint32_t count = k->g->atoms.count;
  uint32_t *vertices = arena_new_array(k->keep, uint32_t, count + (size_t)1);
  for (uint32_t i = 0; i < count; i++) vertices[i] = ID_NONE;
  return vertices;
}

static colour_graph make_graph(maker *k, bool roles_may_change) {
  k->next_colour = COLOUR_OTHERS;
  k->negations = no_vertices(k);
  k->heads = no_vertices(k);
  for (uint32_t i = 0; i < k->g->atoms.count; i++) add_vertex(k, COLOUR_ATOM);
  if (k->g->terminal != ATOM_NONE) k->colours.items[k->g->terminal] = COLOUR_TERMINAL;
  add_fluents(k);
  add_moves(k);
  add_roles(k, roles_may_change);
  k->width = k->colours.count;
  add_goals(k);
  add_percepts(k);
  add_marks(k);
  add_rules(k);
  return (colour_graph){.vertex_count = k->colours.count,
                        .colours = k->colours.items,
                        .edge_count = k->edges.count / 2,
                        .edges = k->edges.items};
}

/* ---- from the graph to the game ---- */

static uint32_t *part_of(const uint32_t *images, uint32_t first, uint32_t count, arena *keep) {
  uint32_t *part = arena_new_array(keep, uint32_t, count + (size_t)1);
  for (uint32_t i = 0; i < count; i++) part[i] = images[first + i] - first;
  return part;
}

static symmetry symmetry_of(const maker *k, const uint32_t *images, arena *keep) {
  const ground_program *g = k->g;
  return (symmetry){.atoms = part_of(images, 0, g->atoms.count, keep),
                    .fluents = part_of(images, k->first_fluent, g->fluents.count, keep),
                    .moves = part_of(images, k->first_move, g->moves.count, keep),
                    .roles = part_of(images, k->first_role, g->roles.count, keep)};
}

static int is_spent(void *context) { return budget_is_spent(context); }

static void prove_all(symmetries *s, const maker *k, const automorphism_list *list, arena *keep) {
  s->is_whole = list->is_whole;
  for (uint32_t i = 0; i < list->count; i++) {
    const symmetry found = symmetry_of(k, list->images + (size_t)i * list->width, keep);
    if (symmetry_is_proved(k->g, &found, k->keep))
      vec_push(keep, &s->items, found);
    else
      s->is_whole = false;
  }
}

static uint64_t vertices_of(const ground_program *g) {
  return (uint64_t)g->atoms.count * 3 + g->fluents.count + g->moves.count + g->rules.count;
}

void symmetries_find(symmetries *s, const ground_program *g, bool roles_may_change, arena *keep,
                     budget *b) {
  *s = (symmetries){0};
  if (vertices_of(g) > VERTICES_MAX || g->literals.count > EDGES_MAX) return;
  arena *scratch = arena_new();
  maker k = {.g = g, .keep = scratch};
  const colour_graph graph = make_graph(&k, roles_may_change);
  const uint32_t room = IMAGES_MAX / (k.width + 1);
  automorphism_list list = {.width = k.width,
                            .capacity = room < GENERATORS_MAX ? room : GENERATORS_MAX};
  list.images = arena_new_array(scratch, uint32_t, (size_t)list.capacity * list.width + 1);
  automorphisms_find(&graph, is_spent, b, &list);
  prove_all(s, &k, &list, keep);
  arena_free(scratch);
}

bool symmetry_fixes_states(const ground_program *g, const symmetry *s) {
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (s->fluents[i] != i) return false;
  return true;
}
