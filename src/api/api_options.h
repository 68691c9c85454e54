/* Choices by name, and the lists that say which choices a function knows.

   A list of choices is one text, used for checking, reading and help:

     "format=kif|prolog|json bases=onestep|declared|iterative depth=N"

   Each name is followed by its values, of which the first is the default.  A value in capitals
   stands for any text. */
#ifndef TABIA_API_API_OPTIONS_H
#define TABIA_API_API_OPTIONS_H

#include "api/api.h"

/* Is all that was chosen in the list?  False: a message says what is not; `of` is who asks.  Fails
   where there was no memory for a choice. */
bool api_options_fit(const tabia_options *o, const char *choices, const char *of,
                     tabia_messages *log);

/* The number of the value that was chosen for `name`, which must be in the list; 0 when none was.
 */
uint32_t api_option(const tabia_options *o, const char *choices, const char *name);

/* Was this value chosen, or is it the first and nothing was? */
bool api_option_is(const tabia_options *o, const char *choices, const char *name,
                   const char *value);

/* The text that was chosen, or `otherwise`; o may be NULL. */
const char *api_option_text(const tabia_options *o, const char *name, const char *otherwise);

/* Reads a number that is not negative.  False: it is none, and a message says so. */
bool api_option_number(const tabia_options *o, const char *name, double *number,
                       tabia_messages *log);

/* Reads a whole number in a range, in which the one given must be. */
bool api_option_whole(const tabia_options *o, const char *name, double least, double most,
                      double *number, tabia_messages *log);

/* Reads a number of bytes, with K, M or G behind it or without: at least 1M, which is what a few
   states take, whatever they are.  Where nothing was chosen, `bytes` stays. */
bool api_option_bytes(const tabia_options *o, const char *name, size_t *bytes, tabia_messages *log);

#endif
