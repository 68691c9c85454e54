#include "machine/gpu/ptx_code.h"

#include <stdlib.h>
#include <string.h>

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
