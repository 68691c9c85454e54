/* Fluents, moves and percepts: their numbers, and their texts. */
#include "compile/emit/emit_parts.h"
#include "compile/rules/keyword_columns.h"
#include "rules/goal_value.h"

#include <string.h>

/* ---- ranks ---- */

static bool is_identity(const uint32_t *numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (numbers[i] != i) return false;
  return true;
}

/* rank_rN_cI[code - low] and code_rN_cI[rank], unless both are what they are given. */
static void put_rank_table(emitter *e, flat_id r, uint32_t column) {
  const uint32_t size = emit_store(e, r)->size[column];
  const uint32_t *ranks = storage_ranks(e->s, r, column, e->keep);
  if (is_identity(ranks, size)) return;
  uint32_t *codes = arena_new_array(e->keep, uint32_t, size + 1);
  for (uint32_t i = 0; i < size; i++) codes[ranks[i]] = i;
  emit_numbers(e, emit_format(e, "rank_r%u_c%u", r, column), ranks, size);
  emit_numbers(e, emit_format(e, "code_r%u_c%u", r, column), codes, size);
}

static void put_space_ranks(emitter *e, const term_space *space) {
  for (uint32_t i = 0; i < space->shape_count; i++)
    for (uint32_t c = 1; c < emit_arity(e, space->shapes[i]); c++)
      put_rank_table(e, space->shapes[i], c);
}

static void put_roles(emitter *e) {
  if (e->s->role == ID_NONE) return;
  const id_vec *roles = &e->s->roles;
  const uint32_t class_id = domain_of(e->d, e->s->role, 0)->class_id;
  const uint32_t count = e->d->classes[class_id].count;
  uint32_t *role_of = arena_new_array(e->keep, uint32_t, count + 1);
  uint32_t *code_of = arena_new_array(e->keep, uint32_t, roles->count + 1);
  for (uint32_t i = 0; i < count; i++) role_of[i] = roles->count;
  for (uint32_t i = 0; i < roles->count; i++) {
    code_of[i] = domain_code(e->d, class_id, roles->items[i]);
    role_of[code_of[i]] = i;
  }
  text_add(e->out, "\n/* Roles by code, ROLES for what is none; codes by role. */\n");
  emit_numbers(e, "role_of", role_of, count);
  emit_numbers(e, "code_of_role", code_of, roles->count);
}

/* For texts of several shapes that mix: NAME_rank[plain number] and NAME_plain[rank]. */
static void put_mixed_ranks(emitter *e, const char *name, const term_space *space) {
  if (!space->ranks) return;
  uint32_t *plain = arena_new_array(e->keep, uint32_t, space->count + 1);
  for (uint32_t i = 0; i < space->count; i++) plain[space->ranks[i]] = i;
  emit_numbers(e, emit_format(e, "%s_rank", name), space->ranks, (uint32_t)space->count);
  emit_numbers(e, emit_format(e, "%s_plain", name), plain, (uint32_t)space->count);
}

static const char *final_number(emitter *e, const char *name, const term_space *space,
                                uint32_t shape, const char *within) {
  const char *number = emit_format(e, "%uu + %s", space->first[shape], within);
  return space->ranks ? emit_format(e, "%s_rank[%s]", name, number) : number;
}

static void put_plain_number(emitter *e, const char *name, const term_space *space,
                             const char *variable) {
  if (space->ranks)
    text_add_format(e->out, "  if (%s < %lluu) %s = %s_plain[%s];\n", variable,
                    (unsigned long long)space->count, variable, name, variable);
}

void emit_rank_tables(emitter *e) {
  put_roles(e);
  text_add(e->out, "\n/* Columns of moves in the order of their text. */\n");
  put_space_ranks(e, &e->s->moves);
  put_space_ranks(e, &e->s->percepts);
  put_mixed_ranks(e, "move", &e->s->moves);
  put_mixed_ranks(e, "percept", &e->s->percepts);
}

/* The number of a move or percept, but for the first of its shape. */
static const char *number_within(emitter *e, flat_id shape, const c_value *columns) {
  const store *it = emit_store(e, shape);
  const char *sum = NULL;
  for (uint32_t c = 1; c < emit_arity(e, shape); c++) {
    const uint32_t *ranks = storage_ranks(e->s, shape, c, e->keep);
    const char *digit = it->low[c] ? emit_format(e, "(%s - %uu)", columns[c].expression, it->low[c])
                                   : columns[c].expression;
    if (!is_identity(ranks, it->size[c]))
      digit = emit_format(e, "rank_r%u_c%u[%s]", shape, c, digit);
    sum = sum ? emit_format(e, "(%s * %uu + %s)", sum, it->size[c], digit) : digit;
  }
  return sum ? sum : "0u";
}

/* ---- legal moves ---- */

/* The values of the columns of `shape` for a fact of `r` in a0, a1, ... */
static bool columns_under(emitter *e, flat_id r, flat_id shape, c_value *columns) {
  column_map m;
  if (!columns_map(e->f, r, shape, &m, e->keep)) return false;
  for (uint32_t i = 0; i < emit_arity(e, shape); i++) {
    if (m.from_column[i] != ID_NONE) {
      columns[i].expression = emit_format(e, "a%u", m.from_column[i]);
      continue;
    }
    const uint32_t code = domain_code(e->d, domain_of(e->d, shape, i)->class_id, m.constants[i]);
    columns[i].expression = emit_format(e, "%uu", code);
  }
  return true;
}

void emit_note_legal(emitter *e, flat_id r, const char *indent) {
  const term_space *moves = &e->s->moves;
  for (uint32_t i = 0; i < moves->shape_count; i++) {
    const flat_id shape = moves->shapes[i];
    c_value *columns = arena_zero_array(e->keep, c_value, emit_arity(e, shape) + 1);
    if (!columns_under(e, r, shape, columns)) continue;
    text_add_format(e->out, "%sif (role_of[a0] < ROLES) NOTE_LEGAL(k, role_of[a0], %s);\n", indent,
                    final_number(e, "move", moves, i, number_within(e, shape, columns)));
    return;
  }
  for (uint32_t i = 0; i < emit_arity(e, r); i++)
    text_add_format(e->out, "%s(void)a%u;\n", indent, i);
  text_add_format(e->out, "%s(void)k;\n", indent);
}

/* How the facts of one relation of legal moves become numbers. */
typedef struct numbering {
  uint32_t shape; /* in term_space.shapes */
  column_map columns;
  uint32_t **ranks; /* by column of the shape */
} numbering;

/* False: its moves have no number, because nobody can make them. */
static bool numbering_of(emitter *e, flat_id r, numbering *x) {
  const term_space *moves = &e->s->moves;
  for (x->shape = 0; x->shape < moves->shape_count; x->shape++) {
    const flat_id shape = moves->shapes[x->shape];
    if (!columns_map(e->f, r, shape, &x->columns, e->keep)) continue;
    x->ranks = arena_new_array(e->keep, uint32_t *, emit_arity(e, shape) + 1);
    for (uint32_t c = 1; c < emit_arity(e, shape); c++)
      x->ranks[c] = storage_ranks(e->s, shape, c, e->keep);
    return true;
  }
  return false;
}

static uint32_t number_of(const emitter *e, const numbering *x, const term_id *cells) {
  const term_space *moves = &e->s->moves;
  const flat_id shape = moves->shapes[x->shape];
  const store *it = emit_store(e, shape);
  uint32_t number = 0;
  for (uint32_t c = 1; c < emit_arity(e, shape); c++) {
    const uint32_t from = x->columns.from_column[c];
    const term_id value = from == ID_NONE ? x->columns.constants[c] : cells[from];
    const uint32_t code = domain_code(e->d, domain_of(e->d, shape, c)->class_id, value);
    number = number * it->size[c] + x->ranks[c][code - it->low[c]];
  }
  number += moves->first[x->shape];
  return moves->ranks ? moves->ranks[number] : number;
}

static bool is_role(const emitter *e, term_id term, uint32_t *role) {
  for (*role = 0; *role < e->s->roles.count; ++*role)
    if (e->s->roles.items[*role] == term) return true;
  return false;
}

uint64_t *emit_always_legal(emitter *e, uint32_t words) {
  if (e->s->role == ID_NONE) return NULL;
  const uint32_t roles = e->s->roles.count;
  uint64_t *bits = arena_zero_array(e->keep, uint64_t, (size_t)roles * words + 1);
  bool found = false;
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    numbering x;
    if (emit_keyword(e, r) != SYM_LEGAL || emit_kind(e, r) != KIND_PERMANENT) continue;
    if (!numbering_of(e, r, &x)) continue;
    for (uint32_t row = 0; row < e->n->facts[r].count; row++) {
      const term_id *cells = table_row(&e->n->facts[r], row);
      uint32_t role;
      if (!is_role(e, cells[0], &role)) continue;
      const uint32_t number = number_of(e, &x, cells);
      bits[(size_t)role * words + number / 64] |= UINT64_C(1) << (number % 64);
      found = true;
    }
  }
  return found ? bits : NULL;
}

/* ---- numbers back to columns ---- */

/* `const uint32_t aI = ...;` for the columns but the role, from `at`, a number within the shape. */
static void put_columns(emitter *e, flat_id shape, const char *indent) {
  const store *it = emit_store(e, shape);
  const uint32_t arity = emit_arity(e, shape);
  uint64_t stride = 1;
  for (uint32_t c = arity; c-- > 1;) {
    const char *digit =
        stride > 1 ? emit_format(e, "at / %lluu", (unsigned long long)stride) : "at";
    if (c > 1) digit = emit_format(e, "%s %% %uu", digit, it->size[c]);
    const uint32_t *ranks = storage_ranks(e->s, shape, c, e->keep);
    if (!is_identity(ranks, it->size[c]))
      digit = emit_format(e, "code_r%u_c%u[%s]", shape, c, digit);
    text_add_format(e->out, "%sconst uint32_t a%u = %s + %uu;\n", indent, c, digit, it->low[c]);
    stride *= it->size[c] ? it->size[c] : 1;
  }
}

static uint64_t end_of_shape(const term_space *s, uint32_t i) {
  return i + 1 < s->shape_count ? s->first[i + 1] : s->count;
}

void emit_load_moves(emitter *e) {
  const term_space *moves = &e->s->moves;
  text_add(e->out, "\nTR_UNUSED static void load_move(kb *k, uint32_t role, uint32_t move) {\n"
                   "  (void)k;\n  (void)role;\n  (void)move;\n");
  put_plain_number(e, "move", moves, "move");
  for (uint32_t i = 0; i < moves->shape_count; i++) {
    const flat_id shape = moves->shapes[i];
    if (emit_store(e, shape)->kind == STORE_NOTHING || end_of_shape(moves, i) == moves->first[i])
      continue;
    if (moves->first[i])
      text_add_format(e->out, "  if (move >= %uu && move < %lluu) {\n", moves->first[i],
                      (unsigned long long)end_of_shape(moves, i));
    else
      text_add_format(e->out, "  if (move < %lluu) {\n",
                      (unsigned long long)end_of_shape(moves, i));
    if (emit_arity(e, shape) > 1)
      text_add_format(e->out, "    const uint32_t at = move - %uu;\n", moves->first[i]);
    put_columns(e, shape, "    ");
    text_add_format(e->out, "    add_%s(k, code_of_role[role]", emit_name(e, shape));
    for (uint32_t c = 1; c < emit_arity(e, shape); c++) text_add_format(e->out, ", a%u", c);
    text_add(e->out, ");\n  }\n");
  }
  text_add(e->out, "}\n");
}

/* ---- texts ---- */

static void note_classes(emitter *e, flat_id r, bool *is_used) {
  for (uint32_t i = 0; i < emit_arity(e, r); i++) is_used[domain_of(e->d, r, i)->class_id] = true;
}

void emit_text_tables(emitter *e) {
  bool *is_used = arena_zero_array(e->keep, bool, e->d->class_count + 1);
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    const relation_id k = emit_keyword(e, r);
    if (k == SYM_TRUE || k == SYM_DOES || k == SYM_SEES) note_classes(e, r, is_used);
  }
  text_add(e->out, "\n/* The constants of each class, by code. */\n");
  for (uint32_t c = 0; c < e->d->class_count; c++) {
    const value_class *values = &e->d->classes[c];
    if (!is_used[c] || !values->count) continue;
    text_add_format(e->out, "TR_UNUSED static const char *const c%u_text[] = {\n", c);
    for (uint32_t i = 0; i < values->count; i++) {
      text word = text_new(e->keep);
      term_print(e->f->terms, values->values[i], NOTATION_KIF, NULL, &word);
      text_add(e->out, "    ");
      emit_string(e, text_string(&word));
      text_add(e->out, ",\n");
    }
    text_add(e->out, "};\n");
  }
}

static void put_piece(emitter *e, text *piece) {
  if (!piece->length) return;
  text_add(e->out, "    tr_put(&t, ");
  emit_string(e, text_string(piece));
  text_add(e->out, ");\n");
  text_clear(piece);
}

/* The text of a term with holes: pieces, and between them the values of columns. */
static void put_term(emitter *e, flat_id r, term_id id, text *piece) {
  const term *it = term_get(e->f->terms, id);
  if (it->is_variable) {
    put_piece(e, piece);
    text_add_format(e->out, "    tr_put(&t, c%u_text[a%u]);\n",
                    domain_of(e->d, r, it->name)->class_id, it->name);
    return;
  }
  const symbol_id name = it->name;
  const uint32_t arg_count = it->arg_count;
  if (arg_count) text_add_char(piece, '(');
  term_print(e->f->terms, term_constant(e->f->terms, name), NOTATION_KIF, NULL, piece);
  for (uint32_t i = 0; i < arg_count; i++) {
    text_add_char(piece, ' ');
    put_term(e, r, term_arg(e->f->terms, id, i), piece);
  }
  if (arg_count) text_add_char(piece, ')');
}

static void put_text_of(emitter *e, flat_id r, uint32_t argument) {
  text piece = text_new(e->keep);
  put_term(e, r, term_arg(e->f->terms, e->f->relations.items[r].skeleton, argument), &piece);
  put_piece(e, &piece);
  text_add(e->out, "    return tr_end(&t);\n  }\n");
}

static void begin_text_function(emitter *e, const char *name) {
  text_add_format(e->out,
                  "\nstatic size_t %s_text(uint32_t number, char *bytes, size_t capacity) {\n"
                  "  tr_text t = {bytes, capacity, 0};\n  (void)number;\n",
                  name);
}

static void put_space_texts(emitter *e, const char *name, const term_space *space) {
  begin_text_function(e, name);
  put_plain_number(e, name, space, "number");
  for (uint32_t i = 0; i < space->shape_count; i++) {
    if (end_of_shape(space, i) == space->first[i]) continue;
    text_add_format(e->out, "  if (number < %lluu) {\n",
                    (unsigned long long)end_of_shape(space, i));
    if (emit_arity(e, space->shapes[i]) > 1)
      text_add_format(e->out, "    const uint32_t at = number - %uu;\n", space->first[i]);
    put_columns(e, space->shapes[i], "    ");
    put_text_of(e, space->shapes[i], 1);
  }
  text_add(e->out, "  return tr_end(&t);\n}\n");
}

static void put_fluent_texts(emitter *e) {
  begin_text_function(e, "fluent");
  for (int sparse = 0; sparse < 2; sparse++)
    for (flat_id r = 0; r < e->f->relations.count; r++) {
      const store *it = emit_store(e, r);
      if (emit_kind(e, r) != KIND_STATE || it->is_sparse != sparse || !it->product) continue;
      const uint64_t first = sparse ? it->place : (uint64_t)it->place * 64;
      text_add_format(e->out, "  if (number < %lluu) {\n",
                      (unsigned long long)(first + it->product));
      if (emit_arity(e, r))
        text_add_format(e->out, "    const uint32_t at = number - %lluu;\n",
                        (unsigned long long)first);
      const uint64_t all = emit_all_columns(e, r);
      emit_decode(e, r, (c_columns){all, all, 0}, "at", "a");
      put_text_of(e, r, 0);
    }
  text_add(e->out, "  return tr_end(&t);\n}\n");
}

void emit_text_functions(emitter *e) {
  put_fluent_texts(e);
  put_space_texts(e, "move", &e->s->moves);
  put_space_texts(e, "percept", &e->s->percepts);
}

/* ---- percepts ---- */

void emit_note_percepts(emitter *e) {
  const term_space *percepts = &e->s->percepts;
  for (uint32_t i = 0; i < percepts->shape_count; i++) {
    const flat_id r = percepts->shapes[i];
    if (end_of_shape(percepts, i) == percepts->first[i]) continue;
    c_value *columns = arena_zero_array(e->keep, c_value, emit_arity(e, r) + 1);
    c_loop loop = {.relation = r, .used = emit_all_columns(e, r), .number = ++e->loop_count};
    emit_loop(e, &loop, columns);
    text_add_format(e->out,
                    "if (role_of[%s] == role && !tr_push(&k->list, %s)) "
                    "k->trouble = \"there is no memory left\";\n",
                    columns[0].expression,
                    final_number(e, "percept", percepts, i, number_within(e, r, columns)));
    for (uint32_t b = 0; b < loop.braces; b++) text_add_char(e->out, '}');
    text_add_char(e->out, '\n');
  }
}

/* ---- goals ---- */

int32_t emit_goal_value(const emitter *e, term_id value) {
  int32_t number;
  return goal_value(e->f->terms, value, &number) ? number : INT32_MIN;
}
