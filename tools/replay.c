/* Runs a fuzz target once on each file of the command line: main() for fuzz targets in builds
   without libFuzzer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* The input is copied to a block of just its size, so that a sanitizer sees the first byte
   that is read behind it. */
static int replay(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in || fseek(in, 0, SEEK_END) != 0) return EXIT_FAILURE;
  const long length = ftell(in);
  rewind(in);
  uint8_t *bytes = malloc(length > 0 ? (size_t)length : 1);
  const size_t got = bytes ? fread(bytes, 1, (size_t)length, in) : 0;
  fclose(in);
  if (bytes && got == (size_t)length) LLVMFuzzerTestOneInput(bytes, got);
  free(bytes);
  return got == (size_t)length ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
  int status = EXIT_SUCCESS;
  for (int i = 1; i < argc; i++) {
    if (replay(argv[i]) == EXIT_SUCCESS) continue;
    fprintf(stderr, "cannot read %s\n", argv[i]);
    status = EXIT_FAILURE;
  }
  return status;
}
