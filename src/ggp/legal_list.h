/* The legal moves of a role in the order of their text, which is the same on every machine. */
#ifndef TABIA_GGP_LEGAL_LIST_H
#define TABIA_GGP_LEGAL_LIST_H

#include "base/arena.h"
#include "tabia.h"

typedef struct legal_move {
  const char *words;
  tabia_move move;
} legal_move;

typedef struct legal_list {
  uint32_t count; /* 0: there is none, or the machine got into trouble */
  legal_move *items;
} legal_list;

legal_list legal_list_of(const tabia_machine *m, tabia_workspace *w, const void *position,
                         uint32_t role, arena *keep);

/* A move as text. */
const char *legal_move_text(const tabia_machine *m, uint32_t role, tabia_move move, arena *keep);

#endif
