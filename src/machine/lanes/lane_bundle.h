/* Bundles on the machine `lanes`. */
#ifndef TABIA_MACHINE_LANES_LANE_BUNDLE_H
#define TABIA_MACHINE_LANES_LANE_BUNDLE_H

#include "machine/bundle.h"

extern const bundle_ops lane_bundles;

/* Used by lane_bundles (lane_expansion.c). */
struct bundle_expander *lane_bundle_expander_new(const machine *m, machine_workspace *w,
                                                 bool ignore_terminal, arena *keep);
bool lane_bundle_expand(struct bundle_expander *x, uint32_t first, uint32_t end,
                        const expand_sink *sink);

#endif
