/* embed_page FOLDER OUTPUT FILE...: writes the files of a page, below FOLDER, as a C table, each as it is and
   packed by gzip. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int stop(const char *what, const char *path) {
  fprintf(stderr, "embed_page: %s %s\n", what, path);
  return EXIT_FAILURE;
}

/* FNV-1a, for the tag by which browsers know a version. */
static size_t put_bytes(FILE *in, FILE *out, uint64_t *hash) {
  size_t count = 0;
  for (int c; (c = fgetc(in)) != EOF; count++) {
    fprintf(out, "%d,%s", c, count % 32 == 31 ? "\n" : "");
    *hash = (*hash ^ (uint64_t)c) * 0x100000001b3U;
  }
  return count;
}

static bool is_packed_already(const char *path) {
  const char *end = strrchr(path, '.');
  return end && (!strcmp(end, ".png") || !strcmp(end, ".woff2"));
}

typedef struct page_row {
  size_t length, packed;
  uint64_t hash;
} page_row;

static bool put_file(const char *path, int number, FILE *out, page_row *row) {
  char command[5000];
  uint64_t unused = 0;
  FILE *in = fopen(path, "rb");
  if (!in) return false;
  *row = (page_row){.hash = 0xcbf29ce484222325U};
  fprintf(out, "static const unsigned char file_%d[] = {\n", number);
  row->length = put_bytes(in, out, &row->hash);
  fclose(in);
  fprintf(out, "0};\nstatic const unsigned char packed_%d[] = {\n", number);
  snprintf(command, sizeof command, "gzip -9nc '%s'", path);
  in = is_packed_already(path) || strchr(path, '\'') ? NULL : popen(command, "r");
  if (in) row->packed = put_bytes(in, out, &unused);
  if (in && pclose(in) != 0) return false;
  fputs("0};\n", out);
  return true;
}

static int put_table(int count, char **files, const char *folder, FILE *out) {
  page_row *rows = calloc((size_t)count + 1, sizeof *rows);
  if (!rows) return stop("no memory for", folder);
  fputs("#include \"serve/page.h\"\n\n", out);
  for (int i = 0; i < count; i++)
    if (!put_file(files[i], i, out, &rows[i])) return stop("cannot read", files[i]);
  fputs("const page_file page_table[] = {\n", out);
  for (int i = 0; i < count; i++)
    fprintf(out, "{\"%s\", \"\\\"%016llx\\\"\", file_%d, packed_%d, %zu, %zu},\n",
            files[i] + strlen(folder), (unsigned long long)rows[i].hash, i, i, rows[i].length,
            rows[i].packed);
  fprintf(out, "{0}};\nconst size_t page_table_size = %d;\n", count);
  free(rows);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  if (argc < 3) return stop("usage:", "embed_page FOLDER OUTPUT FILE...");
  FILE *out = fopen(argv[2], "w");
  if (!out) return stop("cannot write", argv[2]);
  const int status = put_table(argc - 3, argv + 3, argv[1], out);
  return fclose(out) == 0 ? status : stop("cannot write", argv[2]);
}
