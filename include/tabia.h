/* Tabia: checked, proved and fast games from their rules.

   This is the whole public face of libtabia.  Every name begins with tabia_ or TABIA_; what is not
   here is not promised.  No struct is shown: objects are made by ..._new, ..._read or ..._open,
   asked by functions, and given back by ..._free or ..._close, which allow NULL.  What can be
   chosen is set by functions, too, so that choices can be added without changing a layout.

       tabia_messages *log = tabia_messages_new();
       tabia_rules *rules;
       tabia_machine *machine;
       if (tabia_rules_read_file(&rules, "chess.kif", log) == TABIA_OK &&
           tabia_machine_open(&machine, rules, "auto", NULL, log) == TABIA_OK)
         play(machine);
       fputs(tabia_messages_text(log), stderr);

   OWNERSHIP.  The caller owns what it has made and gives it back once; texts and lists that a
   function returns belong to the object that was asked and live as long as that object, or
   until it is run again.  Arguments are copied where they are needed for longer than the call.
   A machine outlives its workspaces, batches, playouts and counts; rules may go before machines.

   THREADS.  Rules and machines do not change once they are made: any number of threads may use one
   at the same time.  Everything else (messages, limits, workspaces, batches, playouts, counts)
   belongs to one thread at a time.  Positions are memory of the caller, to which the library keeps
   no reference.
   There is no global state.

   ERRORS.  A function that can fail returns a tabia_status, and says what is wrong in the
   messages it is given; NULL there discards them.  An object that could not be
   made is NULL.  Questions about a position, asked by the million, give their answer directly: the
   workspace remembers trouble (tabia_workspace_status).  The library never ends the process.  What
   a comment demands of an argument is not checked unless it says so.

   MEMORY.  When the system has no memory left, the call ends with TABIA_LIMIT and the message E802;
   where it returns no status, with NULL, false or 0.  All that it has taken is given back, and
   every object stays usable, as it was before the call, except that a workspace, a batch or a
   search is in trouble for good, and figures of a run are those of no run.  An option or a property
   that could not be kept makes the run fail that needs it.  Give a limit of bytes all the same
   where rules come from strangers: most systems promise more memory than they have. */
#ifndef TABIA_H
#define TABIA_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TABIA_API __attribute__((visibility("default")))

/* The version of this header. */
#define TABIA_VERSION_MAJOR 0
#define TABIA_VERSION_MINOR 1
#define TABIA_VERSION_PATCH 0

/* "MAJOR.MINOR.PATCH" of the library in use, which may be another; never freed. */
TABIA_API const char *tabia_version(void);

/* ======== status and messages ======== */

/* The numbers are those with which the program `tabia` ends. */
typedef enum tabia_status {
  TABIA_OK = 0,
  TABIA_FAULTY = 1,     /* the rules have an error, or the game goes wrong as it is played */
  TABIA_MISUSE = 2,     /* an argument is wrong: a bug of the caller, or of its user */
  TABIA_UNREADABLE = 3, /* a file cannot be read, or is not what it should be */
  TABIA_LIMIT = 4       /* a limit was reached, or the interrupt flag was set */
} tabia_status;

/* A few words, such as "a limit was reached". */
TABIA_API const char *tabia_status_text(tabia_status s);

/* Is handed a text piece by piece; `bytes` is not ended by NUL. */
typedef void tabia_put(void *context, const char *bytes, size_t length);

/* What functions have to say: errors, warnings and notes, in the order in which they came.  A note
   belongs to the message before it and shows a second place. */
typedef struct tabia_messages tabia_messages;

typedef enum tabia_severity { TABIA_NOTE, TABIA_WARNING, TABIA_ERROR } tabia_severity;

TABIA_API tabia_messages *tabia_messages_new(void);
TABIA_API void tabia_messages_free(tabia_messages *log);
TABIA_API void tabia_messages_clear(tabia_messages *log);
TABIA_API uint32_t tabia_messages_count(const tabia_messages *log);
/* How many there are of that severity, those that were not kept included. */
TABIA_API uint32_t tabia_messages_count_of(const tabia_messages *log, tabia_severity severity);
/* Keep so many with the same code and count the rest; 0, as at first: keep all. */
TABIA_API void tabia_messages_set_limit(tabia_messages *log, uint32_t of_a_kind);
TABIA_API uint32_t tabia_messages_dropped(const tabia_messages *log); /* that were not kept */

/* Which warnings are reported, and which count as errors, by one word:
     all           every code
     CODE          this one too: "W406" or its name, "single-variable"
     no-CODE       not this one
     error         every warning that is reported counts as an error
     error=CODE    this one is reported and counts as an error
   Later words override earlier ones.  At first those are reported that are likely to make a game
   play otherwise than its author means (tabia_code_is_default).  TABIA_MISUSE: there is no such
   code, or it is an error, which is always reported; a message says so. */
TABIA_API tabia_status tabia_messages_choose(tabia_messages *log, const char *word);

/* Message `i`, below the count. */
TABIA_API tabia_severity tabia_message_severity(const tabia_messages *log, uint32_t i);
TABIA_API const char *tabia_message_code(const tabia_messages *log, uint32_t i); /* "E101", or "" */
TABIA_API const char *tabia_message_text(const tabia_messages *log, uint32_t i);
TABIA_API const char *tabia_message_hint(const tabia_messages *log, uint32_t i); /* or NULL */
TABIA_API const char *tabia_message_file(const tabia_messages *log, uint32_t i); /* or NULL */
/* From 1, in characters; 0: it is about no place of the text. */
TABIA_API uint32_t tabia_message_line(const tabia_messages *log, uint32_t i);
TABIA_API uint32_t tabia_message_column(const tabia_messages *log, uint32_t i);

/* Bytes start .. end-1 of the text that it is about; false: no place. */
TABIA_API bool tabia_message_range(const tabia_messages *log, uint32_t i, size_t *start,
                                   size_t *end);

/* What columns count: characters, as people do; bytes of UTF-8; or units of UTF-16, as editors do.
 */
typedef enum tabia_unit { TABIA_UNIT_CHARACTERS, TABIA_UNIT_BYTES, TABIA_UNIT_UTF16 } tabia_unit;

/* Line and column, from 1, where the range begins, or `of_end` where it ends; false: no place. */
TABIA_API bool tabia_message_place(const tabia_messages *log, uint32_t i, tabia_unit unit,
                                   bool of_end, uint32_t *line, uint32_t *column);

/* The edits that mend it, where its hint leaves no choice, in the order of the text; their number.
   Bytes `start` .. `end`-1 of the text that was read are to be replaced. */
typedef void tabia_edit(void *context, size_t start, size_t end, const char *text);
TABIA_API uint32_t tabia_message_edits(const tabia_messages *log, uint32_t i, tabia_edit *edit,
                                       void *context);

/* All of them for a person, "FILE:LINE:COLUMN: error: TEXT [CODE]" and a line end each; "" when
   there is none.  Good until the messages change. */
TABIA_API const char *tabia_messages_text(tabia_messages *log);

/* Writes those that are at least so severe, with the notes that belong to them.  `format`: "short",
   as above; "text", with the line and a caret under the place; "colour", the same for a terminal;
   "json", an array.  Another is TABIA_MISUSE. */
TABIA_API tabia_status tabia_messages_write(const tabia_messages *log, const char *format,
                                            tabia_severity least, tabia_put *put, void *context);

/* ---- codes ---- */

/* Every code that a message can have; docs/diagnostics.md has them as a table. */
TABIA_API uint32_t tabia_code_count(void);
TABIA_API const char *tabia_code(uint32_t i);         /* "E101"; NULL if i is out of range */
TABIA_API const char *tabia_code_name(uint32_t i);    /* "unclosed-parenthesis" */
TABIA_API const char *tabia_code_summary(uint32_t i); /* one line */
TABIA_API tabia_severity tabia_code_severity(uint32_t i);
TABIA_API bool tabia_code_is_default(uint32_t i); /* reported unless another choice is made */
/* How many messages with this code were not kept. */
TABIA_API uint32_t tabia_code_dropped(uint32_t i, const tabia_messages *log);
/* The code with that code or name, in upper or lower case; tabia_code_count(): there is none, and
 *nearest, unless it is NULL, is a name that was probably meant, or NULL. */
TABIA_API uint32_t tabia_code_find(const char *word, const char **nearest);
/* Writes what it means, why it matters, and an example of the fault and of its mend. */
TABIA_API tabia_status tabia_code_explain(uint32_t i, tabia_put *put, void *context);

/* ======== limits ======== */

/* How long and how large one call may get; where a function takes limits, NULL is no limit.  The
   time is that of each call they are given to, from its beginning.  The bytes are those of working
   with rules: grounding them, opening a machine, asking one that thinks in rules; random games and
   counts are held by time alone. */
typedef struct tabia_limits tabia_limits;

TABIA_API tabia_limits *tabia_limits_new(void); /* none yet */
TABIA_API void tabia_limits_free(tabia_limits *l);
TABIA_API void tabia_limits_set_seconds(tabia_limits *l, double seconds); /* 0: no limit */
/* The same for all calls from now on together. */
TABIA_API void tabia_limits_set_total(tabia_limits *l, double seconds);
TABIA_API void tabia_limits_set_bytes(tabia_limits *l, size_t bytes); /* 0: no limit */
/* The call stops soon after *flag is not 0 any more: for signal handlers and other threads. */
TABIA_API void tabia_limits_set_interrupt(tabia_limits *l, const volatile sig_atomic_t *flag);
/* The same without a flag of one's own, from any thread; until it is reset, every call that is
   given these limits ends with TABIA_LIMIT. */
TABIA_API void tabia_limits_cancel(tabia_limits *l);
TABIA_API void tabia_limits_reset(tabia_limits *l);

/* Is called a few times a second, by the thread that works: what is being done, how far it is, of
   how much (0: that is not known).  The words are good during the call. */
typedef void tabia_progress(void *context, const char *what, double done, double whole);
TABIA_API void tabia_limits_set_progress(tabia_limits *l, tabia_progress *report, void *context);

/* ======== options ======== */

/* Choices by name, for functions that say which names they know and which values each can have:
   "format=kif|prolog|json" means that the option `format` has one of three values, the first unless
   another is set; a value in capitals, as in "depth=N", stands for any text.  There, an unknown
   name or value is TABIA_MISUSE, and the message proposes one; NULL in place of options chooses
   nothing. */
typedef struct tabia_options tabia_options;

TABIA_API tabia_options *tabia_options_new(void);
TABIA_API void tabia_options_free(tabia_options *o);
TABIA_API void tabia_options_set(tabia_options *o, const char *name, const char *value);
/* NULL: it is not set.  Good until it is set anew. */
TABIA_API const char *tabia_options_get(const tabia_options *o, const char *name);

/* ======== built-in games ======== */

/* Games of our own, sorted by name.  Those that begin with "faulty/" are examples of faults, one
   for each check. */
TABIA_API uint32_t tabia_game_count(void);
TABIA_API const char *tabia_game_name(uint32_t i); /* NULL if i is out of range */
TABIA_API const char *tabia_game_text(uint32_t i, size_t *length);
TABIA_API bool tabia_game_is_faulty(uint32_t i);
/* The number of the game of that name; the count if there is none. */
TABIA_API uint32_t tabia_game_find(const char *name);

/* ======== rules ======== */

/* A rulesheet in the Game Description Language, in KIF or in infix notation (`p(X) :- q(X).`),
   recognised by its text. */
typedef struct tabia_rules tabia_rules;

/* Reads a file ("-" is standard input), a built-in game (tabia_rules_read: a file of that name goes
   before it), or a text of `length` bytes, which is called `name` in messages.  TABIA_UNREADABLE:
   there is no such file, and *rules is NULL.  TABIA_FAULTY: the text is not in the language; there
   is an object all the same, for editors: it can be asked for its text, for information and for
   faults, and whatever needs whole rules fails with the same messages.  Rules that are in the
   language but make no sound game are read: see tabia_rules_check. */
TABIA_API tabia_status tabia_rules_read(tabia_rules **rules, const char *name, tabia_messages *log);
TABIA_API tabia_status tabia_rules_read_file(tabia_rules **rules, const char *path,
                                             tabia_messages *log);
TABIA_API tabia_status tabia_rules_read_text(tabia_rules **rules, const char *name,
                                             const char *text, size_t length, tabia_messages *log);
TABIA_API void tabia_rules_free(tabia_rules *rules);
TABIA_API const char *tabia_rules_name(const tabia_rules *rules);
TABIA_API const char *tabia_rules_text(const tabia_rules *rules, size_t *length);
TABIA_API const char *tabia_rules_notation(const tabia_rules *rules); /* "kif" or "prolog" */
TABIA_API bool tabia_rules_is_whole(const tabia_rules *rules); /* the text is in the language */

/* Every fault of the rules, in one run.  TABIA_FAULTY: there is an error among them; warnings
   alone are TABIA_OK, unless tabia_messages_choose makes errors of them.  Rules with errors may
   still be played, as far as they have a meaning. */
TABIA_API tabia_status tabia_rules_check(const tabia_rules *rules, tabia_messages *log);

/* Lets checks, information and layout of these rules keep to limits, which must live as long; NULL:
   none.  Reading a text takes time and memory in proportion to its length, whatever it says. */
TABIA_API void tabia_rules_set_limits(tabia_rules *rules, const tabia_limits *limits);

/* The same game from another start: rules whose `init` facts are these fluents, which are written
   as for tabia_position_read.  Everything that is made of them (machines, proofs, certificates)
   speaks of that game.  Places in messages are still those of the text that was read: rules for
   `init` become blanks there, and the facts follow behind the end.  TABIA_UNREADABLE: the text is
   not KIF, or the rules have no such fluent; TABIA_FAULTY: the rules are not in the language. */
TABIA_API tabia_status tabia_rules_with_start(tabia_rules **other, const tabia_rules *rules,
                                              const char *name, const char *text, size_t length,
                                              tabia_messages *log);

/* Lays the rules out in a notation: "kif", "prolog", or "same" as it is.  Comments stay where they
   are.  The result says the same as the rules, which is checked. */
TABIA_API tabia_status tabia_rules_format(const tabia_rules *rules, const char *notation,
                                          tabia_put *put, void *context, tabia_messages *log);

/* ---- information ---- */

/* What a rulesheet is like, found without grounding it.  It keeps nothing of the rules.  The log is
   given what tabia_rules_check reports: the checks are part of the information. */
typedef struct tabia_info tabia_info;

TABIA_API tabia_info *tabia_info_new(const tabia_rules *rules, tabia_messages *log);
TABIA_API void tabia_info_free(tabia_info *info);

typedef enum tabia_class {
  TABIA_IS_STRATIFIED,           /* no relation depends on its own negation */
  TABIA_IS_ALLOWED,              /* every variable is bound by a positive condition */
  TABIA_IS_RECURSION_RESTRICTED, /* recursion makes no terms without end */
  TABIA_IS_BOUNDED,              /* there are finitely many ground rules */
  TABIA_HAS_ROLE_RULES,          /* roles are given by rules, which are not run here */
  TABIA_HAS_PERCEPTS,            /* GDL-II: a relation `sees` */
  TABIA_HAS_RANDOM               /* a role `random` */
} tabia_class;

/* Did the checks find no error?  Warnings that count as errors are errors here. */
TABIA_API bool tabia_info_is_sound(const tabia_info *info);
/* TABIA_OK: it is sound; TABIA_FAULTY; or TABIA_LIMIT: not all has been found out. */
TABIA_API tabia_status tabia_info_status(const tabia_info *info);
TABIA_API bool tabia_info_is(const tabia_info *info, tabia_class what);

typedef enum tabia_figure {
  TABIA_COUNT_RULES,   /* with conditions */
  TABIA_COUNT_FACTS,   /* without */
  TABIA_COUNT_CLAUSES, /* after `or` is expanded */
  TABIA_COUNT_STRATA,
  TABIA_LARGEST_RULE_LINE, /* 0: there is no rule; and its conditions and variables */
  TABIA_LARGEST_RULE_CONDITIONS,
  TABIA_LARGEST_RULE_VARIABLES
} tabia_figure;

TABIA_API uint32_t tabia_info_figure(const tabia_info *info, tabia_figure what);

TABIA_API uint32_t tabia_info_role_count(const tabia_info *info);
TABIA_API const char *tabia_info_role(const tabia_info *info, uint32_t i); /* NULL: out of range */

/* Relations that have rules or are used; `i` is below the count. */
TABIA_API uint32_t tabia_info_relation_count(const tabia_info *info);
TABIA_API const char *tabia_info_relation_name(const tabia_info *info, uint32_t i);
TABIA_API uint32_t tabia_info_relation_arity(const tabia_info *info, uint32_t i);
TABIA_API uint32_t tabia_info_relation_stratum(const tabia_info *info, uint32_t i);
TABIA_API uint32_t tabia_info_relation_rules(const tabia_info *info, uint32_t i);
TABIA_API uint32_t tabia_info_relation_facts(const tabia_info *info, uint32_t i);
/* "static": the same in every state; "dynamic": depends on `true` or `does`. */
TABIA_API const char *tabia_info_relation_kind(const tabia_info *info, uint32_t i);
/* "permanent": true in every state; "persistent": once true, true to the end; "ephemeral". */
TABIA_API const char *tabia_info_relation_lifetime(const tabia_info *info, uint32_t i);
TABIA_API bool tabia_info_relation_is_recursive(const tabia_info *info, uint32_t i);

/* ---- stages ---- */

/* What rules become on their way to a machine, and what they are for other programs, as text:

     terms                        names and lists as they were read
     rules, clauses               rules with their variables numbered; without `or`
     deps                         which relation depends on which
     bases                        every fluent and every move that there can be
     ground                       rules without variables
     circuit                      gates
     frame                        rules about what ceases, in place of frame rules
     strata, normal, labels, inverted, c    the steps of the compiler
     asp, prolog, prolog-grounder, aiger    for gringo, SWI-Prolog and model checkers

   tabia_stage_options returns the options of each. */
TABIA_API uint32_t tabia_stage_count(void);
TABIA_API const char *tabia_stage_name(uint32_t i);    /* NULL if i is out of range */
TABIA_API const char *tabia_stage_summary(uint32_t i); /* one line */
TABIA_API const char *tabia_stage_options(uint32_t i); /* "format=text|dot|json"; "": none */

/* Writes a stage.  TABIA_MISUSE: there is no such stage or option. */
TABIA_API tabia_status tabia_rules_write(const tabia_rules *rules, const char *stage,
                                         const tabia_options *options, const tabia_limits *limits,
                                         tabia_put *put, void *context, tabia_messages *log);

/* Grounds by the native method and by another, "asp" (gringo must be installed) or "prolog"
   (SWI-Prolog must be), and compares the results.  TABIA_FAULTY: they differ, and a message says
   the first difference. */
TABIA_API tabia_status tabia_rules_compare_methods(const tabia_rules *rules, const char *method,
                                                   const tabia_limits *limits, tabia_messages *log);

/* Builds the game with the C compiler of the system, and writes what it made.  Options:
   "product=object|shared encoding=original|direct|pruned knowledge-base=dense|hash|trie level=N",
   the level being that of optimisation, 0 to 3 (2). */
TABIA_API tabia_status tabia_rules_build(const tabia_rules *rules, const tabia_options *options,
                                         const tabia_limits *limits, tabia_put *put, void *context,
                                         tabia_messages *log);
/* A header that the stage `c` includes: "tabia_game.h" or "tabia_runtime.h"; NULL: there is none
   of that name. */
TABIA_API const char *tabia_game_header(const char *name);

/* ======== the text of rules, for editors ======== */

/* What is at this byte, where else is it written, which values can stand here?  Texts with faults
   have answers, too, as far as they can be read.  It keeps nothing of the rules, and belongs to one
   thread at a time.

   A word is one name, operator or comment at one place of the text.  A thing is what words stand
   for: a relation with its number of arguments, a function likewise, a constant, or a variable of
   one clause.  Numbers of words, things and clauses are in the order of the text. */
typedef struct tabia_source tabia_source;

#define TABIA_NOTHING UINT32_MAX /* no such word, thing or clause */

TABIA_API tabia_source *tabia_source_new(const tabia_rules *rules, const tabia_limits *limits,
                                         tabia_messages *log);
TABIA_API void tabia_source_free(tabia_source *s);

typedef enum tabia_word_kind {
  TABIA_WORD_OPERATOR, /* <=, not, and, or, distinct */
  TABIA_WORD_KEYWORD,  /* a relation of the language: role, init, ... */
  TABIA_WORD_RELATION,
  TABIA_WORD_FUNCTION,
  TABIA_WORD_CONSTANT,
  TABIA_WORD_VARIABLE,
  TABIA_WORD_COMMENT
} tabia_word_kind;

TABIA_API uint32_t tabia_source_word_count(const tabia_source *s);
/* The word that holds the byte, or ends there; TABIA_NOTHING. */
TABIA_API uint32_t tabia_source_word_at(const tabia_source *s, size_t offset);
TABIA_API tabia_word_kind tabia_word_kind_of(const tabia_source *s, uint32_t word);
TABIA_API void tabia_word_range(const tabia_source *s, uint32_t word, size_t *start, size_t *end);
TABIA_API uint32_t tabia_word_thing(const tabia_source *s, uint32_t word);  /* or TABIA_NOTHING */
TABIA_API uint32_t tabia_word_clause(const tabia_source *s, uint32_t word); /* or TABIA_NOTHING */
/* Is it in the head of a clause, which says what the thing is? */
TABIA_API bool tabia_word_defines(const tabia_source *s, uint32_t word);

TABIA_API uint32_t tabia_source_thing_count(const tabia_source *s);
TABIA_API tabia_word_kind tabia_thing_kind(const tabia_source *s, uint32_t thing);
/* Its name as the text first writes it. */
TABIA_API const char *tabia_thing_name(const tabia_source *s, uint32_t thing);
TABIA_API uint32_t tabia_thing_arity(const tabia_source *s, uint32_t thing);
/* The words that stand for it; `i` is below the count. */
TABIA_API uint32_t tabia_thing_word_count(const tabia_source *s, uint32_t thing);
TABIA_API uint32_t tabia_thing_word(const tabia_source *s, uint32_t thing, uint32_t i);
/* The comment on the lines above its first definition, with its marks; false: there is none. */
TABIA_API bool tabia_thing_doc(const tabia_source *s, uint32_t thing, size_t *start, size_t *end);
/* "static" or "dynamic", as of tabia_info_relation_kind, and the stratum; NULL: it is no relation
   that has a meaning. */
TABIA_API const char *tabia_thing_dependence(const tabia_source *s, uint32_t thing,
                                             uint32_t *stratum);

/* Forms at the top level: facts and rules. */
TABIA_API uint32_t tabia_source_clause_count(const tabia_source *s);
/* The clause that holds the byte, or ends there; TABIA_NOTHING. */
TABIA_API uint32_t tabia_source_clause_at(const tabia_source *s, size_t offset);
TABIA_API void tabia_clause_range(const tabia_source *s, uint32_t clause, size_t *start,
                                  size_t *end);
/* The word that names the relation of its head; or TABIA_NOTHING. */
TABIA_API uint32_t tabia_clause_head(const tabia_source *s, uint32_t clause);
TABIA_API bool tabia_clause_is_rule(const tabia_source *s, uint32_t clause);

/* Widens a range to the smallest name, term, atom or clause that is larger; false: there is none. */
TABIA_API bool tabia_source_widen(const tabia_source *s, size_t *start, size_t *end);
/* The innermost atom or term around the byte: the word that names it, and which argument stands
   there, or would, from 0.  False: there is none. */
TABIA_API bool tabia_source_call_at(const tabia_source *s, size_t offset, uint32_t *word,
                                    uint32_t *argument);

/* Is handed a constant, or with an arity a function. */
typedef void tabia_value(void *context, const char *name, uint32_t arity);

/* Which values can be met at an argument, from 0, of the atom or term that this word names: found
   without grounding, so there may be more than play ever has.  Returns how many; 0: nothing is
   known of it, or nothing can stand there. */
TABIA_API uint32_t tabia_source_values(const tabia_source *s, uint32_t word, uint32_t argument,
                                       tabia_value *take, void *context);

/* Another name for a thing, everywhere; NULL in place of the name asks whether it can have one.
   TABIA_MISUSE: it cannot, since the name belongs to the language, is no name, or stands for
   something else already; a message says so, and no edit is made. */
TABIA_API tabia_status tabia_source_rename(const tabia_source *s, uint32_t thing, const char *name,
                                           tabia_edit *edit, void *context, tabia_messages *log);

/* ======== machines ======== */

/* A way to run a game.  All machines give the same answers at different speeds:

     lanes      512 games side by side, one bit each; for random games and many states at once
     circuit    one state at a time, recomputing what changed; for tree search
     compiled   one state at a time, by C code made of the rules (needs a C compiler)
     datalog    from the rules as they are, for games that are too large to be ground
     reference  straight from the semantics, slow: the one to compare with
     gpu        random games on an NVIDIA card (docs/gpu.md); else as lanes.  Without a card it is
                not opened: TABIA_LIMIT

   tabia_kind_count and tabia_kind_name list what this library has, the fastest first. */
typedef struct tabia_machine tabia_machine;

TABIA_API uint32_t tabia_kind_count(void);
TABIA_API const char *tabia_kind_name(uint32_t i);    /* NULL: there are not so many */
TABIA_API const char *tabia_kind_summary(uint32_t i); /* one line; NULL likewise */
/* It plays on a device, which may not be there: it is opened by its name alone, never by "auto". */
TABIA_API bool tabia_kind_needs_device(uint32_t i);

/* Opens a machine of that kind.  "auto" is the fastest for one state at a time that can be opened
   within a part of the limits, "auto-many" the fastest for random games and batches.
   TABIA_MISUSE: there is no such kind, and the message proposes one; TABIA_LIMIT: a limit was
   reached; TABIA_FAULTY: the rules have no meaning for it. */
TABIA_API tabia_status tabia_machine_open(tabia_machine **machine, const tabia_rules *rules,
                                          const char *kind, const tabia_limits *limits,
                                          tabia_messages *log);
/* The same with options:

     encoding=original|direct|pruned|auto   what becomes of frame rules; auto: by a trial
     purpose=single|playouts|steps|long     what "auto" chooses for: one state at a time; random
                                            games; expanding many states; very many single states
     depth=N                                of the search that is to come, for the trial
     ignore-terminal=no|yes                 play goes on in terminal states

   "auto-many" is "auto" with purpose=playouts. */
TABIA_API tabia_status tabia_machine_open_with(tabia_machine **machine, const tabia_rules *rules,
                                               const char *kind, const tabia_options *options,
                                               const tabia_limits *limits, tabia_messages *log);
/* Reads a game, as tabia_rules_read does, and opens a machine for it. */
TABIA_API tabia_status tabia_machine_open_game(tabia_machine **m, const char *game,
                                               const char *kind, const tabia_limits *limits,
                                               tabia_messages *log);
TABIA_API void tabia_machine_close(tabia_machine *m);

TABIA_API const char *tabia_machine_kind(const tabia_machine *m); /* which one "auto" has taken */
TABIA_API const char *tabia_machine_encoding(const tabia_machine *m); /* "original" ... */
TABIA_API uint32_t tabia_machine_role_count(const tabia_machine *m);
/* In the order of the rulesheet.  A role named "random" is nature: it moves uniformly. */
TABIA_API const char *tabia_machine_role(const tabia_machine *m, uint32_t role);

typedef enum tabia_size {
  TABIA_SIZE_FLUENTS,
  TABIA_SIZE_MOVES, /* of all roles */
  TABIA_SIZE_GROUND_RULES,
  TABIA_SIZE_GROUND_LITERALS,
  TABIA_SIZE_GATES,       /* conjunctions */
  TABIA_SIZE_GATE_INPUTS, /* of them all */
  TABIA_SIZE_LATCHES      /* bits of a state */
} tabia_size;

/* What grounding has given; 0 on a machine that does not ground. */
TABIA_API uint64_t tabia_machine_size(const tabia_machine *m, tabia_size what);
TABIA_API double tabia_machine_open_seconds(const tabia_machine *m);

/* Have both the same positions, and the same numbers for moves, fluents and sights?  "circuit" and
   "lanes" have, when they were opened from the same rules: a search on one hands its leaves to the
   other. */
TABIA_API bool tabia_machine_shares_positions(const tabia_machine *a, const tabia_machine *b);

/* ======== positions ======== */

/* A position is a flat block of tabia_position_size bytes, aligned to eight, that the caller
   owns: copy it with memcpy, compare it with memcmp, hash it, keep it in tables.  States of one
   machine are equal when their bytes are.  In an array, positions lie one behind another.

   Moves, fluents and sights are numbers of one machine; those of moves and sights, of one role as
   well.  Lists are given as far as `capacity` allows, and the result is how many there are.  Moves
   are listed in the order of their text, the same on every machine. */
typedef uint32_t tabia_move;
typedef uint32_t tabia_fluent;
typedef uint32_t tabia_sight;

TABIA_API size_t tabia_position_size(const tabia_machine *m);
TABIA_API void tabia_position_start(const tabia_machine *m, void *position);
TABIA_API uint64_t tabia_position_hash(const tabia_machine *m, const void *position);
TABIA_API uint32_t tabia_position_fluents(const tabia_machine *m, const void *position,
                                          tabia_fluent *fluents, uint32_t capacity);

/* What a thread needs to ask a machine.  A machine that thinks in rules can fail in the middle of a
   game: the limits (which count from the making of the workspace) are reached, or a rule turns out
   to have no meaning.  Then the workspace is in trouble for good, and every position reads as
   terminal, without moves and goals, so that loops end by themselves. */
typedef struct tabia_workspace tabia_workspace;

TABIA_API tabia_workspace *tabia_workspace_new(const tabia_machine *m, const tabia_limits *limits);
TABIA_API void tabia_workspace_free(tabia_workspace *w);
/* TABIA_OK, TABIA_LIMIT or TABIA_FAULTY; trouble is reported to the log each time. */
TABIA_API tabia_status tabia_workspace_status(const tabia_workspace *w, tabia_messages *log);

TABIA_API bool tabia_position_terminal(tabia_workspace *w, const void *position);
/* No move in a position that is not terminal is a fault of the game. */
TABIA_API uint32_t tabia_position_legal(tabia_workspace *w, const void *position, uint32_t role,
                                        tabia_move *moves, uint32_t capacity);

#define TABIA_NO_GOAL INT32_MIN

/* The role's goal, 0 to 100 in sound games; TABIA_NO_GOAL when it has none or several. */
TABIA_API int32_t tabia_position_goal(tabia_workspace *w, const void *position, uint32_t role);
/* All goals that hold, from the lowest. */
TABIA_API uint32_t tabia_position_goals(tabia_workspace *w, const void *position, uint32_t role,
                                        int32_t *values, uint32_t capacity);
/* The position after a joint move: one legal move for each role, in their order.  `next` may be
   `position` itself. */
TABIA_API void tabia_position_step(tabia_workspace *w, const void *position,
                                   const tabia_move *joint, void *next);
/* What a role sees while the joint move is done in `position` (GDL-II). */
TABIA_API uint32_t tabia_position_sees(tabia_workspace *w, const void *position,
                                       const tabia_move *joint, uint32_t role, tabia_sight *sights,
                                       uint32_t capacity);

/* Canonical KIF: lower case, one blank between arguments.  The text is cut to `capacity` bytes with
   its ending NUL; the result is its whole length, as of snprintf. */
TABIA_API size_t tabia_move_text(const tabia_machine *m, uint32_t role, tabia_move move, char *text,
                                 size_t capacity);
TABIA_API size_t tabia_fluent_text(const tabia_machine *m, tabia_fluent f, char *text,
                                   size_t capacity);
TABIA_API size_t tabia_sight_text(const tabia_machine *m, uint32_t role, tabia_sight s, char *text,
                                  size_t capacity);
/* The legal move of the role with this canonical text; false: there is none. */
TABIA_API bool tabia_move_find(tabia_workspace *w, const void *position, uint32_t role,
                               const char *text, tabia_move *move);

/* ---- positions as text ---- */

/* The fluents that hold, in canonical KIF, sorted by their bytes, with a blank between two:
   "(control x) (mark 1 1 o)"; "" where none does.  The same on every machine.  Cut as above. */
TABIA_API size_t tabia_position_text(const tabia_machine *m, const void *position, char *text,
                                     size_t capacity);

/* The position in which these fluents hold and no others.  The text, which is called `name` in
   messages, has fluents in KIF in any order, with blanks, line ends or comments between them.  Any
   set of fluents that the game can have will do, whether play leads there or not.

   Machines other than `reference` and `datalog` build in what no play changes: fluents that always
   hold or never do, and such that always hold together.  A position that contradicts this is
   TABIA_FAULTY, and the message names the fluents: tabia_rules_with_start has no such bounds.
   TABIA_UNREADABLE: the text is not KIF, or the game has no such fluent; messages point at it and
   propose another.  In both cases `position` is left as it is.

   With encodings other than "original", a position that play does not lead to may be played
   wrongly. */
TABIA_API tabia_status tabia_position_read(const tabia_machine *m, const char *name,
                                           const char *text, size_t length, void *position,
                                           tabia_messages *log);

/* Reads a joint move: a move for each role, in their order, with blanks between them; or the moves
   of those roles alone that have more than one.  Status as of tabia_position_play. */
TABIA_API tabia_status tabia_joint_read(tabia_workspace *w, const void *position, const char *name,
                                        const char *text, size_t length, tabia_move *joint,
                                        tabia_messages *log);

/* Plays a line of moves, in KIF with blanks, line ends or comments between them, and leaves
   `position` behind the last.  The text is called `name` in messages.  It has a move for each role,
   in their order, for each step.  If that is no line of legal moves, the moves of roles that have
   only one are taken as left out, in all steps: "(mark 2 2) (mark 1 1)" is the same line of
   tic-tac-toe as "(mark 2 2) noop noop (mark 1 1)"; steps in which no role has a choice are made by
   themselves before the next move.

   TABIA_FAULTY: a move is not legal, is missing, or the game is over; a message points at it, says
   which step and role it is about, and what is legal there.  TABIA_UNREADABLE: the text is not KIF.
   TABIA_LIMIT: the workspace is in trouble.  In all these cases `position` is left as it is. */
TABIA_API tabia_status tabia_position_play(tabia_workspace *w, const char *name, const char *text,
                                           size_t length, void *position, tabia_messages *log);

/* ======== boards ======== */

/* How a game is drawn, found from its rules and from some random games: boards and what stands on
   them, what is left, and which clicks make which move.  A guess, but the same one each time, and
   no fact of a state is lost in it.  It belongs to one thread at a time, and to a machine, which
   outlives it. */
typedef struct tabia_board tabia_board;

TABIA_API tabia_status tabia_board_new(tabia_board **board, const tabia_machine *m,
                                       const tabia_limits *limits, tabia_messages *log);
TABIA_API void tabia_board_free(tabia_board *b);

/* Tries to prove that no cell ever holds two facts of a board's first layer; where that is done the
   board is `certain` in what is drawn from now on.  On machines that ground. */
TABIA_API void tabia_board_prove(tabia_board *b, const tabia_limits *limits);

/* Draws a position: "text" for terminals, "svg" for papers and pages, "json" for programs
   (docs/boards.md).  Another format is TABIA_MISUSE. */
TABIA_API tabia_status tabia_board_draw(tabia_board *b, const void *position, const char *format,
                                        tabia_put *put, void *context, tabia_messages *log);

/* How boards are laid out, as text that can be corrected by hand and read again (docs/boards.md).
   TABIA_UNREADABLE: the text, which is called `name` in messages, is no layout of this game. */
TABIA_API void tabia_board_write_layout(const tabia_board *b, tabia_put *put, void *context);
TABIA_API tabia_status tabia_board_read(tabia_board **board, const tabia_machine *m,
                                        const char *name, const char *layout, size_t length,
                                        const tabia_limits *limits, tabia_messages *log);

/* ======== batches ======== */

/* Many games of one machine, a state in each of its lanes: for learning, for search in many trees,
   for simulation.  Every call is about all lanes.  Lanes are worked on in blocks of 512, which
   threads share: on the machine `lanes` a block costs little more than one state does, while other
   machines take its states one by one.  The number of threads changes no result.

       tabia_batch_new(&batch, machine, 4096, 8, NULL, log);
       for (uint64_t step = 0; step < steps; step++) {
         tabia_batch_read(batch, TABIA_LEGAL, role, TABIA_BYTES, masks);
         tabia_batch_read(batch, TABIA_FLUENTS, 0, TABIA_BYTES, observations);
         choose(joints, masks, observations);
         tabia_batch_step(batch, joints, NULL);
         if (tabia_batch_terminal(batch, done)) {
           tabia_batch_goals(batch, role, goals);
           tabia_batch_reset(batch, done);
         }
       }

   NUMBERS.  Moves of a role are 0 .. n-1, percepts of a role likewise, and so are fluents; the
   machine knows how many there are (tabia_answer_width).

   LAYOUTS.  An answer of n numbers lies without gaps in memory of tabia_answer_size bytes, which is
   aligned to its elements:

     TABIA_BITS    uint64_t[lanes][(n + 63) / 64]: number i of a lane is bit i % 64 of word i / 64
     TABIA_BYTES   uint8_t[lanes][n], 0 or 1
     TABIA_FLOATS  float[lanes][n], 0 or 1
     TABIA_PLANES  uint64_t[n][(lanes + 63) / 64]: lane i of a number is bit i % 64 of word i / 64

   Bits behind the last one are 0.  Planes are the form of the machine `lanes` itself, and the
   fastest.

   On a processor that stores the lowest byte first, as x86 and most others do, bits are also those
   of bytes: number i is bit i % 8 of byte i / 8. */
typedef struct tabia_batch tabia_batch;

#define TABIA_BLOCK 512 /* lanes */

typedef enum tabia_answer {
  TABIA_TERMINAL, /* one number, of no role */
  TABIA_LEGAL,    /* moves of a role; legal in terminal states, too, where the rules say so */
  TABIA_FLUENTS,  /* of no role */
  TABIA_PERCEPTS  /* what a role has seen of the last step (GDL-II); nothing in a lane that has made
                     none since a state was put there */
} tabia_answer;

typedef enum tabia_layout { TABIA_BITS, TABIA_BYTES, TABIA_FLOATS, TABIA_PLANES } tabia_layout;

/* How many numbers an answer is about; `role` is ignored for answers that do not depend on a role.
   It bounds how many moves of a role can be legal at once.  0: the machine gives numbers as things
   turn up
   (`reference`, `compiled` and `datalog`), and cannot give such answers. */
TABIA_API uint32_t tabia_answer_width(const tabia_machine *m, tabia_answer what, uint32_t role);
TABIA_API size_t tabia_answer_size(const tabia_machine *m, tabia_answer what, uint32_t role,
                                   tabia_layout layout, uint32_t lanes);

/* All lanes are at the start of the game.  Limits are as those of a workspace.  TABIA_MISUSE: no
   lane, or no thread; TABIA_LIMIT: a limit was reached before the machine was ready. */
TABIA_API tabia_status tabia_batch_new(tabia_batch **b, const tabia_machine *m, uint32_t lanes,
                                       uint32_t threads, const tabia_limits *limits,
                                       tabia_messages *log);
TABIA_API void tabia_batch_free(tabia_batch *b);
/* As tabia_workspace_status. */
TABIA_API tabia_status tabia_batch_status(const tabia_batch *b, tabia_messages *log);

/* Uses the first `count` lanes from now on, for these positions, which are stored contiguously.
   False: the batch was not made with so many, and nothing is changed. */
TABIA_API bool tabia_batch_load(tabia_batch *b, const void *positions, uint32_t count);
TABIA_API uint32_t tabia_batch_lanes(const tabia_batch *b); /* in use: all of them at first */
TABIA_API void tabia_batch_store(tabia_batch *b, void *positions);
/* Other states in the lanes i for which which[i] holds (NULL: in all): the start of the game, or
   position i. */
TABIA_API void tabia_batch_reset(tabia_batch *b, const bool *which);
TABIA_API void tabia_batch_put(tabia_batch *b, const void *positions, const bool *which);

/* Writes an answer about all lanes; nothing where its width is 0. */
TABIA_API void tabia_batch_read(tabia_batch *b, tabia_answer what, uint32_t role,
                                tabia_layout layout, void *out);
/* terminal[i]: is lane i terminal?  Returns how many are; `terminal` may be NULL. */
TABIA_API uint32_t tabia_batch_terminal(tabia_batch *b, bool *terminal);
/* values[i]: the role's goal in lane i, or TABIA_NO_GOAL. */
TABIA_API void tabia_batch_goals(tabia_batch *b, uint32_t role, int32_t *values);
/* counts[i] moves of lane i are in moves[i * capacity] and behind it, as far as the capacity of
   each allows, in the order of their text.  `moves` may be NULL when the capacity is 0. */
TABIA_API void tabia_batch_legal(tabia_batch *b, uint32_t role, tabia_move *moves,
                                 uint32_t capacity, uint32_t *counts);

/* Joint moves are tabia_move[lanes][roles]. */

#define TABIA_NO_MOVE UINT32_MAX

/* Draws a joint move for each lane, every role's uniformly among its legal ones: a function of the
   state, the seed, the stream and the number of the lane, on every machine the same. TABIA_NO_MOVE:
   the role cannot move. */
TABIA_API void tabia_batch_draw(tabia_batch *b, uint64_t seed, uint64_t stream, tabia_move *joints);
/* Makes these joint moves in all lanes that are not terminal.  A lane with an illegal move stays as
   it is: illegal[i] is true (`illegal` may be NULL), and the result is how many there are. */
TABIA_API uint32_t tabia_batch_step(tabia_batch *b, const tabia_move *joints, bool *illegal);

/* Plays random games from the state of every lane, `games` of them from each, and leaves the lanes
   as they are: what a tree search asks about its leaves.  `goals` is int32_t[lanes][games][roles],
   at the end of each game.  TABIA_NO_GOAL: the role has none or several there, or the game came to
   no end, since a role could not move or max_steps was reached (0: games may be of any length).

   Game k of lane i has the stream number first + i * games + k.  A game is a function of the
   machine's kind, the state, the seed and that number: other lanes, their order and threads change
   nothing. TABIA_LIMIT: the limits of the batch were reached, and the batch is in trouble from then
   on. */
TABIA_API tabia_status tabia_batch_play(tabia_batch *b, uint64_t seed, uint64_t first,
                                        uint32_t games, uint64_t max_steps, int32_t *goals,
                                        tabia_messages *log);

/* Calls `work` for each block of lanes, by the threads of the batch and at the same time: several
   calls about one block while it is in a thread's cache, and one wait for threads instead of many.
   A part is a batch while `work` is there; its lane i is lane first + i of the whole, also for
   tabia_batch_draw and tabia_batch_play.  The calls above may be made about it, but for
   tabia_batch_new, _free and _load.  Without memory `work` is not called, or the lanes of its part
   become terminal and after it the whole batch is in trouble. */
typedef void tabia_part_work(void *context, tabia_batch *part, uint32_t first);
TABIA_API void tabia_batch_each(tabia_batch *b, tabia_part_work *work, void *context);

/* ======== random games ======== */

/* Random games: every role draws its moves uniformly among the legal ones.  The same machine, seed,
   start and count give the same figures, whatever the number of threads.  Made once, set, and run
   as often as wanted; the figures are those of the last run. */
typedef struct tabia_playouts tabia_playouts;

TABIA_API tabia_playouts *tabia_playouts_new(const tabia_machine *m);
TABIA_API void tabia_playouts_free(tabia_playouts *p);

TABIA_API void tabia_playouts_set_seed(tabia_playouts *p, uint64_t seed); /* 1 */
/* Games to start; 0, as at first: as many as can be until the time is over. */
TABIA_API void tabia_playouts_set_count(tabia_playouts *p, uint64_t count);
/* Start no game after this time; that is a usual end, not a limit.  0, as at first: no time.  The
   machine `lanes` starts games in parts of 512 and more, and ends the parts that it has begun. */
TABIA_API void tabia_playouts_set_seconds(tabia_playouts *p, double seconds);
TABIA_API void tabia_playouts_set_threads(tabia_playouts *p, uint32_t threads); /* 1 */
/* A game that is longer is given up and counted apart; 0, as at first: never. */
TABIA_API void tabia_playouts_set_max_steps(tabia_playouts *p, uint64_t steps);
/* How random numbers are made: "stream", as at first: the fastest way of the machine; "counter", of
   the machines `lanes` and `gpu`: Philox4x32-10 as a function of seed, part and step (docs/random.md), so
   that another program can play the same games to the bit.  False: it is neither, and "stream" is
   taken. */
TABIA_API bool tabia_playouts_set_random(tabia_playouts *p, const char *random);
/* All games begin here, in a position that can be reached from the start; NULL, as at first: at the
   start of the game. */
TABIA_API void tabia_playouts_set_start(tabia_playouts *p, const void *position);

/* Plays.  TABIA_MISUSE: neither a count nor a time was set, or the machine has no counters.  TABIA_FAULTY: a game went wrong (a
   role could not move, or had no goal or several at the end), and a message says how the first one
   did; the other games are counted all the same.  TABIA_LIMIT: likewise, what was played
   counts, on `lanes` in whole parts. */
TABIA_API tabia_status tabia_playouts_run(tabia_playouts *p, const tabia_limits *limits,
                                          tabia_messages *log);

TABIA_API uint64_t tabia_playouts_played(const tabia_playouts *p); /* to a sound end */
TABIA_API uint64_t tabia_playouts_states(const tabia_playouts *p); /* reached by their moves */
TABIA_API uint64_t tabia_playouts_faulty(const tabia_playouts *p); /* not counted anywhere else */
TABIA_API uint64_t tabia_playouts_too_long(const tabia_playouts *p);
TABIA_API double tabia_playouts_time(const tabia_playouts *p); /* seconds */
TABIA_API double tabia_playouts_mean_length(const tabia_playouts *p);
TABIA_API double tabia_playouts_length_deviation(const tabia_playouts *p);
TABIA_API uint64_t tabia_playouts_shortest(const tabia_playouts *p);
TABIA_API uint64_t tabia_playouts_longest(const tabia_playouts *p);
/* The mean over the games in which the role had a goal: all of them, but for the role `random`,
   which chance plays and which needs none.  0 when there are no such games. */
TABIA_API double tabia_playouts_mean_goal(const tabia_playouts *p, uint32_t role);
/* Does the role have goals to speak of?  `random` need not. */
TABIA_API bool tabia_playouts_has_goals(const tabia_playouts *p, uint32_t role);
/* Games in which the role got this goal, 0 to 100. */
TABIA_API uint64_t tabia_playouts_goal_count(const tabia_playouts *p, uint32_t role, int32_t goal);

/* Why games were not counted: no move for a role, no goal or several, or too long. */
TABIA_API uint64_t tabia_playouts_stuck(const tabia_playouts *p);
TABIA_API uint64_t tabia_playouts_bad_goals(const tabia_playouts *p);
/* How much there was to choose, over the states in which moves were made: states in which no role,
   one role, or several had more than one move; and the mean number of joint moves.  The machine
   `lanes` does not count them: 0. */
TABIA_API uint64_t tabia_playouts_choices(const tabia_playouts *p, uint32_t roles); /* 0, 1, 2 */
TABIA_API double tabia_playouts_mean_joint_moves(const tabia_playouts *p);
/* Had the role, one of the first 64, more than one move somewhere?  Not counted by `lanes`. */
TABIA_API bool tabia_playouts_role_chose(const tabia_playouts *p, uint32_t role);
/* The least and the largest sum of goals of all roles but `random` in one game: equal where all
   that was played has a constant sum.  False: not known, as on `lanes`. */
TABIA_API bool tabia_playouts_goal_sums(const tabia_playouts *p, int64_t *least, int64_t *most);
/* The number of the first faulty game of the seed; on `lanes`, of its part. */
TABIA_API uint64_t tabia_playouts_first_fault(const tabia_playouts *p);

/* ======== counting ======== */

/* Perft: how many sequences of joint moves there are from the start, by length. */
typedef struct tabia_perft tabia_perft;

TABIA_API tabia_perft *tabia_perft_new(const tabia_machine *m);
TABIA_API void tabia_perft_free(tabia_perft *p);
TABIA_API void tabia_perft_set_threads(tabia_perft *p, uint32_t threads); /* 1 */
/* Play on in terminal states, where there are moves. */
TABIA_API void tabia_perft_set_ignore_terminal(tabia_perft *p, bool ignore);
/* Where to begin; NULL, as at first: at the start of the game. */
TABIA_API void tabia_perft_set_start(tabia_perft *p, const void *position);
/* Count behind each first joint move, too. */
TABIA_API void tabia_perft_set_divide(tabia_perft *p, bool divide);

/* Counts to that depth.  TABIA_LIMIT: only to the depth tabia_perft_depth.  TABIA_FAULTY: a role
   cannot move somewhere, and a message says where. */
TABIA_API tabia_status tabia_perft_run(tabia_perft *p, uint32_t depth, const tabia_limits *limits,
                                       tabia_messages *log);
TABIA_API uint32_t tabia_perft_depth(const tabia_perft *p); /* that was counted whole */
/* 0 for a depth that was not counted. */
TABIA_API uint64_t tabia_perft_nodes(const tabia_perft *p, uint32_t depth);
TABIA_API uint64_t tabia_perft_unique(const tabia_perft *p, uint32_t depth); /* distinct states */
TABIA_API uint64_t tabia_perft_total(const tabia_perft *p);                  /* of nodes */
/* Ways that end where a role cannot move in a state that is not terminal. */
TABIA_API uint64_t tabia_perft_stuck(const tabia_perft *p);
/* The first joint moves, if they were divided: a move for each role, and nodes of full depth. */
TABIA_API uint32_t tabia_perft_part_count(const tabia_perft *p);
TABIA_API const tabia_move *tabia_perft_part_joint(const tabia_perft *p, uint32_t i);
TABIA_API uint64_t tabia_perft_part_nodes(const tabia_perft *p, uint32_t i);

/* ======== minimax ======== */

/* The whole tree of play to some depth, and what it is worth to each role.  A state at full depth
   that is not terminal counts 50.  The role `random` draws its moves uniformly. */
typedef struct tabia_minimax tabia_minimax;

/* What the values are. */
typedef enum tabia_sense {
  TABIA_SENSE_BEST,      /* one role chooses: the most that it can get */
  TABIA_SENSE_GUARANTEE, /* what each role can guarantee, whatever the others do */
  TABIA_SENSE_BOUND,     /* roles choose at once: bounds of what each can guarantee */
  TABIA_SENSE_MAX_N      /* what each role gets when each takes the best for itself */
} tabia_sense;

TABIA_API tabia_minimax *tabia_minimax_new(const tabia_machine *m);
TABIA_API void tabia_minimax_free(tabia_minimax *x);
/* Leave out what cannot change a value; for one or two roles besides `random`, else TABIA_MISUSE.
 */
TABIA_API void tabia_minimax_set_alpha_beta(tabia_minimax *x, bool wanted);
TABIA_API void tabia_minimax_set_ignore_terminal(tabia_minimax *x, bool ignore);
TABIA_API void tabia_minimax_set_start(tabia_minimax *x, const void *position);
/* Search a GDL-II game as if every role knew the state. */
TABIA_API void tabia_minimax_set_perfect_information(tabia_minimax *x, bool wanted);

/* Searches to that depth, at most 1000.  TABIA_LIMIT: the counts are those of what was visited, and
   there are no values.  TABIA_FAULTY: the game goes wrong somewhere, or its roles do not know the
   state; a message says which. */
TABIA_API tabia_status tabia_minimax_run(tabia_minimax *x, uint32_t depth,
                                         const tabia_limits *limits, tabia_messages *log);
TABIA_API bool tabia_minimax_has_values(
    const tabia_minimax *x); /* the last search came to its end */
TABIA_API double tabia_minimax_value(const tabia_minimax *x, uint32_t role);
/* Of TABIA_SENSE_BOUND: the upper bound, where it is known; else the value. */
TABIA_API double tabia_minimax_most(const tabia_minimax *x, uint32_t role);
TABIA_API bool tabia_minimax_has_most(const tabia_minimax *x);
TABIA_API tabia_sense tabia_minimax_sense(const tabia_minimax *x);
TABIA_API const char *tabia_sense_name(tabia_sense s);            /* "guarantee" */
TABIA_API bool tabia_minimax_has_chance(const tabia_minimax *x);  /* values are expectations */
TABIA_API bool tabia_minimax_reaches_end(const tabia_minimax *x); /* nothing was cut off */
/* Values are what they are called, neither bounds nor cut off by the depth. */
TABIA_API bool tabia_minimax_is_exact(const tabia_minimax *x);
TABIA_API uint64_t tabia_minimax_nodes(const tabia_minimax *x, uint32_t depth);
TABIA_API uint64_t tabia_minimax_total(const tabia_minimax *x);
TABIA_API uint64_t
tabia_minimax_faults(const tabia_minimax *x); /* leaves where the game goes wrong */
/* Must roles of this game choose without knowing the state (GDL-II)? */
TABIA_API bool tabia_machine_has_hidden_state(const tabia_machine *m);

/* ======== solving ======== */

/* The value of a game for each role, by going over all of its states: one role; two in turns,
   cycles included, where a play that never ends is worth 50 to both; chance, two roles that choose
   at once, or more than two in turns, where every play ends.  docs/solve.md has the rest. */
typedef struct tabia_solve tabia_solve;

/* The machine is `lanes` or `circuit`, else a run is declined. */
TABIA_API tabia_solve *tabia_solve_new(const tabia_machine *m);
TABIA_API void tabia_solve_free(tabia_solve *x);
TABIA_API void tabia_solve_set_threads(tabia_solve *x, uint32_t threads);    /* 1 */
TABIA_API void tabia_solve_set_most_states(tabia_solve *x, uint64_t states); /* 0: no limit */

/* How several processes that solve one game exchange messages: the user fills this in, with MPI for
   instance.  Functions are called by one thread at a time.  Messages may be late and overtake each
   other; none may be lost or come twice. */
typedef struct tabia_exchange {
  void *context;       /* is handed to each function */
  uint32_t rank, size; /* this process, from 0; all of them */
  /* Copies the bytes and returns at once.  1: they are on their way; 0: not now, for too many are;
     -1: it failed. */
  int (*send)(void *context, uint32_t to, const void *bytes, size_t length);
  /* A message from anyone: its length; 0: there is none, after a moment of waiting where that is
     wished; -1: it failed. */
  long (*receive)(void *context, void *bytes, size_t capacity, bool wait);
  bool (*barrier)(void *context); /* waits for all; false: it failed */
} tabia_exchange;

enum { TABIA_MESSAGE_MAX = 1 << 18 }; /* bytes; no message is larger */

/* Every process runs the same game with the same settings, keeps the states that it owns by their
   hash, and gets the same result; the first writes the database.  One role, or two in turns; each
   process works with one thread.  NULL, as at first: this process has all states. */
TABIA_API void tabia_solve_set_exchange(tabia_solve *x, const tabia_exchange *e);

/* The folder of a database of all states' values, which a run then writes; NULL, as at first: none.
   It is not copied. */
TABIA_API void tabia_solve_set_database(tabia_solve *x, const char *folder);

/* TABIA_FAULTY: the game is declined, and tabia_solve_reason says why; or it goes wrong somewhere,
   or its values cannot be kept in a database.  TABIA_UNREADABLE: a file cannot be written.
   TABIA_LIMIT: there are no values, and the counts are those of what was found. */
TABIA_API tabia_status tabia_solve_run(tabia_solve *x, const tabia_limits *limits,
                                       tabia_messages *log);
TABIA_API bool tabia_solve_has_values(const tabia_solve *x);
/* What there is: "strong", the value of every state that can be reached; "equilibrium", how to play
   from the start where roles know only what they see (GDL-II).  NULL: nothing. */
TABIA_API const char *tabia_solve_kind(const tabia_solve *x);
TABIA_API const char *tabia_solve_reason(const tabia_solve *x); /* it is declined; or NULL */
TABIA_API double tabia_solve_value(const tabia_solve *x, uint32_t role);
TABIA_API double tabia_solve_gap(const tabia_solve *x); /* values are as near to the truth */
TABIA_API tabia_sense tabia_solve_sense(const tabia_solve *x);
TABIA_API bool tabia_solve_has_chance(const tabia_solve *x);
/* Some value rests on a play that never ends. */
TABIA_API bool tabia_solve_has_endless(const tabia_solve *x);
/* Steps to the end under best play; of one role, and of two in turns. */
TABIA_API bool tabia_solve_has_remoteness(const tabia_solve *x);
TABIA_API uint32_t tabia_solve_remoteness(const tabia_solve *x);
/* The best moves of a role at the start.  The share of a move is how often to make it: the first of
   equals has 1. */
TABIA_API uint32_t tabia_solve_move_count(const tabia_solve *x, uint32_t role);
TABIA_API tabia_move tabia_solve_move(const tabia_solve *x, uint32_t role, uint32_t i);
TABIA_API double tabia_solve_move_share(const tabia_solve *x, uint32_t role, uint32_t i);
/* Best play to the end; its length is 0 where there is no remoteness. */
TABIA_API uint32_t tabia_solve_line_length(const tabia_solve *x);
TABIA_API const tabia_move *tabia_solve_line_joint(const tabia_solve *x, uint32_t i);
TABIA_API uint64_t tabia_solve_states(const tabia_solve *x);
TABIA_API uint64_t tabia_solve_ends(const tabia_solve *x);
TABIA_API uint32_t tabia_solve_depth(const tabia_solve *x);  /* of the deepest state */
TABIA_API uint64_t tabia_solve_bytes(const tabia_solve *x);  /* of the states as they are stored */
TABIA_API uint64_t tabia_solve_faults(const tabia_solve *x); /* states where the game goes wrong */
TABIA_API bool tabia_solve_has_database(const tabia_solve *x); /* one was written */

/* ======== databases of values ======== */

/* The values of all states of a game that was solved (tabia_solve_set_database), looked up by
   position in microseconds.  Files are mapped, and what is read of them is checked.  Threads may
   share a database, each with its own workspace. */
typedef struct tabia_database tabia_database;

/* For the positions of the machine, `lanes` or `circuit`, which must outlive it.  TABIA_UNREADABLE:
   there is no database in the folder, it is damaged, or it is of another game or start. */
TABIA_API tabia_status tabia_database_open(tabia_database **out, const tabia_machine *m,
                                           const char *folder, tabia_messages *log);
TABIA_API void tabia_database_free(tabia_database *b); /* NULL is allowed */

/* What a position is worth to each role.  The workspace is one of a machine that shares positions
   with that of the database.  A position that no play leads to may get any value.  False: it is not
   there, or the database is damaged there. */
TABIA_API bool tabia_database_values(const tabia_database *b, tabia_workspace *w,
                                     const void *position, double *values);
/* Steps to the end under best play, of one role and of two in turns whose goals add up to 100.
   False: not known, or play need not end. */
TABIA_API bool tabia_database_remoteness(const tabia_database *b, tabia_workspace *w,
                                         const void *position, uint32_t *steps);
/* The best moves of the only role that has a choice, besides `random`, as far as there is room;
   returns how many there are.  0: others choose at the same time, or as for tabia_database_values.
 */
TABIA_API uint32_t tabia_database_moves(const tabia_database *b, tabia_workspace *w,
                                        const void *position, uint32_t role, tabia_move *moves,
                                        uint32_t capacity);
TABIA_API uint64_t tabia_database_states(const tabia_database *b); /* that have a key: no ends */
TABIA_API uint64_t tabia_database_ends(const tabia_database *b);
/* Of its files: "index", "values", "steps"; 0: there is no such file. */
TABIA_API uint64_t tabia_database_bytes(const tabia_database *b, const char *file);

/* Plays at random on another machine, `reference` for instance, and holds the value of at least so
   many positions against the values of those that follow.  TABIA_FAULTY: one is wrong, and the log
   says where.  `checked`, unless it is NULL, gets how many were compared. */
TABIA_API tabia_status tabia_database_check(const tabia_database *b, const tabia_machine *judge,
                                            uint64_t positions, uint64_t seed,
                                            const tabia_limits *limits, tabia_messages *log,
                                            uint64_t *checked);

/* ======== search ======== */

/* Who chooses moves: a tree of play that is searched for some time, for any number of roles, turns,
   moves at once and chance.  It is kept from one question to the next.

       tabia_search_open(&search, machine, NULL, NULL, log);
       tabia_search_learn(search, 10, NULL, log);
       while (!over) {
         tabia_search_set_seconds(search, 1);
         tabia_search_think(search, position, role, NULL, log);
         make(tabia_search_best(search, role));
       }

   A search belongs to one thread at a time.  To think in the time of others, call
   tabia_search_think in a thread without any limit of its own, and end it from another one by
   tabia_limits_cancel: what was found remains. */
typedef struct tabia_search tabia_search;

/* "auto-many" is the machine to search on.  Options:
     kind=tabia|batched|uct   tabia: all there is; batched: a tree over bundles of random games;
                              uct: one random game a time, as a yardstick
     style=auto|plays|judges|mixes
                              how kind=tabia values states once it has learned: by random games,
                              by what it has learned, or by both; auto: what wins short matches
     learning=yes|no          may it learn?
     exploration=C            weight of what is little known, in place of the style's
     leaves=N playouts=N      states that are looked at together, and random games from each
     max-steps=N              of a random game (4000)
     threads=N memory=BYTES   1, and 512 M; K, M and G may follow
     seed=N                   (1), below 2^53; with one thread, and iterations in place of time, the
                              same seed gives the same thoughts
     solver=yes|no            wins, losses and draws are proved
     constant-sum=unknown|assumed
                              assumed: what two roles have got together in all ends so far, they
                              get in every end; thoughts end sooner, but what rests on that is not
                              proved
     transpositions=yes|no    equal states are one
     clock=wall|processor     what seconds are: those of a clock, or of the thread that thinks
     regrets=yes|no           moves at once are mixed by regret, not by confidence bounds
   TABIA_MISUSE: an option is wrong. */
TABIA_API tabia_status tabia_search_open(tabia_search **search, const tabia_machine *m,
                                         const tabia_options *options, const tabia_limits *limits,
                                         tabia_messages *log);
TABIA_API void tabia_search_close(tabia_search *s);

/* Gets ready for the game, which takes at most so many seconds; to be called before the first
   question, in the start clock.  There need be no such call. */
TABIA_API tabia_status tabia_search_learn(tabia_search *s, double seconds,
                                          const tabia_limits *limits, tabia_messages *log);

/* Another match begins: forgets the tree, and keeps what was learned. */
TABIA_API void tabia_search_forget(tabia_search *s);

/* When a thought is complete: after this time or so many iterations, whichever comes first; 0, as
   at first, is no limit. */
TABIA_API void tabia_search_set_seconds(tabia_search *s, double seconds);
TABIA_API void tabia_search_set_iterations(tabia_search *s, uint64_t iterations);

/* Is called a few times a second, by the thread that thinks, and may ask what was found so far. */
typedef void tabia_thought(void *context, const tabia_search *s);
TABIA_API void tabia_search_set_listener(tabia_search *s, tabia_thought *report, void *context);

/* Judges new states in place of random games: `positions` are stored contiguously; `values`, to be
   written, are float[count][roles], 0 to 100; `priors`, which may be NULL, float[count][widths of
   all roles' moves, one behind another]: how likely each move is, in any scale; those that are not
   legal are ignored.  They are asked for where the machine knows its numbers
   (tabia_answer_width).  The tree is forgotten; NULL: random games again. */
enum { TABIA_JUDGE_MAX = 512 }; /* the largest count */
typedef void tabia_judge(void *context, const void *positions, uint32_t count, float *values,
                         float *priors);
TABIA_API void tabia_search_set_judge(tabia_search *s, tabia_judge *judge, bool with_priors,
                                      void *context);

/* Thinks about a position, NULL being the start of the game, above all for `role`.  It ends early
   when all is proved.  TABIA_LIMIT: the limits were reached, or it was cancelled; TABIA_FAULTY: the
   machine is in trouble.  In any case what was found can be asked for. */
TABIA_API tabia_status tabia_search_think(tabia_search *s, const void *position, uint32_t role,
                                          const tabia_limits *limits, tabia_messages *log);

/* ---- what was found ---- */

/* The move that the role should make; TABIA_NO_MOVE: there is none, since the game is over.  Where
   roles choose at once, it is drawn with the shares below. */
TABIA_API tabia_move tabia_search_best(const tabia_search *s, uint32_t role);
/* What the role may expect, 0 to 100, and bounds that are proved (unless a sum is assumed). */
TABIA_API double tabia_search_value(const tabia_search *s, uint32_t role);
TABIA_API double tabia_search_least(const tabia_search *s, uint32_t role);
TABIA_API double tabia_search_most(const tabia_search *s, uint32_t role);
/* Are these values those of best play, each role doing what is best for itself? */
TABIA_API bool tabia_search_is_proved(const tabia_search *s);

/* The legal moves of a role, in the order of their text; `i` is below the count. */
TABIA_API uint32_t tabia_search_move_count(const tabia_search *s, uint32_t role);
TABIA_API tabia_move tabia_search_move(const tabia_search *s, uint32_t role, uint32_t i);
TABIA_API uint64_t tabia_search_move_visits(const tabia_search *s, uint32_t role, uint32_t i);
TABIA_API double tabia_search_move_value(const tabia_search *s, uint32_t role, uint32_t i);
/* How often it should be made, 0 to 1. */
TABIA_API double tabia_search_move_share(const tabia_search *s, uint32_t role, uint32_t i);
TABIA_API bool tabia_search_move_is_proved(const tabia_search *s, uint32_t role, uint32_t i);

/* What is expected to be played: joint moves, one move for each role. */
TABIA_API uint32_t tabia_search_line_length(const tabia_search *s);
TABIA_API const tabia_move *tabia_search_line_joint(const tabia_search *s, uint32_t step);

typedef enum tabia_effort {
  TABIA_EFFORT_ITERATIONS, /* of the last thought */
  TABIA_EFFORT_PLAYOUTS,   /* random games of it */
  TABIA_EFFORT_DEPTH,      /* joint moves of its longest line */
  TABIA_EFFORT_NODES,      /* states in the tree, also those of former thoughts */
  TABIA_EFFORT_BYTES       /* of the tree */
} tabia_effort;

TABIA_API uint64_t tabia_search_effort(const tabia_search *s, tabia_effort what);
/* How states were valued, "plays", "judges" or "mixes". */
TABIA_API const char *tabia_search_style(const tabia_search *s);
TABIA_API double tabia_search_time(const tabia_search *s); /* seconds of the last thought */

/* ======== strategies for hidden states ======== */

/* How to play where roles do not know the state (GDL-II): a mixed strategy for whatever a role may
   know, found by playing against itself and minimising regret.  In a game of two roles with a constant
   sum it tends to one that nobody can exploit.

       tabia_strategy_open(&strategy, machine, NULL, log);
       tabia_strategy_learn(strategy, 10, 0, NULL, log);
       ...
       tabia_strategy_tell(strategy, role, move, sights, count);   after each step
       tabia_strategy_think(strategy, role, 1, 0, NULL, log);
       share = tabia_strategy_share(strategy, role, move);

   A strategy belongs to one thread at a time. */
typedef struct tabia_strategy tabia_strategy;

/* Options: seed=N (1), below 2^53; memory=BYTES (256 M), K, M and G may follow.  TABIA_MISUSE: an
   option is wrong, or the machine does not know its moves and percepts beforehand ("lanes" and
   "circuit" do). */
TABIA_API tabia_status tabia_strategy_open(tabia_strategy **strategy, const tabia_machine *m,
                                           const tabia_options *options, tabia_messages *log);
TABIA_API void tabia_strategy_close(tabia_strategy *s);

/* Plays games against itself from the start, for so many seconds or games, whichever ends first; 0
   is no limit.  TABIA_LIMIT: the limits were reached; what was learned remains. */
TABIA_API tabia_status tabia_strategy_learn(tabia_strategy *s, double seconds, uint64_t games,
                                            const tabia_limits *limits, tabia_messages *log);

/* Another match begins: no role has seen anything yet. */
TABIA_API void tabia_strategy_restart(tabia_strategy *s);
/* What a role has done and seen in a step, each percept once, in any order. */
TABIA_API tabia_status tabia_strategy_tell(tabia_strategy *s, uint32_t role, tabia_move own,
                                           const tabia_sight *sights, uint32_t count);

/* Plays games that agree with what the role has perceived.  Where games from the start know enough of it,
   more of those are played. */
TABIA_API tabia_status tabia_strategy_think(tabia_strategy *s, uint32_t role, double seconds,
                                            uint64_t games, const tabia_limits *limits,
                                            tabia_messages *log);

/* How often the role should make the move, given what it has perceived: 0 to 1; the same for all moves
   where nothing is known.  The move has to be legal. */
TABIA_API double tabia_strategy_share(const tabia_strategy *s, uint32_t role, tabia_move move);
/* Games that came to where the role is; 0: nothing is known. */
TABIA_API uint64_t tabia_strategy_visits(const tabia_strategy *s, uint32_t role);
TABIA_API uint64_t tabia_strategy_games(const tabia_strategy *s); /* that were played in all */
TABIA_API uint64_t
tabia_strategy_sets(const tabia_strategy *s); /* information sets that are known */

/* ======== why? ======== */

/* Why a literal holds in a state of a game, or why it does not: a tree of steps, as a list in which
   the parts of a step follow it, one level deeper.  What holds has its shortest derivation: as few
   literals as can be, each with its rule and values.  What does not hold has, for each rule that
   could give it, the first condition that fails, what holds in its place, and why that one fails;
   a fluent that is gone, the step that lost it and the rules that did not keep it; what can never
   hold, what is missing.  Nothing is grounded. */
typedef struct tabia_why tabia_why;

/* Asks it.  The literal is an atom, (not ATOM), or a fluent alone, in KIF; it may have variables:
   "(legal x ?m)".  Options:
     from=STATE   fluents to begin with, as for tabia_position_read
     after=MOVES  moves that are made before, as for tabia_position_play
     does=MOVES   what is done then, for `next` and `sees`, as for tabia_joint_read
   TABIA_MISUSE: it is no literal, or an option is wrong; TABIA_FAULTY: the rules have an error, or
   the moves cannot be made; TABIA_UNREADABLE: the state cannot be read. */
TABIA_API tabia_status tabia_why_ask(tabia_why **why, const tabia_rules *rules, const char *literal,
                                     const tabia_options *options, const tabia_limits *limits,
                                     tabia_messages *log);
TABIA_API void tabia_why_free(tabia_why *why);

TABIA_API bool tabia_why_holds(const tabia_why *why);
/* In one line, such as "no: terminal does not hold at the start". */
TABIA_API const char *tabia_why_headline(const tabia_why *why);
/* The atoms that hold, sorted; of a literal without variables at most one. */
TABIA_API uint32_t tabia_why_answer_count(const tabia_why *why);
TABIA_API const char *tabia_why_answer(tabia_why *why, uint32_t i);

/* The steps.  A kind is "rule", "fact", "fluent", "move", "not", "distinct", "fails", "attempt",
   "holds", "again" or "note"; docs/json.md says what each is. */
TABIA_API uint32_t tabia_why_step_count(const tabia_why *why);
TABIA_API const char *tabia_why_step_kind(const tabia_why *why, uint32_t i);
TABIA_API uint32_t tabia_why_step_depth(const tabia_why *why, uint32_t i); /* the first have 0 */
TABIA_API bool tabia_why_step_holds(const tabia_why *why, uint32_t i);
TABIA_API const char *tabia_why_step_literal(tabia_why *why, uint32_t i);     /* "": it has none */
TABIA_API const char *tabia_why_step_words(const tabia_why *why, uint32_t i); /* or NULL */
/* Where the rule, fact or condition is written: bytes start .. end-1, and the line, from 1.  False:
   nowhere. */
TABIA_API bool tabia_why_step_place(const tabia_why *why, uint32_t i, size_t *start, size_t *end,
                                    uint32_t *line);

/* Writes it; `format`: "text", "json", an object, or "dot", for Graphviz.  Steps deeper than `depth`
   are left out. */
TABIA_API tabia_status tabia_why_write(tabia_why *why, const char *format, uint32_t depth,
                                       tabia_put *put, void *context, tabia_messages *log);

/* ======== coverage ======== */

/* Which rules fire: a rule with conditions fires in a state when these hold for some values.  For
   authors: a rule that no test and no random game needs is untried, or can never fire. */
typedef struct tabia_coverage tabia_coverage;

/* The limits count from here on, over all calls; they outlive it. */
TABIA_API tabia_status tabia_coverage_new(tabia_coverage **coverage, const tabia_rules *rules,
                                          const tabia_limits *limits, tabia_messages *log);
TABIA_API void tabia_coverage_free(tabia_coverage *c);

/* Looks at the states of a line of play: from fluents, as for tabia_position_read (NULL: the
   start), by moves, as for tabia_position_play (NULL: none).  Status as of these. */
TABIA_API tabia_status tabia_coverage_follow(tabia_coverage *c, const char *from, const char *after,
                                             tabia_messages *log);
/* Looks at the states of random games.  TABIA_LIMIT: not of all. */
TABIA_API tabia_status tabia_coverage_play(tabia_coverage *c, uint64_t games, uint64_t max_steps,
                                           uint64_t seed, tabia_messages *log);

/* Rules with conditions, in the order of the text: has it fired, its line, and its head for people,
   "(<= (goal ?p 100) ...)". */
TABIA_API uint32_t tabia_coverage_count(const tabia_coverage *c);
TABIA_API bool tabia_coverage_fired(const tabia_coverage *c, uint32_t i);
TABIA_API uint32_t tabia_coverage_line(const tabia_coverage *c, uint32_t i);
TABIA_API const char *tabia_coverage_rule(const tabia_coverage *c, uint32_t i);

/* ======== proofs ======== */

/* Properties of a game, proved or refuted.  Made for rules, asked for properties, run once.

     playable                  every role always has a legal move until the game ends
     terminates                every play comes to an end
     winnable [ROLE]           some play ends with 100 for the role
     goals                     at the end every role has exactly one goal, from 0 to 100
     dead                      nothing is dead: every move is legal once, every rule fires
     mutex                     which fluents exclude each other
     strongly-winnable [ROLE]  the role can get 100, whatever the others do
     monotone                  every role always has one goal, and no step makes it smaller
     unreachable FORMULA       the formula holds in no state that can be reached
     invariant FORMULA         the formula holds in every state that can be reached */
typedef struct tabia_proof tabia_proof;

typedef enum tabia_verdict { TABIA_UNKNOWN, TABIA_PROVED, TABIA_REFUTED } tabia_verdict;

/* The properties above: "winnable", "some play ends with 100 for the role". */
TABIA_API uint32_t tabia_property_count(void);
TABIA_API const char *tabia_property_name(uint32_t i); /* NULL if i is out of range */
TABIA_API const char *tabia_property_summary(uint32_t i);

/* The methods there are, "auto" first, which runs the others. */
TABIA_API uint32_t tabia_method_count(void);
TABIA_API const char *tabia_method_name(uint32_t i); /* NULL if i is out of range */
TABIA_API const char *tabia_method_summary(uint32_t i);

TABIA_API tabia_proof *tabia_proof_new(const tabia_rules *rules);
TABIA_API void tabia_proof_free(tabia_proof *p);
/* Adds a list of properties with commas between them.  Without any, the first six above are asked.
 */
TABIA_API void tabia_proof_ask(tabia_proof *p, const char *properties);

/* Is called for each verdict as soon as it is found, by the thread that runs the proof. */
typedef void tabia_found(void *context, const tabia_proof *p, uint32_t i);

/* Runs it; `found` may be NULL.  Options:
     method=NAME       one of the methods ("auto")
     threads=N         of an exhaustive walk (1)
     seed=N            of random play (1)
     confidence=C      of the bound that random play gives, between 0 and 1 (0.99)
     walk=FILE         keeps an exhaustive walk there, and goes on with it
     certificate=NAME  what verdicts that are written as JSON call the file of their certificate
     not-terminal=yes|no reachable=yes|no mutexes=yes|no    what the method "abstract" may use
   TABIA_OK: all is known, and nothing is refuted; TABIA_FAULTY: something is refuted, or the rules
   have an error; TABIA_LIMIT: something is not known; TABIA_MISUSE: a property or an option is
   wrong; TABIA_UNREADABLE: the walk file cannot be used. */
TABIA_API tabia_status tabia_proof_run(tabia_proof *p, const tabia_options *options,
                                       const tabia_limits *limits, tabia_found *found,
                                       void *context, tabia_messages *log);

/* What was found, by property; `i` is below the count.  0 before the run. */
TABIA_API uint32_t tabia_proof_count(const tabia_proof *p);
TABIA_API const char *tabia_proof_property(const tabia_proof *p, uint32_t i); /* "winnable x" */
TABIA_API tabia_verdict tabia_proof_verdict(const tabia_proof *p, uint32_t i);
TABIA_API const char *tabia_verdict_name(tabia_verdict v);                  /* "proved" */
TABIA_API const char *tabia_proof_method(const tabia_proof *p, uint32_t i); /* or NULL */
TABIA_API const char *tabia_proof_reason(const tabia_proof *p, uint32_t i); /* or NULL */
TABIA_API double tabia_proof_seconds(const tabia_proof *p, uint32_t i);     /* until it was found */
TABIA_API uint64_t tabia_proof_states(const tabia_proof *p, uint32_t i);    /* 0: not by states */
/* Of the states, of the line of play, or of the induction. */
TABIA_API uint32_t tabia_proof_depth(const tabia_proof *p, uint32_t i);

/* The line of play that shows it: its length in steps (0 may be a line, too), and moves. */
TABIA_API bool tabia_proof_has_line(const tabia_proof *p, uint32_t i);
TABIA_API uint32_t tabia_proof_line_length(const tabia_proof *p, uint32_t i);
TABIA_API const char *tabia_proof_line_move(const tabia_proof *p, uint32_t i, uint32_t step,
                                            uint32_t role); /* canonical KIF */
/* Of a play without end: the line leads back to the state after so many steps. */
TABIA_API uint32_t tabia_proof_line_returns_to(const tabia_proof *p, uint32_t i);

/* The groups of fluents that were proved, of `mutex`: of each at most one holds, or exactly one. */
TABIA_API uint32_t tabia_proof_group_count(const tabia_proof *p, uint32_t i);
TABIA_API bool tabia_proof_group_is_exact(const tabia_proof *p, uint32_t i, uint32_t group);
TABIA_API uint32_t tabia_proof_group_size(const tabia_proof *p, uint32_t i, uint32_t group);
TABIA_API const char *tabia_proof_group_fluent(const tabia_proof *p, uint32_t i, uint32_t group,
                                               uint32_t k); /* canonical KIF, maybe with `not` */

/* Writes a verdict with all that there is to say of it; `format`: "text" or "json", an object. */
TABIA_API tabia_status tabia_proof_write(const tabia_proof *p, uint32_t i, const char *format,
                                         tabia_put *put, void *context, tabia_messages *log);
/* Has the verdict a certificate?  Writes those of all verdicts that have one; TABIA_FAULTY: none.
 */
TABIA_API bool tabia_proof_has_certificate(const tabia_proof *p, uint32_t i);
TABIA_API tabia_status tabia_proof_write_certificate(const tabia_proof *p, tabia_put *put,
                                                     void *context, tabia_messages *log);
/* Writes the line of a verdict as a trace of the game called `game`; TABIA_FAULTY: it has none. */
TABIA_API tabia_status tabia_proof_write_trace(const tabia_proof *p, uint32_t i, const char *game,
                                               tabia_put *put, void *context, tabia_messages *log);

/* Checks a certificate, by code that shares nothing with the provers but the reader, the grounder
   and the SAT solver, and writes a line for each section.  TABIA_OK: all of it is accepted;
   TABIA_FAULTY: something is rejected; TABIA_LIMIT: not all was checked; TABIA_UNREADABLE: it is no
   certificate. */
TABIA_API tabia_status tabia_certificate_check(const tabia_rules *rules, const char *name,
                                               const char *certificate, size_t length,
                                               const tabia_limits *limits, tabia_put *put,
                                               void *context, tabia_messages *log);

/* ======== the same game? ======== */

/* Are two rulesheets the same game?  They are when the same roles have the same legal moves, the
   same goals and the same percepts after every line of moves, and it is over in both or in neither.
   Fluents and other relations may be anything.  Decided by all pairs of states where there are few,
   else by the provers, on one game that is made of both. */
typedef struct tabia_diff tabia_diff;

/* Compares them.  Options:
     map=NAMES         names that differ, in pairs: the old one, then the new one, in KIF
     goals=always|end  compare goals in every state, or only where the game is over
     method=auto|pairs|product|play
                       all ways in order of cost; every pair of states, on machine `reference`; both
                       as one game, by the provers; random games, which prove nothing
     seed=N            of random games (1)
     threads=N         of an exhaustive walk (1)
   TABIA_OK: proved to be the same; TABIA_FAULTY: they differ; TABIA_LIMIT: not known within the
   limits, which should have a time: without one it may go on for ever.  In these cases *diff is
   made; it is NULL where it is TABIA_FAULTY since rules have an error, or TABIA_MISUSE: an option
   is wrong.  Both rules outlive it. */
TABIA_API tabia_status tabia_diff_run(tabia_diff **diff, const tabia_rules *old_rules,
                                      const tabia_rules *new_rules, const tabia_options *options,
                                      const tabia_limits *limits, tabia_messages *log);
TABIA_API void tabia_diff_free(tabia_diff *d);

/* TABIA_PROVED: the same; TABIA_REFUTED: they differ. */
TABIA_API tabia_verdict tabia_diff_verdict(const tabia_diff *d);
TABIA_API const char *tabia_diff_method(const tabia_diff *d); /* that decided it; or NULL */
TABIA_API const char *tabia_diff_reason(const tabia_diff *d); /* why it is not known; or NULL */
TABIA_API double tabia_diff_seconds(const tabia_diff *d);
TABIA_API uint64_t tabia_diff_states(const tabia_diff *d); /* 0: not decided by states */
/* What was looked at without a difference: random games, and all lines of fewer steps than this. */
TABIA_API uint64_t tabia_diff_games(const tabia_diff *d);
TABIA_API uint32_t tabia_diff_depth(const tabia_diff *d);

/* Roles of the old rules; a role that both do not have is a difference itself. */
TABIA_API uint32_t tabia_diff_role_count(const tabia_diff *d);
TABIA_API const char *tabia_diff_role(const tabia_diff *d, uint32_t role);

/* The line of moves that shows the difference, with old names; is none shorter? */
TABIA_API uint32_t tabia_diff_line_length(const tabia_diff *d);
TABIA_API const char *tabia_diff_line_move(const tabia_diff *d, uint32_t step, uint32_t role);
TABIA_API bool tabia_diff_line_is_shortest(const tabia_diff *d);

/* What differs after that line, or, of percepts, in its last step.  A kind is the relation: "role",
   "terminal", "legal", "goal" or "sees".  The literal, with old names, holds in one of them alone. */
TABIA_API uint32_t tabia_diff_count(const tabia_diff *d);
TABIA_API const char *tabia_diff_kind(const tabia_diff *d, uint32_t i);
TABIA_API const char *tabia_diff_literal(const tabia_diff *d, uint32_t i);
TABIA_API bool tabia_diff_is_in_new(const tabia_diff *d, uint32_t i);
/* Why it holds in the old rules or does not, or in the new ones, with their own names.  Status as of
   tabia_why_ask. */
TABIA_API tabia_status tabia_diff_why(const tabia_diff *d, uint32_t i, bool in_new,
                                      const tabia_limits *limits, tabia_why **why,
                                      tabia_messages *log);

/* ======== traces and comparison ======== */

/* Plays one game, which the seed decides in a way that every program can follow, and writes it as
   JSON lines: the numbers and SHA-1 sums of fluents and legal moves in each state, and the moves
   made.  At most `max_steps` joint moves; a warning says when that was not the end.  TABIA_FAULTY:
   as of tabia_playouts_run. */
TABIA_API tabia_status tabia_trace_write(const tabia_machine *m, const char *game, uint64_t seed,
                                         uint64_t max_steps, const tabia_limits *limits,
                                         tabia_put *put, void *context, tabia_messages *log);

/* The same of the first game that tabia_playouts_run plays with that seed in a lane, 0 to 511.
   TABIA_MISUSE: the machine is not `lanes`, or there is no such lane. */
TABIA_API tabia_status tabia_trace_write_lane(const tabia_machine *m, const char *game,
                                              uint64_t seed, uint32_t lane, uint64_t max_steps,
                                              const tabia_limits *limits, tabia_put *put,
                                              void *context, tabia_messages *log);

/* A machine held against a trace, or against another machine.  Made once, set, and run as often as
   wanted; the results are those of the last run. */
typedef struct tabia_comparison tabia_comparison;

TABIA_API tabia_comparison *tabia_comparison_new(void);
TABIA_API void tabia_comparison_free(tabia_comparison *c);

/* Replays a trace.  TABIA_OK: the machine plays as it says; TABIA_FAULTY: it does not, or the
   machine is in trouble; TABIA_UNREADABLE: it is no trace; TABIA_LIMIT: it was not replayed whole.
 */
TABIA_API tabia_status tabia_comparison_replay(tabia_comparison *c, const tabia_machine *m,
                                               const char *trace, size_t length,
                                               const tabia_limits *limits, tabia_messages *log);

/* Of random games that are played on two machines. */
TABIA_API void tabia_comparison_set_seed(tabia_comparison *c, uint64_t seed);   /* 1 */
TABIA_API void tabia_comparison_set_games(tabia_comparison *c, uint64_t games); /* 10 */
/* Compare so many states, in as many games as it takes; 0, as at first: games count. */
TABIA_API void tabia_comparison_set_states(tabia_comparison *c, uint64_t states);
TABIA_API void tabia_comparison_set_max_steps(tabia_comparison *c, uint64_t steps); /* 1000 */
TABIA_API void tabia_comparison_set_ignore_terminal(tabia_comparison *c, bool ignore);

/* Plays these games on two machines of one game at once, and compares all that can be said of every
   state.  TABIA_FAULTY: they differ, or one is in trouble; a message says how. */
TABIA_API tabia_status tabia_comparison_run(tabia_comparison *c, const tabia_machine *trusted,
                                            const tabia_machine *other, const tabia_limits *limits,
                                            tabia_messages *log);

TABIA_API uint64_t tabia_comparison_games(const tabia_comparison *c);  /* compared to their end */
TABIA_API uint64_t tabia_comparison_states(const tabia_comparison *c); /* that were right */
/* The first difference: the way to it, then "-" for what was expected and "+" for what was found;
   or what is wrong with a trace.  NULL: there is none. */
TABIA_API const char *tabia_comparison_difference(const tabia_comparison *c);

#ifdef __cplusplus
}
#endif

#endif
