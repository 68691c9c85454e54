/* The slots of argument_values.h while they are filled: a tree of slots, a bit for each value at
   each of them. */
#ifndef TABIA_RULES_ARGUMENT_SLOTS_H
#define TABIA_RULES_ARGUMENT_SLOTS_H

#include "rules/argument_values.h"

#define ITEM_NONE UINT32_MAX

typedef struct slot {
  uint64_t *words; /* a bit for each item; NULL: empty */
  slot_id above;   /* SLOT_NONE: an argument of a relation */
  uint32_t owner;  /* the relation, or the item of the function */
  uint16_t argument;
  uint8_t depth;
  bool is_open;
} slot;

/* A function at a slot: its arguments are the slots from `first` on. */
typedef struct part {
  slot_id at;
  uint32_t item;
  slot_id first;
} part;

struct argument_values {
  const program *p;
  arena *keep;
  slot_values items;   /* constants, then functions */
  id_table item_index; /* of them, by value */
  uint32_t constant_count;
  uint32_t word_count; /* of a slot */
  uint32_t *item_of;   /* by term; ITEM_NONE for variables, and for terms that are only atoms */
  VEC(slot) slots;
  slot_id *first_slot; /* by relation */
  VEC(part) parts;
  id_table part_index;
  uint64_t words_left;  /* room for bits */
  uint64_t *steps_left; /* of work, questions included; 0: everything is open */
  bool changed;         /* set by whatever adds a value */
  bool *can_hold;       /* by relation */
  bool *fires;          /* by clause */
};

/* Numbers the values and makes the slots of the relations. */
void slots_init(argument_values *v, arena *scratch);

/* The slots of the arguments of a function that stands at `at`; SLOT_NONE: it does not. */
slot_id slots_of_function(const argument_values *v, slot_id at, uint32_t item);

/* The same for one that is put there; SLOT_NONE: there is no room, and `at` is open now. */
slot_id slots_to_fill(argument_values *v, slot_id at, uint32_t item);

bool slot_has_item(const argument_values *v, slot_id at, uint32_t item);
void slot_add_item(argument_values *v, slot_id at, uint32_t item);

/* The values that several slots have in common. */
typedef struct domain {
  const slot_id *slots;    /* none of them open */
  uint32_t count;          /* 0: any value */
  const uint64_t *without; /* a bit for each item that is taken away; or NULL */
} domain;

bool domain_is_empty(const argument_values *v, domain d, arena *scratch);
void slot_add_domain(argument_values *v, slot_id at, domain d, arena *scratch);

/* Counts work. */
static inline void slots_spend(const argument_values *v, uint64_t steps) {
  *v->steps_left -= steps < *v->steps_left ? steps : *v->steps_left;
}

static inline bool slots_are_spent(const argument_values *v) { return *v->steps_left == 0; }

#endif
