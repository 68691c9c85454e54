/* Whether a store of nodes is what tree_store.h says: for asserts and tests, linear in its size. */
#ifndef TABIA_TREE_TREE_STORE_SOUND_H
#define TABIA_TREE_TREE_STORE_SOUND_H

#include "tree/tree_store.h"

bool tree_store_is_sound(const tree_store *s);

#endif
