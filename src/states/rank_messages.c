#include "states/rank_messages.h"

#include "base/recovery.h"

/* So many messages may wait to be sent before work stops to let them go. */
enum { WAITING_MAX = 64, SUMS_MAX = 4096 };

typedef enum message_kind { MESSAGE_DATA, MESSAGE_END, MESSAGE_STOP } message_kind;

typedef struct message_head {
  uint32_t kind, from, channel, size; /* of the records behind */
  uint64_t phase;
  uint64_t sent;    /* of an end */
  uint64_t hurries; /* of an end: others are to end soon */
} message_head;

enum { RECORDS_MAX = RANK_MESSAGE_MAX - sizeof(message_head) };

/* Bytes with their head, in an arena of their own. */
typedef struct message {
  struct message *next;
  arena *keep;
  uint32_t to;
  message_head *head; /* its records lie behind it */
} message;

typedef struct message_queue {
  message *first, **end;
  uint32_t count;
} message_queue;

/* What is known of another rank, in a channel. */
typedef struct rank_link {
  message *filling;        /* to it; or NULL */
  uint64_t sent, received; /* data messages of this phase */
  uint64_t expected;       /* UINT64_MAX: its end has not come */
} rank_link;

typedef struct rank_port {
  rank_taker *take;
  void *context;
  uint64_t phase;
  bool is_open;
  bool hurries;        /* some rank does */
  rank_link *links;    /* by rank */
  message_queue early; /* of later phases */
} rank_port;

struct ranks {
  arena *keep;
  exchange e;
  rank_port ports[RANK_CHANNELS];
  message_queue waiting; /* to be sent */
  bool has_failed, is_taking;
  uint8_t *incoming;
};

/* ---- messages ---- */

static message *message_new(uint32_t to, size_t room) {
  arena *keep = arena_new();
  message *m = arena_alloc_zero(keep, sizeof *m);
  *m = (message){.keep = keep, .to = to};
  m->head = arena_alloc(keep, sizeof *m->head + room);
  *m->head = (message_head){0};
  return m;
}

static uint8_t *records_of(message *m) { return (uint8_t *)(m->head + 1); }

static void queue_add(message_queue *q, message *m) {
  if (!q->first) q->end = &q->first;
  m->next = NULL;
  *q->end = m;
  q->end = &m->next;
  q->count++;
}

static message *queue_take(message_queue *q) {
  message *m = q->first;
  if (!m) return NULL;
  q->first = m->next;
  q->count--;
  return m;
}

static void queue_free(message_queue *q) {
  for (message *m; (m = queue_take(q));) arena_free(m->keep);
}

/* ---- sending ---- */

static void enqueue(ranks *r, message *m, message_kind kind, rank_channel c) {
  m->head->kind = kind;
  m->head->from = r->e.rank;
  m->head->channel = c;
  m->head->phase = r->ports[c].phase;
  queue_add(&r->waiting, m);
}

/* As many as are taken now. */
static void send_waiting(ranks *r) {
  while (r->waiting.first && !r->has_failed) {
    message *m = r->waiting.first;
    const int sent = r->e.send(r->e.context, m->to, m->head, sizeof *m->head + m->head->size);
    if (!sent) return;
    if (sent < 0) r->has_failed = true;
    arena_free(queue_take(&r->waiting)->keep);
  }
}

static void close_message(ranks *r, rank_channel c, uint32_t to) {
  rank_link *l = &r->ports[c].links[to];
  if (!l->filling) return;
  l->sent++;
  enqueue(r, l->filling, MESSAGE_DATA, c);
  l->filling = NULL;
}

/* ---- receiving ---- */

static bool is_now(const rank_port *p, const message_head *h) {
  return p->is_open && h->phase == p->phase;
}

static void take_message(ranks *r, const message_head *h, const uint8_t *records) {
  rank_port *p = &r->ports[h->channel];
  rank_link *l = &p->links[h->from];
  if (h->kind == MESSAGE_END) {
    l->expected = h->sent;
    p->hurries |= h->hurries != 0;
    return;
  }
  const bool was_taking = r->is_taking;
  r->is_taking = true;
  l->received++;
  p->take(p->context, h->from, records, h->size);
  r->is_taking = was_taking;
}

static void keep_early(ranks *r, const message_head *h, const uint8_t *records) {
  message *m = message_new(r->e.rank, h->size);
  *m->head = *h;
  memcpy(records_of(m), records, h->size);
  queue_add(&r->ports[h->channel].early, m);
}

static bool head_is_sound(const ranks *r, const message_head *h, size_t length) {
  return length >= sizeof *h && h->channel < RANK_CHANNELS && h->from < r->e.size &&
         h->kind <= MESSAGE_STOP && length - sizeof *h == h->size;
}

/* False: there was none. */
static bool receive_one(ranks *r, bool wait) {
  message_head h;
  const long length = r->e.receive(r->e.context, r->incoming, RANK_MESSAGE_MAX, wait);
  if (length == 0) return false;
  if (length > 0) memcpy(&h, r->incoming, sizeof h);
  if (length < 0 || !head_is_sound(r, &h, (size_t)length) || h.kind == MESSAGE_STOP) {
    r->has_failed = true;
    return false;
  }
  const uint8_t *records = r->incoming + sizeof h;
  if (is_now(&r->ports[h.channel], &h))
    take_message(r, &h, records);
  else
    keep_early(r, &h, records);
  return true;
}

void ranks_poll(ranks *r) {
  if (r->e.size == 1 || r->is_taking) return;
  do send_waiting(r);
  while (!r->has_failed && receive_one(r, false));
}

/* ---- phases ---- */

void ranks_begin(ranks *r, rank_channel c, rank_taker *take, void *context) {
  rank_port *p = &r->ports[c];
  message_queue early = p->early;
  assert(!p->is_open);
  p->take = take;
  p->context = context;
  p->is_open = true;
  p->hurries = false;
  p->early = (message_queue){0};
  for (uint32_t i = 0; i < r->e.size; i++) p->links[i] = (rank_link){.expected = UINT64_MAX};
  for (message *m; (m = queue_take(&early));) {
    if (!is_now(p, m->head)) {
      queue_add(&p->early, m);
      continue;
    }
    take_message(r, m->head, records_of(m));
    arena_free(m->keep);
  }
}

void ranks_post(ranks *r, rank_channel c, uint32_t to, const void *record, size_t size) {
  rank_port *p = &r->ports[c];
  assert(size <= RECORDS_MAX && p->is_open);
  if (r->has_failed) return;
  if (to == r->e.rank) {
    p->take(p->context, to, record, size);
    return;
  }
  rank_link *l = &p->links[to];
  if (l->filling && l->filling->head->size + size > RECORDS_MAX) close_message(r, c, to);
  if (!l->filling) l->filling = message_new(to, RECORDS_MAX);
  memcpy(records_of(l->filling) + l->filling->head->size, record, size);
  l->filling->head->size += (uint32_t)size;
  if (r->is_taking) return;
  while (r->waiting.count > WAITING_MAX && !r->has_failed) ranks_poll(r);
}

void ranks_post_all(ranks *r, rank_channel c, const void *record, size_t size) {
  for (uint32_t i = 0; i < r->e.size; i++) ranks_post(r, c, i, record, size);
}

void ranks_hurry(ranks *r, rank_channel c) { r->ports[c].hurries = true; }

bool ranks_are_hurried(const ranks *r, rank_channel c) { return r->ports[c].hurries; }

static bool all_are_here(const ranks *r, const rank_port *p) {
  for (uint32_t i = 0; i < r->e.size; i++)
    if (i != r->e.rank && p->links[i].received != p->links[i].expected) return false;
  return true;
}

static void send_ends(ranks *r, rank_channel c) {
  for (uint32_t i = 0; i < r->e.size; i++) {
    if (i == r->e.rank) continue;
    close_message(r, c, i);
    message *m = message_new(i, 0);
    m->head->sent = r->ports[c].links[i].sent;
    m->head->hurries = r->ports[c].hurries;
    enqueue(r, m, MESSAGE_END, c);
  }
}

bool ranks_finish(ranks *r, rank_channel c) {
  rank_port *p = &r->ports[c];
  send_ends(r, c);
  while (!r->has_failed && !all_are_here(r, p)) {
    send_waiting(r);
    receive_one(r, !r->waiting.first);
  }
  while (!r->has_failed && r->waiting.first) ranks_poll(r);
  p->is_open = false;
  p->phase++;
  return !r->has_failed;
}

/* ---- sums ---- */

typedef struct sum {
  uint64_t *numbers;
  uint32_t count;
  bool is_broken;
} sum;

static void add_numbers(void *context, uint32_t from, const uint8_t *bytes, size_t size) {
  sum *s = context;
  (void)from;
  s->is_broken |= size != s->count * sizeof *s->numbers;
  for (uint32_t i = 0; i < s->count && !s->is_broken; i++) {
    uint64_t number;
    memcpy(&number, bytes + i * sizeof number, sizeof number);
    s->numbers[i] += number;
  }
}

bool ranks_sum(ranks *r, uint64_t *numbers, uint32_t count) {
  assert(count <= SUMS_MAX);
  uint64_t own[SUMS_MAX];
  sum s = {.numbers = numbers, .count = count};
  memcpy(own, numbers, count * sizeof *own);
  ranks_begin(r, RANK_SUM, add_numbers, &s);
  for (uint32_t i = 0; i < r->e.size; i++)
    if (i != r->e.rank) ranks_post(r, RANK_SUM, i, own, count * sizeof *own);
  r->has_failed |= s.is_broken;
  return ranks_finish(r, RANK_SUM) && !s.is_broken;
}

/* ---- one rank ---- */

static int send_nothing(void *context, uint32_t to, const void *bytes, size_t length) {
  (void)context, (void)to, (void)bytes, (void)length;
  return -1;
}

static long receive_nothing(void *context, void *bytes, size_t capacity, bool wait) {
  (void)context, (void)bytes, (void)capacity, (void)wait;
  return 0;
}

static bool meet_nobody(void *context) {
  (void)context;
  return true;
}

exchange exchange_alone(void) {
  return (exchange){
      .size = 1, .send = send_nothing, .receive = receive_nothing, .barrier = meet_nobody};
}

/* ---- all of it ---- */

ranks *ranks_new(const exchange *e, arena *keep) {
  ranks *r = arena_alloc_zero(keep, sizeof *r);
  r->keep = keep;
  r->e = *e;
  r->incoming = arena_alloc(keep, RANK_MESSAGE_MAX);
  for (uint32_t c = 0; c < RANK_CHANNELS; c++)
    r->ports[c].links = arena_zero_array(keep, rank_link, e->size);
  return r;
}

void ranks_free(ranks *r) {
  queue_free(&r->waiting);
  for (uint32_t c = 0; c < RANK_CHANNELS; c++) {
    queue_free(&r->ports[c].early);
    for (uint32_t i = 0; i < r->e.size; i++)
      if (r->ports[c].links[i].filling) arena_free(r->ports[c].links[i].filling->keep);
  }
}

uint32_t ranks_rank(const ranks *r) { return r->e.rank; }
uint32_t ranks_size(const ranks *r) { return r->e.size; }
bool ranks_have_failed(const ranks *r) { return r->has_failed; }

bool ranks_meet(ranks *r) {
  if (!r->has_failed && !r->e.barrier(r->e.context)) r->has_failed = true;
  return !r->has_failed;
}

/* Whoever cannot be told has trouble of his own. */
void ranks_stop(ranks *r) {
  message_head h = {.kind = MESSAGE_STOP, .from = r->e.rank};
  for (uint32_t i = 0; i < r->e.size && !r->has_failed; i++)
    while (i != r->e.rank && r->e.send(r->e.context, i, &h, sizeof h) == 0 &&
           r->e.receive(r->e.context, r->incoming, RANK_MESSAGE_MAX, true) >= 0)
      continue;
  r->has_failed = true;
}
