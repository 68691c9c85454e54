/* tabia info: what a rulesheet is like. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/options.h"

static const command_help help = {
    .usage = "tabia info [OPTION] GAME",
    .details =
        "Tells roles, numbers of rules and facts, strata, the largest rule, recursion, and for\n"
        "each relation:\n"
        "  kind      static: the same in every state; dynamic: depends on true or does\n"
        "  lifetime  permanent: always; persistent: once true, true to the end; ephemeral",
    .example = "tabia info connect-four",
};

/* ---- figures ---- */

typedef struct rule_size {
  rule_id rule;
  uint32_t conditions;
} rule_size;

static uint32_t condition_count(const program *p, const rule *r) {
  uint32_t count = 0;
  for (uint32_t i = r->body; i < r->body_end; i++) {
    const formula_kind kind = p->formulas.items[i].kind;
    count += kind == FORMULA_ATOM || kind == FORMULA_DISTINCT;
  }
  return count;
}

static rule_size largest_rule(const program *p) {
  rule_size largest = {RULE_NONE, 0};
  for (rule_id r = 0; r < p->rules.count; r++) {
    const uint32_t count = condition_count(p, &p->rules.items[r]);
    if (count > largest.conditions) largest = (rule_size){r, count};
  }
  return largest;
}

static uint32_t line_of_rule(const loaded_game *g, rule_id r) {
  return source_place(&g->source, program_span(&g->program, g->program.rules.items[r].node).start)
      .line;
}

static uint32_t fact_count(const program *p) {
  uint32_t count = 0;
  for (rule_id r = 0; r < p->rules.count; r++)
    count += p->rules.items[r].body == p->rules.items[r].body_end;
  return count;
}

static uint32_t facts_of(const program *p, const relation *r) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->clause_count; i++)
    count += p->clauses.items[p->clauses_of_relation.items[r->first_clause + i]].body_count == 0;
  return count;
}

static bool is_mentioned(const relation *r) {
  return r->clause_count || r->first_use != UINT32_MAX;
}

static const char *kind_name(const analysis *a, relation_id r) {
  return a->is_dynamic[r] ? "dynamic" : "static";
}

static const char *lifetime_name(lifetime l) {
  return l == LIFETIME_PERMANENT    ? "permanent"
         : l == LIFETIME_PERSISTENT ? "persistent"
                                    : "ephemeral";
}

static const char *name_of(const loaded_game *g, relation_id r) {
  text out = text_new(g->scratch);
  name_print(g->symbols, g->program.relations.items[r].name, NOTATION_KIF, &out);
  return text_string(&out);
}

static const char *role_text(const loaded_game *g, term_id role) {
  text out = text_new(g->scratch);
  term_print(g->program.terms, role, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

/* Rules that give roles are not run here. */
static bool has_role_rules(const program *p) {
  const relation *roles = &p->relations.items[SYM_ROLE];
  return facts_of(p, roles) < roles->clause_count;
}

/* ---- for people ---- */

static void put_roles(const loaded_game *g) {
  const id_vec roles = program_roles(&g->program, g->scratch);
  printf("roles         %u:", roles.count);
  for (uint32_t i = 0; i < roles.count; i++) printf(" %s", role_text(g, roles.items[i]));
  puts(has_role_rules(&g->program) ? " and those that rules give" : "");
}

static void put_recursion(const loaded_game *g) {
  bool is_any = false;
  fputs("recursion    ", stdout);
  for (relation_id r = 0; r < g->program.relations.count; r++) {
    if (!g->analysis.is_recursive[r]) continue;
    printf(" %s/%u", name_of(g, r), g->program.relations.items[r].arity);
    is_any = true;
  }
  puts(is_any ? "" : " none");
}

static void put_largest(const loaded_game *g) {
  const rule_size largest = largest_rule(&g->program);
  if (largest.rule == RULE_NONE) return;
  const uint32_t variables = g->program.rules.items[largest.rule].variable_count;
  printf("largest rule  line %u: %u condition%s, %u variable%s\n", line_of_rule(g, largest.rule),
         largest.conditions, plural(largest.conditions), variables, plural(variables));
}

static void put_properties(const check_result *r) {
  printf("properties    %sstratified, %sallowed, %srecursion restricted, %sbounded\n",
         r->stratified ? "" : "not ", r->allowed ? "" : "not ", r->recursion_ok ? "" : "not ",
         r->bounded ? "" : "not ");
}

static void put_relations(const loaded_game *g) {
  const program *p = &g->program;
  printf("\n%-32s  %-7s  %-10s  %7s  %6s  %6s\n", "relation", "kind", "lifetime", "stratum",
         "rules", "facts");
  for (relation_id r = 0; r < p->relations.count; r++) {
    const relation *it = &p->relations.items[r];
    if (!is_mentioned(it)) continue;
    const uint32_t facts = facts_of(p, it);
    text name = text_new(g->scratch);
    text_add_format(&name, "%s/%u", name_of(g, r), it->arity);
    printf("%-32s  %-7s  %-10s  %7u  %6u  %6u\n", text_string(&name), kind_name(&g->analysis, r),
           lifetime_name(g->analysis.lifetimes[r]), g->analysis.stratum[r],
           it->clause_count - facts, facts);
  }
}

static void report_as_text(const loaded_game *g) {
  const program *p = &g->program;
  const uint32_t facts = fact_count(p);
  printf("game          %s\nnotation      %s\nbytes         %u\n", g->source.name,
         notation_name(g->tree.notation), g->source.length);
  put_roles(g);
  printf("rules         %u\nfacts         %u\nclauses       %u\nstrata        %u\n",
         p->rules.count - facts, facts, p->clauses.count, g->analysis.stratum_count);
  put_recursion(g);
  put_largest(g);
  put_properties(&g->check);
  put_relations(g);
}

/* ---- for programs ---- */

static void write_relation(json_writer *w, const loaded_game *g, relation_id r) {
  const relation *it = &g->program.relations.items[r];
  const uint32_t facts = facts_of(&g->program, it);
  json_open_object(w, NULL);
  json_put_string(w, "name", name_of(g, r));
  json_put_integer(w, "arity", it->arity);
  json_put_string(w, "kind", kind_name(&g->analysis, r));
  json_put_string(w, "lifetime", lifetime_name(g->analysis.lifetimes[r]));
  json_put_integer(w, "stratum", g->analysis.stratum[r]);
  json_put_bool(w, "recursive", g->analysis.is_recursive[r]);
  json_put_integer(w, "rules", it->clause_count - facts);
  json_put_integer(w, "facts", facts);
  json_close_object(w);
}

static void write_largest(json_writer *w, const loaded_game *g) {
  const rule_size largest = largest_rule(&g->program);
  if (largest.rule == RULE_NONE) {
    json_put_null(w, "largest_rule");
    return;
  }
  json_open_object(w, "largest_rule");
  json_put_integer(w, "line", line_of_rule(g, largest.rule));
  json_put_integer(w, "conditions", largest.conditions);
  json_put_integer(w, "variables", g->program.rules.items[largest.rule].variable_count);
  json_close_object(w);
}

static void write_figures(json_writer *w, const loaded_game *g) {
  const program *p = &g->program;
  const uint32_t facts = fact_count(p);
  json_put_string(w, "game", g->source.name);
  json_put_string(w, "notation", notation_name(g->tree.notation));
  json_put_integer(w, "bytes", g->source.length);
  const id_vec roles = program_roles(p, g->scratch);
  json_open_array(w, "roles");
  for (uint32_t i = 0; i < roles.count; i++) json_put_string(w, NULL, role_text(g, roles.items[i]));
  json_close_array(w);
  json_put_integer(w, "rules", p->rules.count - facts);
  json_put_integer(w, "facts", facts);
  json_put_integer(w, "clauses", p->clauses.count);
  json_put_integer(w, "strata", g->analysis.stratum_count);
  json_put_bool(w, "stratified", g->check.stratified);
  json_put_bool(w, "allowed", g->check.allowed);
  json_put_bool(w, "recursion_ok", g->check.recursion_ok);
  json_put_bool(w, "bounded", g->check.bounded);
  write_largest(w, g);
}

static void report_as_json(const loaded_game *g) {
  text out = text_new(g->scratch);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  write_figures(&w, g);
  json_open_array(&w, "relations");
  for (relation_id r = 0; r < g->program.relations.count; r++)
    if (is_mentioned(&g->program.relations.items[r])) write_relation(&w, g, r);
  json_close_array(&w);
  json_close_object(&w);
  fwrite(out.bytes, 1, out.length, stdout);
  putchar('\n');
}

int cmd_info(int argc, char **argv) {
  bool as_json = false;
  const option options[] = {FLAG_OPTION("json", &as_json, "print JSON"), {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  loaded_game g;
  if (game_load(&g, given.items[0], LOAD_CHECK, DIAG_SHOWN_OF_A_KIND)) {
    source_index_lines(&g.source, g.keep);
    if (as_json)
      report_as_json(&g);
    else
      report_as_text(&g);
  }
  status = game_report(&g, false);
  game_free(&g);
  return status;
}
