/* What the files that write C share; for the files of emit.h alone.

   Names in the C text: relation 12 is r12_NAME (NAME is for the reader; the number tells relations
   apart), its add function add_r12_NAME, what its facts trigger on_r12_NAME_GROUP_LEVEL; class 3 of
   constants is c3.  Nothing of a rulesheet gets into the text but through emit_name,
   emit_comment and emit_string. */
#ifndef TABIA_COMPILE_EMIT_EMIT_PARTS_H
#define TABIA_COMPILE_EMIT_EMIT_PARTS_H

#include "compile/emit/emit.h"

typedef struct emitter {
  const storage *s;
  const inverted *v;
  const domains *d;
  const normal_program *n;
  const flat_program *f;
  arena *keep;
  text *out;
  const char *name;        /* of the game, for C */
  budget *limits;          /* or NULL; when it is spent nobody needs the rest */
  uint32_t loop_count;     /* loops written so far: their variables have different names */
  double *work_of_passing; /* by relation that is passed; 0: not known yet (emit_work.c) */
  bool has_always_legal;   /* moves that are legal in every state stand in a table */
} emitter;

/* A value in the C text: an expression, and the codes that it can have. */
typedef struct c_value {
  const char *expression; /* NULL: not bound */
  uint32_t low, high;
} c_value;

/* ---- texts (emit_text.c) ---- */

const char *emit_format(emitter *e, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* lives as long as the emitter's arena */
const char *emit_name(emitter *e, flat_id r);
void emit_comment(emitter *e, const char *indent, const char *words);
void emit_string(emitter *e, const char *words);
/* The narrowest unsigned type that holds numbers up to `most`. */
const char *emit_type(uint64_t most);
/* A table of numbers: `static const TYPE NAME[] = {...};`. */
void emit_numbers(emitter *e, const char *name, const uint32_t *numbers, uint32_t count);
void emit_words(emitter *e, const char *name, const uint64_t *words, uint32_t count);

/* ---- permanent relations (emit_permanent.c) ---- */

void emit_permanent_tables(emitter *e);

/* ---- reading and writing relations (emit_store.c) ---- */

/* sum of (arg - low) * stride over these columns, the last one with stride 1. */
const char *emit_index(emitter *e, flat_id r, uint64_t columns, const c_value *args);
/* Conditions under which the arguments have a place in the layout; "" when they always have. */
const char *emit_guard(emitter *e, flat_id r, uint64_t columns, const c_value *args);
const char *emit_bits(emitter *e, flat_id r);  /* the words of a STORE_BITS relation */
const char *emit_field(emitter *e, flat_id r); /* where its other fields begin */
/* An expression that is true if the row is there; "0" when it cannot be. */
const char *emit_test(emitter *e, flat_id r, const c_value *args);

/* A loop over the rows that agree with given values in some columns. */
typedef struct c_loop {
  flat_id relation;
  uint64_t known;   /* columns that are given */
  uint64_t used;    /* free columns whose values are wanted */
  uint64_t perhaps; /* of these: wanted by tests alone that may turn out to be needless */
  uint32_t number;  /* tells its variables from those of other loops */
  bool is_from;     /* begins with row `from`, a variable of the C text */
  bool is_loop;     /* set: `break` leaves it */
  bool is_counted;  /* set: its variable i counts its rounds, or nearly so */
  uint32_t braces;  /* set: how many were opened */
} c_loop;

/* Writes the head of the loop and the declarations of the wanted values, which `args` gets. */
void emit_loop(emitter *e, c_loop *x, c_value *args);
void emit_permanent_loop(emitter *e, c_loop *x, c_value *args);
/* The rows of a relation that is run through: how many, as an expression. */
const char *emit_count(emitter *e, flat_id r);
const char *emit_permanent_test(emitter *e, flat_id r, const c_value *args);

/* `const uint32_t PREFIXi = ...;` for columns of a row that has the index `index`. */
typedef struct c_columns {
  uint64_t all;     /* that the index is made of */
  uint64_t used;    /* that are to be declared */
  uint64_t perhaps; /* of these: that may stay unused */
} c_columns;

void emit_decode(emitter *e, flat_id r, c_columns columns, const char *index, const char *prefix);

void emit_fields(emitter *e, flat_id r);            /* of a relation that is cleared for itself */
void emit_group_fields(emitter *e, flat_id r);      /* of one that is cleared with its group */
void emit_group_list(emitter *e, flat_id r);        /* the list that goes with these */
void emit_clear(emitter *e, flat_id r);             /* statements that empty it */
void emit_add_function(emitter *e, flat_id r);      /* add_rN(k, ...) */
bool emit_is_separate(const emitter *e, flat_id r); /* not cleared with its group */

/* ---- rules (emit_rules.c) ---- */

void emit_rule_functions(emitter *e);
void emit_firing_calls(emitter *e, uint32_t group); /* the body of a group's function */
void emit_cursor_fields(emitter *e);                /* of firings that are kept */
void emit_cursor_resets(emitter *e);

/* ---- work (emit_work.c) ---- */

/* The rounds of what remains of a rule from `next` on; of all rules of a firing, for one fact. */
double emit_work_from(emitter *e, const trigger *t, uint32_t next);
double emit_work_of_firing(emitter *e, const firing *f);

/* Leaves a loop that can take long when it must stop; behind its head. */
void emit_stop(emitter *e, const c_loop *loop, double work_inside);

/* ---- positions (emit_position.c) ---- */

bool emit_has_kept(const emitter *e);                 /* something is kept from state to state */
bool emit_needs_loading(const emitter *e, flat_id r); /* its fluents are read one by one */
void emit_load_state(emitter *e);                     /* load_state, forget_kept */
void emit_take_position(emitter *e);                  /* is_at, take_position */
void emit_start(emitter *e);
void emit_step(emitter *e);
void emit_fluents(emitter *e);

/* ---- positions from fluents (emit_place.c) ---- */

void emit_find_fluent(emitter *e);
void emit_place(emitter *e);

/* ---- fluents, moves, texts (emit_terms.c) ---- */

void emit_rank_tables(emitter *e);
void emit_note_legal(emitter *e, flat_id r, const char *indent); /* within its add function */
/* The moves that are legal in every state, `words` words of bits a role; NULL: there are none. */
uint64_t *emit_always_legal(emitter *e, uint32_t words);
void emit_load_moves(emitter *e);
void emit_note_percepts(emitter *e); /* statements that push what `role` sees to k->list */
int32_t emit_goal_value(const emitter *e, term_id value); /* INT32_MIN: it is no number */
void emit_text_tables(emitter *e);
void emit_text_functions(emitter *e);

/* ---- layout (emit_layout.c) ---- */

void emit_indented(const text *plain, text *out);

/* ---- helpers ---- */

static inline const char *emit_mark(uint64_t perhaps, uint32_t column) {
  return perhaps >> column & 1 ? "TR_UNUSED " : "";
}

/* More moves than this are listed, not marked. */
enum { LEGAL_BITS_MAX = 1 << 16 };

static inline bool emit_marks_legal(const emitter *e) {
  return e->s->moves.count <= LEGAL_BITS_MAX;
}

static inline uint32_t emit_arity(const emitter *e, flat_id r) {
  return e->f->relations.items[r].arity;
}

static inline relation_id emit_keyword(const emitter *e, flat_id r) {
  return e->f->relations.items[r].relation;
}

static inline uint64_t emit_all_columns(const emitter *e, flat_id r) {
  return (UINT64_C(1) << emit_arity(e, r)) - 1;
}

static inline const store *emit_store(const emitter *e, flat_id r) { return &e->s->stores[r]; }

static inline relation_kind emit_kind(const emitter *e, flat_id r) {
  return e->v->relations[r].kind;
}

/* It changes, and has a place in the knowledge base. */
static inline bool emit_has_place(const emitter *e, flat_id r) {
  return emit_store(e, r)->kind != STORE_NOTHING && emit_kind(e, r) != KIND_PERMANENT;
}

#endif
