#include "symmetry/automorphism.h"

#ifdef TABIA_HAS_BLISS

#include <bliss/graph.hh>

#include <cstring>

namespace {

struct time_is_up {};

/* bliss asks for a cell at each node of its search, and tells of each automorphism: there it can be
   stopped. */
class bounded_graph : public bliss::Graph {
public:
  bounded_graph(uint32_t size, int (*stop)(void *), void *about)
      : bliss::Graph(size), must_stop(stop), context(about) {}
  /* A search that ends early, since all vertices are told apart or time is up, keeps these. */
  ~bounded_graph() override {
    p.cr_free();
    long_prune_deallocate();
  }

protected:
  bliss::Partition::Cell *find_next_cell_to_be_splitted(bliss::Partition::Cell *cell) override {
    if (must_stop(context)) throw time_is_up();
    return bliss::Graph::find_next_cell_to_be_splitted(cell);
  }

private:
  int (*must_stop)(void *);
  void *context;
};

struct generator_taker {
  automorphism_list *list;
  int (*must_stop)(void *);
  void *context;
};

/* Where there is no room for more, the search is over. */
void keep_generator(void *context, unsigned int count, const unsigned int *images) {
  const auto *taker = static_cast<generator_taker *>(context);
  automorphism_list *list = taker->list;
  if (list->count == list->capacity || count < list->width || taker->must_stop(taker->context))
    throw time_is_up();
  static_assert(sizeof *images == sizeof *list->images, "one size of numbers");
  std::memcpy(list->images + static_cast<size_t>(list->count++) * list->width, images,
              list->width * sizeof *images);
}

void search(const colour_graph *g, int (*must_stop)(void *), void *context,
            automorphism_list *list) {
  bounded_graph graph(g->vertex_count, must_stop, context);
  for (uint32_t i = 0; i < g->vertex_count; i++) graph.change_color(i, g->colours[i]);
  for (uint32_t i = 0; i < g->edge_count; i++) graph.add_edge(g->edges[2 * i], g->edges[2 * i + 1]);
  graph.set_splitting_heuristic(bliss::Graph::shs_fsm);
  bliss::Stats stats;
  generator_taker taker = {list, must_stop, context};
  graph.find_automorphisms(stats, keep_generator, &taker);
}

} // namespace

bool automorphisms_are_possible(void) { return true; }

void automorphisms_find(const colour_graph *g, int (*must_stop)(void *context), void *context,
                        automorphism_list *list) {
  list->count = 0;
  list->is_whole = true;
  try {
    search(g, must_stop, context, list);
  } catch (...) {
    list->is_whole = false;
  }
}

#else

bool automorphisms_are_possible(void) { return false; }

void automorphisms_find(const colour_graph *, int (*)(void *), void *, automorphism_list *list) {
  list->count = 0;
  list->is_whole = false;
}

#endif
