/* tabia bench read: a made-up rulesheet of any size, read by us and counted by `wc -w`. */
#include "cli/bench.h"

#include "base/budget.h"
#include "base/json.h"
#include "base/rng.h"
#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a rulesheet of any size: frame rules, moves and facts with ever new names ---- */

static void add_rule(text *out, rng *r, uint32_t n) {
  const uint32_t x = rng_below(r, 100), y = rng_below(r, 100);
  switch (rng_below(r, 6)) {
    case 0:
      text_add_format(out,
                      "(<= (next (cell%u ?m ?n ?w))\n    (does ?player (mark%u ?m ?n))\n"
                      "    (true (cell%u ?m ?n b)))\n\n",
                      n % 1000, x, y);
      break;
    case 1: text_add_format(out, "(init (cell%u %u %u b))\n", n % 1000, x, y); break;
    case 2: text_add_format(out, "(succ number%u number%u) ; one more\n", n, n + 1); break;
    case 3:
      text_add_format(out,
                      "(<= (legal ?w (mark%u ?x ?y))\n    (true (cell%u ?x ?y b))\n"
                      "    (not (true (control%u ?w)))\n    (distinct ?x ?y))\n\n",
                      x, n % 1000, y);
      break;
    case 4:
      text_add_format(out,
                      "(<= (line%u ?x)\n    (or (row ?m ?x) (column ?m ?x)\n"
                      "        (diagonal%u ?x)))\n\n",
                      x, y);
      break;
    default: text_add_format(out, "(adjacent%u (at %u %u) (at %u %u))\n", n % 100, x, y, y, x);
  }
}

static text make_rulesheet(arena *keep, const bench_options *o) {
  text out = text_new(keep);
  rng r = rng_new(o->seed, 0);
  for (uint32_t n = 0; out.length < o->megabytes * 1000000 && !session_is_interrupted(); n++)
    add_rule(&out, &r, n);
  return out;
}

/* Writes it to a file that the caller removes.  NULL: a message was shown. */
static char *write_rulesheet(const text *rules, arena *keep) {
  const char *folder = getenv("TMPDIR");
  text path = text_new(keep);
  text_add_format(&path, "%s/tabia-bench-XXXXXX", folder && *folder ? folder : "/tmp");
  const int number = mkstemp(path.bytes);
  FILE *file = number < 0 ? NULL : fdopen(number, "wb");
  bool ok = file && fwrite(rules->bytes, 1, rules->length, file) == rules->length;
  ok = file && fclose(file) == 0 && ok;
  if (ok) return path.bytes;
  fprintf(stderr, "tabia: cannot write %s: %s\n", path.bytes, strerror(errno));
  if (number >= 0) unlink(path.bytes);
  return NULL;
}

/* ---- the two readers ---- */

/* Seconds that `wc -w` takes; 0 when it cannot be run. */
static double time_wc(const char *path) {
  const double start = clock_now();
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout)) _exit(127);
    execlp("wc", "wc", "-w", path, (char *)NULL);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? clock_now() - start : 0;
}

typedef struct read_times {
  size_t bytes; /* of the rulesheet */
  uint32_t rules;
  double read; /* seconds: the file, names and lists, rules */
  double wc;
  size_t memory; /* that the process has grown by */
  size_t peak;   /* of the process */
} read_times;

static bool time_reading(session *s, const char *path, read_times *t) {
  const size_t before = memory_now();
  const double start = clock_now();
  const tabia_status read = tabia_rules_read_file(&s->rules, path, s->log);
  t->read = clock_now() - start;
  const size_t after = memory_now();
  t->memory = after > before ? after - before : 0;
  t->peak = memory_peak();
  tabia_info *info = read == TABIA_OK ? tabia_info_new(s->rules, s->log) : NULL;
  if (!info) session_show(s, read);
  if (!info) return false;
  t->rules =
      tabia_info_figure(info, TABIA_COUNT_RULES) + tabia_info_figure(info, TABIA_COUNT_FACTS);
  tabia_info_free(info);
  return true;
}

/* ---- figures ---- */

static double rate(size_t bytes, double seconds) {
  return seconds > 0 ? (double)bytes / 1e6 / seconds : 0;
}

static double slowdown(const read_times *t) { return t->wc > 0 ? t->read / t->wc : 0; }

static double memory_ratio(const read_times *t) { return (double)t->memory / (double)t->bytes; }

static void put_text(const read_times *t) {
  printf("rulesheet       %.1f MB, %u rules and facts\n", (double)t->bytes / 1e6, t->rules);
  printf("read            %7.1f MB/s  %6.3f s\n", rate(t->bytes, t->read), t->read);
  if (t->wc > 0)
    printf("wc -w           %7.1f MB/s  %6.3f s\nread / wc -w    %7.2f\n", rate(t->bytes, t->wc),
           t->wc, slowdown(t));
  printf("memory          %7.2f bytes a byte read\n", memory_ratio(t));
  printf("peak            %7.1f MB of this process\n", (double)t->peak / 1e6);
}

static void put_json(const read_times *t, arena *keep) {
  text out = text_new(keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_integer(&w, "bytes", (int64_t)t->bytes);
  json_put_integer(&w, "rules", t->rules);
  json_put_number(&w, "read_mb_s", rate(t->bytes, t->read));
  json_put_number(&w, "wc_mb_s", rate(t->bytes, t->wc));
  json_put_number(&w, "read_by_wc", slowdown(t));
  json_put_number(&w, "memory_per_byte", memory_ratio(t));
  json_put_integer(&w, "peak_bytes", (int64_t)t->peak);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

/* Times both readers on a rulesheet made for them.  False: a message was shown, or is due because
   the user has stopped it.  The file goes in any case. */
static bool measure(read_times *t, const bench_options *o, session *s) {
  arena *made = arena_new();
  const text rules = make_rulesheet(made, o);
  t->bytes = rules.length;
  char *path = session_is_interrupted() ? NULL : write_rulesheet(&rules, s->keep);
  arena_free(made); /* the peak is to be the reader's own */
  if (!path) return false;
  const bool ok = time_reading(s, path, t);
  if (ok && !session_is_interrupted()) t->wc = time_wc(path);
  unlink(path);
  return ok && !session_is_interrupted();
}

static int read_and_show(session *s, const bench_options *o) {
  read_times t = {0};
  if (measure(&t, o, s)) {
    if (o->as_json)
      put_json(&t, s->keep);
    else
      put_text(&t);
    return EXIT_YES;
  }
  if (!session_is_interrupted()) return EXIT_CANNOT_READ;
  fprintf(stderr, "tabia: stopped: there are no figures yet\n");
  return EXIT_LIMIT;
}

int bench_read(const bench_options *o, const command_help *help) {
  const limit_choice none = {0}; /* but that the user may stop it */
  session s;
  int status;
  if (session_begin(&s, &none, help, &status)) status = read_and_show(&s, o);
  return session_end(&s, status);
}
