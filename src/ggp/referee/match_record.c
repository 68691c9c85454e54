#include "ggp/referee/match_record.h"

#include "base/json.h"
#include "base/rng.h"

/* 32 letters and digits that tell one record from another. */
static void put_token(json_writer *w, const match_setup *s, const match_result *r) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  rng random = rng_new(s->seed ^ (uint64_t)r->states.items[0].milliseconds, 1);
  char token[33] = {0};
  for (int i = 0; i < 32; i++) token[i] = letters[rng_below(&random, sizeof letters - 1)];
  json_put_string(w, "randomToken", token);
}

static void put_clocks(json_writer *w, const match_setup *s) {
  json_put_integer(w, "previewClock", -1);
  json_put_integer(w, "analysisClock", -1);
  json_put_number(w, "startClock", s->start_clock);
  json_put_number(w, "playClock", s->play_clock);
}

static void put_words(json_writer *w, const char *key, const char *const *words, uint32_t count) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < count; i++) json_put_string(w, NULL, words[i]);
  json_close_array(w);
}

static void put_turns(json_writer *w, const match_result *r) {
  json_open_array(w, "moves");
  for (uint32_t i = 0; i < r->turns.count; i++)
    put_words(w, NULL, r->turns.items[i].moves, r->roles);
  json_close_array(w);
  json_open_array(w, "errors");
  for (uint32_t i = 0; i < r->turns.count; i++)
    put_words(w, NULL, r->turns.items[i].errors, r->roles);
  json_close_array(w);
}

static void put_states(json_writer *w, const match_result *r) {
  json_open_array(w, "states");
  for (uint32_t i = 0; i < r->states.count; i++)
    json_put_string(w, NULL, r->states.items[i].fluents);
  json_close_array(w);
  json_open_array(w, "stateTimes");
  for (uint32_t i = 0; i < r->states.count; i++)
    json_put_integer(w, NULL, r->states.items[i].milliseconds);
  json_close_array(w);
}

/* The name of `random` is its role. */
static void put_players(json_writer *w, const match_setup *s) {
  uint32_t seat = 0;
  json_open_array(w, "roles");
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++)
    json_put_string(w, NULL, tabia_machine_role(s->machine, i));
  json_close_array(w);
  json_open_array(w, "playerNamesFromHost");
  for (uint32_t i = 0; i < tabia_machine_role_count(s->machine); i++) {
    const bool is_seat =
        seat < match_seat_count(s->machine) && match_seat_role(s->machine, seat) == i;
    json_put_string(w, NULL, is_seat ? s->seats[seat].name : "random");
    seat += is_seat;
  }
  json_close_array(w);
}

static void put_goals(json_writer *w, const match_result *r) {
  json_open_array(w, "goalValues");
  for (uint32_t i = 0; r->is_completed && i < r->roles; i++) {
    if (r->goals[i] == TABIA_NO_GOAL)
      json_put_null(w, NULL);
    else
      json_put_integer(w, NULL, r->goals[i]);
  }
  json_close_array(w);
}

void match_record_add(text *out, const char *game, const match_setup *s, const match_result *r) {
  json_writer w = json_to(out);
  json_open_object(&w, NULL);
  json_put_string(&w, "matchId", s->id);
  json_put_integer(&w, "startTime", r->states.items[0].milliseconds);
  put_token(&w, s, r);
  json_put_string(&w, "game", game);
  json_put_string(&w, "gameMetaURL", game);
  put_players(&w, s);
  put_clocks(&w, s);
  json_put_bool(&w, "scrambled", s->is_scrambled);
  put_states(&w, r);
  put_turns(&w, r);
  put_words(&w, "startErrors", r->start_replies, r->roles);
  json_put_bool(&w, "isCompleted", r->is_completed);
  json_put_bool(&w, "isAborted", r->is_aborted);
  put_goals(&w, r);
  json_close_object(&w);
  text_add_char(out, '\n');
}
