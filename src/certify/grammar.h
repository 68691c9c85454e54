/* Certificates as they are written, before they are compared with any game.

   A certificate is KIF:

     certificate = section section* .
     section     = property evidence .
     property    = "(property playable)" | "(property terminates)" | "(property goals)"
                 | "(property mutex)" | "(property monotone)" | "(property winnable" term ")"
                 | "(property unreachable" formula ")" | "(property invariant" formula ")" .
     evidence    = "(k" number ")" fact* measure*                  by induction
                 | "(line" joint* ")" [ "(returns-to" number ")" ] by a line of play
                 | "(steps" number ")"                             by all plays, which are short
                 | "(exhaustive)" fact* [ "(longest" number ")" ]  by all states
                   [ "(walk-file" name ")" ] .
     fact        = "(exactly-one" literal* ")" | "(at-most-one" literal* ")"
                 | "(at-least-one" literal* ")" .
     measure     = "(measure" weight* ")" .
     weight      = "(" number literal ")" .
     literal     = term | "(not" term ")" .
     joint       = "(" term term* ")" .
     formula     = "(and" formula* ")" | "(or" formula* ")" | "(true" formula* ")"
                 | "(not" formula ")" | "(distinct" term term ")" | term .
     term        = name | "(" name term* ")" .

   A number is 0 or digits that do not begin with 0, and less than 2^32 - 1; a name is no variable;
   (a) is a.  The items of a section may have any order after its property; only facts and measures
   may be repeated.  `measure`, `returns-to` and `longest` are for `terminates`, which must have the
   one that its evidence requires; `mutex` must have a group, that is, exactly one or at most one of
   two or more literals.  No property has two sections with the same kind of evidence.  The table in
   grammar.c says which evidence proves or refutes which property.

   Questions that need the game are not decided here: whether a fluent exists, and whether anything
   is true. */
#ifndef TABIA_CERTIFY_GRAMMAR_H
#define TABIA_CERTIFY_GRAMMAR_H

#include "read/tree.h"

typedef enum certified_kind {
  CERTIFIED_PLAYABLE,
  CERTIFIED_TERMINATES,
  CERTIFIED_WINNABLE,
  CERTIFIED_GOALS,
  CERTIFIED_MUTEX,
  CERTIFIED_MONOTONE,
  CERTIFIED_UNREACHABLE,
  CERTIFIED_INVARIANT,
  CERTIFIED_KINDS
} certified_kind;

typedef enum evidence_kind {
  EVIDENCE_INDUCTION,
  EVIDENCE_LINE,
  EVIDENCE_STEPS,
  EVIDENCE_ALL_STATES,
  EVIDENCE_KINDS
} evidence_kind;

/* What evidence shows of a property. */
typedef enum shown_verdict { SHOWS_NOTHING, SHOWS_PROVED, SHOWS_REFUTED } shown_verdict;

typedef struct section {
  certified_kind kind;
  evidence_kind evidence;
  node_id property;    /* the list (property ...) */
  node_id argument;    /* the role or formula in it; ID_NONE: it takes none */
  uint32_t k;          /* of induction */
  uint32_t steps;      /* no play has more; of EVIDENCE_STEPS */
  uint32_t longest;    /* steps of the longest play; ID_NONE: not said */
  uint32_t returns_to; /* of a line that can be repeated for ever; ID_NONE: not said */
  node_id line;        /* the list (line ...), or ID_NONE */
  node_id walk_file;   /* the list (walk-file ...), or ID_NONE */
  id_vec facts;        /* nodes */
  id_vec measures;     /* nodes */
} section;

typedef struct certificate {
  source source; /* with its lines indexed */
  tree tree;
  VEC(section) sections;
} certificate;

/* False: it is not written as the grammar says, and `d` says where and why (E702, or what is wrong
   with its KIF). */
bool certificate_read(certificate *c, const source *s, arena *keep, diag_sink *d);

/* What the section shows, if it holds; never SHOWS_NOTHING of a section that was read. */
shown_verdict section_shows(const section *s);

/* "winnable x": the property as it is asked for. */
const char *section_name(const certificate *c, const section *s, arena *keep);

/* Is the node a list that begins with this name? */
bool node_is_list_of(const tree *t, node_id n, const char *name);

#endif
