/* tabia info: what a rulesheet is like. */
#include "base/json.h"
#include "cli/session.h"

static const command_help help = {
    .usage = "tabia info [OPTION] GAME",
    .details =
        "Prints roles, numbers of rules and facts, strata, the largest rule, recursion, and for\n"
        "each relation:\n"
        "  kind      static: the same in every state; dynamic: depends on true or does\n"
        "  lifetime  permanent: always; persistent: once true, true to the end; ephemeral",
    .example = "tabia info connect-four",
};

/* ---- for people ---- */

static void put_roles(const tabia_info *info) {
  printf("roles         %u:", tabia_info_role_count(info));
  for (uint32_t i = 0; i < tabia_info_role_count(info); i++)
    printf(" %s", tabia_info_role(info, i));
  puts(tabia_info_is(info, TABIA_HAS_ROLE_RULES) ? " and those that rules give" : "");
}

static void put_recursion(const tabia_info *info) {
  bool is_any = false;
  fputs("recursion    ", stdout);
  for (uint32_t i = 0; i < tabia_info_relation_count(info); i++) {
    if (!tabia_info_relation_is_recursive(info, i)) continue;
    printf(" %s/%u", tabia_info_relation_name(info, i), tabia_info_relation_arity(info, i));
    is_any = true;
  }
  puts(is_any ? "" : " none");
}

static void put_largest(const tabia_info *info) {
  const uint32_t conditions = tabia_info_figure(info, TABIA_LARGEST_RULE_CONDITIONS);
  const uint32_t variables = tabia_info_figure(info, TABIA_LARGEST_RULE_VARIABLES);
  if (!tabia_info_figure(info, TABIA_LARGEST_RULE_LINE)) return;
  printf("largest rule  line %u: %u condition%s, %u variable%s\n",
         tabia_info_figure(info, TABIA_LARGEST_RULE_LINE), conditions, plural(conditions),
         variables, plural(variables));
}

static const char *unless(const tabia_info *info, tabia_class what) {
  return tabia_info_is(info, what) ? "" : "not ";
}

static void put_classes(const tabia_info *info) {
  printf("properties    %sstratified, %sallowed, %srecursion restricted, %sbounded\n",
         unless(info, TABIA_IS_STRATIFIED), unless(info, TABIA_IS_ALLOWED),
         unless(info, TABIA_IS_RECURSION_RESTRICTED), unless(info, TABIA_IS_BOUNDED));
}

static void put_relations(const tabia_info *info, arena *keep) {
  printf("\n%-32s  %-7s  %-10s  %7s  %6s  %6s\n", "relation", "kind", "lifetime", "stratum",
         "rules", "facts");
  for (uint32_t i = 0; i < tabia_info_relation_count(info); i++) {
    text name = text_new(keep);
    text_add_format(&name, "%s/%u", tabia_info_relation_name(info, i),
                    tabia_info_relation_arity(info, i));
    printf("%-32s  %-7s  %-10s  %7u  %6u  %6u\n", text_string(&name),
           tabia_info_relation_kind(info, i), tabia_info_relation_lifetime(info, i),
           tabia_info_relation_stratum(info, i), tabia_info_relation_rules(info, i),
           tabia_info_relation_facts(info, i));
  }
}

static void put_as_text(const session *s, const tabia_info *info) {
  size_t bytes;
  tabia_rules_text(s->rules, &bytes);
  printf("game          %s\nnotation      %s\nbytes         %zu\n", tabia_rules_name(s->rules),
         tabia_rules_notation(s->rules), bytes);
  put_roles(info);
  printf("rules         %u\nfacts         %u\nclauses       %u\nstrata        %u\n",
         tabia_info_figure(info, TABIA_COUNT_RULES), tabia_info_figure(info, TABIA_COUNT_FACTS),
         tabia_info_figure(info, TABIA_COUNT_CLAUSES), tabia_info_figure(info, TABIA_COUNT_STRATA));
  put_recursion(info);
  put_largest(info);
  put_classes(info);
  put_relations(info, s->keep);
}

/* ---- for programs ---- */

static void write_relation(json_writer *w, const tabia_info *info, uint32_t i) {
  json_open_object(w, NULL);
  json_put_string(w, "relation", tabia_info_relation_name(info, i));
  json_put_integer(w, "arity", tabia_info_relation_arity(info, i));
  json_put_string(w, "kind", tabia_info_relation_kind(info, i));
  json_put_string(w, "lifetime", tabia_info_relation_lifetime(info, i));
  json_put_integer(w, "stratum", tabia_info_relation_stratum(info, i));
  json_put_bool(w, "recursive", tabia_info_relation_is_recursive(info, i));
  json_put_integer(w, "rules", tabia_info_relation_rules(info, i));
  json_put_integer(w, "facts", tabia_info_relation_facts(info, i));
  json_close_object(w);
}

static void write_largest(json_writer *w, const tabia_info *info) {
  if (!tabia_info_figure(info, TABIA_LARGEST_RULE_LINE)) {
    json_put_null(w, "largest_rule");
    return;
  }
  json_open_object(w, "largest_rule");
  json_put_integer(w, "line", tabia_info_figure(info, TABIA_LARGEST_RULE_LINE));
  json_put_integer(w, "conditions", tabia_info_figure(info, TABIA_LARGEST_RULE_CONDITIONS));
  json_put_integer(w, "variables", tabia_info_figure(info, TABIA_LARGEST_RULE_VARIABLES));
  json_close_object(w);
}

static void write_figures(json_writer *w, const session *s, const tabia_info *info) {
  size_t bytes;
  tabia_rules_text(s->rules, &bytes);
  json_put_string(w, "game", tabia_rules_name(s->rules));
  json_put_string(w, "notation", tabia_rules_notation(s->rules));
  json_put_integer(w, "bytes", (int64_t)bytes);
  json_open_array(w, "roles");
  for (uint32_t i = 0; i < tabia_info_role_count(info); i++)
    json_put_string(w, NULL, tabia_info_role(info, i));
  json_close_array(w);
  json_put_integer(w, "rules", tabia_info_figure(info, TABIA_COUNT_RULES));
  json_put_integer(w, "facts", tabia_info_figure(info, TABIA_COUNT_FACTS));
  json_put_integer(w, "clauses", tabia_info_figure(info, TABIA_COUNT_CLAUSES));
  json_put_integer(w, "strata", tabia_info_figure(info, TABIA_COUNT_STRATA));
  json_put_bool(w, "stratified", tabia_info_is(info, TABIA_IS_STRATIFIED));
  json_put_bool(w, "allowed", tabia_info_is(info, TABIA_IS_ALLOWED));
  json_put_bool(w, "recursion_ok", tabia_info_is(info, TABIA_IS_RECURSION_RESTRICTED));
  json_put_bool(w, "bounded", tabia_info_is(info, TABIA_IS_BOUNDED));
  write_largest(w, info);
}

static void put_as_json(const session *s, const tabia_info *info) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  write_figures(&w, s, info);
  json_open_array(&w, "relations");
  for (uint32_t i = 0; i < tabia_info_relation_count(info); i++) write_relation(&w, info, i);
  json_close_array(&w);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

/* What was read is told even when it has faults; the status says so. */
static int tell(session *s, bool as_json) {
  tabia_info *info = tabia_info_new(s->rules, s->log);
  if (as_json)
    put_as_json(s, info);
  else
    put_as_text(s, info);
  const tabia_status status = tabia_info_status(info);
  tabia_info_free(info);
  return session_show(s, status);
}

int cmd_info(int argc, char **argv) {
  bool as_json = false;
  limit_choice limits = {0};
  const option options[] = {
      FLAG_OPTION("json", &as_json, "print JSON"), SESSION_LIMITS(&limits), {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (session_begin(&s, &limits, &help, &status) && session_read_any(&s, given.items[0], &status))
    status = tell(&s, as_json);
  return session_end(&s, status);
}
