/* tabia info: what a rulesheet is like. */
#include "base/json.h"
#include "cli/session.h"

static const command_help help = {
    .usage = "tabia info [OPTION] GAME",
    .details =
        "Prints roles, numbers of rules and facts, strata, the largest rule, recursion, and for\n"
        "each relation:\n"
        "  kind      static: the same in every state; dynamic: depends on true or does\n"
        "  lifetime  permanent: always; persistent: once true, true to the end; ephemeral\n"
        "With --symmetries, also permutations of fluents, moves and roles that leave the ground\n"
        "rules and the initial state unchanged; each is verified on all rules.\n"
        "With --factors, also independent parts: sets of fluents that change, and allow moves,\n"
        "whatever holds in the others; verified on the dependencies of the rules.",
    .example = "tabia info connect-four",
};

/* What is found besides, where it is wished for; or NULL. */
typedef struct info_extras {
  tabia_symmetries *symmetries;
  tabia_factors *factors;
} info_extras;

static const char *fluent_text(const session *s, tabia_fluent f) {
  const size_t length = tabia_fluent_text(s->machine, f, NULL, 0);
  char *name = arena_alloc(s->keep, length + 1);
  tabia_fluent_text(s->machine, f, name, length + 1);
  return name;
}

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

/* The moves that a generator permutes, the first few. */
static void put_generator(const session *s, const tabia_symmetries *x, uint32_t i) {
  enum { SHOWN = 4 };
  uint32_t moved = 0;
  printf("  %-12u", (unsigned)i + 1);
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++)
    for (tabia_move m = 0; m < tabia_symmetries_move_count(x, r); m++) {
      const uint32_t to = tabia_symmetries_role(x, i, r);
      const tabia_move image = tabia_symmetries_move(x, i, r, m);
      if ((to == r && image == m) || moved++ >= SHOWN) continue;
      printf("%s%s %s -> %s %s", moved > 1 ? ", " : "", tabia_machine_role(s->machine, r),
             move_text(s->machine, r, m, s->keep), tabia_machine_role(s->machine, to),
             move_text(s->machine, to, image, s->keep));
    }
  if (moved > SHOWN) printf(", and %u more moves", (unsigned)(moved - SHOWN));
  putchar('\n');
}

static void put_symmetries(const session *s, const tabia_symmetries *x) {
  const uint32_t count = tabia_symmetries_count(x), order = tabia_symmetries_order(x);
  printf("\nsymmetries    %u of states that keep roles%s, %u generator%s of all\n", (unsigned)order,
         tabia_symmetries_are_all(x) ? "" : ", perhaps more", (unsigned)count, plural(count));
  for (uint32_t i = 0; i < count; i++) put_generator(s, x, i);
}

/* How many fluents are of a part; with their names, the first few, if wished. */
static uint32_t list_part(const session *s, const tabia_factors *x, uint32_t part, text *names) {
  enum { SHOWN = 6 };
  uint32_t count = 0;
  for (tabia_fluent f = 0; f < tabia_factors_fluent_count(x); f++) {
    if (tabia_factors_fluent_part(x, f) != part) continue;
    if (count++ < SHOWN) text_add_format(names, " %s", fluent_text(s, f));
  }
  if (count > SHOWN) text_add_format(names, " and %u more", (unsigned)(count - SHOWN));
  return count;
}

/* Moves of a role that are not idle in a part; all of them where it chooses in all parts. */
static bool is_move_of_part(const tabia_factors *x, uint32_t part, uint32_t role, tabia_move m) {
  const uint32_t class = tabia_factors_move_class(x, part, role, m);
  return class != TABIA_NO_CLASS && !tabia_factors_chooses_in_all(x, role) &&
         class != tabia_factors_idle_class(x, part, role);
}

static uint32_t count_moves_of_part(const tabia_factors *x, uint32_t part, uint32_t role) {
  uint32_t count = 0;
  for (tabia_move m = 0; tabia_factors_move_class(x, part, role, m) != TABIA_NO_CLASS; m++)
    count += is_move_of_part(x, part, role, m);
  return tabia_factors_chooses_in_all(x, role) ? tabia_factors_class_count(x, part, role) : count;
}

static const char *readers_of(const tabia_factors *x, uint32_t part) {
  const bool ends = tabia_factors_ends(x, part), scores = tabia_factors_scores(x, part);
  return ends && scores ? "read by terminal and goal"
         : ends         ? "read by terminal"
         : scores       ? "read by goal"
                        : "irrelevant: neither terminal nor goal reads it";
}

static void put_part(const session *s, const tabia_factors *x, uint32_t part) {
  text names = text_new(s->keep);
  const uint32_t fluents = list_part(s, x, part, &names);
  printf("  part %-7u%u fluent%s", (unsigned)part + 1, (unsigned)fluents, plural(fluents));
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++) {
    const uint32_t moves = count_moves_of_part(x, part, r);
    if (moves > 1 || !tabia_factors_chooses_in_all(x, r))
      printf(", %u %s%s of %s", (unsigned)moves,
             tabia_factors_chooses_in_all(x, r) ? "choice" : "move", plural(moves),
             tabia_machine_role(s->machine, r));
  }
  printf("; %s:%s\n", readers_of(x, part), text_string(&names));
}

static void put_factors(const session *s, const tabia_factors *x) {
  text names = text_new(s->keep);
  const uint32_t count = tabia_factors_count(x);
  if (!count) {
    const char *reason = tabia_factors_reason(x);
    printf("\nfactors       none%s%s\n", reason ? ": " : "", reason ? reason : "");
    return;
  }
  const uint32_t common = list_part(s, x, TABIA_PART_COMMON, &names);
  printf("\nfactors       %u independent parts", (unsigned)count);
  if (common) printf("; common:%s", text_string(&names));
  putchar('\n');
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++)
    printf("  %-12s%s\n", tabia_machine_role(s->machine, r),
           tabia_factors_chooses_in_all(x, r) ? "chooses in every part at each step"
                                              : "chooses one part at each step");
  for (uint32_t i = 0; i < count; i++) put_part(s, x, i);
}

static void put_as_text(const session *s, const tabia_info *info, const info_extras *extras) {
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
  if (extras->symmetries) put_symmetries(s, extras->symmetries);
  if (extras->factors) put_factors(s, extras->factors);
}

/* ---- for programs ---- */

static void write_role_images(json_writer *w, const session *s, const tabia_symmetries *x,
                              uint32_t i) {
  json_open_array(w, "role_images");
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++) {
    if (tabia_symmetries_role(x, i, r) == r) continue;
    json_open_object(w, NULL);
    json_put_string(w, "role", tabia_machine_role(s->machine, r));
    json_put_string(w, "image", tabia_machine_role(s->machine, tabia_symmetries_role(x, i, r)));
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_move_images(json_writer *w, const session *s, const tabia_symmetries *x,
                              uint32_t i) {
  json_open_array(w, "move_images");
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++)
    for (tabia_move m = 0; m < tabia_symmetries_move_count(x, r); m++) {
      const uint32_t to = tabia_symmetries_role(x, i, r);
      const tabia_move image = tabia_symmetries_move(x, i, r, m);
      if (to == r && image == m) continue;
      json_open_object(w, NULL);
      json_put_string(w, "role", tabia_machine_role(s->machine, r));
      json_put_string(w, "move", move_text(s->machine, r, m, s->keep));
      json_put_string(w, "image", move_text(s->machine, to, image, s->keep));
      json_close_object(w);
    }
  json_close_array(w);
}

static void write_fluent_images(json_writer *w, const session *s, const tabia_symmetries *x,
                                uint32_t i) {
  json_open_array(w, "fluent_images");
  for (tabia_fluent f = 0; f < tabia_symmetries_fluent_count(x); f++) {
    const tabia_fluent image = tabia_symmetries_fluent(x, i, f);
    if (image == f) continue;
    json_open_object(w, NULL);
    json_put_string(w, "fluent", fluent_text(s, f));
    json_put_string(w, "image", fluent_text(s, image));
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_generator(json_writer *w, const session *s, const tabia_symmetries *x,
                            uint32_t i) {
  json_open_object(w, NULL);
  write_role_images(w, s, x, i);
  write_move_images(w, s, x, i);
  write_fluent_images(w, s, x, i);
  json_close_object(w);
}

static void write_symmetries(json_writer *w, const session *s, const tabia_symmetries *x) {
  json_put_integer(w, "symmetries", tabia_symmetries_order(x));
  json_put_bool(w, "all_symmetries", tabia_symmetries_are_all(x));
  json_open_array(w, "symmetry_list");
  for (uint32_t i = 0; i < tabia_symmetries_count(x); i++) write_generator(w, s, x, i);
  json_close_array(w);
}

static void write_fluents(json_writer *w, const session *s, const tabia_factors *x, uint32_t part,
                          const char *name) {
  json_open_array(w, name);
  for (tabia_fluent f = 0; f < tabia_factors_fluent_count(x); f++)
    if (tabia_factors_fluent_part(x, f) == part) json_put_string(w, NULL, fluent_text(s, f));
  json_close_array(w);
}

/* One of the moves of each class. */
static void write_choices(json_writer *w, const session *s, const tabia_factors *x, uint32_t part,
                          uint32_t role) {
  json_open_array(w, "choices");
  for (uint32_t class = 0; class < tabia_factors_class_count(x, part, role); class ++) {
    tabia_move m = 0;
    while (tabia_factors_move_class(x, part, role, m) != class) m++;
    json_put_string(w, NULL, move_text(s->machine, role, m, s->keep));
  }
  json_close_array(w);
}

static void write_moves_of_part(json_writer *w, const session *s, const tabia_factors *x,
                                uint32_t part, uint32_t role) {
  json_open_array(w, "moves");
  for (tabia_move m = 0; tabia_factors_move_class(x, part, role, m) != TABIA_NO_CLASS; m++)
    if (is_move_of_part(x, part, role, m))
      json_put_string(w, NULL, move_text(s->machine, role, m, s->keep));
  json_close_array(w);
}

static void write_part(json_writer *w, const session *s, const tabia_factors *x, uint32_t part) {
  json_open_object(w, NULL);
  write_fluents(w, s, x, part, "fluents");
  json_put_bool(w, "ends_play", tabia_factors_ends(x, part));
  json_put_bool(w, "scores", tabia_factors_scores(x, part));
  json_open_array(w, "role_moves");
  for (uint32_t r = 0; r < tabia_machine_role_count(s->machine); r++) {
    json_open_object(w, NULL);
    json_put_string(w, "role", tabia_machine_role(s->machine, r));
    if (tabia_factors_chooses_in_all(x, r))
      write_choices(w, s, x, part, r);
    else
      write_moves_of_part(w, s, x, part, r);
    json_close_object(w);
  }
  json_close_array(w);
  json_close_object(w);
}

static void write_factors(json_writer *w, const session *s, const tabia_factors *x) {
  json_open_array(w, "factors");
  for (uint32_t i = 0; i < tabia_factors_count(x); i++) write_part(w, s, x, i);
  json_close_array(w);
  write_fluents(w, s, x, TABIA_PART_COMMON, "common_fluents");
  json_put_string(w, "factors_reason", tabia_factors_reason(x));
}

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

static void put_as_json(const session *s, const tabia_info *info, const info_extras *extras) {
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  write_figures(&w, s, info);
  json_open_array(&w, "relations");
  for (uint32_t i = 0; i < tabia_info_relation_count(info); i++) write_relation(&w, info, i);
  json_close_array(&w);
  if (extras->symmetries) write_symmetries(&w, s, extras->symmetries);
  if (extras->factors) write_factors(&w, s, extras->factors);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

typedef struct info_command {
  limit_choice limits;
  bool as_json, with_symmetries, with_factors;
} info_command;

/* What is wished for and can be found; what cannot is shown. */
static info_extras find_extras(session *s, const info_command *c, int *status) {
  const machine_choice choice = {.machine = "circuit"};
  info_extras x = {NULL, NULL};
  if (!c->with_symmetries && !c->with_factors) return x;
  if (!session_open(s, &choice, status)) return x;
  tabia_status found = TABIA_OK;
  if (c->with_symmetries)
    found = tabia_symmetries_find(&x.symmetries, s->machine, s->limits, s->log);
  if (c->with_factors && found == TABIA_OK)
    found = tabia_factors_find(&x.factors, s->machine, s->limits, s->log);
  if (found != TABIA_OK) *status = session_show(s, found);
  return x;
}

/* Rules with faults are described, too; the status says so. */
static int tell(session *s, const info_command *c) {
  int status = 0;
  tabia_info *info = tabia_info_new(s->rules, s->log);
  if (!info) return session_show(s, TABIA_LIMIT);
  const info_extras x = find_extras(s, c, &status);
  if (c->as_json)
    put_as_json(s, info, &x);
  else
    put_as_text(s, info, &x);
  const tabia_status found = tabia_info_status(info);
  tabia_symmetries_free(x.symmetries);
  tabia_factors_free(x.factors);
  tabia_info_free(info);
  const int shown = session_show(s, found);
  return shown ? shown : status;
}

int cmd_info(int argc, char **argv) {
  info_command c = {0};
  const option options[] = {
      FLAG_OPTION("symmetries", &c.with_symmetries, "show the symmetries of the rules"),
      FLAG_OPTION("factors", &c.with_factors, "show independent parts of the game"),
      FLAG_OPTION("json", &c.as_json, "print JSON"),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  session s;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (session_begin(&s, &c.limits, &help, &status) && session_read_any(&s, given.items[0], &status))
    status = tell(&s, &c);
  return session_end(&s, status);
}
