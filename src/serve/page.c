#include "serve/page.h"

#include <string.h>

const page_file *page_find(const char *path) {
  if (!strcmp(path, "/")) path = "/index.html";
  for (size_t i = 0; i < page_table_size; i++)
    if (!strcmp(page_table[i].path, path)) return &page_table[i];
  return NULL;
}

const char *page_type(const char *path) {
  static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                         {".js", "text/javascript; charset=utf-8"},
                                         {".css", "text/css; charset=utf-8"},
                                         {".svg", "image/svg+xml"},
                                         {".png", "image/png"},
                                         {".ico", "image/x-icon"},
                                         {".json", "application/json"},
                                         {".webmanifest", "application/manifest+json"},
                                         {".woff2", "font/woff2"},
                                         {".txt", "text/plain; charset=utf-8"}};
  const char *end = strrchr(path, '.');
  for (size_t i = 0; end && i < sizeof types / sizeof *types; i++)
    if (!strcmp(end, types[i][0])) return types[i][1];
  return "application/octet-stream";
}
