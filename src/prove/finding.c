#include "prove/finding.h"

#include "machine/fault.h"

const char *verdict_name(verdict_kind k) {
  static const char *const names[] = {"unknown", "proved", "refuted"};
  return names[k];
}

bool finding_has_certificate(const property *p, const finding *v) {
  if (p->claim.has_derived) return false; /* the checker knows fluents alone */
  const bool can_be_walked = property_is_reach(p->kind) || p->kind == PROPERTY_TERMINATES;
  return v->has_line || v->certificate || v->walked ||
         (can_be_walked && (v->is_walked || v->is_bounded));
}

static const char *term_text(const circuit *c, term_id t, arena *keep) {
  text out = text_new(keep);
  term_print(c->terms, t, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

const char **line_texts(const circuit *c, const id_vec *line, arena *keep) {
  const char **texts = arena_new_array(keep, const char *, line->count + 1);
  for (uint32_t i = 0; i < line->count; i++)
    texts[i] = term_text(c, c->moves.items[line->items[i]].term, keep);
  return texts;
}

/* ---- for people ---- */

/* The last moves, as messages about faults have them. */
static void print_line(const finding *v, const circuit *c, text *out, arena *scratch) {
  const uint32_t hidden = v->length > FAULT_MOVES_SHOWN ? v->length - FAULT_MOVES_SHOWN : 0;
  const char **texts = line_texts(c, &v->line, scratch) + (size_t)hidden * c->roles.count;
  if (!v->length) text_add(out, "  at the start\n");
  if (hidden)
    text_add_format(out, "  after %u moves, the last of which are these; --json has all\n",
                    v->length);
  for (uint32_t i = hidden; i < v->length; i++) {
    text_add_format(out, "  %3u.", i + 1);
    for (uint32_t role = 0; role < c->roles.count; role++) text_add_format(out, " %s", *texts++);
    text_add_char(out, '\n');
  }
}

enum { GROUPS_SHOWN = 12, MEMBERS_SHOWN = 8 };

static void print_group(const fact_set *s, const circuit *c, const fact *f, text *out) {
  const uint32_t shown = f->count <= MEMBERS_SHOWN ? f->count : MEMBERS_SHOWN;
  text_add(out, f->kind == FACT_EXACTLY_ONE ? "  exactly one:" : "  at most one:");
  for (uint32_t i = 0; i < shown; i++) {
    text_add_char(out, ' ');
    fact_print_member(s, c, f, i, out);
  }
  if (shown < f->count) text_add_format(out, " and %u more", f->count - shown);
  text_add_char(out, '\n');
}

static void print_groups(const fact_set *s, const circuit *c, text *out) {
  const uint32_t shown = s->all.count <= GROUPS_SHOWN ? s->all.count : GROUPS_SHOWN;
  const uint32_t left = s->all.count - shown;
  for (uint32_t i = 0; i < shown; i++) print_group(s, c, &s->all.items[i], out);
  if (left) text_add_format(out, "  and %u group%s more; --json has all\n", left, plural(left));
}

static void print_attempts(const finding *v, text *out) {
  for (uint32_t i = 0; i < v->attempts.count; i++) {
    const attempt *a = &v->attempts.items[i];
    text_add_format(out, "  %s%s%s\n", a->method ? a->method : "", a->method ? ": " : "", a->words);
  }
}

static void print_plays(const finding *v, text *out) {
  text_add(out, "  ");
  play_length_print(&v->plays, out);
  text_add_char(out, '\n');
}

/* A line is played anew, so it does not. */
static bool rests_on_file(const finding *v) {
  return v->kind != VERDICT_UNKNOWN && v->walk_file && !v->has_line;
}

void finding_print(const property *p, const finding *v, const circuit *c, text *out) {
  arena *scratch = arena_new();
  text_add_format(out, "%s: %s", p->name, verdict_name(v->kind));
  if (v->method) text_add_format(out, " by %s", v->method);
  text_add_format(out, ", %.2f s", v->seconds);
  if (v->method && v->states)
    text_add_format(out, ", %llu state%s", (unsigned long long)v->states, plural(v->states));
  if (v->method && v->depth) text_add_format(out, ", depth %u", v->depth);
  text_add_char(out, '\n');
  if (p->sense)
    text_add_format(out, "  in the %s sense: %s\n", p->sense,
                    p->kind == PROPERTY_WINNABLE ? "all roles play for it"
                                                 : "whatever the others do");
  if (v->kind == VERDICT_UNKNOWN)
    print_attempts(v, out);
  else if (v->reason)
    text_add_format(out, "  %s\n", v->reason);
  if (rests_on_file(v)) text_add(out, "  from a walk that was kept in a file\n");
  if (v->plays.is_known) print_plays(v, out);
  if (v->groups) print_groups(v->groups, c, out);
  if (v->has_line) print_line(v, c, out, scratch);
  if (v->has_line && p->kind == PROPERTY_TERMINATES)
    text_add_format(out, "  and that is the state after %u again\n", v->returns_to);
  arena_free(scratch);
}

/* ---- for programs ---- */

static void write_line(const finding *v, const circuit *c, json_writer *w, arena *scratch) {
  const char **texts = line_texts(c, &v->line, scratch);
  json_open_array(w, "witness");
  for (uint32_t i = 0; i < v->length; i++) {
    json_open_object(w, NULL);
    for (uint32_t role = 0; role < c->roles.count; role++)
      json_put_string(w, term_text(c, c->roles.items[role].term, scratch), *texts++);
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_groups(const fact_set *s, const circuit *c, json_writer *w, arena *scratch) {
  json_open_array(w, "groups");
  for (uint32_t k = 0; k < s->all.count; k++) {
    const fact *f = &s->all.items[k];
    json_open_object(w, NULL);
    json_put_string(w, "kind", fact_kind_name(f->kind));
    json_open_array(w, "members");
    for (uint32_t i = 0; i < f->count; i++) {
      text name = text_new(scratch);
      fact_print_member(s, c, f, i, &name);
      json_put_string(w, NULL, text_string(&name));
    }
    json_close_array(w);
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_attempts(const finding *v, json_writer *w) {
  json_open_array(w, "attempts");
  for (uint32_t i = 0; i < v->attempts.count; i++) {
    json_open_object(w, NULL);
    json_put_string(w, "method", v->attempts.items[i].method);
    json_put_string(w, "reason", v->attempts.items[i].words);
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_lists(const finding *v, json_writer *w) {
  for (uint32_t i = 0; i < v->lists.count; i++) {
    const name_list *l = &v->lists.items[i];
    json_open_array(w, l->key);
    for (uint32_t k = 0; k < l->names.count; k++) json_put_string(w, NULL, l->names.items[k]);
    json_close_array(w);
  }
}

void finding_write_json(const property *p, const finding *v, const circuit *c,
                        const char *certificate_file, json_writer *w) {
  arena *scratch = arena_new();
  json_open_object(w, NULL);
  json_put_string(w, "property", p->name);
  json_put_string(w, "verdict", verdict_name(v->kind));
  if (p->sense) json_put_string(w, "sense", p->sense);
  json_put_string(w, "method", v->method);
  json_put_number(w, "seconds", v->seconds);
  json_put_integer(w, "states", (int64_t)v->states);
  json_put_integer(w, "depth", v->depth);
  if (v->has_line)
    write_line(v, c, w, scratch);
  else
    json_put_null(w, "witness");
  json_put_string(w, "certificate", finding_has_certificate(p, v) ? certificate_file : NULL);
  json_put_string(w, "reason", v->reason);
  if (rests_on_file(v)) json_put_bool(w, "from_walk_file", true);
  if (v->kind == VERDICT_UNKNOWN) write_attempts(v, w);
  if (v->plays.is_known) play_length_write(&v->plays, w);
  write_lists(v, w);
  if (v->groups) write_groups(v->groups, c, w, scratch);
  json_close_object(w);
  arena_free(scratch);
}
