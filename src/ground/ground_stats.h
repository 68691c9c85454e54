/* The sizes of ground rules and the time that they took, as text. */
#ifndef TABIA_GROUND_GROUND_STATS_H
#define TABIA_GROUND_GROUND_STATS_H

#include "ground/ground.h"

/* What the ground rules were made from, and how. */
typedef struct ground_origin {
  ground_method method;
  bases_method bases;
  const char *encoding;  /* of frame rules */
  double encode_seconds; /* 0: the rules were taken as they are */
} ground_origin;

void ground_stats_print(const ground_stats *s, const ground_origin *from, text *out);
void ground_stats_write_json(const ground_stats *s, const ground_origin *from, const char *game,
                             text *out);

#endif
