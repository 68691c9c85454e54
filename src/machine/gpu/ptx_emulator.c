#include "machine/gpu/ptx_emulator.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- instructions ---- */

typedef enum ptx_opcode {
  OP_MOVE,
  OP_SPLIT, /* mov.b64 {low, high}, a */
  OP_JOIN,  /* mov.b64 d, {low, high} */
  OP_LOAD_PARAMETER,
  OP_LOAD_GLOBAL,
  OP_STORE_GLOBAL,
  OP_LOAD_SHARED,
  OP_STORE_SHARED,
  OP_ADD_GLOBAL,
  OP_ADD_GLOBAL_64,
  OP_LEAST_GLOBAL_64,
  OP_ADD_SHARED,
  OP_LOAD_GLOBAL_8,
  OP_LOAD_GLOBAL_16,
  OP_LOAD_GLOBAL_PAIR,
  OP_LOAD_GLOBAL_QUAD,
  OP_STORE_GLOBAL_8,
  OP_STORE_GLOBAL_PAIR,
  OP_FETCH_ADD_GLOBAL,
  OP_TABLE,
  OP_AND,
  OP_OR,
  OP_XOR,
  OP_XOR_64,
  OP_SHIFT_RIGHT_64,
  OP_ADD,
  OP_ADD_64,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_MULTIPLY_64,
  OP_MULTIPLY_WIDE,
  OP_MULTIPLY_ADD,
  OP_MULTIPLY_ADD_WIDE,
  OP_DIVIDE,
  OP_REMAINDER,
  OP_LEAST,
  OP_SHIFT_LEFT,
  OP_SHIFT_RIGHT,
  OP_INSERT,
  OP_FIND,
  OP_COUNT,
  OP_WIDEN,
  OP_EQUAL,
  OP_EQUAL_OR,
  OP_NOT_EQUAL,
  OP_NOT_EQUAL_OR,
  OP_LESS,
  OP_LESS_EQUAL,
  OP_GREATER,
  OP_GREATER_EQUAL,
  OP_BRANCH,
  OP_BARRIER,
  OP_BARRIER_OR,
  OP_RETURN
} ptx_opcode;

static const struct opcode_name {
  const char *name;
  ptx_opcode code;
} opcode_names[] = {
    {"mov.b32", OP_MOVE},
    {"mov.u32", OP_MOVE},
    {"mov.b64", OP_SPLIT},
    {"ld.param.u32", OP_LOAD_PARAMETER},
    {"ld.param.u64", OP_LOAD_PARAMETER},
    {"ld.global.u32", OP_LOAD_GLOBAL},
    {"st.global.u32", OP_STORE_GLOBAL},
    {"ld.shared.u32", OP_LOAD_SHARED},
    {"st.shared.u32", OP_STORE_SHARED},
    {"red.global.add.u32", OP_ADD_GLOBAL},
    {"red.global.add.u64", OP_ADD_GLOBAL_64},
    {"red.global.min.u64", OP_LEAST_GLOBAL_64},
    {"red.shared.add.u32", OP_ADD_SHARED},
    {"atom.global.add.u32", OP_FETCH_ADD_GLOBAL},
    {"ld.global.u8", OP_LOAD_GLOBAL_8},
    {"ld.global.u16", OP_LOAD_GLOBAL_16},
    {"ld.global.v2.u32", OP_LOAD_GLOBAL_PAIR},
    {"ld.global.v4.u32", OP_LOAD_GLOBAL_QUAD},
    {"st.global.u8", OP_STORE_GLOBAL_8},
    {"st.global.v2.u32", OP_STORE_GLOBAL_PAIR},
    {"lop3.b32", OP_TABLE},
    {"and.b32", OP_AND},
    {"or.b32", OP_OR},
    {"xor.b32", OP_XOR},
    {"xor.b64", OP_XOR_64},
    {"shr.u64", OP_SHIFT_RIGHT_64},
    {"add.u32", OP_ADD},
    {"add.u64", OP_ADD_64},
    {"sub.u32", OP_SUBTRACT},
    {"mul.lo.u32", OP_MULTIPLY},
    {"mul.lo.u64", OP_MULTIPLY_64},
    {"mul.wide.u32", OP_MULTIPLY_WIDE},
    {"mad.lo.u32", OP_MULTIPLY_ADD},
    {"mad.wide.u32", OP_MULTIPLY_ADD_WIDE},
    {"div.u32", OP_DIVIDE},
    {"rem.u32", OP_REMAINDER},
    {"min.u32", OP_LEAST},
    {"shl.b32", OP_SHIFT_LEFT},
    {"shr.u32", OP_SHIFT_RIGHT},
    {"bfi.b32", OP_INSERT},
    {"bfind.u32", OP_FIND},
    {"popc.b32", OP_COUNT},
    {"cvt.u64.u32", OP_WIDEN},
    {"setp.eq.u32", OP_EQUAL},
    {"setp.eq.or.u32", OP_EQUAL_OR},
    {"setp.ne.u32", OP_NOT_EQUAL},
    {"setp.ne.or.u32", OP_NOT_EQUAL_OR},
    {"setp.lt.u32", OP_LESS},
    {"setp.le.u32", OP_LESS_EQUAL},
    {"setp.gt.u32", OP_GREATER},
    {"setp.ge.u32", OP_GREATER_EQUAL},
    {"bra", OP_BRANCH},
    {"bar.sync", OP_BARRIER},
    {"bar.red.or.pred", OP_BARRIER_OR},
    {"ret", OP_RETURN},
};

enum { OPERANDS_MAX = 5 };
#define NO_REGISTER UINT32_MAX

typedef struct ptx_operand {
  uint32_t reg;   /* NO_REGISTER: the number alone */
  uint64_t value; /* a number, or what is added to an address; a label or a parameter */
} ptx_operand;

typedef struct ptx_step {
  ptx_opcode code;
  uint32_t guard; /* a predicate, or NO_REGISTER */
  bool is_guard_negated;
  ptx_operand a[OPERANDS_MAX];
  uint32_t count;
  uint32_t purpose; /* in ptx_code.purposes */
} ptx_step;

typedef struct ptx_name {
  slice name;
  uint32_t number;
} ptx_name;

typedef VEC(ptx_name) ptx_names;

struct ptx_code {
  arena *keep;
  VEC(ptx_step) steps;
  ptx_names registers;  /* the number of those with a number is that of the first */
  ptx_names labels;     /* the step */
  ptx_names parameters; /* where they begin, in bytes, times two; odd: of eight bytes */
  ptx_purpose_name purposes[PTX_PURPOSES_MAX]; /* the first is empty */
  uint32_t purpose_count;
  uint32_t round_step; /* behind the label `step` */
  uint32_t register_count;
  uint32_t parameter_bytes;
  const char *error;
};

/* Registers that the device gives. */
enum { REG_THREAD, REG_BLOCK, REG_MEMORY, GIVEN_REGISTERS };

/* ---- reading ---- */

typedef struct reader {
  ptx_code *c;
  const char *at;
  uint32_t line;
  bool is_first_pass; /* in which labels are found */
  uint32_t purpose;   /* of the instructions that follow */
} reader;

static void complain(reader *r, const char *what) {
  if (r->c->error) return;
  text out = text_new(r->c->keep);
  text_add_format(&out, "line %u: %s", r->line, what);
  r->c->error = text_string(&out);
}

static bool is_blank(char c) { return c == ' ' || c == ',' || c == '\t'; }

static void skip_blanks(reader *r) {
  while (is_blank(*r->at)) r->at++;
}

static bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '%';
}

static slice read_word(reader *r) {
  skip_blanks(r);
  slice word = {r->at, 0};
  while (is_of_word(r->at[word.length])) word.length++;
  r->at += word.length;
  return word;
}

static bool is_same(slice a, slice b) {
  return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

static const ptx_name *find_name(const ptx_names *names, slice word) {
  for (uint32_t i = 0; i < names->count; i++)
    if (is_same(names->items[i].name, word)) return &names->items[i];
  return NULL;
}

/* %v12 is the register of %v behind which there are 12 others; longest names first match whole. */
static uint32_t find_register(reader *r, slice word) {
  const ptx_name *whole = find_name(&r->c->registers, word);
  if (whole) return whole->number;
  size_t stem = word.length;
  while (stem && word.start[stem - 1] >= '0' && word.start[stem - 1] <= '9') stem--;
  const ptx_name *family = find_name(&r->c->registers, (slice){word.start, stem});
  if (!family || stem == word.length) {
    complain(r, "an unknown register");
    return 0;
  }
  return family->number + (uint32_t)strtoul(word.start + stem, NULL, 10);
}

static void add_name(reader *r, ptx_names *names, slice name, uint32_t number) {
  const ptx_name it = {name, number};
  if (r->is_first_pass) vec_push(r->c->keep, names, it);
}

/* .reg .b32 %v<12>, %one; */
static void read_registers(reader *r) {
  read_word(r);
  while (*r->at != ';' && *r->at) {
    const slice name = read_word(r);
    if (!name.length) {
      complain(r, "a register is missing");
      return;
    }
    uint32_t count = 1;
    if (*r->at == '<') {
      char *end;
      count = (uint32_t)strtoul(r->at + 1, &end, 10);
      r->at = end + (*end == '>');
    }
    add_name(r, &r->c->registers, name, r->c->register_count);
    if (r->is_first_pass) r->c->register_count += count;
    skip_blanks(r);
  }
}

/* .param .u32 p_steps, or .param .align 4 .b8 p_keys[80] */
static void read_parameter(reader *r) {
  const slice kind = read_word(r);
  const uint32_t size = slice_equals(kind, ".u64") ? 8 : 4;
  uint32_t bytes = size;
  if (slice_equals(kind, ".align")) read_word(r), read_word(r);
  const slice name = read_word(r);
  if (*r->at == '[') bytes = (uint32_t)strtoul(r->at + 1, NULL, 10);
  if (!r->is_first_pass) return;
  const uint32_t at = (r->c->parameter_bytes + size - 1) / size * size;
  add_name(r, &r->c->parameters, name, at * 2 + (size == 8));
  r->c->parameter_bytes = at + bytes;
}

static ptx_operand number_named(reader *r, const ptx_names *names, slice word) {
  const ptx_name *name = find_name(names, word);
  if (!name && !r->is_first_pass) complain(r, "an unknown name");
  return (ptx_operand){NO_REGISTER, name ? name->number : 0};
}

static ptx_operand read_named(reader *r, slice word) {
  if (*word.start == '%') return (ptx_operand){find_register(r, word), 0};
  if (*word.start >= '0' && *word.start <= '9')
    return (ptx_operand){NO_REGISTER, strtoull(word.start, NULL, 0)};
  if (slice_equals(word, "memory")) return (ptx_operand){REG_MEMORY, 0};
  if (word.length > 2 && memcmp(word.start, "p_", 2) == 0)
    return number_named(r, &r->c->parameters, word);
  return number_named(r, &r->c->labels, word);
}

/* A register, a number, a name, or [register+number]. */
static bool read_operand(reader *r, ptx_operand *out) {
  skip_blanks(r);
  if (*r->at == '{' || *r->at == '}') r->at++;
  skip_blanks(r);
  if (*r->at == ';' || *r->at == '\0' || *r->at == '\n') return false;
  const bool is_address = *r->at == '[';
  if (is_address) r->at++;
  const slice word = read_word(r);
  if (!word.length) {
    complain(r, "an operand is missing");
    return false;
  }
  *out = read_named(r, word);
  const bool is_parameter = word.length > 2 && memcmp(word.start, "p_", 2) == 0;
  if (is_address && *r->at == '+')
    out->value += strtoull(r->at + 1, NULL, 10) << is_parameter; /* that counts halves of bytes */
  while (is_address && *r->at && *r->at++ != ']') {}
  if (*r->at == '}') r->at++;
  return true;
}

static void read_guard(reader *r, ptx_step *s) {
  s->guard = NO_REGISTER;
  if (*r->at != '@') return;
  r->at++;
  s->is_guard_negated = *r->at == '!';
  if (s->is_guard_negated) r->at++;
  s->guard = find_register(r, read_word(r));
}

static void read_instruction(reader *r) {
  ptx_step s = {.guard = NO_REGISTER, .purpose = r->purpose};
  skip_blanks(r);
  read_guard(r, &s);
  const slice name = read_word(r);
  uint32_t i = 0;
  const uint32_t known = sizeof opcode_names / sizeof *opcode_names;
  while (i < known && !slice_equals(name, opcode_names[i].name)) i++;
  if (i == known) {
    complain(r, "an unknown instruction");
    return;
  }
  s.code = opcode_names[i].code;
  skip_blanks(r);
  if (s.code == OP_SPLIT && *r->at != '{') s.code = OP_JOIN;
  while (s.count < OPERANDS_MAX && read_operand(r, &s.a[s.count])) s.count++;
  if (*r->at != ';') complain(r, "no semicolon");
  vec_push(r->c->keep, &r->c->steps, s);
}

/* A comment says what the instructions behind it are for. */
static void read_comment(reader *r) {
  ptx_code *c = r->c;
  r->at += 2;
  const slice what = read_word(r);
  for (r->purpose = 1; r->purpose < c->purpose_count; r->purpose++)
    if (slice_equals(what, c->purposes[r->purpose])) return;
  if (r->purpose == PTX_PURPOSES_MAX || what.length >= sizeof *c->purposes)
    complain(r, "a purpose too many, or too long");
  else
    memcpy(c->purposes[c->purpose_count++], what.start, what.length);
}

static bool is_label(const char *at) {
  while (is_of_word(*at)) at++;
  return *at == ':';
}

static void read_line(reader *r) {
  skip_blanks(r);
  const char c = *r->at;
  if (c == '\n' || c == '\0' || c == '{' || c == '}' || c == ')') return;
  if (c == '/') {
    read_comment(r);
  } else if (is_label(r->at)) {
    const slice name = read_word(r);
    add_name(r, &r->c->labels, name, r->c->steps.count);
  } else if (c == '.') {
    const slice word = read_word(r);
    if (slice_equals(word, ".reg")) read_registers(r);
    if (slice_equals(word, ".param")) read_parameter(r);
  } else {
    read_instruction(r);
  }
}

static void read_all(reader *r, const char *words) {
  r->line = 1;
  r->purpose = 0;
  for (r->at = words; *r->at && !r->c->error; r->line++) {
    read_line(r);
    while (*r->at && *r->at != '\n') r->at++;
    if (*r->at) r->at++;
  }
}

static void name_given(reader *r) {
  static const char *const given[] = {"%tid.x", "%ctaid.x", "memory"};
  for (uint32_t i = 0; i < GIVEN_REGISTERS; i++)
    add_name(r, &r->c->registers, slice_of(given[i]), i);
  r->c->register_count = GIVEN_REGISTERS;
}

/* Labels stand behind the branches to them: the text is read twice. */
ptx_code *ptx_read(const char *words, const char **error, arena *keep) {
  ptx_code *c = arena_alloc_zero(keep, sizeof *c);
  c->keep = keep;
  c->purpose_count = 1;
  reader r = {.c = c, .is_first_pass = true};
  name_given(&r);
  read_all(&r, words);
  r.is_first_pass = false;
  c->steps.count = 0;
  if (!c->error) read_all(&r, words);
  const ptx_name *step = find_name(&c->labels, slice_of("step"));
  c->round_step = step ? step->number : NO_REGISTER;
  *error = c->error;
  return c->error ? NULL : c;
}

/* ---- running ---- */

typedef enum thread_end { THREAD_RUNS, THREAD_WAITS, THREAD_IS_OVER } thread_end;

typedef struct ptx_thread {
  uint64_t *registers;
  uint32_t *times;  /* by step: how often it has accessed memory, where that is counted */
  uint32_t *issued; /* by step: how often in this round, where that is counted */
  uint32_t round;
  uint32_t at;
  thread_end end;
} ptx_thread;

/* A sector that a thread has asked for. */
typedef struct ptx_access {
  uint64_t warp, step, time, sector;
} ptx_access;

typedef VEC(uint32_t) issue_vec; /* by round, and by step in it */

typedef struct runner {
  const ptx_code *c;
  const ptx_launch *l;
  uint8_t *shared;
  ptx_thread *threads;
  uint64_t nowhere[2]; /* what is accessed where nothing is */
  const char *error;
  arena *scratch;
  VEC(ptx_access) accesses; /* of the block, where they are counted */
  issue_vec *most;          /* by warp: how often one of its threads has issued what */
} runner;

/* ---- traffic ---- */

static bool accesses_global(ptx_opcode code) {
  return code >= OP_LOAD_GLOBAL && code <= OP_FETCH_ADD_GLOBAL && code != OP_LOAD_SHARED &&
         code != OP_STORE_SHARED && code != OP_ADD_SHARED;
}

static bool loads_global(ptx_opcode code) {
  return code == OP_LOAD_GLOBAL || (code >= OP_LOAD_GLOBAL_8 && code <= OP_LOAD_GLOBAL_QUAD);
}

/* The operand that is the address. */
static uint32_t address_of(ptx_opcode code) {
  if (code == OP_LOAD_GLOBAL_PAIR) return 2;
  if (code == OP_LOAD_GLOBAL_QUAD) return 4;
  return loads_global(code) || code == OP_FETCH_ADD_GLOBAL;
}

static int compare_accesses(const void *a, const void *b) {
  return memcmp(a, b, sizeof(ptx_access)); /* in any order: those alike come together */
}

static void count_sectors(runner *x) {
  const uint32_t count = x->accesses.count;
  const ptx_access *all = x->accesses.items;
  if (count) qsort(x->accesses.items, count, sizeof *all, compare_accesses);
  for (uint32_t i = 0; i < count; i++) {
    if (i && compare_accesses(&all[i - 1], &all[i]) == 0) continue;
    if (loads_global(x->c->steps.items[all[i].step].code))
      x->l->traffic->loads++;
    else
      x->l->traffic->stores++;
  }
  x->accesses.count = 0;
}

/* ---- issues ---- */

static void note_issue(runner *x, ptx_thread *t, uint32_t step) {
  const uint32_t count = x->c->steps.count;
  issue_vec *most = &x->most[t->registers[REG_THREAD] / 32];
  if (step == x->c->round_step) {
    t->round++;
    memset(t->issued, 0, count * sizeof *t->issued);
  }
  const uint32_t at = t->round * count + step;
  while (most->count <= at) vec_push(x->scratch, most, 0);
  if (++t->issued[step] > most->items[at]) most->items[at] = t->issued[step];
}

/* An assembler has no need of copies, and parameters are operands. */
static bool is_issued(ptx_opcode code) {
  return code != OP_MOVE && code != OP_SPLIT && code != OP_JOIN && code != OP_LOAD_PARAMETER;
}

static void count_warp(runner *x, issue_vec *most) {
  ptx_issues *to = x->l->issues;
  const uint32_t count = x->c->steps.count;
  for (uint32_t i = 0; i < most->count; i++) {
    const ptx_step *s = &x->c->steps.items[i % count];
    if (i % count == x->c->round_step) to->rounds += most->items[i];
    if (is_issued(s->code)) to->all[s->purpose].count += most->items[i];
  }
  most->count = 0;
}

static void count_issues(runner *x) {
  ptx_issues *to = x->l->issues;
  to->purposes = x->c->purpose_count;
  for (uint32_t i = 0; i < to->purposes; i++)
    memcpy(to->all[i].what, x->c->purposes[i], sizeof to->all[i].what);
  for (uint32_t i = 0; i * 32 < x->l->threads; i++) count_warp(x, &x->most[i]);
}

static void *global_at(runner *x, uint64_t address, uint32_t size) {
  for (uint32_t i = 0; i < x->l->memory_count; i++) {
    const ptx_range *r = &x->l->memory[i];
    if (address >= r->first && address + size <= r->first + r->size && address % size == 0)
      return (void *)(uintptr_t)address;
  }
  x->error = "an access to memory that was not allocated";
  return x->nowhere;
}

static uint32_t *shared_at(runner *x, uint64_t address) {
  const uint32_t at = (uint32_t)address;
  if (at % 4 == 0 && at + UINT64_C(4) <= x->l->shared_bytes)
    return (uint32_t *)(void *)(x->shared + at);
  x->error = "an access behind the end of shared memory";
  return (uint32_t *)(void *)x->shared;
}

static uint64_t value_of(const ptx_thread *t, const ptx_operand *o) {
  return o->reg == NO_REGISTER ? o->value : t->registers[o->reg] + o->value;
}

static uint32_t word_of(const ptx_thread *t, const ptx_operand *o) {
  return (uint32_t)value_of(t, o);
}

static void set(ptx_thread *t, const ptx_operand *o, uint64_t value) {
  t->registers[o->reg] = value;
}

static void set_word(ptx_thread *t, const ptx_operand *o, uint64_t value) {
  t->registers[o->reg] = (uint32_t)value;
}

static uint32_t table_of(uint32_t table, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t out = 0;
  for (uint32_t row = 0; row < 8; row++)
    if (table >> row & 1) out |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return out;
}

static uint64_t parameter(const runner *x, uint32_t number) {
  const uint8_t *at = (const uint8_t *)x->l->arguments + number / 2;
  uint64_t whole;
  uint32_t half;
  if (number & 1) {
    memcpy(&whole, at, sizeof whole);
    return whole;
  }
  memcpy(&half, at, sizeof half);
  return half;
}

/* Inserts `length` bits of a into b, from bit `at` on. */
static uint32_t insert_bits(uint32_t a, uint32_t b, uint32_t at, uint32_t length) {
  const uint32_t mask = at > 31 ? 0 : ((1u << length) - 1) << at;
  return (b & ~mask) | ((at > 31 ? 0 : a << at) & mask);
}

static void load_several(runner *x, ptx_thread *t, const ptx_step *s, uint32_t count) {
  const uint32_t *from = global_at(x, value_of(t, &s->a[count]), 4 * count);
  for (uint32_t i = 0; i < count; i++) set(t, &s->a[i], from[i]);
}

static void run_memory(runner *x, ptx_thread *t, const ptx_step *s) {
  const ptx_operand *a = s->a;
  switch (s->code) {
    case OP_LOAD_PARAMETER: set(t, &a[0], parameter(x, (uint32_t)a[1].value)); break;
    case OP_LOAD_GLOBAL: set(t, &a[0], *(uint32_t *)global_at(x, value_of(t, &a[1]), 4)); break;
    case OP_STORE_GLOBAL:
      *(uint32_t *)global_at(x, value_of(t, &a[0]), 4) = word_of(t, &a[1]);
      break;
    case OP_LOAD_GLOBAL_8: set(t, &a[0], *(uint8_t *)global_at(x, value_of(t, &a[1]), 1)); break;
    case OP_LOAD_GLOBAL_16: set(t, &a[0], *(uint16_t *)global_at(x, value_of(t, &a[1]), 2)); break;
    case OP_LOAD_GLOBAL_PAIR: load_several(x, t, s, 2); break;
    case OP_LOAD_GLOBAL_QUAD: load_several(x, t, s, 4); break;
    case OP_STORE_GLOBAL_8:
      *(uint8_t *)global_at(x, value_of(t, &a[0]), 1) = (uint8_t)word_of(t, &a[1]);
      break;
    case OP_STORE_GLOBAL_PAIR:
      *(uint64_t *)global_at(x, value_of(t, &a[0]), 8) =
          word_of(t, &a[1]) | (uint64_t)word_of(t, &a[2]) << 32;
      break;
    case OP_LOAD_SHARED: set(t, &a[0], *shared_at(x, value_of(t, &a[1]))); break;
    case OP_STORE_SHARED: *shared_at(x, value_of(t, &a[0])) = word_of(t, &a[1]); break;
    case OP_ADD_GLOBAL:
      *(uint32_t *)global_at(x, value_of(t, &a[0]), 4) += word_of(t, &a[1]);
      break;
    case OP_ADD_GLOBAL_64:
      *(uint64_t *)global_at(x, value_of(t, &a[0]), 8) += value_of(t, &a[1]);
      break;
    case OP_LEAST_GLOBAL_64: {
      uint64_t *at = global_at(x, value_of(t, &a[0]), 8);
      if (value_of(t, &a[1]) < *at) *at = value_of(t, &a[1]);
      break;
    }
    case OP_ADD_SHARED: *shared_at(x, value_of(t, &a[0])) += word_of(t, &a[1]); break;
    default: {
      uint32_t *at = global_at(x, value_of(t, &a[1]), 4);
      const uint32_t before = *at;
      *at += word_of(t, &a[2]);
      set(t, &a[0], before);
    }
  }
}

static void run_control(ptx_thread *t, const ptx_step *s) {
  switch (s->code) {
    case OP_BRANCH: t->at = (uint32_t)s->a[0].value; break;
    case OP_RETURN: t->end = THREAD_IS_OVER; break;
    default: t->end = THREAD_WAITS; /* behind the barrier, once all are there */
  }
}

static void run_logic(ptx_thread *t, const ptx_step *s) {
  const ptx_operand *o = s->a;
  const uint32_t a = word_of(t, &o[1]), b = word_of(t, &o[2]), c = word_of(t, &o[3]);
  switch (s->code) {
    case OP_MOVE: set_word(t, &o[0], a); break;
    case OP_SPLIT:
      set_word(t, &o[0], value_of(t, &o[2]));
      set_word(t, &o[1], value_of(t, &o[2]) >> 32);
      break;
    case OP_JOIN: set(t, &o[0], a | (uint64_t)b << 32); break;
    case OP_TABLE: set(t, &o[0], table_of((uint32_t)o[4].value, a, b, c)); break;
    case OP_AND: set(t, &o[0], a & b); break;
    case OP_OR: set(t, &o[0], a | b); break;
    case OP_XOR: set(t, &o[0], a ^ b); break;
    case OP_XOR_64: set(t, &o[0], value_of(t, &o[1]) ^ value_of(t, &o[2])); break;
    case OP_SHIFT_RIGHT_64: set(t, &o[0], b > 63 ? 0 : value_of(t, &o[1]) >> b); break;
    case OP_SHIFT_LEFT: set_word(t, &o[0], b > 31 ? 0 : (uint64_t)a << b); break;
    case OP_SHIFT_RIGHT: set(t, &o[0], b > 31 ? 0 : a >> b); break;
    case OP_INSERT: set(t, &o[0], insert_bits(a, b, c, word_of(t, &o[4]))); break;
    case OP_FIND: set(t, &o[0], a ? 31u - (uint32_t)__builtin_clz(a) : UINT32_MAX); break;
    case OP_COUNT: set(t, &o[0], (uint32_t)__builtin_popcount(a)); break;
    default: set(t, &o[0], a); /* OP_WIDEN */
  }
}

static void run_number(runner *x, ptx_thread *t, const ptx_step *s) {
  const ptx_operand *o = s->a;
  const uint32_t a = word_of(t, &o[1]), b = word_of(t, &o[2]);
  switch (s->code) {
    case OP_ADD: set_word(t, &o[0], (uint64_t)a + b); break;
    case OP_ADD_64: set(t, &o[0], value_of(t, &o[1]) + value_of(t, &o[2])); break;
    case OP_SUBTRACT: set_word(t, &o[0], (uint64_t)a - b); break;
    case OP_MULTIPLY: set_word(t, &o[0], (uint64_t)a * b); break;
    case OP_MULTIPLY_64: set(t, &o[0], value_of(t, &o[1]) * value_of(t, &o[2])); break;
    case OP_MULTIPLY_WIDE: set(t, &o[0], (uint64_t)a * b); break;
    case OP_MULTIPLY_ADD: set_word(t, &o[0], (uint64_t)a * b + word_of(t, &o[3])); break;
    case OP_MULTIPLY_ADD_WIDE: set(t, &o[0], (uint64_t)a * b + value_of(t, &o[3])); break;
    case OP_DIVIDE:
      if (!b) x->error = "a division by zero";
      set(t, &o[0], b ? a / b : 0);
      break;
    case OP_REMAINDER:
      if (!b) x->error = "a division by zero";
      set(t, &o[0], b ? a % b : 0);
      break;
    case OP_LEAST: set(t, &o[0], a < b ? a : b); break;
    case OP_EQUAL: set(t, &o[0], a == b); break;
    case OP_EQUAL_OR: set(t, &o[0], a == b || value_of(t, &o[3])); break;
    case OP_NOT_EQUAL: set(t, &o[0], a != b); break;
    case OP_NOT_EQUAL_OR: set(t, &o[0], a != b || value_of(t, &o[3])); break;
    case OP_LESS: set(t, &o[0], a < b); break;
    case OP_LESS_EQUAL: set(t, &o[0], a <= b); break;
    case OP_GREATER: set(t, &o[0], a > b); break;
    default: set(t, &o[0], a >= b);
  }
}

/* It comes before the instruction, which may change the register of the address. */
static void note_access(runner *x, ptx_thread *t, const ptx_step *s) {
  const uint64_t step = (uint64_t)(s - x->c->steps.items);
  const ptx_access it = {.warp = t->registers[REG_THREAD] / 32,
                         .step = step,
                         .time = t->times[step]++,
                         .sector = value_of(t, &s->a[address_of(s->code)]) / 32};
  vec_push(x->scratch, &x->accesses, it);
}

static void run_step(runner *x, ptx_thread *t, const ptx_step *s) {
  t->at++;
  if (x->l->issues) note_issue(x, t, (uint32_t)(s - x->c->steps.items));
  if (s->guard != NO_REGISTER && !t->registers[s->guard] != s->is_guard_negated) return;
  if (x->l->traffic && accesses_global(s->code)) note_access(x, t, s);
  if (s->code >= OP_BRANCH)
    run_control(t, s);
  else if (s->code >= OP_LOAD_PARAMETER && s->code <= OP_FETCH_ADD_GLOBAL)
    run_memory(x, t, s);
  else if ((s->code >= OP_ADD && s->code <= OP_LEAST) ||
           (s->code >= OP_EQUAL && s->code <= OP_GREATER_EQUAL))
    run_number(x, t, s);
  else
    run_logic(t, s);
}

static void run_thread(runner *x, ptx_thread *t) {
  t->end = THREAD_RUNS;
  while (t->end == THREAD_RUNS && !x->error) {
    if (t->at >= x->c->steps.count)
      x->error = "a thread ran behind the end";
    else
      run_step(x, t, &x->c->steps.items[t->at]);
  }
}

/* All threads have come to a barrier: they must be at the same one. */
static void pass_barrier(runner *x) {
  const uint32_t at = x->threads[0].at - 1;
  const ptx_step *s = &x->c->steps.items[at];
  bool any = false;
  for (uint32_t i = 0; i < x->l->threads; i++) {
    if (x->threads[i].at - 1 != at || x->threads[i].end != THREAD_WAITS)
      x->error = "threads wait at different barriers";
    if (s->code == OP_BARRIER_OR) any |= value_of(&x->threads[i], &s->a[2]) != 0;
  }
  for (uint32_t i = 0; i < x->l->threads && s->code == OP_BARRIER_OR; i++)
    set(&x->threads[i], &s->a[0], any);
}

static void run_block(runner *x, uint32_t block) {
  memset(x->shared, 0xa5, x->l->shared_bytes);
  for (uint32_t i = 0; i < x->l->threads; i++) {
    ptx_thread *t = &x->threads[i];
    memset(t->registers, 0x5a, x->c->register_count * sizeof *t->registers);
    t->at = 0;
    t->registers[REG_THREAD] = i;
    t->registers[REG_BLOCK] = block;
    t->registers[REG_MEMORY] = 0;
    t->round = 0;
    if (t->times) memset(t->times, 0, x->c->steps.count * sizeof *t->times);
  }
  do {
    for (uint32_t i = 0; i < x->l->threads && !x->error; i++) run_thread(x, &x->threads[i]);
    if (!x->error && x->threads[0].end == THREAD_WAITS) pass_barrier(x);
  } while (!x->error && x->threads[0].end == THREAD_WAITS);
  count_sectors(x);
  if (x->l->issues) count_issues(x);
}

const char *ptx_run(const ptx_code *c, const ptx_launch *l, arena *scratch) {
  runner x = {.c = c, .l = l, .scratch = scratch};
  x.shared = arena_alloc(scratch, l->shared_bytes + sizeof(uint32_t));
  x.threads = arena_zero_array(scratch, ptx_thread, l->threads);
  for (uint32_t i = 0; i < l->threads; i++) {
    x.threads[i].registers = arena_new_array(scratch, uint64_t, c->register_count);
    if (l->issues) x.threads[i].issued = arena_zero_array(scratch, uint32_t, c->steps.count);
    if (l->traffic) x.threads[i].times = arena_new_array(scratch, uint32_t, c->steps.count);
  }
  if (l->issues) x.most = arena_zero_array(scratch, issue_vec, l->threads / 32 + 1);
  for (uint32_t i = 0; i < l->blocks && !x.error; i++) run_block(&x, i);
  return x.error;
}
