/* embed GAMES/ LIST OUTPUT: writes the files that LIST names, one path a line, as a C table
   sorted by name.  A name is the path without its GAMES/ start and its .kif end. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES_MAX = 1000, PATH_SIZE = 4096 };

typedef struct game {
  char path[PATH_SIZE];
  char name[PATH_SIZE];
} game;

static int stop(const char *what, const char *path) {
  fprintf(stderr, "embed: %s %s\n", what, path);
  return EXIT_FAILURE;
}

static void set_name(game *g, const char *root) {
  const size_t root_length = strlen(root);
  const bool is_below = strncmp(g->path, root, root_length) == 0;
  strcpy(g->name, g->path + (is_below ? root_length : 0));
  char *end = strrchr(g->name, '.');
  if (end) *end = '\0';
}

static size_t read_list(FILE *list, const char *root, game *games) {
  size_t count = 0;
  while (count < GAMES_MAX && fgets(games[count].path, PATH_SIZE, list)) {
    game *g = &games[count];
    g->path[strcspn(g->path, "\n")] = '\0';
    if (!*g->path) continue;
    set_name(g, root);
    count++;
  }
  return count;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(((const game *)a)->name, ((const game *)b)->name);
}

/* Octal, of three digits always: a hexadecimal escape would swallow digits that follow. */
static void put_byte(int c, FILE *out) {
  if (c == '"' || c == '\\')
    fprintf(out, "\\%c", c);
  else if (c == '\n')
    fputs("\\n\"\n  \"", out);
  else if (c >= ' ' && c < 127 && c != '?') /* `??` could begin a trigraph */
    fputc(c, out);
  else
    fprintf(out, "\\%03o", (unsigned)c);
}

static bool put_game(const game *g, FILE *out) {
  FILE *in = fopen(g->path, "rb");
  if (!in) return false;
  size_t length = 0;
  fprintf(out, " {\"%s\",\n  \"", g->name);
  for (int c = fgetc(in); c != EOF; c = fgetc(in), length++) put_byte(c, out);
  fprintf(out, "\",\n  %zu},\n", length);
  const bool read_all = !ferror(in);
  fclose(in);
  return read_all;
}

static int put_table(const game *games, size_t count, FILE *out) {
  fputs("#include \"api/builtin.h\"\n\nconst builtin_game builtin_table[] = {\n", out);
  for (size_t i = 0; i < count; i++)
    if (!put_game(&games[i], out)) return stop("cannot read", games[i].path);
  fprintf(out, " {0, 0, 0}};\n\nconst size_t builtin_table_size = %zu;\n", count);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  static game games[GAMES_MAX];
  if (argc != 4) return stop("usage:", "embed GAMES/ LIST OUTPUT");
  FILE *list = fopen(argv[2], "r");
  if (!list) return stop("cannot read", argv[2]);
  const size_t count = read_list(list, argv[1], games);
  fclose(list);
  qsort(games, count, sizeof *games, compare_names);
  FILE *out = fopen(argv[3], "w");
  if (!out) return stop("cannot write", argv[3]);
  const int status = put_table(games, count, out);
  return fclose(out) == 0 ? status : stop("cannot write", argv[3]);
}
