/* The subset of PTX that ptx_writer.h and ptx_batch.h write, read from its text: registers by number,
   labels as steps. */
#ifndef TABIA_MACHINE_GPU_PTX_CODE_H
#define TABIA_MACHINE_GPU_PTX_CODE_H

#include "base/text.h"
#include "base/vec.h"

enum { PTX_PURPOSES_MAX = 16 };
typedef char ptx_purpose_name[16];

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

typedef struct ptx_code {
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
} ptx_code;

/* Registers that the device gives. */
enum { REG_THREAD, REG_BLOCK, REG_MEMORY, GIVEN_REGISTERS };

/* NULL: *error says what is wrong with which line. */
ptx_code *ptx_read(const char *words, const char **error, arena *keep);

#endif
