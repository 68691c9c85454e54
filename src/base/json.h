/* JSON, written to a text while it is made.  The writer adds commas and quotes.

     json_writer w = json_to(&out);
     json_open_object(&w, NULL);
     json_put_string(&w, "machine", "lanes");
     json_close_object(&w);

   `key` is NULL inside arrays and at the top. */
#ifndef TABIA_BASE_JSON_H
#define TABIA_BASE_JSON_H

#include "base/text.h"

typedef struct json_writer {
  text *out;
  bool needs_comma;
} json_writer;

json_writer json_to(text *out);
void json_open_object(json_writer *w, const char *key);
void json_close_object(json_writer *w);
void json_open_array(json_writer *w, const char *key);
void json_close_array(json_writer *w);
void json_put_string(json_writer *w, const char *key, const char *value); /* NULL gives null */
void json_put_slice(json_writer *w, const char *key, slice value);
void json_put_number(json_writer *w, const char *key, double value); /* a measurement: 6 digits */
void json_put_value(json_writer *w, const char *key, double value);  /* an exact one: 12 digits */
void json_put_integer(json_writer *w, const char *key, int64_t value);
void json_put_bool(json_writer *w, const char *key, bool value);
void json_put_null(json_writer *w, const char *key);
void json_put_json(json_writer *w, const char *key, const char *value); /* as it is */

#endif
