#include "tree/style.h"

const char *const style_names[] = {"plays", "judges", "mixes"};

static const tree_options styles[] = {
    [STYLE_PLAYS] = {.exploration = .35, .leaves = 128, .playouts = 4},
    [STYLE_JUDGES] = {.exploration = .5, .leaves = 16, .playouts = 1, .eager = true},
    [STYLE_MIXES] =
        {.exploration = .5, .leaves = 16, .playouts = 4, .play_weight = .5, .eager = true},
};

tree_options style_apply(const tree_options *o, search_style style) {
  const tree_options *s = &styles[style];
  tree_options all = *o;
  if (all.exploration <= 0) all.exploration = s->exploration;
  if (!all.leaves) all.leaves = s->leaves;
  if (!all.playouts) all.playouts = s->playouts;
  all.play_weight = s->play_weight;
  all.eager = s->eager;
  return all;
}

bool style_uses_net(search_style style) { return style != STYLE_PLAYS; }
