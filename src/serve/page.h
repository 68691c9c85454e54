/* The files of the page that were built into the program; none where it was built without. */
#ifndef TABIA_SERVE_PAGE_H
#define TABIA_SERVE_PAGE_H

#include <stddef.h>

typedef struct page_file {
  const char *path; /* "/index.html" */
  const char *etag; /* with its quotation marks */
  const unsigned char *bytes, *packed;
  size_t length, packed_length; /* packed by gzip; 0: it is not */
} page_file;

extern const page_file page_table[];
extern const size_t page_table_size;

const page_file *page_find(const char *path); /* "/" is index.html; NULL: there is none */
const char *page_type(const char *path);      /* the media type, by the ending */

#endif
