#include "base/json.h"
#include "circuit/circuit.h"

/* ---- names ---- */

static void add_term(const circuit *c, term_id t, text *out) {
  term_print(c->terms, t, NOTATION_KIF, NULL, out);
}

/* What an input is called in the rules; gates that are made have numbers. */
static void add_gate_name(const circuit *c, gate_id g, text *out) {
  const gate it = c->gates.items[g];
  if (it.kind == GATE_CONSTANT) {
    text_add(out, "false");
  } else if (it.kind == GATE_LATCH) {
    add_term(c, c->fluents.items[c->latches.items[it.number].fluent].term, out);
  } else if (it.kind == GATE_MOVE) {
    uint32_t role = c->roles.count - 1;
    while (c->roles.items[role].first_move > it.number) role--;
    text_add(out, "(does ");
    add_term(c, c->roles.items[role].term, out);
    text_add_char(out, ' ');
    add_term(c, c->moves.items[it.number].term, out);
    text_add_char(out, ')');
  } else {
    text_add_format(out, "%c%u", it.kind == GATE_LOOP ? 'p' : 'g', g);
  }
}

static void add_wire(const circuit *c, wire w, text *out) {
  if (w == WIRE_TRUE) {
    text_add(out, "true");
    return;
  }
  if (wire_is_negated(w)) text_add_char(out, '~');
  add_gate_name(c, wire_gate(w), out);
}

/* ---- outputs, one after another ---- */

typedef void output_fn(const circuit *c, const char *relation, term_id role, term_id term, wire w,
                       text *out);

static void each_output(const circuit *c, output_fn *put, text *out) {
  for (uint32_t r = 0; r < c->roles.count; r++) {
    const circuit_role *role = &c->roles.items[r];
    for (uint32_t i = role->first_move; i < role->first_move + role->move_count; i++)
      put(c, "legal", role->term, c->moves.items[i].term, c->moves.items[i].legal, out);
  }
  for (uint32_t i = 0; i < c->latches.count; i++) {
    const circuit_latch *l = &c->latches.items[i];
    put(c, "next", TERM_NONE, c->fluents.items[l->fluent].term, l->next, out);
  }
  put(c, "terminal", TERM_NONE, TERM_NONE, c->terminal, out);
  for (uint32_t i = 0; i < c->goals.count; i++) {
    const circuit_outcome *o = &c->goals.items[i];
    put(c, "goal", c->roles.items[o->role].term, o->term, o->holds, out);
  }
  for (uint32_t i = 0; i < c->percepts.count; i++) {
    const circuit_outcome *o = &c->percepts.items[i];
    put(c, "sees", c->roles.items[o->role].term, o->term, o->holds, out);
  }
}

static void add_output_name(const circuit *c, const char *relation, term_id role, term_id term,
                            text *out) {
  const bool has_arguments = role != TERM_NONE || term != TERM_NONE;
  if (has_arguments) text_add_char(out, '(');
  text_add(out, relation);
  if (role != TERM_NONE) {
    text_add_char(out, ' ');
    add_term(c, role, out);
  }
  if (term != TERM_NONE) {
    text_add_char(out, ' ');
    add_term(c, term, out);
  }
  if (has_arguments) text_add_char(out, ')');
}

/* ---- text ---- */

static void put_output_line(const circuit *c, const char *relation, term_id role, term_id term,
                            wire w, text *out) {
  add_output_name(c, relation, role, term, out);
  text_add(out, " = ");
  add_wire(c, w, out);
  text_add_char(out, '\n');
}

static void print_text(const circuit *c, text *out) {
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    const circuit_fluent *f = &c->fluents.items[i];
    const gate it = c->gates.items[wire_gate(f->now)];
    if (it.kind == GATE_LATCH && c->latches.items[it.number].fluent == i) continue;
    add_term(c, f->term, out);
    text_add(out, " = ");
    add_wire(c, f->now, out);
    text_add_char(out, '\n');
  }
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LOOP) {
      text_add_format(out, "p%u := ", g);
      add_wire(c, c->places.items[it.number].definition, out);
      text_add_char(out, '\n');
    }
    if (it.kind != GATE_AND) continue;
    text_add_format(out, "g%u =", g);
    for (uint32_t i = 0; i < it.input_count; i++) {
      text_add(out, i ? " & " : " ");
      add_wire(c, gate_inputs(c, g)[i], out);
    }
    text_add_char(out, '\n');
  }
  each_output(c, put_output_line, out);
}

/* ---- dot ---- */

static void put_edge(text *out, wire from, const char *to_kind, uint32_t to) {
  text_add_format(out, "  n%u -> %s%u%s;\n", wire_gate(from), to_kind, to,
                  wire_is_negated(from) ? " [arrowhead=odot]" : "");
}

static void put_output_node(const circuit *c, const char *relation, term_id role, term_id term,
                            wire w, text *out) {
  text name = text_new(out->keep);
  add_output_name(c, relation, role, term, &name);
  text_add(out, "  ");
  text_add_quoted(out, text_string(&name));
  text_add(out, " [shape=box];\n");
  text_add_format(out, "  n%u -> ", wire_gate(w));
  text_add_quoted(out, text_string(&name));
  text_add(out, wire_is_negated(w) ? " [arrowhead=odot];\n" : ";\n");
}

static void print_dot(const circuit *c, text *out) {
  text_add(out, "digraph circuit {\n  rankdir=LR;\n");
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    text name = text_new(out->keep);
    add_gate_name(c, g, &name);
    text_add_format(out, "  n%u [label=", g);
    text_add_quoted(out, it.kind == GATE_AND ? "&" : text_string(&name));
    text_add(out, it.kind == GATE_AND ? "];\n" : ", shape=plaintext];\n");
    if (it.kind == GATE_LOOP) put_edge(out, c->places.items[it.number].definition, "n", g);
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      put_edge(out, gate_inputs(c, g)[i], "n", g);
  }
  each_output(c, put_output_node, out);
  text_add(out, "}\n");
}

void circuit_print(const circuit *c, circuit_format format, text *out) {
  if (format == CIRCUIT_DOT)
    print_dot(c, out);
  else
    print_text(c, out);
}

/* ---- JSON ---- */

static void put_term(const circuit *c, json_writer *w, const char *key, term_id t, arena *scratch) {
  text words = text_new(scratch);
  add_term(c, t, &words);
  json_put_string(w, key, text_string(&words));
}

void circuit_put_passes(const circuit *c, json_writer *w) {
  json_open_array(w, "passes");
  for (uint32_t i = 0; i < c->pass_count; i++) {
    const circuit_count *n = &c->counts[i];
    json_open_object(w, NULL);
    json_put_string(w, "pass", n->pass);
    json_put_integer(w, "gates", n->gates);
    json_put_integer(w, "inputs", (int64_t)n->inputs);
    json_put_integer(w, "move_sets", n->sets);
    json_put_integer(w, "latches", n->latches);
    json_put_number(w, "seconds", n->seconds);
    json_close_object(w);
  }
  json_close_array(w);
}

static void put_wire(json_writer *w, const char *key, wire it) {
  json_open_object(w, key);
  json_put_integer(w, "gate", wire_gate(it));
  json_put_bool(w, "negated", wire_is_negated(it));
  json_close_object(w);
}

static void put_inputs(const circuit *c, json_writer *w, gate_id g, const char *key, bool negated) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < c->gates.items[g].input_count; i++) {
    const wire it = gate_inputs(c, g)[i];
    if (wire_is_negated(it) == negated) json_put_integer(w, NULL, wire_gate(it));
  }
  json_close_array(w);
}

static void put_gate(const circuit *c, json_writer *w, gate_id g) {
  static const char *const kinds[] = {"constant", "latch", "move", "loop", "and"};
  const gate it = c->gates.items[g];
  json_put_string(w, "kind", kinds[it.kind]);
  if (it.kind == GATE_LATCH || it.kind == GATE_MOVE) json_put_integer(w, "number", it.number);
  if (it.kind == GATE_LOOP) put_wire(w, "definition", c->places.items[it.number].definition);
  if (it.kind != GATE_AND) return;
  put_inputs(c, w, g, "positive", false);
  put_inputs(c, w, g, "negative", true);
}

static void put_gates(const circuit *c, json_writer *w) {
  json_open_array(w, "gate_list");
  for (gate_id g = 0; g < c->gates.count; g++) {
    json_open_object(w, NULL);
    put_gate(c, w, g);
    json_close_object(w);
  }
  json_close_array(w);
}

static void put_state(const circuit *c, json_writer *w, arena *scratch) {
  json_open_array(w, "latch_list");
  for (uint32_t i = 0; i < c->latches.count; i++) {
    const circuit_latch *l = &c->latches.items[i];
    json_open_object(w, NULL);
    put_term(c, w, "fluent", c->fluents.items[l->fluent].term, scratch);
    json_put_bool(w, "initially", l->initially);
    put_wire(w, "next_wire", l->next);
    json_close_object(w);
  }
  json_close_array(w);
  json_open_array(w, "fluent_list");
  for (uint32_t i = 0; i < c->fluents.count; i++) {
    json_open_object(w, NULL);
    put_term(c, w, "fluent", c->fluents.items[i].term, scratch);
    put_wire(w, "true_wire", c->fluents.items[i].now);
    json_close_object(w);
  }
  json_close_array(w);
}

static void put_moves(const circuit *c, json_writer *w, arena *scratch) {
  json_open_array(w, "move_list");
  for (uint32_t r = 0; r < c->roles.count; r++) {
    const circuit_role *role = &c->roles.items[r];
    for (uint32_t i = role->first_move; i < role->first_move + role->move_count; i++) {
      json_open_object(w, NULL);
      put_term(c, w, "role", role->term, scratch);
      put_term(c, w, "move", c->moves.items[i].term, scratch);
      put_wire(w, "legal_wire", c->moves.items[i].legal);
      put_wire(w, "does_wire", c->moves.items[i].does);
      json_close_object(w);
    }
  }
  json_close_array(w);
}

static void put_outcomes(const circuit *c, json_writer *w, const char *key,
                         const circuit_outcome *all, uint32_t count, arena *scratch) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < count; i++) {
    json_open_object(w, NULL);
    put_term(c, w, "role", c->roles.items[all[i].role].term, scratch);
    put_term(c, w, "term", all[i].term, scratch);
    put_wire(w, "wire", all[i].holds);
    json_close_object(w);
  }
  json_close_array(w);
}

void circuit_write_json(const circuit *c, const char *game, text *out) {
  arena *scratch = arena_new();
  json_writer w = json_to(out);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", game);
  circuit_put_passes(c, &w);
  put_gates(c, &w);
  put_state(c, &w, scratch);
  put_moves(c, &w, scratch);
  put_outcomes(c, &w, "goal_list", c->goals.items, c->goals.count, scratch);
  put_outcomes(c, &w, "percept_list", c->percepts.items, c->percepts.count, scratch);
  put_wire(&w, "terminal_wire", c->terminal);
  json_close_object(&w);
  text_add_char(out, '\n');
  arena_free(scratch);
}
