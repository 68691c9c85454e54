#include "solve/state_key.h"

#include "states/walk.h"

static uint64_t hash_goals(const grounded *g, uint64_t hash) {
  for (uint32_t i = 0; i < g->circuit.goals.count; i++) {
    hash = hash_add(hash, g->circuit.goals.items[i].role);
    hash = hash_add(hash, g->circuit.goals.items[i].holds);
    hash = hash_add(hash, (uint32_t)g->goal_values[i]);
  }
  return hash;
}

uint64_t game_fingerprint(const grounded *g, arena *scratch) {
  text names = text_new(scratch);
  text_add(&names, "");
  for (uint32_t role = 0; role < g->circuit.roles.count; role++) {
    text_add_format(&names, "%s\n", g->roles[role]);
    for (uint32_t move = 0; move < g->numbers.moves[role]; move++) {
      grounded_move_text(g, role, move, &names);
      text_add_char(&names, '\n');
    }
  }
  for (uint32_t fluent = 0; fluent < g->numbers.fluents; fluent++) {
    grounded_fluent_text(g, fluent, &names);
    text_add_char(&names, '\n');
  }
  return hash_bytes_seeded(names.bytes, names.length, hash_goals(g, walk_question(&g->circuit)));
}
