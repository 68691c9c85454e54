#include "board/draw/canvas.h"

#include "read/source.h"

#include <assert.h>

typedef struct character {
  char bytes[5];
} character;

struct canvas {
  uint32_t width, height;
  character *at;
};

canvas *canvas_new(uint32_t width, uint32_t height, arena *keep) {
  canvas *c = arena_alloc(keep, sizeof *c);
  *c = (canvas){width, height, arena_zero_array(keep, character, (size_t)width * height + 1)};
  return c;
}

static uint32_t bytes_at(const char *at) {
  const uint32_t length = utf8_length(at, at + strlen(at));
  return length ? length : 1;
}

uint32_t text_width(const char *words) {
  uint32_t width = 0;
  for (; *words; words += bytes_at(words)) width++;
  return width;
}

void canvas_write(canvas *c, uint32_t x, uint32_t y, const char *words) {
  for (; *words && x < c->width && y < c->height; x++) {
    const uint32_t length = bytes_at(words);
    character *to = &c->at[(size_t)y * c->width + x];
    assert(length < sizeof to->bytes);
    memset(to->bytes, 0, sizeof to->bytes);
    memcpy(to->bytes, words, length);
    words += length;
  }
}

static void print_line(const character *line, uint32_t width, text *out) {
  while (width && !*line[width - 1].bytes) width--;
  for (uint32_t i = 0; i < width; i++) text_add(out, *line[i].bytes ? line[i].bytes : " ");
  text_add_char(out, '\n');
}

void canvas_print(const canvas *c, text *out) {
  for (uint32_t y = 0; y < c->height; y++) print_line(c->at + (size_t)y * c->width, c->width, out);
}
