#include "compile/emit.h"

#include "compile/emit_parts.h"

/* More moves than this are listed, not marked. */
enum { LEGAL_BITS_MAX = 1 << 16 };

static bool legal_is_bits(const emitter *e) { return e->s->moves.count <= LEGAL_BITS_MAX; }

static uint32_t legal_words(const emitter *e) { return (uint32_t)((e->s->moves.count + 63) / 64); }

/* Whether the words of legal moves that are in use are marked, to be found and cleared sooner. */
static bool legal_is_mapped(const emitter *e) { return legal_is_bits(e) && legal_words(e) > 8; }

static uint32_t role_count(const emitter *e) {
  return e->s->role == ID_NONE ? 0 : e->n->facts[e->s->role].count;
}

/* ---- the knowledge base ---- */

static bool is_kept(const emitter *e, flat_id r) {
  return emit_store(e, r)->kind != STORE_NOTHING && emit_kind(e, r) != KIND_PERMANENT;
}

static void put_group_struct(emitter *e, uint32_t group) {
  text_add(e->out, "  struct {\n  uint32_t is_run;\n");
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (is_kept(e, r) && !emit_is_separate(e, r) && e->v->relations[r].group == group)
      emit_group_fields(e, r);
  text_add_format(e->out, "  } g%u;\n", group);
}

static bool has_kept(const emitter *e) {
  for (uint32_t g = 0; g < e->v->group_count; g++)
    if (e->v->groups[g].is_kept) return true;
  return false;
}

static bool is_kept_state(const emitter *e, flat_id r) {
  return has_kept(e) && emit_kind(e, r) == KIND_STATE && e->v->relations[r].is_kept;
}

static void put_note_legal(emitter *e) {
  if (!legal_is_bits(e))
    text_add(e->out, "#define NOTE_LEGAL(k, role, move) \\\n"
                     "  ((void)(tr_push(&(k)->legal[role], (move)) || \\\n"
                     "          ((k)->trouble = \"there is no memory left\", 0)))\n");
  else if (legal_is_mapped(e))
    text_add(e->out,
             "#define NOTE_LEGAL(k, role, move) \\\n"
             "  (TR_SET((k)->legal[role], (move)), TR_SET((k)->legal_map[role], (move) >> 6))\n");
  else
    text_add(e->out, "#define NOTE_LEGAL(k, role, move) TR_SET((k)->legal[role], (move))\n");
}

static void put_struct(emitter *e) {
  text_add_format(e->out,
                  "\n/* The state that is being worked out, and what is known of it.  A group of "
                  "relations is\n   cleared and run when a question first needs it. */\n"
                  "typedef struct kb {\n  uint64_t position[%u];\n"
                  "  uint32_t joint[ROLES + 1];\n  bool has_position, has_joint;\n"
                  "  const char *trouble;\n  tr_list list;\n",
                  e->s->position_words);
  if (has_kept(e)) text_add_format(e->out, "uint64_t before[%u];\n", e->s->position_words);
  emit_cursor_fields(e);
  for (uint32_t g = 0; g < e->v->group_count; g++) put_group_struct(e, g);
  if (legal_is_bits(e))
    text_add_format(e->out, "  uint64_t legal[ROLES + 1][%u];\n", legal_words(e) + 1);
  else
    text_add(e->out, "  tr_list legal[ROLES + 1];\n");
  if (legal_is_mapped(e))
    text_add_format(e->out, "  uint64_t legal_map[ROLES + 1][%u]; /* words of `legal` in use */\n",
                    (legal_words(e) + 63) / 64);
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    if (!is_kept(e, r)) continue;
    if (emit_is_separate(e, r))
      emit_fields(e, r);
    else
      emit_group_list(e, r);
  }
  text_add(e->out, "} kb;\n\n");
  put_note_legal(e);
}

/* ---- positions ---- */

static bool needs_loading(const emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  if (emit_kind(e, r) != KIND_STATE || it->kind == STORE_NOTHING || !it->product) return false;
  return it->kind == STORE_ROWS || it->is_sparse || it->is_scanned || it->patterns.count;
}

static void put_add_call(emitter *e, flat_id r) {
  text_add_format(e->out, "add_%s(k", emit_name(e, r));
  for (uint32_t i = 0; i < emit_arity(e, r); i++) text_add_format(e->out, ", a%u", i);
  text_add(e->out, ");\n");
}

/* Where the list of a sparse relation begins in a position: its count, then its rows. */
static uint32_t sparse_word(const emitter *e, flat_id r) {
  uint32_t word = e->s->dense_words;
  for (flat_id i = 0; i < r; i++)
    if (emit_kind(e, i) == KIND_STATE && emit_store(e, i)->is_sparse)
      word += (emit_store(e, i)->room + 2) / 2;
  return word;
}

static void put_load(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  const c_columns all = {emit_all_columns(e, r), emit_all_columns(e, r), 0};
  if (!is_kept_state(e, r)) emit_clear(e, r);
  if (it->is_sparse) {
    text_add_format(e->out,
                    "  {\n  const uint32_t *list = (const uint32_t *)(k->position + %uu);\n"
                    "  for (uint32_t i = 1; i <= list[0]; i++) {\n  const uint32_t at = list[i];\n",
                    sparse_word(e, r));
    emit_decode(e, r, all, "at", "a");
    put_add_call(e, r);
    text_add(e->out, "  }}\n");
    return;
  }
  const unsigned words = (unsigned)((it->product + 63) / 64);
  text_add_format(e->out,
                  "  for (uint32_t i = 0; i < %uu; i++)\n"
                  "    for (uint64_t word = %s; word; word &= word - 1) {\n",
                  words,
                  emit_format(e,
                              is_kept_state(e, r) ? "k->position[%uu + i] & ~k->before[%uu + i]"
                                                  : "k->position[%uu + i]",
                              it->place, it->place));
  if (emit_arity(e, r)) text_add(e->out, "const uint32_t at = i * 64 + tr_lowest(word);\n");
  emit_decode(e, r, all, "at", "a");
  put_add_call(e, r);
  text_add(e->out, "  }\n");
}

/* Kept relations are right as long as no fluent that they come from is gone. */
static void put_forget_kept(emitter *e) {
  text_add(e->out, "\nstatic bool has_grown(const kb *k) {\nuint64_t gone = 0;\n");
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    const store *it = emit_store(e, r);
    if (is_kept_state(e, r) && it->product)
      text_add_format(e->out,
                      "for (uint32_t i = %uu; i < %uu; i++) gone |= k->before[i] & "
                      "~k->position[i];\n",
                      it->place, it->place + (uint32_t)((it->product + 63) / 64));
  }
  text_add(e->out, "return gone == 0;\n}\n\nstatic void forget_kept(kb *k) {\n"
                   "memset(k->before, 0, sizeof k->before);\n");
  emit_cursor_resets(e);
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    const bool is_stored = emit_kind(e, r) == KIND_STORED && e->v->relations[r].is_kept;
    if ((is_kept_state(e, r) && needs_loading(e, r)) ||
        (is_stored && emit_is_separate(e, r) && is_kept(e, r)))
      emit_clear(e, r);
  }
  for (uint32_t g = 0; g < e->v->group_count; g++)
    if (e->v->groups[g].is_kept)
      text_add_format(e->out, "memset(&k->g%u, 0, sizeof k->g%u);\n", g, g);
  text_add(e->out, "}\n");
}

static void put_set_position(emitter *e) {
  text_add(e->out, "\nstatic void load_state(kb *k) {\n  (void)k;\n");
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (needs_loading(e, r)) put_load(e, r);
  text_add(e->out, "}\n");
  if (has_kept(e)) put_forget_kept(e);
  text_add(e->out,
           "\nstatic void set_position(kb *k, const void *position) {\n"
           "  if (k->has_position && memcmp(k->position, position, sizeof k->position) == 0)"
           " return;\n");
  if (has_kept(e)) text_add(e->out, "memcpy(k->before, k->position, sizeof k->before);\n");
  text_add(e->out, "  memcpy(k->position, position, sizeof k->position);\n"
                   "  k->has_position = true;\n  k->has_joint = false;\n");
  if (has_kept(e)) text_add(e->out, "if (!has_grown(k)) forget_kept(k);\n");
  for (uint32_t g = 0; g < e->v->group_count; g++)
    text_add_format(e->out, "  k->g%u.is_run = 0;\n", g);
  if (legal_is_mapped(e))
    text_add_format(e->out,
                    "for (uint32_t role = 0; role < ROLES; role++)\n"
                    "for (uint32_t i = 0; i < %uu; i++) {\n"
                    "for (uint64_t word = k->legal_map[role][i]; word; word &= word - 1)\n"
                    "k->legal[role][i * 64 + tr_lowest(word)] = 0;\n"
                    "k->legal_map[role][i] = 0;\n}\n",
                    (legal_words(e) + 63) / 64);
  else if (legal_is_bits(e))
    text_add(e->out, "  memset(k->legal, 0, sizeof k->legal);\n");
  else
    text_add(e->out, "  for (uint32_t i = 0; i < ROLES; i++) k->legal[i].count = 0;\n");
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    if (emit_keyword(e, r) != SYM_LEGAL || emit_kind(e, r) != KIND_PERMANENT) continue;
    if (!e->n->facts[r].count) continue;
    c_value *columns = arena_zero_array(e->keep, c_value, emit_arity(e, r) + 1);
    c_loop loop = {.relation = r, .used = emit_all_columns(e, r), .number = ++e->loop_count};
    emit_loop(e, &loop, columns);
    text_add_format(e->out, "add_%s(k", emit_name(e, r));
    for (uint32_t i = 0; i < emit_arity(e, r); i++)
      text_add_format(e->out, ", %s", columns[i].expression);
    text_add(e->out, ");\n}\n");
  }
  text_add(e->out, "  load_state(k);\n}\n");
}

/* ---- groups ---- */

static void put_group(emitter *e, uint32_t g) {
  const bool is_kept_group = e->v->groups[g].is_kept;
  text_add_format(e->out, "\nstatic void run_g%u(kb *k) {\n", g);
  if (!is_kept_group) text_add_format(e->out, "memset(&k->g%u, 0, sizeof k->g%u);\n", g, g);
  for (flat_id r = 0; r < e->f->relations.count && !is_kept_group; r++)
    if (emit_kind(e, r) == KIND_STORED && emit_is_separate(e, r) && is_kept(e, r) &&
        e->v->relations[r].group == g)
      emit_clear(e, r);
  emit_firing_calls(e, g);
  text_add_format(e->out, "  k->g%u.is_run = 1;\n}\n", g);
}

static void put_ask(emitter *e, question_kind q, const char *name) {
  text_add_format(e->out, "\nTR_UNUSED static void ask_%s(kb *k) {\n  (void)k;\n", name);
  for (uint32_t g = 0; g < e->v->group_count; g++)
    if (e->v->groups[g].questions >> q & 1)
      text_add_format(e->out, "  if (!k->g%u.is_run) run_g%u(k);\n", g, g);
  text_add(e->out, "}\n");
}

static void put_questions(emitter *e) {
  for (uint32_t g = 0; g < e->v->group_count; g++) put_group(e, g);
  put_ask(e, ASK_TERMINAL, "terminal");
  put_ask(e, ASK_LEGAL, "legal");
  put_ask(e, ASK_GOAL, "goal");
  put_ask(e, ASK_NEXT, "next");
  put_ask(e, ASK_SEES, "sees");
}

/* ---- moves ---- */

static void put_set_joint(emitter *e) {
  emit_load_moves(e);
  text_add(e->out, "\nTR_UNUSED static void set_joint(kb *k, const uint32_t *joint) {\n"
                   "  if (k->has_joint && memcmp(k->joint, joint, ROLES * sizeof *joint) == 0)"
                   " return;\n"
                   "  memcpy(k->joint, joint, ROLES * sizeof *joint);\n  k->has_joint = true;\n");
  for (uint32_t g = 0; g < e->v->group_count; g++)
    if (e->v->groups[g].depends_on_does) text_add_format(e->out, "  k->g%u.is_run = 0;\n", g);
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (emit_kind(e, r) == KIND_MOVE && is_kept(e, r)) emit_clear(e, r);
  text_add(e->out, "  for (uint32_t i = 0; i < ROLES; i++) load_move(k, i, joint[i]);\n}\n");
}

/* ---- the interface ---- */

static void put_start(emitter *e) {
  uint64_t *words = arena_zero_array(e->keep, uint64_t, e->s->position_words);
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    if (emit_kind(e, r) != KIND_STATE) continue;
    const store *it = emit_store(e, r);
    uint32_t *list = (uint32_t *)(words + sparse_word(e, r)) + 1;
    uint32_t count = 0;
    for (flat_id init = 0; init < e->f->relations.count; init++) {
      column_map m;
      if (emit_keyword(e, init) != SYM_INIT || !strata_map_columns(e->f, init, r, &m, e->keep))
        continue;
      for (uint32_t row = 0; row < e->n->facts[init].count; row++) {
        uint64_t at = 0;
        for (uint32_t c = 0; c < emit_arity(e, r); c++)
          at = at * it->size[c] +
               (domain_code(e->d, domain_of(e->d, r, c)->class_id,
                            table_row(&e->n->facts[init], row)[m.from_column[c]]) -
                it->low[c]);
        if (it->is_sparse)
          list[count++] = (uint32_t)at;
        else
          words[it->place + at / 64] |= UINT64_C(1) << (at % 64);
      }
    }
    if (!it->is_sparse) continue;
    list[-1] = count;
    emit_sort_numbers(list, count);
  }
  text_add_char(e->out, '\n');
  emit_words(e, "start_words", words, e->s->position_words);
  text_add(e->out, "\nstatic void start(void *position) {\n"
                   "  memcpy(position, start_words, sizeof start_words);\n}\n");
}

static void put_terminal(emitter *e) {
  text_add(e->out, "\nstatic bool terminal(void *workspace, const void *position) {\n"
                   "  kb *k = workspace;\n  set_position(k, position);\n  ask_terminal(k);\n"
                   "  return k->trouble");
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (emit_keyword(e, r) == SYM_TERMINAL && emit_kind(e, r) != KIND_UNUSED)
      text_add_format(e->out, " || %s", emit_test(e, r, NULL));
  text_add(e->out, ";\n}\n");
}

static void put_legal(emitter *e) {
  text_add(e->out, "\nstatic uint32_t legal(void *workspace, const void *position, uint32_t role,\n"
                   "                      uint32_t *moves, uint32_t capacity) {\n"
                   "  kb *k = workspace;\n  set_position(k, position);\n  ask_legal(k);\n"
                   "  if (role >= ROLES || k->trouble) return 0;\n");
  if (!legal_is_bits(e)) {
    text_add(e->out, "  return tr_give(&k->legal[role], moves, capacity);\n}\n");
    return;
  }
  text_add(e->out, "  uint32_t count = 0;\n");
  if (legal_is_mapped(e))
    text_add_format(e->out,
                    "for (uint32_t m = 0; m < %uu; m++)\n"
                    "for (uint64_t used = k->legal_map[role][m]; used; used &= used - 1) {\n"
                    "const uint32_t i = m * 64 + tr_lowest(used);\n",
                    (legal_words(e) + 63) / 64);
  else
    text_add_format(e->out, "for (uint32_t i = 0; i < %uu; i++) {\n", legal_words(e));
  text_add(e->out, "for (uint64_t word = k->legal[role][i]; word; word &= word - 1, count++)\n"
                   "if (count < capacity) moves[count] = i * 64 + tr_lowest(word);\n}\n"
                   "return count;\n}\n");
}

/* A goal that is no number is none. */
static void put_goal_values(emitter *e, flat_id r) {
  const value_class *c = &e->d->classes[domain_of(e->d, r, 1)->class_id];
  text_add_format(e->out, "TR_UNUSED static const int32_t %s_value[] = {", emit_name(e, r));
  for (uint32_t i = 0; i < c->count; i++)
    text_add_format(e->out, "%d,", emit_goal_value(e, c->values[i]));
  text_add(e->out, "};\n");
}

static void put_goal_loop(emitter *e, flat_id r) {
  c_value *columns = arena_zero_array(e->keep, c_value, 3);
  c_loop loop = {.relation = r, .used = emit_all_columns(e, r), .number = ++e->loop_count};
  emit_loop(e, &loop, columns);
  text_add_format(e->out, "if (role_of[%s] == role) {\n", columns[0].expression);
  if (emit_arity(e, r) == 2)
    text_add_format(e->out, "const int32_t value = %s_value[%s];\n", emit_name(e, r),
                    columns[1].expression);
  else
    text_add_format(
        e->out, "const int32_t value = %d;\n",
        emit_goal_value(e, term_arg(e->f->terms, e->f->relations.items[r].skeleton, 1)));
  text_add(e->out, "if (value != INT32_MIN && !tr_push(&k->list, (uint32_t)value ^ "
                   "0x80000000u)) k->trouble = \"there is no memory left\";\n}\n");
  for (uint32_t i = 0; i < loop.braces; i++) text_add_char(e->out, '}');
  text_add_char(e->out, '\n');
}

static bool is_goal(const emitter *e, flat_id r) {
  return emit_keyword(e, r) == SYM_GOAL && emit_kind(e, r) != KIND_UNUSED && emit_arity(e, r);
}

static void put_goals(emitter *e) {
  text_add_char(e->out, '\n');
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (is_goal(e, r) && emit_arity(e, r) == 2) put_goal_values(e, r);
  text_add(e->out, "\nstatic uint32_t goals(void *workspace, const void *position, uint32_t role,\n"
                   "                      int32_t *values, uint32_t capacity) {\n"
                   "  kb *k = workspace;\n  set_position(k, position);\n  ask_goal(k);\n"
                   "  k->list.count = 0;\n  if (role >= ROLES || k->trouble) return 0;\n");
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (is_goal(e, r)) put_goal_loop(e, r);
  text_add(e->out, "  if (k->list.count > 1)\n"
                   "    qsort(k->list.items, k->list.count, sizeof *k->list.items, tr_compare);\n"
                   "  for (uint32_t i = 0; i < k->list.count && i < capacity; i++)\n"
                   "    values[i] = (int32_t)(k->list.items[i] ^ 0x80000000u);\n"
                   "  return k->list.count;\n}\n");
}

/* next(...) in the place of the true(...) that it becomes. */
static void put_next(emitter *e, flat_id next, flat_id state) {
  const store *it = emit_store(e, state);
  const bool is_permanent = emit_kind(e, next) == KIND_PERMANENT;
  if (!it->is_sparse && !is_permanent) {
    text_add_format(e->out, "  memcpy(words + %uu, %s, sizeof %s);\n", it->place,
                    emit_bits(e, next), emit_bits(e, next));
    return;
  }
  c_value *columns = arena_zero_array(e->keep, c_value, emit_arity(e, next) + 1);
  c_loop loop = {.relation = next, .used = emit_all_columns(e, next), .number = ++e->loop_count};
  if (it->is_sparse) text_add(e->out, "  k->list.count = 0;\n");
  emit_loop(e, &loop, columns);
  text_add_format(e->out, "const uint32_t at = %s;\n",
                  emit_index(e, state, emit_all_columns(e, state), columns));
  if (it->is_sparse)
    text_add(e->out, "if (!tr_push(&k->list, at)) k->trouble = \"there is no memory left\";\n");
  else
    text_add_format(e->out, "TR_SET(words + %uu, at);\n", it->place);
  for (uint32_t i = 0; i < loop.braces; i++) text_add_char(e->out, '}');
  text_add_char(e->out, '\n');
  if (!it->is_sparse) return;
  text_add_format(e->out,
                  "  if (k->list.count > %uu)\n    k->trouble = \"a state has more fluents than a "
                  "position has room for\";\n  else\n"
                  "    *(uint32_t *)(words + %uu) = tr_give(&k->list, (uint32_t *)(words + %uu) + "
                  "1, %uu);\n",
                  it->room, sparse_word(e, state), sparse_word(e, state), it->room);
}

static void put_step(emitter *e) {
  text_add_format(e->out,
                  "\nstatic void step(void *workspace, const void *position, const uint32_t "
                  "*joint, void *next) {\n"
                  "  kb *k = workspace;\n  uint64_t words[%u] = {0};\n"
                  "  set_position(k, position);\n  set_joint(k, joint);\n  ask_next(k);\n",
                  e->s->position_words);
  for (flat_id next = 0; next < e->f->relations.count; next++) {
    if (emit_keyword(e, next) != SYM_NEXT || emit_kind(e, next) == KIND_UNUSED) continue;
    for (flat_id state = 0; state < e->f->relations.count; state++) {
      column_map m;
      if (emit_keyword(e, state) == SYM_TRUE && emit_store(e, state)->product &&
          strata_map_columns(e->f, next, state, &m, e->keep))
        put_next(e, next, state);
    }
  }
  text_add(e->out, "  memcpy(next, words, sizeof words);\n}\n");
}

static void put_sees(emitter *e) {
  text_add(e->out,
           "\nstatic uint32_t sees(void *workspace, const void *position, const uint32_t *joint,\n"
           "                     uint32_t role, uint32_t *sights, uint32_t capacity) {\n"
           "  kb *k = workspace;\n  set_position(k, position);\n  set_joint(k, joint);\n"
           "  ask_sees(k);\n  k->list.count = 0;\n  if (role >= ROLES || k->trouble) return 0;\n");
  emit_note_sights(e);
  text_add(e->out, "  return tr_give(&k->list, sights, capacity);\n}\n");
}

static void put_fluents(emitter *e) {
  text_add_format(e->out,
                  "\nstatic uint32_t fluents(const void *position, uint32_t *numbers, uint32_t "
                  "capacity) {\n  uint32_t count = 0;\n  uint64_t words[%u];\n"
                  "  memcpy(words, position, sizeof words);\n"
                  "  for (uint32_t i = 0; i < %uu; i++)\n"
                  "    for (uint64_t word = words[i]; word; word &= word - 1, count++)\n"
                  "      if (count < capacity) numbers[count] = i * 64 + tr_lowest(word);\n",
                  e->s->position_words, e->s->dense_words);
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    const store *it = emit_store(e, r);
    if (emit_kind(e, r) != KIND_STATE || !it->is_sparse) continue;
    text_add_format(e->out,
                    "  for (uint32_t i = 1; i <= ((const uint32_t *)(words + %uu))[0]; i++, "
                    "count++)\n    if (count < capacity) numbers[count] = %uu + ((const uint32_t "
                    "*)(words + %uu))[i];\n",
                    sparse_word(e, r), it->place, sparse_word(e, r));
  }
  text_add(e->out, "  return count;\n}\n");
}

static void put_workspace(emitter *e) {
  text_add(e->out, "\nstatic void workspace_free(void *workspace) {\n  kb *k = workspace;\n"
                   "  if (!k) return;\n  free(k->list.items);\n");
  if (!legal_is_bits(e))
    text_add(e->out, "  for (uint32_t i = 0; i < ROLES; i++) free(k->legal[i].items);\n");
  const char *rows = e->s->kb == KB_TRIE ? "trie" : "rows";
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (is_kept(e, r) && emit_store(e, r)->kind == STORE_ROWS)
      text_add_format(e->out, "  tr_%s_free(&%s);\n", rows, emit_field(e, r));
  text_add(e->out, "  free(k);\n}\n\nstatic void *workspace_new(void) {\n"
                   "  kb *k = calloc(1, sizeof *k);\n  if (!k) return NULL;\n");
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    const store *it = emit_store(e, r);
    if (!is_kept(e, r) || it->kind != STORE_ROWS) continue;
    text_add_format(e->out, "  tr_%s_init(&%s, %u);\n", rows, emit_field(e, r), emit_arity(e, r));
    for (uint32_t i = 0; e->s->kb != KB_TRIE && i < it->patterns.count; i++)
      text_add_format(e->out, "  if (!tr_rows_add_index(&%s, 0x%llxu)) goto no_memory;\n",
                      emit_field(e, r), (unsigned long long)it->patterns.items[i]);
  }
  text_add(e->out, "  return k;\n");
  bool has_index = false;
  for (flat_id r = 0; r < e->f->relations.count; r++)
    has_index |= e->s->kb != KB_TRIE && is_kept(e, r) && emit_store(e, r)->kind == STORE_ROWS &&
                 emit_store(e, r)->patterns.count;
  if (has_index) text_add(e->out, "no_memory:\n  workspace_free(k);\n  return NULL;\n");
  text_add(e->out, "}\n\nstatic const char *trouble(const void *workspace) {\n"
                   "  return ((const kb *)workspace)->trouble;\n}\n");
}

static void put_interface(emitter *e, const char *name) {
  text_add(e->out, "\nstatic const char *const role_names[] = {\n");
  for (uint32_t i = 0; i < role_count(e); i++) {
    text word = text_new(e->keep);
    term_print(e->f->terms, table_row(&e->n->facts[e->s->role], i)[0], NOTATION_KIF, NULL, &word);
    text_add(e->out, "    ");
    emit_string(e, text_string(&word));
    text_add(e->out, ",\n");
  }
  text_add_format(e->out,
                  "    NULL,\n};\n\n#ifndef TABIA_GAME\n#define TABIA_GAME tabia_game_%s\n#endif\n"
                  "const tabia_game *TABIA_GAME(void);\n\nconst tabia_game *TABIA_GAME(void) {\n"
                  "  static const tabia_game game = {\n"
                  "      TABIA_GAME_VERSION, ROLES,   role_names, sizeof start_words,\n"
                  "      workspace_new,      workspace_free, trouble, start,\n"
                  "      terminal,           legal,   goals,      step,\n"
                  "      sees,               fluents, fluent_text, move_text,\n"
                  "      sight_text,\n  };\n  return &game;\n}\n",
                  name);
}

static void put_head(emitter *e, const char *name) {
  text_add_format(
      e->out,
      "/* The game %s, compiled by tabia.  Facts are numbers: each column of a relation "
      "holds codes\n   of constants.  Each function on_... says what the facts of one "
      "relation lead to. */\n"
      "#include \"tabia_game.h\"\n#include \"tabia_runtime.h\"\n\n#define ROLES %uu\n",
      name, role_count(e));
}

/* Fluents that are only tested are read where they lie in the position. */
static void put_add_functions(emitter *e) {
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (emit_kind(e, r) == KIND_STATE
            ? needs_loading(e, r)
            : is_kept(e, r) || (emit_keyword(e, r) == SYM_LEGAL && emit_kind(e, r) != KIND_UNUSED))
      emit_add_function(e, r);
}

void emit_game(const storage *s, const char *name, arena *keep, text *out) {
  text plain = text_new(keep);
  emitter e = {.s = s,
               .v = s->inverted,
               .d = s->inverted->domains,
               .n = s->inverted->domains->n,
               .f = storage_program(s),
               .keep = keep,
               .out = &plain};
  const char *identifier = emit_identifier(name, keep);
  put_head(&e, identifier);
  emit_permanent_tables(&e);
  emit_rank_tables(&e);
  put_struct(&e);
  put_add_functions(&e);
  emit_rule_functions(&e);
  put_questions(&e);
  put_set_position(&e);
  put_set_joint(&e);
  put_start(&e);
  put_terminal(&e);
  put_legal(&e);
  put_goals(&e);
  put_step(&e);
  put_sees(&e);
  put_fluents(&e);
  emit_text_tables(&e);
  emit_text_functions(&e);
  put_workspace(&e);
  put_interface(&e, identifier);
  emit_indented(&plain, out);
}
