/* Positions: how the state is read from one, and written to the next.

   A position has the bits of all relations with few possible fluents, then a list for each of the
   others.  Only the part of a list that is in use is compared and copied. */
#include "base/sort.h"
#include "compile/emit/emit_parts.h"
#include "compile/rules/keyword_columns.h"

bool emit_has_kept(const emitter *e) {
  for (uint32_t g = 0; g < e->v->group_count; g++)
    if (e->v->groups[g].is_kept) return true;
  return false;
}

static bool is_kept_state(const emitter *e, flat_id r) {
  return emit_has_kept(e) && emit_kind(e, r) == KIND_STATE && e->v->relations[r].is_kept;
}

/* ---- loading ---- */

bool emit_needs_loading(const emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  if (emit_kind(e, r) != KIND_STATE || it->kind == STORE_NOTHING || !it->product) return false;
  return it->kind == STORE_ROWS || it->is_sparse || it->is_scanned || it->patterns.count;
}

static void put_add_call(emitter *e, flat_id r) {
  text_add_format(e->out, "add_%s(k", emit_name(e, r));
  for (uint32_t i = 0; i < emit_arity(e, r); i++) text_add_format(e->out, ", a%u", i);
  text_add(e->out, ");\n");
}

static void put_load(emitter *e, flat_id r) {
  const store *it = emit_store(e, r);
  const c_columns all = {emit_all_columns(e, r), emit_all_columns(e, r), 0};
  if (!is_kept_state(e, r)) emit_clear(e, r);
  if (it->is_sparse) {
    text_add_format(e->out,
                    "  {\n  const uint64_t *list = k->position + %uu;\n"
                    "  for (uint32_t i = 1; i <= tr_packed(list, 0); i++) {\n"
                    "  const uint32_t at = tr_packed(list, i);\n",
                    it->word);
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
  text_add(e->out, "\nstatic bool has_grown(const kb *k) {\n(void)k;\nuint64_t gone = 0;\n");
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
    if ((is_kept_state(e, r) && emit_needs_loading(e, r)) ||
        (is_stored && emit_is_separate(e, r) && emit_has_place(e, r)))
      emit_clear(e, r);
  }
  for (uint32_t g = 0; g < e->v->group_count; g++)
    if (e->v->groups[g].is_kept)
      text_add_format(e->out, "memset(&k->g%u, 0, sizeof k->g%u);\n", g, g);
  text_add(e->out, "}\n");
}

void emit_load_state(emitter *e) {
  text_add(e->out, "\nstatic void load_state(kb *k) {\n  (void)k;\n");
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (emit_needs_loading(e, r)) put_load(e, r);
  text_add(e->out, "}\n");
  if (emit_has_kept(e)) put_forget_kept(e);
}

/* ---- comparing and copying ---- */

static bool is_list(const emitter *e, flat_id r) {
  return emit_kind(e, r) == KIND_STATE && emit_store(e, r)->is_sparse;
}

static bool has_lists(const emitter *e) {
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (is_list(e, r)) return true;
  return false;
}

/* is_at(k, position) and take_position(k, position). */
void emit_take_position(emitter *e) {
  const bool is_plain = !has_lists(e);
  const char *size = is_plain ? "sizeof k->position" : emit_format(e, "%uu", e->s->dense_words * 8);
  text_add_format(e->out,
                  "\nstatic bool is_at(const kb *k, const void *position) {\n"
                  "  return k->has_position && memcmp(k->position, position, %s) == 0",
                  size);
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (is_list(e, r))
      text_add_format(e->out,
                      " &&\n  tr_same_packed(k->position + %uu, (const char *)position + %uu)",
                      emit_store(e, r)->word, emit_store(e, r)->word * 8);
  text_add_format(e->out,
                  ";\n}\n\nstatic void take_position(kb *k, const void *position) {\n"
                  "  memcpy(k->position, position, %s);\n",
                  size);
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (is_list(e, r))
      text_add_format(e->out,
                      "  tr_take_packed(k->position + %uu, (const char *)position + %uu);\n",
                      emit_store(e, r)->word, emit_store(e, r)->word * 8);
  text_add(e->out, "}\n");
}

static void put_give(emitter *e) {
  if (!has_lists(e)) {
    text_add(e->out, "  memcpy(next, words, sizeof words);\n}\n");
    return;
  }
  text_add_format(e->out, "  memcpy(next, words, %uu);\n", e->s->dense_words * 8);
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (is_list(e, r))
      text_add_format(e->out, "  tr_give_packed((char *)next + %uu, words + %uu, %uu);\n",
                      emit_store(e, r)->word * 8, emit_store(e, r)->word,
                      (emit_store(e, r)->room + 2) / 2 * 8);
  text_add(e->out, "}\n");
}

/* ---- the start ---- */

/* The number of an initial fluent among those of its relation. */
static uint64_t start_index(emitter *e, flat_id state, const table *init, uint32_t row,
                            const column_map *m) {
  const store *it = emit_store(e, state);
  uint64_t at = 0;
  for (uint32_t c = 0; c < emit_arity(e, state); c++) {
    const term_id value =
        m->from_column[c] == ID_NONE ? m->constants[c] : table_row(init, row)[m->from_column[c]];
    at = at * it->size[c] + domain_code(e->d, domain_of(e->d, state, c)->class_id, value) -
         it->low[c];
  }
  return at;
}

static void note_start(emitter *e, flat_id state, uint64_t *words, id_vec *list) {
  const store *it = emit_store(e, state);
  for (flat_id init = 0; init < e->f->relations.count; init++) {
    column_map m;
    if (emit_keyword(e, init) != SYM_INIT || !columns_map(e->f, init, state, &m, e->keep)) continue;
    for (uint32_t row = 0; row < e->n->facts[init].count; row++) {
      const uint64_t at = start_index(e, state, &e->n->facts[init], row, &m);
      if (it->is_sparse)
        vec_push(e->keep, list, (uint32_t)at);
      else
        words[it->place + at / 64] |= UINT64_C(1) << (at % 64);
    }
  }
}

/* Like tr_pack. */
static void pack_start(uint64_t *words, id_vec *list) {
  sort_ids(list->items, list->count);
  words[0] = list->count;
  for (uint32_t i = 1; i <= list->count; i++)
    words[i / 2] |= (uint64_t)list->items[i - 1] << (i % 2 * 32);
}

void emit_start(emitter *e) {
  uint64_t *words = arena_zero_array(e->keep, uint64_t, e->s->position_words);
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    if (emit_kind(e, r) != KIND_STATE) continue;
    id_vec list = {0};
    note_start(e, r, words, &list);
    if (emit_store(e, r)->is_sparse) pack_start(words + emit_store(e, r)->word, &list);
  }
  text_add_char(e->out, '\n');
  emit_words(e, "start_words", words, e->s->position_words);
  text_add(e->out, "\nstatic void start(void *position) {\n"
                   "  memcpy(position, start_words, sizeof start_words);\n}\n");
}

/* ---- the next state ---- */

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
                  "  if (!tr_pack(&k->list, words + %uu, %uu))\n"
                  "    k->trouble = \"a state has more fluents than a position has room for\";\n",
                  it->word, it->room);
}

/* Where there are lists, only what is in use is cleared. */
static void put_empty_words(emitter *e) {
  if (!has_lists(e)) return;
  text_add_format(e->out, "  memset(words, 0, %uu);\n", e->s->dense_words * 8);
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (is_list(e, r)) text_add_format(e->out, "  words[%u] = 0;\n", emit_store(e, r)->word);
}

void emit_step(emitter *e) {
  text_add_format(e->out,
                  "\nstatic void step(void *workspace, const void *position, const uint32_t "
                  "*joint, void *next) {\n"
                  "  kb *k = workspace;\n  uint64_t words[%u]%s;\n"
                  "  set_position(k, position);\n  set_joint(k, joint);\n  ask_next(k);\n",
                  e->s->position_words, has_lists(e) ? "" : " = {0}");
  put_empty_words(e);
  for (flat_id next = 0; next < e->f->relations.count; next++) {
    if (emit_keyword(e, next) != SYM_NEXT || emit_kind(e, next) == KIND_UNUSED) continue;
    for (flat_id state = 0; state < e->f->relations.count; state++) {
      column_map m;
      if (emit_keyword(e, state) == SYM_TRUE && emit_store(e, state)->product &&
          columns_map(e->f, next, state, &m, e->keep))
        put_next(e, next, state);
    }
  }
  put_give(e);
}

/* ---- fluents ---- */

void emit_fluents(emitter *e) {
  text_add_format(e->out,
                  "\nstatic uint32_t fluents(const void *position, uint32_t *numbers, uint32_t "
                  "capacity) {\n  uint32_t count = 0;\n  uint64_t words[%u];\n"
                  "  (void)numbers;\n  (void)capacity;\n"
                  "  memcpy(words, position, sizeof words);\n",
                  e->s->position_words);
  if (e->s->dense_words)
    text_add_format(e->out,
                    "  for (uint32_t i = 0; i < %uu; i++)\n"
                    "    for (uint64_t word = words[i]; word; word &= word - 1, count++)\n"
                    "      if (count < capacity) numbers[count] = i * 64 + tr_lowest(word);\n",
                    e->s->dense_words);
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    const store *it = emit_store(e, r);
    if (emit_kind(e, r) != KIND_STATE || !it->is_sparse) continue;
    text_add_format(e->out,
                    "  for (uint32_t i = 1; i <= tr_packed(words + %uu, 0); i++, count++)\n"
                    "    if (count < capacity) numbers[count] = %uu + tr_packed(words + %uu, i);\n",
                    it->word, it->place, it->word);
  }
  text_add(e->out, "  return count;\n}\n");
}
