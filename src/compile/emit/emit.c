#include "compile/emit/emit.h"

#include "compile/emit/emit_parts.h"
#include "datalog/flat_roles.h"

/* At least one: C has no empty loops and arrays. */
static uint32_t legal_words(const emitter *e) {
  return e->s->moves.count ? (uint32_t)((e->s->moves.count + 63) / 64) : 1;
}

/* Whether the words of legal moves that are in use are marked, to be found and cleared sooner. */
static bool legal_is_mapped(const emitter *e) { return emit_marks_legal(e) && legal_words(e) > 8; }

static uint32_t role_count(const emitter *e) { return e->s->roles.count; }

/* ---- the knowledge base ---- */

static void put_group_struct(emitter *e, uint32_t group) {
  text_add(e->out, "  struct {\n  uint32_t is_run;\n");
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (emit_has_place(e, r) && !emit_is_separate(e, r) && e->v->relations[r].group == group)
      emit_group_fields(e, r);
  text_add_format(e->out, "  } g%u;\n", group);
}

static void put_note_legal(emitter *e) {
  if (!emit_marks_legal(e))
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
                  "  const char *trouble;\n  tr_patience patience;\n  tr_list list;\n",
                  e->s->position_words);
  if (emit_has_kept(e)) text_add_format(e->out, "uint64_t before[%u];\n", e->s->dense_words);
  emit_cursor_fields(e);
  for (uint32_t g = 0; g < e->v->group_count; g++) put_group_struct(e, g);
  if (emit_marks_legal(e))
    text_add_format(e->out, "  uint64_t legal[ROLES + 1][%u];\n", legal_words(e) + 1);
  else
    text_add(e->out, "  tr_list legal[ROLES + 1];\n");
  if (legal_is_mapped(e))
    text_add_format(e->out, "  uint64_t legal_map[ROLES + 1][%u]; /* words of `legal` in use */\n",
                    (legal_words(e) + 63) / 64);
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    if (!emit_has_place(e, r)) continue;
    if (emit_is_separate(e, r))
      emit_fields(e, r);
    else
      emit_group_list(e, r);
  }
  text_add(e->out, "} kb;\n\n");
  put_note_legal(e);
}

/* ---- positions ---- */

/* Too many moves for a table of bits. */
static void put_note_always_legal(emitter *e) {
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
}

static bool has_changing_legal(const emitter *e) {
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (emit_keyword(e, r) == SYM_LEGAL && emit_kind(e, r) == KIND_STORED) return true;
  return !emit_marks_legal(e);
}

static void put_clear_legal(emitter *e) {
  if (legal_is_mapped(e))
    text_add_format(e->out,
                    "for (uint32_t role = 0; role < ROLES; role++)\n"
                    "for (uint32_t i = 0; i < %uu; i++) {\n"
                    "for (uint64_t word = k->legal_map[role][i]; word; word &= word - 1)\n"
                    "k->legal[role][i * 64 + tr_lowest(word)] = 0;\n"
                    "k->legal_map[role][i] = 0;\n}\n",
                    (legal_words(e) + 63) / 64);
  else if (emit_marks_legal(e))
    text_add(e->out, "  memset(k->legal, 0, sizeof k->legal);\n");
  else
    text_add(e->out, "  for (uint32_t i = 0; i < ROLES; i++) k->legal[i].count = 0;\n");
}

static void put_set_position(emitter *e) {
  emit_load_state(e);
  emit_take_position(e);
  text_add(e->out, "\nstatic void set_position(kb *k, const void *position) {\n"
                   "  if (is_at(k, position)) return;\n");
  if (emit_has_kept(e)) text_add(e->out, "memcpy(k->before, k->position, sizeof k->before);\n");
  text_add(e->out, "  take_position(k, position);\n"
                   "  k->has_position = true;\n  k->has_joint = false;\n");
  if (emit_has_kept(e)) text_add(e->out, "if (!has_grown(k)) forget_kept(k);\n");
  for (uint32_t g = 0; g < e->v->group_count; g++)
    text_add_format(e->out, "  k->g%u.is_run = 0;\n", g);
  if (has_changing_legal(e)) put_clear_legal(e);
  if (!emit_marks_legal(e)) put_note_always_legal(e);
  text_add(e->out, "  load_state(k);\n}\n");
}

/* ---- groups ---- */

static void put_group(emitter *e, uint32_t g) {
  const bool is_kept_group = e->v->groups[g].is_kept;
  text_add_format(e->out, "\nstatic void run_g%u(kb *k) {\n", g);
  if (!is_kept_group) text_add_format(e->out, "memset(&k->g%u, 0, sizeof k->g%u);\n", g, g);
  for (flat_id r = 0; r < e->f->relations.count && !is_kept_group; r++)
    if (emit_kind(e, r) == KIND_STORED && emit_is_separate(e, r) && emit_has_place(e, r) &&
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
    if (emit_kind(e, r) == KIND_MOVE && emit_has_place(e, r)) emit_clear(e, r);
  text_add(e->out, "  for (uint32_t i = 0; i < ROLES; i++) load_move(k, i, joint[i]);\n}\n");
}

/* ---- the interface ---- */

static void put_terminal(emitter *e) {
  text_add(e->out, "\nstatic bool terminal(void *workspace, const void *position) {\n"
                   "  kb *k = workspace;\n  set_position(k, position);\n  ask_terminal(k);\n"
                   "  return k->trouble");
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (emit_keyword(e, r) == SYM_TERMINAL && emit_kind(e, r) != KIND_UNUSED)
      text_add_format(e->out, " || %s", emit_test(e, r, NULL));
  text_add(e->out, ";\n}\n");
}

/* `name`[role][word], a row for each role. */
static void put_role_words(emitter *e, const char *name, const uint64_t *bits, uint32_t words) {
  text_add_format(e->out, "static const uint64_t %s[][%u] = {\n", name, words);
  for (uint32_t role = 0; role < role_count(e); role++) {
    text_add(e->out, "    {");
    for (uint32_t i = 0; i < words; i++)
      text_add_format(e->out, "0x%llxu,", (unsigned long long)bits[(size_t)role * words + i]);
    text_add(e->out, "},\n");
  }
  text_add(e->out, "};\n");
}

/* What is legal in every state need not be noted in any. */
static void put_always_legal(emitter *e) {
  const uint32_t words = legal_words(e);
  const uint32_t map_words = (words + 63) / 64;
  const uint64_t *bits = emit_marks_legal(e) ? emit_always_legal(e, words) : NULL;
  e->has_always_legal = bits != NULL;
  if (!bits) return;
  text_add(e->out, "\n/* Moves that are legal in every state. */\n");
  put_role_words(e, "legal_always", bits, words);
  if (!legal_is_mapped(e)) return;
  uint64_t *map = arena_zero_array(e->keep, uint64_t, (size_t)role_count(e) * map_words);
  for (uint32_t role = 0; role < role_count(e); role++)
    for (uint32_t i = 0; i < words; i++)
      if (bits[(size_t)role * words + i])
        map[(size_t)role * map_words + i / 64] |= UINT64_C(1) << (i % 64);
  put_role_words(e, "legal_always_map", map, map_words);
}

static void put_legal(emitter *e) {
  put_always_legal(e);
  text_add(e->out, "\nstatic uint32_t legal(void *workspace, const void *position, uint32_t role,\n"
                   "                      uint32_t *moves, uint32_t capacity) {\n"
                   "  kb *k = workspace;\n  set_position(k, position);\n  ask_legal(k);\n"
                   "  if (role >= ROLES || k->trouble) return 0;\n");
  if (!emit_marks_legal(e)) {
    text_add(e->out, "  return tr_give(&k->legal[role], moves, capacity);\n}\n");
    return;
  }
  const char *always = e->has_always_legal ? " | legal_always[role][i]" : "";
  text_add(e->out, "  uint32_t count = 0;\n");
  if (legal_is_mapped(e))
    text_add_format(e->out,
                    "for (uint32_t m = 0; m < %uu; m++)\n"
                    "for (uint64_t used = k->legal_map[role][m]%s; used; used &= used - 1) {\n"
                    "const uint32_t i = m * 64 + tr_lowest(used);\n",
                    (legal_words(e) + 63) / 64,
                    e->has_always_legal ? " | legal_always_map[role][m]" : "");
  else
    text_add_format(e->out, "for (uint32_t i = 0; i < %uu; i++) {\n", legal_words(e));
  text_add_format(e->out,
                  "for (uint64_t word = k->legal[role][i]%s; word; word &= word - 1, count++)\n"
                  "if (count < capacity) moves[count] = i * 64 + tr_lowest(word);\n}\n"
                  "return count;\n}\n",
                  always);
}

/* A goal that is no number is none. */
static void put_goal_values(emitter *e, flat_id r) {
  const value_class *c = &e->d->classes[domain_of(e->d, r, 1)->class_id];
  text_add_format(e->out, "TR_UNUSED static const int32_t %s_value[] = {", emit_name(e, r));
  for (uint32_t i = 0; i < c->count; i++)
    text_add_format(e->out, "%d,", emit_goal_value(e, c->values[i]));
  text_add(e->out, "0};\n");
}

/* The second argument of `goal`, with holes in it if it is a compound. */
static term_id goal_value_of(const emitter *e, flat_id r) {
  return term_arg(e->f->terms, e->f->relations.items[r].skeleton, 1);
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
    text_add_format(e->out, "const int32_t value = %d;\n", emit_goal_value(e, goal_value_of(e, r)));
  text_add(e->out, "if (value != INT32_MIN && !tr_push(&k->list, (uint32_t)value ^ "
                   "0x80000000u)) k->trouble = \"there is no memory left\";\n}\n");
  for (uint32_t i = 0; i < loop.braces; i++) text_add_char(e->out, '}');
  text_add_char(e->out, '\n');
}

/* A compound value is none, and a compound is no role. */
static bool is_goal(const emitter *e, flat_id r) {
  return emit_keyword(e, r) == SYM_GOAL && emit_kind(e, r) != KIND_UNUSED &&
         flat_has_role(e->f, r) && !term_get(e->f->terms, goal_value_of(e, r))->arg_count;
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

static void put_sees(emitter *e) {
  text_add(e->out,
           "\nstatic uint32_t sees(void *workspace, const void *position, const uint32_t *joint,\n"
           "                     uint32_t role, uint32_t *percepts, uint32_t capacity) {\n"
           "  kb *k = workspace;\n  set_position(k, position);\n  set_joint(k, joint);\n"
           "  ask_sees(k);\n  k->list.count = 0;\n  if (role >= ROLES || k->trouble) return 0;\n");
  emit_note_percepts(e);
  text_add(e->out, "  return tr_give(&k->list, percepts, capacity);\n}\n");
}

static void put_workspace(emitter *e) {
  text_add(e->out, "\nstatic void workspace_free(void *workspace) {\n  kb *k = workspace;\n"
                   "  if (!k) return;\n  free(k->list.items);\n");
  if (!emit_marks_legal(e))
    text_add(e->out, "  for (uint32_t i = 0; i < ROLES; i++) free(k->legal[i].items);\n");
  const char *rows = e->s->kb == KB_TRIE ? "trie" : "rows";
  for (flat_id r = 0; r < e->f->relations.count; r++)
    if (emit_has_place(e, r) && emit_store(e, r)->kind == STORE_ROWS)
      text_add_format(e->out, "  tr_%s_free(&%s);\n", rows, emit_field(e, r));
  text_add(e->out, "  free(k);\n}\n\nstatic void *workspace_new(void) {\n"
                   "  kb *k = calloc(1, sizeof *k);\n  if (!k) return NULL;\n");
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    const store *it = emit_store(e, r);
    if (!emit_has_place(e, r) || it->kind != STORE_ROWS) continue;
    text_add_format(e->out, "  tr_%s_init(&%s, %u);\n", rows, emit_field(e, r), emit_arity(e, r));
    for (uint32_t i = 0; e->s->kb != KB_TRIE && i < it->patterns.count; i++)
      text_add_format(e->out, "  if (!tr_rows_add_index(&%s, 0x%llxu)) goto no_memory;\n",
                      emit_field(e, r), (unsigned long long)it->patterns.items[i]);
  }
  text_add(e->out, "  return k;\n");
  bool has_index = false;
  for (flat_id r = 0; r < e->f->relations.count; r++)
    has_index |= e->s->kb != KB_TRIE && emit_has_place(e, r) &&
                 emit_store(e, r)->kind == STORE_ROWS && emit_store(e, r)->patterns.count;
  if (has_index) text_add(e->out, "no_memory:\n  workspace_free(k);\n  return NULL;\n");
  text_add(e->out, "}\n\nstatic const char *trouble(const void *workspace) {\n"
                   "  return ((const kb *)workspace)->trouble;\n}\n\n"
                   "static void set_stop(void *workspace, bool (*must_stop)(void *context),\n"
                   "                     void *context) {\n"
                   "  kb *k = workspace;\n  k->patience.must_stop = must_stop;\n"
                   "  k->patience.context = context;\n}\n");
}

static void put_interface(emitter *e) {
  text_add(e->out, "\nstatic const char *const role_names[] = {\n");
  for (uint32_t i = 0; i < role_count(e); i++) {
    text word = text_new(e->keep);
    term_print(e->f->terms, e->s->roles.items[i], NOTATION_KIF, NULL, &word);
    text_add(e->out, "    ");
    emit_string(e, text_string(&word));
    text_add(e->out, ",\n");
  }
  text_add_format(
      e->out,
      "    NULL,\n};\n\n#ifndef TABIA_GAME\n#define TABIA_GAME tabia_game_%s\n#endif\n"
      "const tabia_game *TABIA_GAME(void);\n\nconst tabia_game *TABIA_GAME(void) {\n"
      "  static const tabia_game game = {\n"
      "      TABIA_GAME_VERSION, ROLES,   role_names, sizeof start_words,\n"
      "      workspace_new,      workspace_free, trouble, start,\n"
      "      terminal,           legal,   goals,      step,\n"
      "      sees,               fluents, fluent_text, move_text,\n"
      "      percept_text,         set_stop, find_fluent, place,\n  };\n  return &game;\n}\n",
      e->name);
}

static void put_head(emitter *e) {
  text_add_format(
      e->out,
      "/* The game %s, compiled by tabia.  Facts are numbers: each column of a relation "
      "holds codes\n   of constants.  Each function on_... says what the facts of one "
      "relation lead to. */\n"
      "#include \"tabia_game.h\"\n#include \"tabia_runtime.h\"\n\n#define ROLES %uu\n",
      e->name, role_count(e));
}

/* Fluents that are only tested are read where they lie in the position. */
static void put_add_functions(emitter *e) {
  for (flat_id r = 0; r < e->f->relations.count && !budget_is_spent(e->limits); r++)
    if (emit_kind(e, r) == KIND_STATE ? emit_needs_loading(e, r)
                                      : emit_has_place(e, r) || (emit_keyword(e, r) == SYM_LEGAL &&
                                                                 emit_kind(e, r) != KIND_UNUSED))
      emit_add_function(e, r);
}

static void (*const parts[])(emitter *) = {put_head,          emit_permanent_tables,
                                           emit_rank_tables,  put_struct,
                                           put_add_functions, emit_rule_functions,
                                           put_questions,     put_set_position,
                                           put_set_joint,     emit_start,
                                           put_terminal,      put_legal,
                                           put_goals,         emit_step,
                                           put_sees,          emit_fluents,
                                           emit_text_tables,  emit_text_functions,
                                           emit_find_fluent,  emit_place,
                                           put_workspace,     put_interface};

bool emit_game(const storage *s, const char *name, arena *keep, budget *limits, text *out) {
  text plain = text_new(keep);
  emitter e = {.s = s,
               .v = s->inverted,
               .d = s->inverted->domains,
               .n = s->inverted->domains->n,
               .f = storage_program(s),
               .keep = keep,
               .out = &plain,
               .name = emit_identifier(name, keep),
               .limits = limits};
  e.work_of_passing = arena_zero_array(keep, double, e.f->relations.count + 1);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && !budget_check_now(limits); i++)
    parts[i](&e);
  if (budget_check_now(limits)) return false;
  emit_indented(&plain, out);
  return true;
}
