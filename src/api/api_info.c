#include "api/api.h"

#include "rules/dependencies.h"

#include <string.h>

typedef struct rule_size {
  uint32_t line, conditions, variables; /* line 0: there is none */
} rule_size;

struct tabia_info {
  reading *r; /* whose arena holds all of this */
  analysis analysis;
  check_result check;
  id_vec relations; /* those that are mentioned */
  VEC(const char *) names;
  VEC(const char *) roles;
  uint32_t facts;
  rule_size largest;
};

/* ---- figures ---- */

static uint32_t condition_count(const program *p, const rule *r) {
  uint32_t count = 0;
  for (uint32_t i = r->body; i < r->body_end; i++) {
    const formula_kind kind = p->formulas.items[i].kind;
    count += kind == FORMULA_ATOM || kind == FORMULA_DISTINCT;
  }
  return count;
}

static rule_size size_of_rule(const reading *r, rule_id id) {
  const rule *it = &r->program.rules.items[id];
  const uint32_t start = program_span(&r->program, it->node).start;
  return (rule_size){.line = source_place(&r->source, start).line,
                     .conditions = condition_count(&r->program, it),
                     .variables = it->variable_count};
}

static rule_size largest_rule(const reading *r) {
  rule_id largest = RULE_NONE;
  uint32_t most = 0;
  for (rule_id id = 0; id < r->program.rules.count; id++) {
    const uint32_t count = condition_count(&r->program, &r->program.rules.items[id]);
    if (count > most) largest = id;
    if (count > most) most = count;
  }
  return largest == RULE_NONE ? (rule_size){0} : size_of_rule(r, largest);
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

/* ---- making it ---- */

static void list_relations(tabia_info *info) {
  const program *p = &info->r->program;
  for (relation_id r = 0; r < p->relations.count; r++) {
    if (!relation_is_mentioned(p, r)) continue;
    text name = text_new(info->r->keep);
    name_print(p->symbols, p->relations.items[r].name, NOTATION_KIF, &name);
    vec_push(info->r->keep, &info->relations, r);
    vec_push(info->r->keep, &info->names, text_string(&name));
  }
}

static void list_roles(tabia_info *info) {
  arena *keep = info->r->keep;
  const id_vec roles = program_roles(&info->r->program, keep);
  for (uint32_t i = 0; i < roles.count; i++) {
    text name = text_new(keep);
    term_print(info->r->program.terms, roles.items[i], NOTATION_KIF, NULL, &name);
    vec_push(keep, &info->roles, text_string(&name));
  }
}

static tabia_info *info_new(const tabia_rules *rules, tabia_messages *log) {
  reading *r = reading_new(rules);
  tabia_info *info = arena_alloc_zero(r->keep, sizeof *info);
  info->r = r;
  source_index_lines(&r->source, r->keep);
  info->check = api_check(r, &info->analysis, log);
  api_tell(log, &r->diags, &r->source);
  list_relations(info);
  list_roles(info);
  info->facts = fact_count(&r->program);
  info->largest = largest_rule(r);
  return info;
}

static tabia_info *info_without_memory(tabia_messages *log) {
  api_no_memory(log);
  return NULL;
}

tabia_info *tabia_info_new(const tabia_rules *rules, tabia_messages *log) {
  API_GUARDED(tabia_info *, info_new(rules, log), info_without_memory(log));
}

void tabia_info_free(tabia_info *info) {
  if (info) reading_free(info->r);
}

/* ---- asking ---- */

bool tabia_info_is_sound(const tabia_info *info) { return info->r->diags.errors == 0; }

tabia_status tabia_info_status(const tabia_info *info) {
  return tabia_info_is_sound(info) ? TABIA_OK : api_failure(&info->r->limits);
}

static bool has_role_rules(const program *p) {
  const relation *roles = &p->relations.items[SYM_ROLE];
  return facts_of(p, roles) < roles->clause_count;
}

static bool has_random(const tabia_info *info) {
  for (uint32_t i = 0; i < info->roles.count; i++)
    if (strcmp(info->roles.items[i], "random") == 0) return true;
  return false;
}

bool tabia_info_is(const tabia_info *info, tabia_class what) {
  const program *p = &info->r->program;
  switch (what) {
    case TABIA_IS_STRATIFIED: return info->check.stratified;
    case TABIA_IS_ALLOWED: return info->check.allowed;
    case TABIA_IS_RECURSION_RESTRICTED: return info->check.recursion_ok;
    case TABIA_IS_BOUNDED: return info->check.bounded;
    case TABIA_HAS_ROLE_RULES: return has_role_rules(p);
    case TABIA_HAS_PERCEPTS: return p->relations.items[SYM_SEES].clause_count;
    case TABIA_HAS_RANDOM: return has_random(info);
  }
  return false;
}

uint32_t tabia_info_figure(const tabia_info *info, tabia_figure what) {
  const program *p = &info->r->program;
  switch (what) {
    case TABIA_COUNT_RULES: return p->rules.count - info->facts;
    case TABIA_COUNT_FACTS: return info->facts;
    case TABIA_COUNT_CLAUSES: return p->clauses.count;
    case TABIA_COUNT_STRATA: return info->analysis.stratum_count;
    case TABIA_LARGEST_RULE_LINE: return info->largest.line;
    case TABIA_LARGEST_RULE_CONDITIONS: return info->largest.conditions;
    case TABIA_LARGEST_RULE_VARIABLES: return info->largest.variables;
  }
  return 0;
}

uint32_t tabia_info_role_count(const tabia_info *info) { return info->roles.count; }

const char *tabia_info_role(const tabia_info *info, uint32_t i) {
  return i < info->roles.count ? info->roles.items[i] : NULL;
}

uint32_t tabia_info_relation_count(const tabia_info *info) { return info->relations.count; }

static const relation *relation_at(const tabia_info *info, uint32_t i) {
  assert(i < info->relations.count);
  return &info->r->program.relations.items[info->relations.items[i]];
}

const char *tabia_info_relation_name(const tabia_info *info, uint32_t i) {
  return info->names.items[i];
}

uint32_t tabia_info_relation_arity(const tabia_info *info, uint32_t i) {
  return relation_at(info, i)->arity;
}

uint32_t tabia_info_relation_stratum(const tabia_info *info, uint32_t i) {
  return info->analysis.stratum[info->relations.items[i]];
}

uint32_t tabia_info_relation_facts(const tabia_info *info, uint32_t i) {
  return facts_of(&info->r->program, relation_at(info, i));
}

uint32_t tabia_info_relation_rules(const tabia_info *info, uint32_t i) {
  return relation_at(info, i)->clause_count - tabia_info_relation_facts(info, i);
}

const char *tabia_info_relation_kind(const tabia_info *info, uint32_t i) {
  return info->analysis.is_dynamic[info->relations.items[i]] ? "dynamic" : "static";
}

const char *tabia_info_relation_lifetime(const tabia_info *info, uint32_t i) {
  switch (info->analysis.lifetimes[info->relations.items[i]]) {
    case LIFETIME_PERMANENT: return "permanent";
    case LIFETIME_PERSISTENT: return "persistent";
    case LIFETIME_EPHEMERAL: break;
  }
  return "ephemeral";
}

bool tabia_info_relation_is_recursive(const tabia_info *info, uint32_t i) {
  return info->analysis.is_recursive[info->relations.items[i]];
}
