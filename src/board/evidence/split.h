/* Constants that name two coordinates at once: a1, c_3_4, r3c4, 34. */
#ifndef TABIA_BOARD_EVIDENCE_SPLIT_H
#define TABIA_BOARD_EVIDENCE_SPLIT_H

#include "board/evidence/names.h"

typedef enum split_form {
  SPLIT_NONE,
  SPLIT_LETTER_NUMBER, /* a1 */
  SPLIT_TWO_NUMBERS,   /* c_3_4, r3c4, 3-4 */
  SPLIT_TWO_DIGITS,    /* 34, c34 */
  SPLIT_FORM_COUNT
} split_form;

typedef enum split_part { SPLIT_FIRST, SPLIT_SECOND } split_part;

/* The form in which all these values split into a grid that they fill in good part; SPLIT_NONE: in
   no form. */
split_form split_form_of(const names *n, const name_id *values, uint32_t count);

/* Makes the names of both parts, if the value has them; finds one, or NAME_NONE. */
void split_add(names *n, name_id value, split_form form);
name_id split_find(const names *n, name_id value, split_form form, split_part part);

/* A part as a number: letters count from a. */
uint32_t split_number(slice part);

/* The slice of a part; false: the text does not have this form. */
bool split_text(const char *text, split_form form, slice parts[2]);

#endif
