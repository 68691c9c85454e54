/* What was found out about a property, and what shows it. */
#ifndef TABIA_PROVE_FINDING_H
#define TABIA_PROVE_FINDING_H

#include "base/json.h"
#include "induct/facts.h"
#include "prove/measure.h"
#include "prove/play_length.h"
#include "prove/property.h"

typedef enum verdict_kind { VERDICT_UNKNOWN, VERDICT_PROVED, VERDICT_REFUTED } verdict_kind;

/* What a method that did not decide it has to say. */
typedef struct attempt {
  const char *method; /* NULL: it is no matter of a method */
  const char *words;
} attempt;

/* Names of one sort: all of those of which `reason` names a few. */
typedef struct name_list {
  const char *key; /* in JSON */
  VEC(const char *) names;
} name_list;

typedef struct finding {
  verdict_kind kind;
  const char *method; /* NULL: none came to an end */
  double seconds;
  uint64_t states;     /* that were looked at; 0: not by states */
  uint32_t depth;      /* of the states, of the line, or of the induction */
  bool has_line;       /* `line` shows it */
  id_vec line;         /* a joint move for each step, by number in circuit.moves */
  uint32_t length;     /* steps of the line */
  uint32_t returns_to; /* of a line that can be repeated for ever: to the state after that many */
  const fact_set *certificate;  /* facts of fluents that prove it; or NULL */
  uint32_t induction;           /* the k of the certificate */
  const measure_list *measures; /* that prove that every play ends; or NULL */
  play_length plays;            /* of PROPERTY_TERMINATES that is proved */
  bool is_walked;               /* all states were looked at */
  uint64_t walk_file;           /* checksum of the file that the walk was read from; 0: of none */
  bool is_bounded;              /* all lines of `depth` steps were, and none is longer */
  const fact_set *walked;       /* groups for which all states were looked at, too; or NULL */
  const fact_set *groups;       /* that were found and proved, of PROPERTY_MUTEX; or NULL */
  bool may_grow;                /* more groups may be found */
  VEC(name_list) lists;         /* of PROPERTY_DEAD: what is never used, what is not decided */
  VEC(attempt) attempts;        /* of one that is not known */
  uint64_t games;               /* random ones that did not decide it, as far as it was open */
  uint32_t clear_steps;         /* likewise: no line of fewer steps decides it */
  const char *reason;           /* why it is not known, or what there is to say besides; or NULL */
} finding;

const char *verdict_name(verdict_kind k); /* "proved" */

/* Can it be written down so that it can be checked again (certificate.h)? */
bool finding_has_certificate(const property *p, const finding *v);

/* The texts of a line, role by role. */
const char **line_texts(const circuit *c, const id_vec *line, arena *keep);

/* Of mutex, when there is none.  That is an answer, and not a doubt. */
#define NO_GROUP_WORDS "no group of fluents among the candidates"

/* Some lines for people; of many or large groups only a few, for which JSON has them all. */
void finding_print(const property *p, const finding *v, const circuit *c, text *out);
void finding_write_json(const property *p, const finding *v, const circuit *c,
                        const char *certificate_file, json_writer *w);

#endif
