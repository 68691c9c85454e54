#include "ggp/tournament/results_page.h"

/* ---- text ---- */

static double score_of(const player_standing *p) {
  return p->matches ? (p->wins + 0.5 * p->draws) / p->matches : 0;
}

static double mean_goal(const player_standing *p) {
  const uint32_t count = p->matches + p->alone;
  return count ? p->goals / count : 0;
}

static void add_player_line(text *out, const player_standing *p) {
  text_add_format(out, "%-16s %7.0f %5.0f %7u %5u %5u %5u %6.1f%% %6.1f %6u\n", p->name, p->elo,
                  p->elo_error, p->matches + p->alone, p->wins, p->draws, p->losses,
                  100 * score_of(p), mean_goal(p), p->errors);
}

static void add_pair_line(text *out, const results *r, const pair_standing *p) {
  const double llr = pair_llr(p, r->plan->sprt_low, r->plan->sprt_high);
  text_add_format(out, "%s against %s: %u won, %u drawn, %u lost; LLR %.2f, %s\n",
                  r->standings->players.items[p->first].name,
                  r->standings->players.items[p->second].name, p->wins, p->draws, p->losses, llr,
                  pair_verdict(llr));
}

void results_add_text(text *out, const results *r) {
  text_add_format(out, "%u of %u matches played, %u aborted\n", r->played, r->planned,
                  r->standings->aborted);
  text_add(out, "player               Elo   +/-   games   won drawn  lost   score   goal errors\n");
  for (uint32_t i = 0; i < r->standings->players.count; i++)
    add_player_line(out, &r->standings->players.items[i]);
  for (uint32_t i = 0; i < r->standings->pairs.count; i++)
    add_pair_line(out, r, &r->standings->pairs.items[i]);
}

/* ---- CSV ---- */

/* In quotes, with quotes doubled. */
static void add_field(text *out, const char *words, char after) {
  text_add_char(out, '"');
  for (; *words; words++) {
    if (*words == '"') text_add_char(out, '"');
    text_add_char(out, *words);
  }
  text_add_char(out, '"');
  text_add_char(out, after);
}

static void add_csv_row(void *context, const match_row *row) {
  text *out = context;
  add_field(out, row->game, ',');
  text_add_format(out, "%u,", row->round);
  add_field(out, row->first, ',');
  add_field(out, row->second, ',');
  text_add_format(out, "%d,%u,%g,%g,%u,%u,%.3f\n", row->is_completed, row->steps, row->first_goal,
                  row->second_goal, row->first_errors, row->second_errors, row->seconds);
}

void results_add_csv(text *out, const results *r) {
  text_add(out, "game,round,first,second,completed,steps,first_goal,second_goal,first_errors,"
                "second_errors,seconds\n");
  tournament_store_each(r->store, add_csv_row, out);
}

/* ---- page ---- */

static void add_html(text *out, const char *words) {
  for (; *words; words++) {
    if (*words == '<')
      text_add(out, "&lt;");
    else if (*words == '&')
      text_add(out, "&amp;");
    else if (*words == '"')
      text_add(out, "&quot;");
    else
      text_add_char(out, *words);
  }
}

static void add_cell(text *out, const char *words) {
  text_add(out, "<td>");
  add_html(out, words);
  text_add(out, "</td>");
}

static void add_numbers(text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Each number between blanks is a cell. */
static void add_numbers(text *out, const char *format, ...) {
  char words[256];
  va_list list;
  va_start(list, format);
  vsnprintf(words, sizeof words, format, list);
  va_end(list);
  for (char *rest, *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    text_add_format(out, "<td class=n>%s</td>", word);
}

static void add_player_row(text *out, const player_standing *p) {
  text_add(out, "<tr>");
  add_cell(out, p->name);
  add_numbers(out, "%.0f ±%.0f %u %u %u %u %.1f%% %.1f %u", p->elo, p->elo_error,
              p->matches + p->alone, p->wins, p->draws, p->losses, 100 * score_of(p), mean_goal(p),
              p->errors);
  text_add(out, "</tr>\n");
}

static void add_pair_row(text *out, const results *r, const pair_standing *p) {
  const double llr = pair_llr(p, r->plan->sprt_low, r->plan->sprt_high);
  text_add(out, "<tr>");
  add_cell(out, r->standings->players.items[p->first].name);
  add_cell(out, r->standings->players.items[p->second].name);
  add_numbers(out, "%u %u %u %.2f", p->wins, p->draws, p->losses, llr);
  add_cell(out, pair_verdict(llr));
  text_add(out, "</tr>\n");
}

static void add_match_row(void *context, const match_row *row) {
  text *out = context;
  text_add(out, row->first_errors + row->second_errors ? "<tr class=e>" : "<tr>");
  add_cell(out, row->game);
  add_numbers(out, "%u", row->round);
  add_cell(out, row->first);
  add_cell(out, row->second);
  add_numbers(out, "%g %g %u %u %u %.1f", row->first_goal, row->second_goal, row->steps,
              row->first_errors, row->second_errors, row->seconds);
  add_cell(out, row->is_completed ? "" : "aborted");
  text_add(out, "</tr>\n");
}

static void add_head(text *out, const results *r) {
  text_add(out, "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n<title>");
  add_html(out, r->title);
  text_add(out, "</title>\n<style>body{font:16px sans-serif;margin:2em;max-width:70em}"
                "table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .7em;border-bottom:"
                "1px solid #ccc;text-align:left}.n{text-align:right}.e{background:#fdd}</style>\n"
                "</head><body>\n<h1>");
  add_html(out, r->title);
  text_add_format(out, "</h1>\n<p>%u of %u matches played, %u aborted. Clocks %g and %g s.</p>\n",
                  r->played, r->planned, r->standings->aborted, r->plan->start_clock,
                  r->plan->play_clock);
}

static void open_table(text *out, const char *title, const char *columns) {
  text_add_format(out, "<h2>%s</h2>\n<table><tr>%s</tr>\n", title, columns);
}

void results_add_page(text *out, const results *r) {
  add_head(out, r);
  open_table(out, "Standings",
             "<th>player<th>Elo<th>95 %<th>games<th>won<th>drawn<th>lost<th>score<th>goal"
             "<th>errors");
  for (uint32_t i = 0; i < r->standings->players.count; i++)
    add_player_row(out, &r->standings->players.items[i]);
  text_add(out, "</table>\n");
  open_table(out, "Pairs",
             "<th>player<th>against<th>won<th>drawn<th>lost<th>LLR<th>is the first stronger?");
  for (uint32_t i = 0; i < r->standings->pairs.count; i++)
    add_pair_row(out, r, &r->standings->pairs.items[i]);
  text_add(out, "</table>\n");
  open_table(out, "Matches",
             "<th>game<th>round<th>first<th>second<th>goal<th>goal<th>steps<th>errors<th>errors"
             "<th>seconds<th>");
  tournament_store_each(r->store, add_match_row, out);
  text_add(out, "</table>\n</body></html>\n");
}
