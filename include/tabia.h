/* Tabia: checked, proved and fast games from their rules.

   This is the whole public interface of libtabia.  Every name begins with tabia_ or TABIA_; what is
   not here is not promised.  Types are opaque: an object is made by a function that returns it, or
   stores it through its first argument, is queried by functions, and released by ..._free or
   ..._close, which accept NULL.  Settings are made by functions too, so that new ones can be added
   without changing a layout.

       tabia_messages *log = tabia_messages_new();
       tabia_rules *rules;
       tabia_machine *machine;
       if (tabia_rules_read_file(&rules, "chess.kif", log) == TABIA_OK &&
           tabia_machine_open(&machine, rules, "auto", NULL, log) == TABIA_OK)
         play(machine);
       fputs(tabia_messages_text(log), stderr);

   OWNERSHIP.  The caller owns what it has made and releases it once.  Texts and lists that a
   function returns belong to the object that was queried and live as long as that object, or until
   it is run again.  Arguments are copied where they are needed for longer than the call, unless a
   comment says otherwise.  A machine must outlive all objects that are made for it (workspaces,
   boards, batches, playouts, searches, databases, ...).  Limits must outlive the objects that
   continue to use them: workspaces, batches and coverages, and rules for which they were set.
   Rules may be freed before machines, but not before proofs and diffs.

   THREADS.  Rules, machines and databases are immutable: any number of threads may use one at the
   same time.  Everything else (messages, limits, options, workspaces, batches, playouts, counts)
   belongs to one thread at a time; only tabia_limits_cancel may be called from any other.
   Positions are memory of the caller, to which the library keeps no reference.  There is no global
   state.

   CALLBACKS are called before the call that they were given to returns: by its thread, unless a
   comment says otherwise.  They may call the library, but not change, run or release an object that
   is at work.  They must return: neither longjmp nor a C++ exception may leave them.

   ERRORS.  A function that can fail returns a tabia_status and reports what is wrong to the
   messages it is given; NULL there discards them.  An object that could not be made is NULL.
   Queries about a run that was not made, or has nothing to say, return 0, false or NULL.
   Queries about a position, which are made by the million, return their answer directly: the
   workspace records a failure (tabia_workspace_status).  The library never ends the process.
   Preconditions are checked only where a comment says so.  Those of all functions: a pointer is not
   NULL, unless it is of messages, limits or options, or a comment allows it; a role is below
   tabia_machine_role_count; a number of a list is below its count.

   MEMORY.  When an allocation fails, or would exceed a limit of bytes, the call ends with
   TABIA_LIMIT and the message E802; a function without a status returns NULL, false or 0.
   Everything that the call had allocated is released, and every object is as it was before the
   call, with two exceptions: a workspace, a batch or a search has failed for good, and an object
   that was being run has no results.  If an option or a property could not be stored, the run that
   needs it fails.  Set a limit of bytes all the same where rules come from strangers: most systems
   promise more memory than they have. */
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

/* "MAJOR.MINOR.PATCH" of the library in use, which may differ from the header's; never freed. */
TABIA_API const char *tabia_version(void);

/* ======== status and messages ======== */

/* The numbers are the exit statuses of the program `tabia`. */
typedef enum tabia_status {
  TABIA_OK = 0,
  TABIA_FAULTY = 1,     /* the rules have an error, or a fault shows in play */
  TABIA_MISUSE = 2,     /* an argument is wrong: a bug of the caller, or of its user */
  TABIA_UNREADABLE = 3, /* a file cannot be read or written, or is not what it should be */
  TABIA_LIMIT = 4       /* a limit was reached, or the interrupt flag was set */
} tabia_status;

/* A short description, such as "a limit was reached". */
TABIA_API const char *tabia_status_text(tabia_status s);

/* Receives a text piece by piece; `bytes` is not terminated by NUL. */
typedef void tabia_put(void *context, const char *bytes, size_t length);

/* A log of errors, warnings and notes, in the order in which they were reported.  A note belongs to
   the message before it and points at a second place. */
typedef struct tabia_messages tabia_messages;

typedef enum tabia_severity { TABIA_NOTE, TABIA_WARNING, TABIA_ERROR } tabia_severity;

TABIA_API tabia_messages *tabia_messages_new(void);
TABIA_API void tabia_messages_free(tabia_messages *log);
TABIA_API void tabia_messages_clear(tabia_messages *log);
TABIA_API uint32_t tabia_messages_count(const tabia_messages *log);
/* The number of messages of that severity, including those that were not kept. */
TABIA_API uint32_t tabia_messages_count_of(const tabia_messages *log, tabia_severity severity);
/* Keeps at most `of_a_kind` messages with the same code and counts the rest; 0, the default: keeps
   all. */
TABIA_API void tabia_messages_set_limit(tabia_messages *log, uint32_t of_a_kind);
TABIA_API uint32_t tabia_messages_dropped(const tabia_messages *log); /* messages not kept */

/* Which warnings are reported, and which count as errors, by one word:
     all           every code
     CODE          this one too: "W406" or its name, "single-variable"
     no-CODE       not this one
     error         every warning that is reported counts as an error
     error=CODE    this one is reported and counts as an error
   Later words override earlier ones.  The default is to report those that are likely to make a game
   play differently from what its author means (tabia_code_is_default).  TABIA_MISUSE: there is no
   such code, or it is an error, which is always reported; a message says so. */
TABIA_API tabia_status tabia_messages_choose(tabia_messages *log, const char *word);

/* Message `i`, below the count.  The texts are valid until the messages are cleared. */
TABIA_API tabia_severity tabia_message_severity(const tabia_messages *log, uint32_t i);
/* "E101"; "": a note, or a message about the call and not about a text. */
TABIA_API const char *tabia_message_code(const tabia_messages *log, uint32_t i);
TABIA_API const char *tabia_message_text(const tabia_messages *log, uint32_t i);
TABIA_API const char *tabia_message_hint(const tabia_messages *log, uint32_t i); /* or NULL */
/* The name of the text that it is about; or NULL. */
TABIA_API const char *tabia_message_file(const tabia_messages *log, uint32_t i);
/* From 1, in characters; 0: the message has no place in the text. */
TABIA_API uint32_t tabia_message_line(const tabia_messages *log, uint32_t i);
TABIA_API uint32_t tabia_message_column(const tabia_messages *log, uint32_t i);

/* The range of the message, bytes start .. end-1 of its text; false: it has no place. */
TABIA_API bool tabia_message_range(const tabia_messages *log, uint32_t i, size_t *start,
                                   size_t *end);

/* What columns count: characters, as people do; bytes of UTF-8; or units of UTF-16, as editors do.
 */
typedef enum tabia_unit { TABIA_UNIT_CHARACTERS, TABIA_UNIT_BYTES, TABIA_UNIT_UTF16 } tabia_unit;

/* Line and column, from 1, of the beginning of the range or, if `of_end`, of its end; false: no
   place. */
TABIA_API bool tabia_message_place(const tabia_messages *log, uint32_t i, tabia_unit unit,
                                   bool of_end, uint32_t *line, uint32_t *column);

/* Calls `edit` for each edit that repairs the fault, in the order of the text, and returns how many
   there are: 0 unless there is a single obvious repair.  An edit replaces bytes `start` .. `end`-1
   of the text that was read. */
typedef void tabia_edit(void *context, size_t start, size_t end, const char *text);
TABIA_API uint32_t tabia_message_edits(const tabia_messages *log, uint32_t i, tabia_edit *edit,
                                       void *context);

/* All messages for people, one line "FILE:LINE:COLUMN: error: TEXT [CODE]" for each; "" if there
   are none.  Valid until the messages are cleared. */
TABIA_API const char *tabia_messages_text(tabia_messages *log);

/* Writes the messages that are at least as severe as `least`, with their notes.  `format`: "short",
   as above; "text", with the line and a caret under the place; "colour", the same for a terminal;
   "json", an array, as `diagnostics` in docs/json.md.  Another is TABIA_MISUSE. */
TABIA_API tabia_status tabia_messages_write(const tabia_messages *log, const char *format,
                                            tabia_severity least, tabia_put *put, void *context);

/* ---- codes ---- */

/* Every code that a message can have; docs/diagnostics.md has them as a table.  If i is out of
   range: NULL, TABIA_NOTE, false or 0. */
TABIA_API uint32_t tabia_code_count(void);
TABIA_API const char *tabia_code(uint32_t i);         /* "E101" */
TABIA_API const char *tabia_code_name(uint32_t i);    /* "unclosed-parenthesis" */
TABIA_API const char *tabia_code_summary(uint32_t i); /* one line */
TABIA_API tabia_severity tabia_code_severity(uint32_t i);
TABIA_API bool tabia_code_is_default(uint32_t i); /* reported unless another choice is made */
/* How many messages with this code were not kept. */
TABIA_API uint32_t tabia_code_dropped(uint32_t i, const tabia_messages *log);
/* Returns the number of the code with that code or name, in upper or lower case; if there is none,
   tabia_code_count(), and sets *nearest (unless `nearest` is NULL) to the name that was probably
   meant, or to NULL. */
TABIA_API uint32_t tabia_code_find(const char *word, const char **nearest);
/* Writes what the code means, why it matters, and an example of the fault and of its repair.
   TABIA_MISUSE: i is out of range. */
TABIA_API tabia_status tabia_code_explain(uint32_t i, tabia_put *put, void *context);

/* ======== limits ======== */

/* Limits of time and memory for one call; NULL in place of limits means none.  The time is counted
   from the beginning of each call.  The bytes are all that the call allocates, in its threads and
   in the objects that it makes too, also when these grow later.  When the limit is reached, the
   call stops with what it has found; an allocation that would exceed the limit by an eighth of it
   (at least 4 MiB) fails (see MEMORY above).  The memory of solvers and of other programs is
   measured only now and then.  There is one limit of time, and one of bytes: setting another
   replaces it. */
typedef struct tabia_limits tabia_limits;

TABIA_API tabia_limits *tabia_limits_new(void); /* with no limit set */
TABIA_API void tabia_limits_free(tabia_limits *l);
TABIA_API void tabia_limits_set_seconds(tabia_limits *l, double seconds); /* 0: no limit */
/* In place of that: a time for all calls together, from now on. */
TABIA_API void tabia_limits_set_total(tabia_limits *l, double seconds);
TABIA_API void tabia_limits_set_bytes(tabia_limits *l, size_t bytes); /* 0: no limit */
/* In place of that: bytes for all calls together, which count until the object that holds them is
   released. */
TABIA_API void tabia_limits_set_total_bytes(tabia_limits *l, size_t bytes);
/* The call stops soon after *flag has become nonzero: for signal handlers and other threads.  The
   flag must outlive the limits; NULL: none. */
TABIA_API void tabia_limits_set_interrupt(tabia_limits *l, const volatile sig_atomic_t *flag);
/* The same without a flag, from any thread; until a reset, every call that is given these limits
   ends with TABIA_LIMIT. */
TABIA_API void tabia_limits_cancel(tabia_limits *l);
TABIA_API void tabia_limits_reset(tabia_limits *l);

/* Called a few times a second by the working thread.  `what` describes the work, and is valid only
   during the call; `done` out of `whole` units (0: not known) are complete. */
typedef void tabia_progress(void *context, const char *what, double done, double whole);
/* NULL, the default: progress is not reported. */
TABIA_API void tabia_limits_set_progress(tabia_limits *l, tabia_progress *report, void *context);

/* ======== options ======== */

/* Choices by name, for functions that say which names they know and which values each can have:
   "format=kif|prolog|json" means that the option `format` has one of three values, the first unless
   another is set; a value in capitals, as in "depth=N", stands for any text.  For such a function,
   an unknown name or value is TABIA_MISUSE, and the message proposes a known one; NULL in place of
   options chooses nothing. */
typedef struct tabia_options tabia_options;

TABIA_API tabia_options *tabia_options_new(void);
TABIA_API void tabia_options_free(tabia_options *o);
/* A value of NULL unsets the option. */
TABIA_API void tabia_options_set(tabia_options *o, const char *name, const char *value);
/* NULL: it is not set.  Valid until the option is set again. */
TABIA_API const char *tabia_options_get(const tabia_options *o, const char *name);

/* ======== built-in games ======== */

/* Games of our own, sorted by name.  Those that begin with "faulty/" are examples of faults, one
   for each check. */
TABIA_API uint32_t tabia_game_count(void);
TABIA_API const char *tabia_game_name(uint32_t i); /* NULL if i is out of range */
/* Its rules, `length` bytes and a NUL; NULL if i is out of range. */
TABIA_API const char *tabia_game_text(uint32_t i, size_t *length);
TABIA_API bool tabia_game_is_faulty(uint32_t i);
/* The number of the game of that name; the count if there is none. */
TABIA_API uint32_t tabia_game_find(const char *name);

/* ======== rules ======== */

/* A rulesheet in the Game Description Language, in KIF or in infix notation (`p(X) :- q(X).`),
   recognised by its text. */
typedef struct tabia_rules tabia_rules;

/* Reads a file ("-" is standard input), a built-in game (tabia_rules_read: a file of that name
   takes precedence), or a text of `length` bytes, which is called `name` in messages.
   TABIA_UNREADABLE: there is no such file, and *rules is NULL.  TABIA_FAULTY: the text is not in
   the language; an object is made all the same, for editors: its text, information and faults can
   be queried, and a function that needs whole rules fails with the same messages.  Errors in the
   game itself do not prevent reading: tabia_rules_check reports them. */
TABIA_API tabia_status tabia_rules_read(tabia_rules **rules, const char *name, tabia_messages *log);
TABIA_API tabia_status tabia_rules_read_file(tabia_rules **rules, const char *path,
                                             tabia_messages *log);
TABIA_API tabia_status tabia_rules_read_text(tabia_rules **rules, const char *name,
                                             const char *text, size_t length, tabia_messages *log);
TABIA_API void tabia_rules_free(tabia_rules *rules);
TABIA_API const char *tabia_rules_name(const tabia_rules *rules); /* in messages */
/* `length` bytes, which may be any, and a NUL. */
TABIA_API const char *tabia_rules_text(const tabia_rules *rules, size_t *length);
TABIA_API const char *tabia_rules_notation(const tabia_rules *rules); /* "kif" or "prolog" */
TABIA_API bool tabia_rules_is_whole(const tabia_rules *rules); /* the text is in the language */

/* Reports every fault of the rules, in one run.  TABIA_FAULTY: there is an error among them;
   warnings alone are TABIA_OK, unless tabia_messages_choose makes errors of them.  Rules with
   errors may still be played, as far as they have a meaning. */
TABIA_API tabia_status tabia_rules_check(const tabia_rules *rules, tabia_messages *log);

/* Sets the limits of tabia_rules_check, tabia_info_new and tabia_rules_format; they must outlive
   the rules.  NULL, the default: none.  With limits these three functions belong to one thread at a
   time, as the limits do.  Reading needs no limits: it takes time and memory in proportion to the
   length of the text. */
TABIA_API void tabia_rules_set_limits(tabia_rules *rules, const tabia_limits *limits);

/* The same game from another start: rules whose `init` facts are these fluents, which are written
   as for tabia_position_read.  Everything that is made from them (machines, proofs, certificates)
   is about that game.  Places in messages still refer to the text that was read: blanks replace its
   rules for `init`, and the new facts are appended.  TABIA_UNREADABLE: the text is not KIF, or the
   rules have no such fluent; TABIA_FAULTY: the rules are not in the language, or one of them has
   `init` as a condition. */
TABIA_API tabia_status tabia_rules_with_start(tabia_rules **other, const tabia_rules *rules,
                                              const char *name, const char *text, size_t length,
                                              tabia_messages *log);

/* Formats the rules in a notation: "kif", "prolog", or "same" for their own.  Comments stay where
   they are.  It is checked that the result has the same meaning.  TABIA_MISUSE: there is no such
   notation; TABIA_FAULTY: the rules are not in the language; TABIA_LIMIT: a limit of
   tabia_rules_set_limits was reached.  In these cases nothing is written. */
TABIA_API tabia_status tabia_rules_format(const tabia_rules *rules, const char *notation,
                                          tabia_put *put, void *context, tabia_messages *log);

/* ---- information ---- */

/* Facts about a rulesheet that need no grounding.  The object keeps no reference to the rules.  The
   checks are part of the information, so the log receives the messages of tabia_rules_check.  NULL:
   there is no memory (E802). */
typedef struct tabia_info tabia_info;

TABIA_API tabia_info *tabia_info_new(const tabia_rules *rules, tabia_messages *log);
TABIA_API void tabia_info_free(tabia_info *info);

typedef enum tabia_class {
  TABIA_IS_STRATIFIED,           /* no relation depends on its own negation */
  TABIA_IS_ALLOWED,              /* every variable is bound by a positive condition */
  TABIA_IS_RECURSION_RESTRICTED, /* recursion builds only finitely many terms */
  TABIA_IS_BOUNDED,              /* there are finitely many ground rules */
  TABIA_HAS_ROLE_RULES,          /* roles are given by rules, which are not run here */
  TABIA_HAS_PERCEPTS,            /* GDL-II: a relation `sees` */
  TABIA_HAS_RANDOM               /* a role `random` */
} tabia_class;

/* True if the checks found no error.  Warnings that count as errors are errors here. */
TABIA_API bool tabia_info_is_sound(const tabia_info *info);
/* TABIA_OK: it is sound; TABIA_FAULTY: it is not; TABIA_LIMIT: the checks did not finish. */
TABIA_API tabia_status tabia_info_status(const tabia_info *info);
TABIA_API bool tabia_info_is(const tabia_info *info, tabia_class what);

typedef enum tabia_figure {
  TABIA_COUNT_RULES,   /* with conditions */
  TABIA_COUNT_FACTS,   /* without */
  TABIA_COUNT_CLAUSES, /* after `or` is expanded */
  TABIA_COUNT_STRATA,
  TABIA_LARGEST_RULE_LINE, /* of the rule with the most conditions; 0: no rule has conditions */
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

/* The forms that rules take on their way to a machine or to another program, as text:

     terms                        names and lists as they were read
     rules, clauses               rules with their variables numbered; without `or`
     deps                         which relation depends on which
     bases                        every fluent and every move that there can be
     ground                       rules without variables
     circuit                      gates
     frame                        frame rules replaced by rules for what ceases to hold
     strata, normal, labels, inverted, c    the steps of the compiler
     ptx                          random games as assembly text for NVIDIA cards
     asp, prolog, prolog-grounder, aiger    for gringo, SWI-Prolog and model checkers

   tabia_stage_options returns the options of each. */
TABIA_API uint32_t tabia_stage_count(void);
TABIA_API const char *tabia_stage_name(uint32_t i);    /* NULL if i is out of range */
TABIA_API const char *tabia_stage_summary(uint32_t i); /* one line */
TABIA_API const char *tabia_stage_options(uint32_t i); /* "format=text|dot|json"; "": none */

/* Writes a stage.  TABIA_MISUSE: there is no such stage or option; TABIA_FAULTY: the rules are not
   in the language (`terms` is written all the same), or have no such form, and a message says
   why. */
TABIA_API tabia_status tabia_rules_write(const tabia_rules *rules, const char *stage,
                                         const tabia_options *options, const tabia_limits *limits,
                                         tabia_put *put, void *context, tabia_messages *log);

/* Grounds by the native method and by another, "asp" (gringo must be installed) or "prolog"
   (SWI-Prolog must be), and compares the results.  TABIA_FAULTY: they differ, and a message
   shows the first difference (E809); or the other program is missing (E807) or has failed. */
TABIA_API tabia_status tabia_rules_compare_methods(const tabia_rules *rules, const char *method,
                                                   const tabia_limits *limits, tabia_messages *log);

/* Builds the game with the C compiler of the system, and writes the result.  Options:
   "product=object|shared encoding=original|direct|pruned knowledge-base=dense|hash|trie level=N";
   `level` is the level of optimisation, 0 to 3 (2).  TABIA_FAULTY: the rules cannot be compiled, or
   the C compiler is missing (E807) or has failed. */
TABIA_API tabia_status tabia_rules_build(const tabia_rules *rules, const tabia_options *options,
                                         const tabia_limits *limits, tabia_put *put, void *context,
                                         tabia_messages *log);
/* A header that the stage `c` includes: "tabia_game.h" or "tabia_runtime.h"; NULL: there is none
   of that name. */
TABIA_API const char *tabia_game_header(const char *name);

/* ======== the text of rules, for editors ======== */

/* Answers for editors: which name is at a byte, where else it occurs, which values an argument can
   have.  Texts with faults have answers too, as far as they can be read.  A source keeps no
   reference to the rules, and belongs to one thread at a time.

   A word is one name, operator or comment at one place of the text.  A thing is what words stand
   for: a relation or a function, with its number of arguments; a constant; or a variable of one
   clause.  Words, things and clauses are numbered in the order of the text. */
typedef struct tabia_source tabia_source;

#define TABIA_NOTHING UINT32_MAX /* no such word, thing or clause */

/* NULL: a limit was reached. */
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
/* The word that holds the byte, or ends there; or TABIA_NOTHING.  Here and below, a byte beyond the
   end of the text counts as its end. */
TABIA_API uint32_t tabia_source_word_at(const tabia_source *s, size_t offset);
TABIA_API tabia_word_kind tabia_word_kind_of(const tabia_source *s, uint32_t word);
TABIA_API void tabia_word_range(const tabia_source *s, uint32_t word, size_t *start, size_t *end);
TABIA_API uint32_t tabia_word_thing(const tabia_source *s, uint32_t word);  /* or TABIA_NOTHING */
TABIA_API uint32_t tabia_word_clause(const tabia_source *s, uint32_t word); /* or TABIA_NOTHING */
/* True if the word is in the head of a clause, and so defines the thing. */
TABIA_API bool tabia_word_defines(const tabia_source *s, uint32_t word);

TABIA_API uint32_t tabia_source_thing_count(const tabia_source *s);
TABIA_API tabia_word_kind tabia_thing_kind(const tabia_source *s, uint32_t thing);
/* Its name as the text first writes it. */
TABIA_API const char *tabia_thing_name(const tabia_source *s, uint32_t thing);
TABIA_API uint32_t tabia_thing_arity(const tabia_source *s, uint32_t thing);
/* The words that stand for it; `i` is below the count. */
TABIA_API uint32_t tabia_thing_word_count(const tabia_source *s, uint32_t thing);
TABIA_API uint32_t tabia_thing_word(const tabia_source *s, uint32_t thing, uint32_t i);
/* The comment on the lines above its first definition, comment signs included; false: there is
   none. */
TABIA_API bool tabia_thing_doc(const tabia_source *s, uint32_t thing, size_t *start, size_t *end);
/* "static" or "dynamic", as from tabia_info_relation_kind, and the stratum; NULL: the thing is not
   a relation of the program. */
TABIA_API const char *tabia_thing_dependence(const tabia_source *s, uint32_t thing,
                                             uint32_t *stratum);

/* Forms at the top level: facts and rules. */
TABIA_API uint32_t tabia_source_clause_count(const tabia_source *s);
/* The clause that holds the byte, or ends there; or TABIA_NOTHING. */
TABIA_API uint32_t tabia_source_clause_at(const tabia_source *s, size_t offset);
TABIA_API void tabia_clause_range(const tabia_source *s, uint32_t clause, size_t *start,
                                  size_t *end);
/* The word that names the relation of its head; or TABIA_NOTHING. */
TABIA_API uint32_t tabia_clause_head(const tabia_source *s, uint32_t clause);
TABIA_API bool tabia_clause_is_rule(const tabia_source *s, uint32_t clause);

/* Widens a range to the smallest name, term, atom or clause that is larger; false: there is none.
   */
TABIA_API bool tabia_source_widen(const tabia_source *s, size_t *start, size_t *end);
/* The innermost atom or term around the byte: the word that names it, and the number, from 0, of
   the argument at the byte, which may not have been written yet.  False: there is none. */
TABIA_API bool tabia_source_call_at(const tabia_source *s, size_t offset, uint32_t *word,
                                    uint32_t *argument);

/* Receives a constant, or a function if the arity is not 0. */
typedef void tabia_value(void *context, const char *name, uint32_t arity);

/* Reports the values that an argument (numbered from 0) of the atom or term named by this word can
   have, and returns how many there are.  They are found without grounding, hence are a superset of
   those that occur in play. 0: nothing is known, or nothing can stand there. */
TABIA_API uint32_t tabia_source_values(const tabia_source *s, uint32_t word, uint32_t argument,
                                       tabia_value *take, void *context);

/* Renames a thing everywhere; with NULL in place of the name, only checks whether it can be
   renamed.  TABIA_MISUSE: it cannot, because the name belongs to the language, is not a valid name,
   or is already used for something else; a message says so, and no edit is made. */
TABIA_API tabia_status tabia_source_rename(const tabia_source *s, uint32_t thing, const char *name,
                                           tabia_edit *edit, void *context, tabia_messages *log);

/* ======== machines ======== */

/* A way to run a game.  All machines give the same answers at different speeds:

     lanes      512 games side by side, one bit each; for random games and many states at once
     circuit    one state at a time, recomputing what changed; for tree search
     compiled   one state at a time, by C code made from the rules (needs a C compiler)
     datalog    from the rules as they are, for games that are too large to be grounded
     reference  straight from the semantics, slow: the one to compare with
     gpu        random games on an NVIDIA card (docs/gpu.md), all else as `lanes`; cannot be opened
                without a card: TABIA_LIMIT

   tabia_kind_count and tabia_kind_name list what this library has, the fastest first. */
typedef struct tabia_machine tabia_machine;

TABIA_API uint32_t tabia_kind_count(void);
TABIA_API const char *tabia_kind_name(uint32_t i);    /* NULL if i is out of range */
TABIA_API const char *tabia_kind_summary(uint32_t i); /* one line; NULL if i is out of range */
/* The machine runs on a device, which may be absent: "auto" never chooses it. */
TABIA_API bool tabia_kind_needs_device(uint32_t i);

/* Opens a machine of that kind.  "auto" is the fastest for one state at a time that can be opened
   within a part of the limits, "auto-many" the fastest for random games and batches.
   TABIA_MISUSE: there is no such kind, and the message proposes one; TABIA_LIMIT: a limit was
   reached; TABIA_FAULTY: the rules have no meaning for it, or it lacks a program that it needs. */
TABIA_API tabia_status tabia_machine_open(tabia_machine **machine, const tabia_rules *rules,
                                          const char *kind, const tabia_limits *limits,
                                          tabia_messages *log);
/* The same with options:

     encoding=original|direct|pruned|auto   how frame rules are translated; auto: chosen by a trial
     purpose=single|playouts|steps|long     what "auto" chooses for: one state at a time; random
                                            games; expanding many states; very many single states
     depth=N                                the depth of the planned search, for that trial
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

TABIA_API const char *tabia_machine_kind(const tabia_machine *m); /* the one that "auto" chose */
/* "original", "direct" or "pruned". */
TABIA_API const char *tabia_machine_encoding(const tabia_machine *m);
TABIA_API uint32_t tabia_machine_role_count(const tabia_machine *m);
/* In the order of the rulesheet.  The role "random" is played by chance: its moves are drawn
   uniformly. */
TABIA_API const char *tabia_machine_role(const tabia_machine *m, uint32_t role);

typedef enum tabia_size {
  TABIA_SIZE_FLUENTS,
  TABIA_SIZE_MOVES, /* of all roles */
  TABIA_SIZE_GROUND_RULES,
  TABIA_SIZE_GROUND_LITERALS,
  TABIA_SIZE_GATES,       /* conjunctions */
  TABIA_SIZE_GATE_INPUTS, /* of all gates */
  TABIA_SIZE_LATCHES      /* bits of a state */
} tabia_size;

/* Sizes of the ground game; 0 on a machine that does not ground. */
TABIA_API uint64_t tabia_machine_size(const tabia_machine *m, tabia_size what);
TABIA_API double tabia_machine_open_seconds(const tabia_machine *m);

/* True if both have the same positions, and the same numbers for moves, fluents and percepts.  This
   is so for "circuit" and "lanes" opened from the same rules: a search on one can hand its leaves
   to the other. */
TABIA_API bool tabia_machine_shares_positions(const tabia_machine *a, const tabia_machine *b);

/* ======== positions ======== */

/* A position is a flat block of tabia_position_size bytes, aligned to eight, that the caller
   owns: copy it with memcpy, compare it with memcmp, hash it, keep it in tables.  States of one
   machine are equal when their bytes are.  In an array, positions are stored contiguously.

   Moves, fluents and percepts are numbers of one machine; those of moves and percepts, of one role
   as well.  At most `capacity` elements of a list are written; the result is the length of the
   whole list.  Moves are listed in the order of their text, the same on every machine. */
typedef uint32_t tabia_move;
typedef uint32_t tabia_fluent;
typedef uint32_t tabia_percept;

TABIA_API size_t tabia_position_size(const tabia_machine *m); /* a multiple of eight */
TABIA_API void tabia_position_start(const tabia_machine *m, void *position);
TABIA_API uint64_t tabia_position_hash(const tabia_machine *m, const void *position);
TABIA_API uint32_t tabia_position_fluents(const tabia_machine *m, const void *position,
                                          tabia_fluent *fluents, uint32_t capacity);

/* What a thread needs to query a machine.  A machine that works on rules can fail in the middle of
   a game: a limit is reached (its time counts from tabia_workspace_new), or a rule turns out to
   have no meaning.  Then the workspace has failed for good, and every position is reported as
   terminal, without moves and goals, so that loops end by themselves. */
typedef struct tabia_workspace tabia_workspace;

/* NULL: there is no memory, or a limit of bytes was exceeded. */
TABIA_API tabia_workspace *tabia_workspace_new(const tabia_machine *m, const tabia_limits *limits);
TABIA_API void tabia_workspace_free(tabia_workspace *w);
/* TABIA_OK, TABIA_LIMIT or TABIA_FAULTY; a failure is reported to the log each time. */
TABIA_API tabia_status tabia_workspace_status(const tabia_workspace *w, tabia_messages *log);

TABIA_API bool tabia_position_terminal(tabia_workspace *w, const void *position);
/* If a role has no move in a position that is not terminal, the game is faulty. */
TABIA_API uint32_t tabia_position_legal(tabia_workspace *w, const void *position, uint32_t role,
                                        tabia_move *moves, uint32_t capacity);

#define TABIA_NO_GOAL INT32_MIN

/* The role's goal, 0 to 100 in sound games; TABIA_NO_GOAL when it has none or several. */
TABIA_API int32_t tabia_position_goal(tabia_workspace *w, const void *position, uint32_t role);
/* All goals that hold, from the lowest. */
TABIA_API uint32_t tabia_position_goals(tabia_workspace *w, const void *position, uint32_t role,
                                        int32_t *values, uint32_t capacity);
/* The position after a joint move, one legal move for each role in their order.  `next` may be
   `position` itself. */
TABIA_API void tabia_position_step(tabia_workspace *w, const void *position,
                                   const tabia_move *joint, void *next);
/* What a role sees when the joint move is made in `position` (GDL-II). */
TABIA_API uint32_t tabia_position_sees(tabia_workspace *w, const void *position,
                                       const tabia_move *joint, uint32_t role,
                                       tabia_percept *percepts, uint32_t capacity);

/* Canonical KIF: lower case, one blank between arguments.  As with snprintf, at most `capacity`
   bytes are written, with a NUL at the end, and the result is the length of the whole text. */
TABIA_API size_t tabia_move_text(const tabia_machine *m, uint32_t role, tabia_move move, char *text,
                                 size_t capacity);
TABIA_API size_t tabia_fluent_text(const tabia_machine *m, tabia_fluent f, char *text,
                                   size_t capacity);
TABIA_API size_t tabia_percept_text(const tabia_machine *m, uint32_t role, tabia_percept s,
                                    char *text, size_t capacity);
/* The legal move of the role with this canonical text; false: there is none. */
TABIA_API bool tabia_move_find(tabia_workspace *w, const void *position, uint32_t role,
                               const char *text, tabia_move *move);

/* ---- positions as text ---- */

/* The fluents that hold, in canonical KIF, sorted by their bytes, with a blank between two:
   "(control x) (mark 1 1 o)"; "" if none holds.  The same on every machine.  `capacity` as
   above. */
TABIA_API size_t tabia_position_text(const tabia_machine *m, const void *position, char *text,
                                     size_t capacity);

/* The position in which these fluents hold and no others.  The text, which is called `name` in
   messages, has fluents in KIF in any order, with blanks, line ends or comments between them.  Any
   set of the game's fluents is allowed, whether or not play can reach it.

   Machines other than `reference` and `datalog` build in what no play changes: fluents that always
   hold or never do, and fluents that always hold together.  A position that contradicts this is
   TABIA_FAULTY, and the message names the fluents; use tabia_rules_with_start for such positions.
   TABIA_UNREADABLE: the text is not KIF, or the game has no such fluent; messages point at it and
   propose another.  In both cases `position` is left as it is.

   With encodings other than "original", a position that play cannot reach may be played wrongly. */
TABIA_API tabia_status tabia_position_read(const tabia_machine *m, const char *name,
                                           const char *text, size_t length, void *position,
                                           tabia_messages *log);

/* Reads a joint move: a move for each role, in their order, with blanks between them; or only the
   moves of the roles that have more than one.  Returns what tabia_position_play returns. */
TABIA_API tabia_status tabia_joint_read(tabia_workspace *w, const void *position, const char *name,
                                        const char *text, size_t length, tabia_move *joint,
                                        tabia_messages *log);

/* Plays a line of moves, in KIF with blanks, line ends or comments between them, and leaves
   `position` after the last.  The text is called `name` in messages.  For each step it has a move
   of each role, in their order.  A text that is not such a line of legal moves is read as a line
   that omits, in every step, the moves of roles that have only one legal move: "(mark 2 2)
   (mark 1 1)" is the same line of tic-tac-toe as "(mark 2 2) noop noop (mark 1 1)".  Then steps in
   which no role has a choice are made automatically before the next move.

   TABIA_FAULTY: a move is illegal or missing, or the game is over; a message points at the place,
   and names the step, the role, and what is legal there.  TABIA_UNREADABLE: the text is not KIF.
   TABIA_LIMIT: the workspace has failed.  In all these cases `position` is left as it is. */
TABIA_API tabia_status tabia_position_play(tabia_workspace *w, const char *name, const char *text,
                                           size_t length, void *position, tabia_messages *log);

/* ======== boards ======== */

/* How a game is drawn: boards and the pieces on them, the fluents that belong to no board, and
   which clicks make which move.  It is inferred from the rules and from some random games: a guess,
   but the same one each time, and every fluent of a state is drawn. */
typedef struct tabia_board tabia_board;

/* The limits of time and bytes apply to this call, and anew to each drawing; they are copied, and
   need not outlive the board. */
TABIA_API tabia_status tabia_board_new(tabia_board **board, const tabia_machine *m,
                                       const tabia_limits *limits, tabia_messages *log);
TABIA_API void tabia_board_free(tabia_board *b);

/* Tries to prove that no cell ever holds two facts of a board's first layer; a board for which this
   succeeds is `certain` in all later drawings.  Only on machines that ground. */
TABIA_API void tabia_board_prove(tabia_board *b, const tabia_limits *limits);

/* Draws a position: "text" for terminals, "svg" for papers and pages, "json" for programs
   (docs/boards.md).  Another format is TABIA_MISUSE. */
TABIA_API tabia_status tabia_board_draw(tabia_board *b, const void *position, const char *format,
                                        tabia_put *put, void *context, tabia_messages *log);

/* How boards are laid out, as text that can be corrected by hand and read again (docs/boards.md).
   TABIA_UNREADABLE: the text, which is called `name` in messages, is not a layout of this game. */
TABIA_API void tabia_board_write_layout(const tabia_board *b, tabia_put *put, void *context);
TABIA_API tabia_status tabia_board_read(tabia_board **board, const tabia_machine *m,
                                        const char *name, const char *layout, size_t length,
                                        const tabia_limits *limits, tabia_messages *log);

/* ======== batches ======== */

/* Many games of one machine, one state in each lane: for learning, for search in many trees, for
   simulation.  Every call applies to all lanes.  Lanes are processed in blocks of 512, which are
   distributed over threads: on the machine `lanes` a block costs little more than one state, while
   other machines process its states one by one.  The number of threads changes no result.

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

   NUMBERS.  The moves of a role, the percepts of a role, and the fluents are each numbered from 0
   to n-1; tabia_answer_width returns n.

   LAYOUTS.  An answer about n numbers is stored without gaps in tabia_answer_size bytes, aligned as
   its element type:

     TABIA_BITS    uint64_t[lanes][(n + 63) / 64]: number i of a lane is bit i % 64 of word i / 64
     TABIA_BYTES   uint8_t[lanes][n], 0 or 1
     TABIA_FLOATS  float[lanes][n], 0 or 1
     TABIA_PLANES  uint64_t[n][(lanes + 63) / 64]: lane i of a number is bit i % 64 of word i / 64

   Bits beyond the last one are 0.  Planes are the native form of the machine `lanes`, and the
   fastest.

   On a little-endian processor, number i is also bit i % 8 of byte i / 8. */
typedef struct tabia_batch tabia_batch;

#define TABIA_BLOCK 512 /* lanes */

typedef enum tabia_answer {
  TABIA_TERMINAL, /* one number, of no role */
  TABIA_LEGAL,    /* moves of a role; legal in terminal states, too, where the rules say so */
  TABIA_FLUENTS,  /* of no role */
  TABIA_PERCEPTS  /* percepts of a role in the last tabia_batch_step (GDL-II); none in a lane that
                     made no step in it, or whose state was set since */
} tabia_answer;

typedef enum tabia_layout { TABIA_BITS, TABIA_BYTES, TABIA_FLOATS, TABIA_PLANES } tabia_layout;

/* How many numbers an answer has for a lane; `role` is ignored for answers that do not depend on a
   role.  For TABIA_LEGAL it is an upper bound of the moves that are legal at once.  0: the machine
   assigns numbers as terms turn up (`reference`, `compiled` and `datalog`), and cannot give such
   answers. */
TABIA_API uint32_t tabia_answer_width(const tabia_machine *m, tabia_answer what, uint32_t role);
TABIA_API size_t tabia_answer_size(const tabia_machine *m, tabia_answer what, uint32_t role,
                                   tabia_layout layout, uint32_t lanes);

/* All lanes are at the start of the game.  Limits have the same meaning as for a workspace.
   TABIA_MISUSE: no lane, or no thread; TABIA_LIMIT: a limit was reached before the machine was
   ready. */
TABIA_API tabia_status tabia_batch_new(tabia_batch **b, const tabia_machine *m, uint32_t lanes,
                                       uint32_t threads, const tabia_limits *limits,
                                       tabia_messages *log);
TABIA_API void tabia_batch_free(tabia_batch *b);
/* As tabia_workspace_status.  Once a batch has failed, all its lanes are terminal, without moves
   and goals. */
TABIA_API tabia_status tabia_batch_status(const tabia_batch *b, tabia_messages *log);

/* Puts these positions, which are stored contiguously, into the first `count` lanes; from now on
   only these lanes are in use.  False: the batch was made with fewer lanes, and nothing is
   changed. */
TABIA_API bool tabia_batch_load(tabia_batch *b, const void *positions, uint32_t count);
TABIA_API uint32_t tabia_batch_lanes(const tabia_batch *b); /* in use: all of them at first */
TABIA_API void tabia_batch_store(tabia_batch *b, void *positions);
/* Replaces the states of the lanes i for which which[i] is true (NULL: of all): by the start of the
   game, or by position i. */
TABIA_API void tabia_batch_reset(tabia_batch *b, const bool *which);
TABIA_API void tabia_batch_put(tabia_batch *b, const void *positions, const bool *which);

/* Writes an answer about all lanes; nothing where its width is 0. */
TABIA_API void tabia_batch_read(tabia_batch *b, tabia_answer what, uint32_t role,
                                tabia_layout layout, void *out);
/* terminal[i]: is lane i terminal?  Returns how many are; `terminal` may be NULL. */
TABIA_API uint32_t tabia_batch_terminal(tabia_batch *b, bool *terminal);
/* values[i]: the role's goal in lane i, or TABIA_NO_GOAL. */
TABIA_API void tabia_batch_goals(tabia_batch *b, uint32_t role, int32_t *values);
/* counts[i] moves of lane i are written from moves[i * capacity] on, as far as the capacity of a
   lane allows, in the order of their text.  `moves` may be NULL when the capacity is 0. */
TABIA_API void tabia_batch_legal(tabia_batch *b, uint32_t role, tabia_move *moves,
                                 uint32_t capacity, uint32_t *counts);

/* Joint moves are tabia_move[lanes][roles]. */

#define TABIA_NO_MOVE UINT32_MAX

/* Draws a joint move for each lane, the move of each role uniformly from its legal ones.  The draw
   is a function of the state, the seed, the stream and the number of the lane, the same on every
   machine.  TABIA_NO_MOVE: the role cannot move. */
TABIA_API void tabia_batch_draw(tabia_batch *b, uint64_t seed, uint64_t stream, tabia_move *joints);
/* Makes these joint moves in all lanes that are not terminal.  A lane with an illegal move stays as
   it is, and its illegal[i] is set (`illegal` may be NULL); the result is the number of such
   lanes. */
TABIA_API uint32_t tabia_batch_step(tabia_batch *b, const tabia_move *joints, bool *illegal);

/* The random generator of tabia_batch_play: "stream", the default, is the machine's fastest;
   "counter" (docs/random.md), only on `lanes` and `gpu`, plays the same games on both, to the bit.
   `gpu` has no other, and plays the games of all lanes together on its card.  False: the machine
   does not have it, and nothing is changed. */
TABIA_API bool tabia_batch_set_random(tabia_batch *b, const char *random);

/* Plays random games from the state of every lane, `games` of them from each, and leaves the lanes
   as they are: what a tree search asks about its leaves.  `goals` is int32_t[lanes][games][roles],
   at the end of each game.  TABIA_NO_GOAL: the role has none or several there, or the game did not
   end, because a role could not move or max_steps was reached (0: games may have any length).

   Game k of lane i has the stream number first + i * games + k.  A game is a function of the
   machine's kind, the state, the seed and that number: other lanes, their order and threads change
   nothing.  TABIA_LIMIT: the limits of the batch were reached, and the batch has failed from then
   on. */
TABIA_API tabia_status tabia_batch_play(tabia_batch *b, uint64_t seed, uint64_t first,
                                        uint32_t games, uint64_t max_steps, int32_t *goals,
                                        tabia_messages *log);

/* Calls `work` for each block of lanes, concurrently in the threads of the batch.  So several calls
   can be made about a block while it is in a thread's cache, and threads are waited for once, not
   once for each call.  A part is a batch during that call of `work`; its lane i is lane first + i
   of the whole, also for tabia_batch_draw and tabia_batch_play.  All calls above may be made on it
   except tabia_batch_new, _free and _load.  When an allocation fails, `work` is not called, or the
   lanes of its part become terminal, and the whole batch has failed afterwards. */
typedef void tabia_part_work(void *context, tabia_batch *part, uint32_t first);
TABIA_API void tabia_batch_each(tabia_batch *b, tabia_part_work *work, void *context);

/* ======== batches on a device ======== */

/* Like a batch (above), but with states in the memory of a device: for learning where the network
   is.  The machine must keep games on a device (`gpu`).

       tabia_device_batch_new(&batch, machine, 1 << 20, TABIA_DEVICE_SAME_STEP, NULL, log);
       tabia_device_batch_buffer(batch, TABIA_DEVICE_LEGAL, role, TABIA_BITS, &masks, log);
       tabia_device_batch_buffer(batch, TABIA_DEVICE_FLUENTS, 0, TABIA_BYTES, &observations, log);
       tabia_device_batch_buffer(batch, TABIA_DEVICE_REWARDS, 0, TABIA_BYTES, &rewards, log);
       for (uint64_t step = 0; step < steps; step++) {
         choose(&actions, masks.address, observations.address);
         tabia_device_batch_step(batch, &actions, log);
         learn(rewards.address);
       }

   PLAYERS are all roles except `random`, in the order of the roles: the moves of `random` are
   drawn.

   BUFFERS.  An answer about all games is in a buffer on the device, which is made when it is first
   requested; it belongs to the batch and its address does not change.  Every call that changes
   states updates all buffers.

   STREAMS.  Calls return when their work is queued on the stream of the batch, after all work
   queued there before.  A reader of a buffer must use that stream, or wait
   (tabia_device_batch_wait).

   ERRORS.  TABIA_LIMIT: the device has failed (E826), and queued work may not be done; or the
   process has no memory left (E802), and the batch has failed for good. */
typedef struct tabia_device_batch tabia_device_batch;

/* What becomes of games that have ended. */
typedef enum tabia_device_ending {
  TABIA_DEVICE_STAYS,     /* they stay where they are */
  TABIA_DEVICE_SAME_STEP, /* the step that ends a game also starts the next one; the answers are
                             about the state of the next one */
  TABIA_DEVICE_NEXT_STEP  /* the next step only starts the next game */
} tabia_device_ending;

typedef enum tabia_device_answer {
  TABIA_DEVICE_LEGAL,      /* by move of the role, as TABIA_LEGAL */
  TABIA_DEVICE_FLUENTS,    /* as TABIA_FLUENTS; this and all below, except percepts, have no role */
  TABIA_DEVICE_PERCEPTS,   /* by percept of the role, as TABIA_PERCEPTS */
  TABIA_DEVICE_GOALS,      /* int32_t by player, for games that the last step has ended; else
                              TABIA_NO_GOAL */
  TABIA_DEVICE_REWARDS,    /* float by player: the goals from -1 (goal 0) to 1 (goal 100); without
                              a goal 0 */
  TABIA_DEVICE_TERMINATED, /* uint8_t: the state was terminal, before the next game began */
  TABIA_DEVICE_ILLEGAL, /* uint8_t: the last action was not legal, and the game stays as it was */
  TABIA_DEVICE_DRAWN    /* tabia_move by player: what tabia_device_batch_draw has drawn */
} tabia_device_answer;

/* The items of one game are contiguous, and games are `stride` bytes apart. */
typedef struct tabia_device_buffer {
  uint64_t address;    /* of the device */
  uint32_t columns;    /* items of a game */
  uint32_t item_bytes; /* of one; with TABIA_BITS number i is bit i % 8 of item i / 8 */
  uint64_t stride;
} tabia_device_buffer;

typedef struct tabia_device_actions {
  uint64_t address;       /* of the device: numbers of moves */
  uint32_t item_bytes;    /* 1, 2, 4 or 8 */
  uint64_t game_stride;   /* bytes */
  uint64_t player_stride; /* bytes; with is_single not used */
  bool is_single;         /* one move a game, of the player with a choice; others have only one */
  uint64_t seed, stream;  /* of the moves of `random`, as of tabia_device_batch_draw */
} tabia_device_actions;

/* All games are at the start; at most 2^28 of them.  TABIA_MISUSE: no game, too many, or the
   machine keeps no games on a device.  The limits apply to this call only. */
TABIA_API tabia_status tabia_device_batch_new(tabia_device_batch **b, const tabia_machine *m,
                                              uint32_t games, tabia_device_ending ending,
                                              const tabia_limits *limits, tabia_messages *log);
TABIA_API void tabia_device_batch_free(tabia_device_batch *b);

/* The device in the numbering of DLPack: its type, 1 if the memory is that of the process (an
   emulator) and 2 for CUDA, and its number. */
TABIA_API void tabia_device_batch_place(const tabia_device_batch *b, int32_t *type,
                                        int32_t *number);

/* From now on queues work on this CUDA stream, after all work queued before; the first one is 0,
   the default stream. tabia_device_batch_join: work queued on another stream from now on waits for
   all work of the batch queued so far. */
TABIA_API tabia_status tabia_device_batch_set_stream(tabia_device_batch *b, uint64_t stream,
                                                     tabia_messages *log);
TABIA_API tabia_status tabia_device_batch_join(tabia_device_batch *b, uint64_t stream,
                                               tabia_messages *log);
TABIA_API tabia_status tabia_device_batch_wait(tabia_device_batch *b, tabia_messages *log);

/* Answers of yes or no have the layouts TABIA_BITS and TABIA_BYTES, with strides that are multiples
   of 8.  TABIA_MISUSE: there is no such role or layout. */
TABIA_API tabia_status tabia_device_batch_buffer(tabia_device_batch *b, tabia_device_answer what,
                                                 uint32_t role, tabia_layout layout,
                                                 tabia_device_buffer *out, tabia_messages *log);

/* Replaces the state of each game i for which byte i of `which` is not 0 (address 0: of all): by
   the start of the game, or by position i.  `which` is an address on the device; positions are
   memory of the caller, as for tabia_batch_put. */
TABIA_API tabia_status tabia_device_batch_reset(tabia_device_batch *b, uint64_t which,
                                                tabia_messages *log);
TABIA_API tabia_status tabia_device_batch_put(tabia_device_batch *b, const void *positions,
                                              uint64_t which, tabia_messages *log);
TABIA_API tabia_status tabia_device_batch_store(tabia_device_batch *b, void *positions,
                                                tabia_messages *log);

/* Draws the same moves as tabia_batch_draw, and writes those of players to the buffer
   TABIA_DEVICE_DRAWN. */
TABIA_API tabia_status tabia_device_batch_draw(tabia_device_batch *b, uint64_t seed,
                                               uint64_t stream, tabia_messages *log);
/* Makes these moves in all games that are not over.  TABIA_MISUSE: the item size or a stride is
   wrong. */
TABIA_API tabia_status tabia_device_batch_step(tabia_device_batch *b,
                                               const tabia_device_actions *actions,
                                               tabia_messages *log);

/* ======== random games ======== */

/* Random games: every role draws its moves uniformly among the legal ones.  The same machine, seed,
   start and count give the same figures, whatever the number of threads.  An object can be run any
   number of times; the figures are those of the last run. */
typedef struct tabia_playouts tabia_playouts;

TABIA_API tabia_playouts *tabia_playouts_new(const tabia_machine *m);
TABIA_API void tabia_playouts_free(tabia_playouts *p);

TABIA_API void tabia_playouts_set_seed(tabia_playouts *p, uint64_t seed); /* default: 1 */
/* Number of games to start; 0, the default: as many as fit into the time. */
TABIA_API void tabia_playouts_set_count(tabia_playouts *p, uint64_t count);
/* No game starts after this time; reaching it is a normal end, not TABIA_LIMIT. 0, the default: no
   such time.  The machine `lanes` starts games in parts of 512 and more, and finishes the parts
   that it has begun. */
TABIA_API void tabia_playouts_set_seconds(tabia_playouts *p, double seconds);
TABIA_API void tabia_playouts_set_threads(tabia_playouts *p, uint32_t threads); /* default: 1 */
/* A game that is longer is abandoned and counted apart; 0, the default: never. */
TABIA_API void tabia_playouts_set_max_steps(tabia_playouts *p, uint64_t steps);
/* The random generator: "stream", the default, is the machine's fastest; "counter", only on the
   machines `lanes` and `gpu`, is Philox4x32-10 as a function of seed, part and step
   (docs/random.md), so that another program can play exactly the same games.  False: it is neither
   of these, and "stream" is used. */
TABIA_API bool tabia_playouts_set_random(tabia_playouts *p, const char *random);
/* Plays only the games of share number `share` of `shares`; `shares` 0, the default: all games.
   All shares together have exactly the games of a run without shares, so their figures add up. */
TABIA_API void tabia_playouts_set_share(tabia_playouts *p, uint64_t share, uint64_t shares);
/* The position in which all games begin, which must be reachable from the start; NULL, the default:
   the start of the game. */
TABIA_API void tabia_playouts_set_start(tabia_playouts *p, const void *position);

/* Plays.  TABIA_MISUSE: neither a count nor a time was set, or the machine does not have "counter".
   TABIA_FAULTY: a game went wrong (a role could not move, or had no goal or several at the end),
   and a message describes the first one; the other games are counted all the same.  TABIA_LIMIT: a
   limit was reached; the games played until then count, on `lanes` in whole parts. */
TABIA_API tabia_status tabia_playouts_run(tabia_playouts *p, const tabia_limits *limits,
                                          tabia_messages *log);

TABIA_API uint64_t tabia_playouts_played(const tabia_playouts *p); /* to a sound end */
TABIA_API uint64_t tabia_playouts_states(const tabia_playouts *p); /* reached by their moves */
TABIA_API uint64_t tabia_playouts_faulty(const tabia_playouts *p); /* counted only here */
TABIA_API uint64_t tabia_playouts_too_long(const tabia_playouts *p);
TABIA_API double tabia_playouts_time(const tabia_playouts *p); /* seconds */
TABIA_API double tabia_playouts_mean_length(const tabia_playouts *p);
TABIA_API double tabia_playouts_length_deviation(const tabia_playouts *p);
TABIA_API uint64_t tabia_playouts_shortest(const tabia_playouts *p);
TABIA_API uint64_t tabia_playouts_longest(const tabia_playouts *p);
/* The mean over the games in which the role had a goal: all games, except for the role `random`,
   which needs no goal. 0 if there are no such games. */
TABIA_API double tabia_playouts_mean_goal(const tabia_playouts *p, uint32_t role);
/* True if the role had a goal in some game; `random` needs none. */
TABIA_API bool tabia_playouts_has_goals(const tabia_playouts *p, uint32_t role);
/* Games in which the role got this goal, 0 to 100. */
TABIA_API uint64_t tabia_playouts_goal_count(const tabia_playouts *p, uint32_t role, int32_t goal);

/* Faulty games by reason: a role had no move; at the end a role had no goal, or several. */
TABIA_API uint64_t tabia_playouts_stuck(const tabia_playouts *p);
TABIA_API uint64_t tabia_playouts_bad_goals(const tabia_playouts *p);
/* Over the states in which moves were made: the number of states in which no role, one role, or
   several roles had more than one move; and the mean number of joint moves. 0 on the machine
   `lanes`, which does not count them. */
TABIA_API uint64_t tabia_playouts_choices(const tabia_playouts *p, uint32_t roles); /* 0, 1, 2 */
TABIA_API double tabia_playouts_mean_joint_moves(const tabia_playouts *p);
/* True if the role, one of the first 64, had more than one move in some state.  Not known on
   `lanes`. */
TABIA_API bool tabia_playouts_role_chose(const tabia_playouts *p, uint32_t role);
/* The least and the largest sum of the goals of all roles but `random` in one game; they are equal
   if all games played had the same sum.  False: not known, as on `lanes`. */
TABIA_API bool tabia_playouts_goal_sums(const tabia_playouts *p, int64_t *least, int64_t *most);
/* The number of the first faulty game; on `lanes`, of the part that contains it. */
TABIA_API uint64_t tabia_playouts_first_fault(const tabia_playouts *p);

/* ======== several processes ======== */

/* How several processes that work on one game exchange messages: the caller supplies these
   functions, with MPI for instance.  They are called by one thread at a time.  Messages may be
   delayed and reordered, but neither lost nor duplicated. */
typedef struct tabia_exchange {
  void *context;       /* passed to each function */
  uint32_t rank, size; /* this process, from 0; all of them */
  /* Copies the bytes and returns at once. 1: they will be sent; 0: the queue is full, try again;
     -1: it failed. */
  int (*send)(void *context, uint32_t to, const void *bytes, size_t length);
  /* Receives a message from any rank and returns its length; 0: there is none, after a short wait
     if `wait` is true; -1: it failed. */
  long (*receive)(void *context, void *bytes, size_t capacity, bool wait);
  bool (*barrier)(void *context); /* waits for all; false: it failed */
} tabia_exchange;

enum { TABIA_MESSAGE_MAX = 1 << 18 }; /* bytes; no message is larger */

/* ======== counting ======== */

/* Perft: the number of sequences of joint moves from the start, by their length. */
typedef struct tabia_perft tabia_perft;

TABIA_API tabia_perft *tabia_perft_new(const tabia_machine *m);
TABIA_API void tabia_perft_free(tabia_perft *p);
TABIA_API void tabia_perft_set_threads(tabia_perft *p, uint32_t threads); /* default: 1 */
/* Continues in terminal states that have legal moves. */
TABIA_API void tabia_perft_set_ignore_terminal(tabia_perft *p, bool ignore);
/* The position to begin in; NULL, the default: the start of the game. */
TABIA_API void tabia_perft_set_start(tabia_perft *p, const void *position);
/* Also counts separately for each first joint move. */
TABIA_API void tabia_perft_set_divide(tabia_perft *p, bool divide);

/* Counts to that depth.  TABIA_LIMIT: only tabia_perft_depth was reached.  TABIA_FAULTY: a role
   cannot move somewhere, and a message says where. */
TABIA_API tabia_status tabia_perft_run(tabia_perft *p, uint32_t depth, const tabia_limits *limits,
                                       tabia_messages *log);
TABIA_API uint32_t tabia_perft_depth(const tabia_perft *p); /* the last one counted completely */
/* 0 for a depth that was not counted. */
TABIA_API uint64_t tabia_perft_nodes(const tabia_perft *p, uint32_t depth);
TABIA_API uint64_t tabia_perft_unique(const tabia_perft *p, uint32_t depth); /* distinct states */
TABIA_API uint64_t tabia_perft_total(const tabia_perft *p);                  /* of nodes */
/* Sequences that end in a state that is not terminal but where a role cannot move. */
TABIA_API uint64_t tabia_perft_stuck(const tabia_perft *p);
/* The first joint moves, if the count was divided: the move of each role, and the nodes of full
   depth below. */
TABIA_API uint32_t tabia_perft_part_count(const tabia_perft *p);
TABIA_API const tabia_move *tabia_perft_part_joint(const tabia_perft *p, uint32_t i);
TABIA_API uint64_t tabia_perft_part_nodes(const tabia_perft *p, uint32_t i);

/* Counts states by depth, the least number of steps in which they are reached.  The machine must
   have a circuit (`lanes`, `circuit`, `gpu`), else a run is declined with TABIA_FAULTY. */
typedef struct tabia_levels tabia_levels;

TABIA_API tabia_levels *tabia_levels_new(const tabia_machine *m);
TABIA_API void tabia_levels_free(tabia_levels *x);
TABIA_API void tabia_levels_set_threads(tabia_levels *x, uint32_t threads); /* default: 1 */
/* Represents whole levels as decision diagrams instead of visiting every state, by the program
   tabia-bdd, which must be installed.  It runs in a process of its own, within the memory limit. */
TABIA_API void tabia_levels_set_diagrams(tabia_levels *x, bool are_used);
/* Every process runs the same game to the same depth, with one thread, keeps the states that it
   owns by their hash, and gets the same counts.  NULL, the default: this process has all states.
   Not with diagrams. */
TABIA_API void tabia_levels_set_exchange(tabia_levels *x, const tabia_exchange *e);
/* A folder for checkpoint files of the walk, as for tabia_solve_set_checkpoint: a run that was
   stopped resumes from there, on any number of processes.  Not with diagrams. */
TABIA_API void tabia_levels_set_checkpoint(tabia_levels *x, const char *folder, double seconds);

/* Counts to that depth; UINT32_MAX: to the deepest state.  TABIA_LIMIT: only some levels were
   counted, or another process has failed.  TABIA_UNREADABLE: tabia-bdd cannot be run, or a file
   cannot be read or written.  TABIA_MISUSE: diagrams with an exchange or a checkpoint. */
TABIA_API tabia_status tabia_levels_run(tabia_levels *x, uint32_t depth, const tabia_limits *limits,
                                        tabia_messages *log);
TABIA_API uint32_t tabia_levels_count(const tabia_levels *x); /* levels that were counted */
/* The number of states of a level, and of all levels that were counted, as decimal digits, since
   they may exceed 64 bits.  Valid until the next run.  NULL: it was not counted, or there was no
   run. */
TABIA_API const char *tabia_levels_states(const tabia_levels *x, uint32_t depth);
TABIA_API const char *tabia_levels_total(const tabia_levels *x);
TABIA_API bool tabia_levels_are_all(const tabia_levels *x); /* there are no more states */

/* ======== minimax ======== */

/* Searches the whole game tree to some depth, and computes its value for each role.  A state at
   full depth that is not terminal counts 50.  The role `random` draws its moves uniformly. */
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
/* Prunes what cannot change a value.  For one or two roles besides `random`; with more, the run
   ends with TABIA_MISUSE. */
TABIA_API void tabia_minimax_set_alpha_beta(tabia_minimax *x, bool wanted);
TABIA_API void tabia_minimax_set_ignore_terminal(tabia_minimax *x, bool ignore);
TABIA_API void tabia_minimax_set_start(tabia_minimax *x, const void *position);
/* Search a GDL-II game as if every role knew the state. */
TABIA_API void tabia_minimax_set_perfect_information(tabia_minimax *x, bool wanted);

/* Searches to that depth, at most 1000.  TABIA_LIMIT: there are no values, and the counts are of
   the states visited.  TABIA_FAULTY: the game goes wrong somewhere, or its roles do not know the
   state; a message says which. */
TABIA_API tabia_status tabia_minimax_run(tabia_minimax *x, uint32_t depth,
                                         const tabia_limits *limits, tabia_messages *log);
TABIA_API bool tabia_minimax_has_values(const tabia_minimax *x); /* the search was completed */
TABIA_API double tabia_minimax_value(const tabia_minimax *x, uint32_t role); /* 50: no values */
/* For TABIA_SENSE_BOUND the upper bound, if it is known; else the value. */
TABIA_API double tabia_minimax_most(const tabia_minimax *x, uint32_t role);
TABIA_API bool tabia_minimax_has_most(const tabia_minimax *x);
TABIA_API tabia_sense tabia_minimax_sense(const tabia_minimax *x);
TABIA_API const char *tabia_sense_name(tabia_sense s);            /* "guarantee" */
TABIA_API bool tabia_minimax_has_chance(const tabia_minimax *x);  /* values are expectations */
TABIA_API bool tabia_minimax_reaches_end(const tabia_minimax *x); /* nothing was cut off */
/* The values are exact: neither bounds nor cut off by the depth. */
TABIA_API bool tabia_minimax_is_exact(const tabia_minimax *x);
TABIA_API uint64_t tabia_minimax_nodes(const tabia_minimax *x, uint32_t depth);
TABIA_API uint64_t tabia_minimax_total(const tabia_minimax *x);
TABIA_API uint64_t tabia_minimax_faults(const tabia_minimax *x); /* leaves that are faulty */
/* True if roles of this game must choose without knowing the state (GDL-II). */
TABIA_API bool tabia_machine_has_hidden_state(const tabia_machine *m);

/* ======== symmetries ======== */

/* Permutations of a game's fluents, moves, percepts and roles that leave its ground rules and its
   initial state unchanged, so that a position and its image have the same value and the same
   continuations.  Each permutation is verified by applying it to all rules. */
typedef struct tabia_symmetries tabia_symmetries;

TABIA_API bool tabia_symmetries_possible(void); /* false: the library was built without bliss */
/* The machine must have a circuit (`lanes`, `circuit`, `gpu`), else TABIA_FAULTY, and must outlive
   the result.  When a limit is reached, the result has the symmetries found until then. */
TABIA_API tabia_status tabia_symmetries_find(tabia_symmetries **out, const tabia_machine *m,
                                             const tabia_limits *limits, tabia_messages *log);
TABIA_API void tabia_symmetries_free(tabia_symmetries *x);
/* Generators: the symmetries are all products of these. */
TABIA_API uint32_t tabia_symmetries_count(const tabia_symmetries *x);
TABIA_API bool tabia_symmetries_are_all(const tabia_symmetries *x); /* nothing was left out */
/* The order of the group that fixes every role and acts on states, which solving uses; at most
   1024. */
TABIA_API uint32_t tabia_symmetries_order(const tabia_symmetries *x);
/* Images under generator i. */
TABIA_API uint32_t tabia_symmetries_role(const tabia_symmetries *x, uint32_t i, uint32_t role);
TABIA_API uint32_t tabia_symmetries_move_count(const tabia_symmetries *x, uint32_t role);
/* The result is a move of the image of the role. */
TABIA_API tabia_move tabia_symmetries_move(const tabia_symmetries *x, uint32_t i, uint32_t role,
                                           tabia_move move);
/* The same for percepts (GDL-II). */
TABIA_API uint32_t tabia_symmetries_percept_count(const tabia_symmetries *x, uint32_t role);
TABIA_API tabia_percept tabia_symmetries_percept(const tabia_symmetries *x, uint32_t i,
                                                 uint32_t role, tabia_percept percept);
TABIA_API uint32_t tabia_symmetries_fluent_count(const tabia_symmetries *x);
TABIA_API tabia_fluent tabia_symmetries_fluent(const tabia_symmetries *x, uint32_t i,
                                               tabia_fluent f);

/* ======== factors ======== */

/* Independent parts of a game: sets of fluents such that what a fluent becomes, and each condition
   of a move, depends on one part alone, and on common fluents, which depend on no move (a step
   counter, whose turn it is).  In each part the moves of a role fall into classes: moves of one
   class have the same effect and the same conditions there.  At each step a role either chooses one
   part, and its move is idle in all others, or chooses a class in every part, in any combination.
   Ends and goals may depend on several parts.  Each partition is verified on the dependencies of
   the rules. */
typedef struct tabia_factors tabia_factors;

/* In place of the part of a fluent: all parts may depend on it; or it never changes, or nothing
   depends on it. */
#define TABIA_PART_COMMON UINT32_MAX
#define TABIA_PART_NONE (UINT32_MAX - 1)
#define TABIA_NO_CLASS UINT32_MAX

/* The machine must have a circuit (`lanes`, `circuit`, `gpu`), else TABIA_FAULTY, and must outlive
   the result.  When a limit is reached, the result has no parts, and a reason. */
TABIA_API tabia_status tabia_factors_find(tabia_factors **out, const tabia_machine *m,
                                          const tabia_limits *limits, tabia_messages *log);
TABIA_API void tabia_factors_free(tabia_factors *x);
/* At least 2; or 0: there are no independent parts, or the search was not completed. */
TABIA_API uint32_t tabia_factors_count(const tabia_factors *x);
/* Why the search was not made, or not completed; NULL if it was. */
TABIA_API const char *tabia_factors_reason(const tabia_factors *x);
TABIA_API uint32_t tabia_factors_fluent_count(const tabia_factors *x);
/* A part, TABIA_PART_COMMON or TABIA_PART_NONE. */
TABIA_API uint32_t tabia_factors_fluent_part(const tabia_factors *x, tabia_fluent f);
TABIA_API bool tabia_factors_ends(const tabia_factors *x, uint32_t part);   /* terminal reads it */
TABIA_API bool tabia_factors_scores(const tabia_factors *x, uint32_t part); /* a goal does */
/* False: the role chooses one part at each step. */
TABIA_API bool tabia_factors_chooses_in_all(const tabia_factors *x, uint32_t role);
/* Classes of a role's moves in a part are numbered from 0. */
TABIA_API uint32_t tabia_factors_class_count(const tabia_factors *x, uint32_t part, uint32_t role);
/* The class of moves without effects and conditions in this part; or TABIA_NO_CLASS. */
TABIA_API uint32_t tabia_factors_idle_class(const tabia_factors *x, uint32_t part, uint32_t role);
TABIA_API uint32_t tabia_factors_move_class(const tabia_factors *x, uint32_t part, uint32_t role,
                                            tabia_move move);

/* ======== solving ======== */

/* The value of a game for each role, computed from all of its states (a strong solution).  The game
   has one role; or two roles in turn, and then may have cycles: a play that never ends is worth 50
   to both.  Where every play ends, it may also have chance, two roles that choose simultaneously,
   or more than two roles in turn.  If there are too many states, a weak solution may be found.
   docs/solve.md has the details. */
typedef struct tabia_solve tabia_solve;

/* The machine must have a circuit (`lanes`, `circuit`, `gpu`), else a run is declined with
   TABIA_FAULTY. */
TABIA_API tabia_solve *tabia_solve_new(const tabia_machine *m);
TABIA_API void tabia_solve_free(tabia_solve *x);
TABIA_API void tabia_solve_set_threads(tabia_solve *x, uint32_t threads); /* default: 1 */
/* The most states of a strong solution; 0: no limit, or with TABIA_SOLVE_AUTO 100,000,000. */
TABIA_API void tabia_solve_set_most_states(tabia_solve *x, uint64_t states);

typedef enum tabia_solve_method {
  /* By parts, for a game of one role that has them and more than 10,000 states; else strongly; else
     weakly.  Each attempt but the last has half of the limits that are left. */
  TABIA_SOLVE_AUTO,
  TABIA_SOLVE_STRONG, /* from all states */
  /* Finds the value of the start, a best move and a line only, by proof-number search.  For one
     role, or two in turn, without chance. */
  TABIA_SOLVE_WEAK,
  /* For one role, in a game that has factors (tabia_factors_find): the value of the start, all best
     moves and a shortest line, from the states of each part and combinations of those that
     differ. */
  TABIA_SOLVE_BY_PARTS
} tabia_solve_method;

/* The default is TABIA_SOLVE_AUTO.  The method is ignored, and all states are used, if the run
   writes a database, has an exchange or a checkpoint, or if roles of the game do not know the
   state. */
TABIA_API void tabia_solve_set_method(tabia_solve *x, tabia_solve_method method);

/* Keeps only one of the states that are images of each other under a symmetry (default: true).  All
   states are kept if the run writes a database or has an exchange or a checkpoint, or if more than
   two roles choose. */
TABIA_API void tabia_solve_set_symmetry(tabia_solve *x, bool is_used);

/* Every process runs the same game with the same settings and one thread, keeps the states that it
   owns by their hash, and gets the same result; rank 0 writes the database.  For one role, or two
   in turn.  NULL, the default: this process has all states. */
TABIA_API void tabia_solve_set_exchange(tabia_solve *x, const tabia_exchange *e);

/* The folder in which a run writes a database of the values of all states; NULL, the default:
   none. */
TABIA_API void tabia_solve_set_database(tabia_solve *x, const char *folder);

/* A folder for checkpoint files.  When a run was stopped, in whatever way, the next run of the same
   game with this folder resumes it, alone or with an exchange, on any number of processes, all of
   which must see the folder.  The files are written after each level and every `seconds` (0: 60),
   and removed when a run is complete.  States are kept in these files, not in memory; a level that
   takes more than half of the memory limit while it is being made is written in parts.  For one
   role, or two in turn; one thread.  NULL, the default: none. */
TABIA_API void tabia_solve_set_checkpoint(tabia_solve *x, const char *folder, double seconds);

/* TABIA_FAULTY: the game is declined, and tabia_solve_reason says why; or it goes wrong somewhere,
   or its values cannot be stored in a database.  TABIA_UNREADABLE: a file cannot be written.
   TABIA_LIMIT: there are no values, and the counts are of what was found until then. */
TABIA_API tabia_status tabia_solve_run(tabia_solve *x, const tabia_limits *limits,
                                       tabia_messages *log);
TABIA_API bool tabia_solve_has_values(const tabia_solve *x);
/* The kind of solution: "strong", the value of every state that can be reached; "weak", that of the
   start only; "by-parts", the same with all best moves and a shortest line; "equilibrium", how to
   play from the start where roles know only what they see (GDL-II).  NULL: nothing. */
TABIA_API const char *tabia_solve_kind(const tabia_solve *x);
TABIA_API const char *tabia_solve_reason(const tabia_solve *x); /* why it is declined; or NULL */
TABIA_API double tabia_solve_value(const tabia_solve *x, uint32_t role); /* 50: no values */
TABIA_API double tabia_solve_gap(const tabia_solve *x); /* largest error of a value */
TABIA_API tabia_sense tabia_solve_sense(const tabia_solve *x);
TABIA_API bool tabia_solve_has_chance(const tabia_solve *x);
/* Some value rests on a play that never ends. */
TABIA_API bool tabia_solve_has_endless(const tabia_solve *x);
/* Steps to the end under best play; for one role, and for two in turn. */
TABIA_API bool tabia_solve_has_remoteness(const tabia_solve *x);
TABIA_API uint32_t tabia_solve_remoteness(const tabia_solve *x);
/* The best moves of a role at the start.  The share of a move is the probability with which to make
   it; without mixing, the first move has 1. */
TABIA_API uint32_t tabia_solve_move_count(const tabia_solve *x, uint32_t role);
TABIA_API tabia_move tabia_solve_move(const tabia_solve *x, uint32_t role, uint32_t i);
TABIA_API double tabia_solve_move_share(const tabia_solve *x, uint32_t role, uint32_t i);
/* A line of best play to the end; its length is 0 if there is no remoteness.  For a weak solution:
   moves that keep the value, as far as they were found. */
TABIA_API uint32_t tabia_solve_line_length(const tabia_solve *x);
TABIA_API const tabia_move *tabia_solve_line_joint(const tabia_solve *x, uint32_t i);
/* Reachable states; of a solution by parts those of all parts; 0 of a weak solution. */
TABIA_API uint64_t tabia_solve_states(const tabia_solve *x);
/* States that a weak solution expanded; combinations of states of parts. */
TABIA_API uint64_t tabia_solve_nodes(const tabia_solve *x);
TABIA_API uint32_t tabia_solve_parts(const tabia_solve *x); /* of a solution by parts; else 0 */
/* States that were kept, up to symmetry; and the number of symmetries used, 1 if there are none. */
TABIA_API uint64_t tabia_solve_kept_states(const tabia_solve *x);
TABIA_API uint32_t tabia_solve_symmetries(const tabia_solve *x);
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

/* Opens it for the positions of a machine that has a circuit (`lanes`, `circuit`, `gpu`;
   another is TABIA_MISUSE) and must outlive it.  TABIA_UNREADABLE: there is no database in the
   folder, it is damaged, or it is of another game or start. */
TABIA_API tabia_status tabia_database_open(tabia_database **out, const tabia_machine *m,
                                           const char *folder, tabia_messages *log);
/* Solves the game of the machine and opens the values of all its states, in a folder of $TMPDIR or
   /tmp that is removed at once: they are there until the database is closed.  The status is that of
   tabia_solve_run, or of tabia_database_open. */
TABIA_API tabia_status tabia_database_solve(tabia_database **out, const tabia_machine *m,
                                            const tabia_limits *limits, tabia_messages *log);
TABIA_API void tabia_database_close(tabia_database *b);

/* The value of a position for each role.  `w` is a workspace of a machine that shares positions
   with the machine of the database.  A position that play cannot reach may get any value.  False:
   the database does not have it, or is damaged there. */
TABIA_API bool tabia_database_values(const tabia_database *b, tabia_workspace *w,
                                     const void *position, double *values);
/* Steps to the end under best play, for one role, and for two in turn whose goals add up to 100.
   False: not known, or play need not end. */
TABIA_API bool tabia_database_remoteness(const tabia_database *b, tabia_workspace *w,
                                         const void *position, uint32_t *steps);
/* The best moves of the only role (besides `random`) that has a choice: writes at most `capacity`
   and returns how many there are. 0: others choose at the same time, or there is no value
   (tabia_database_values). */
TABIA_API uint32_t tabia_database_moves(const tabia_database *b, tabia_workspace *w,
                                        const void *position, uint32_t role, tabia_move *moves,
                                        uint32_t capacity);
TABIA_API uint64_t tabia_database_states(const tabia_database *b); /* except terminal ones */
TABIA_API uint64_t tabia_database_ends(const tabia_database *b);
/* The size of one of its files, "index", "values" or "steps"; 0: there is no such file. */
TABIA_API uint64_t tabia_database_bytes(const tabia_database *b, const char *file);

/* Plays at random on another machine, `reference` for instance, and compares the values of at least
   `positions` positions with those of their successors.  TABIA_FAULTY: one is wrong, and the log
   says where. *checked (unless `checked` is NULL) is set to the number of positions compared. */
TABIA_API tabia_status tabia_database_check(const tabia_database *b, const tabia_machine *judge,
                                            uint64_t positions, uint64_t seed,
                                            const tabia_limits *limits, tabia_messages *log,
                                            uint64_t *checked);

/* ======== search ======== */

/* Tree search, for any number of roles, turns, simultaneous moves and chance.  The tree is kept
   from one call to the next.

       tabia_search_open(&search, machine, NULL, NULL, log);
       tabia_search_learn(search, 10, NULL, log);
       while (!over) {
         tabia_search_set_seconds(search, 1);
         tabia_search_think(search, position, role, NULL, log);
         make(tabia_search_best(search, role));
       }

   A search belongs to one thread at a time.  To think while others are to move, call
   tabia_search_think in a thread of its own without a time limit, and end it from another thread by
   tabia_limits_cancel: what was found remains. */
typedef struct tabia_search tabia_search;

/* "auto-many" is the machine to search on.  Options:
     kind=tabia|batched|uct   tabia: everything below; batched: a tree over bundles of random games;
                              uct: one random game at a time, for comparison
     style=auto|plays|judges|mixes
                              how kind=tabia values states once it has learned: by random games,
                              by what it has learned, or by both; auto: the one that wins short
                              matches while learning
     learning=yes|no          whether tabia_search_learn learns anything
     exploration=C            weight of exploration, in place of the style's
     leaves=N playouts=N      states that are evaluated together, and random games from each
     max-steps=N              of a random game (4000)
     threads=N                (1)
     memory=BYTES             (512M) of the tree, which grows over many calls; K, M and G may
                              follow; if `limits` has bytes, at most half of them
     seed=N                   (1), below 2^53; with one thread, and iterations in place of time, the
                              same seed gives the same result
     solver=yes|no            prove wins, losses and draws
     solve=no|yes             while learning, solve a small game of two roles in turn, if 30 % of
                              that time is enough, and look its values up: only for positions that
                              can be reached from the machine's start
     database=FOLDER          look up the values that a run of tabia_solve has written there, of the
                              game from the machine's start: of one role, or of two in turn whose
                              goals add up to 100
     constant-sum=unknown|assumed
                              assumed: if the goals of two roles had the same sum in all terminal
                              states so far, they have it in every one; searches end sooner, but
                              results that rest on this are not proved
     transpositions=yes|no    equal states share one node
     clock=wall|processor     what seconds are: those of a clock, or of the thread that thinks
     looks=yes|no             look at all successors of a new state for ends of the game, also where
                              random games value states, as long as that finds enough of them
     priors=yes|no            try moves as often as the network's values of them suggest
     regrets=yes|no           choose simultaneous moves by regret matching, not confidence bounds
   TABIA_MISUSE: an option is wrong.  TABIA_UNREADABLE: as in tabia_database_open. */
TABIA_API tabia_status tabia_search_open(tabia_search **search, const tabia_machine *m,
                                         const tabia_options *options, const tabia_limits *limits,
                                         tabia_messages *log);
TABIA_API void tabia_search_close(tabia_search *s);

/* Prepares for the game, for at most this time.  Optional; call it before the first search, within
   the start clock.  TABIA_LIMIT: the limits were reached before; what was learned remains.  A limit
   of bytes remains in force for the trees that this call makes, and so may end later searches. */
TABIA_API tabia_status tabia_search_learn(tabia_search *s, double seconds,
                                          const tabia_limits *limits, tabia_messages *log);

/* Another match begins: forgets the tree, and keeps what was learned. */
TABIA_API void tabia_search_forget(tabia_search *s);

/* A search is complete after this time or this number of iterations, whichever comes first; 0, the
   default, is no limit. */
TABIA_API void tabia_search_set_seconds(tabia_search *s, double seconds);
TABIA_API void tabia_search_set_iterations(tabia_search *s, uint64_t iterations);

/* Called a few times a second, by the searching thread, and may query what was found so far. */
typedef void tabia_thought(void *context, const tabia_search *s);
TABIA_API void tabia_search_set_listener(tabia_search *s, tabia_thought *report, void *context);

/* Evaluates new states in place of random games: `positions` are stored contiguously; `values`, to
   be written, are float[count][roles], 0 to 100; `priors`, which may be NULL, float[count][sum of
   the widths of all roles' moves]: how likely each move is, in any scale; those of illegal moves
   are ignored.  Priors are requested only if tabia_answer_width is not 0 on this machine.
   With a judge a search uses one thread.  Setting one forgets the tree; NULL: random games
   again. */
enum { TABIA_JUDGE_MAX = 512 }; /* the largest count */
typedef void tabia_judge(void *context, const void *positions, uint32_t count, float *values,
                         float *priors);
TABIA_API void tabia_search_set_judge(tabia_search *s, tabia_judge *judge, bool with_priors,
                                      void *context);

/* Thinks about a position (NULL: the start of the game), above all for `role`.  It ends early when
   everything is proved.  TABIA_LIMIT: the limits were reached, or it was cancelled; TABIA_FAULTY:
   the machine has failed.  In all cases the results found so far can be queried. */
TABIA_API tabia_status tabia_search_think(tabia_search *s, const void *position, uint32_t role,
                                          const tabia_limits *limits, tabia_messages *log);

/* ---- what was found ---- */

/* The move that the role should make; TABIA_NO_MOVE: there is none, as the game is over.  Where
   roles choose at once, it is drawn with the shares below. */
TABIA_API tabia_move tabia_search_best(const tabia_search *s, uint32_t role);
/* What the role may expect, 0 to 100, and bounds of it, which are proved unless a sum is
   assumed. */
TABIA_API double tabia_search_value(const tabia_search *s, uint32_t role);
TABIA_API double tabia_search_least(const tabia_search *s, uint32_t role);
TABIA_API double tabia_search_most(const tabia_search *s, uint32_t role);
/* True if these are the values of best play, in which each role does what is best for itself. */
TABIA_API bool tabia_search_is_proved(const tabia_search *s);

/* The legal moves of a role, in the order of their text; `i` is below the count. */
TABIA_API uint32_t tabia_search_move_count(const tabia_search *s, uint32_t role);
TABIA_API tabia_move tabia_search_move(const tabia_search *s, uint32_t role, uint32_t i);
TABIA_API uint64_t tabia_search_move_visits(const tabia_search *s, uint32_t role, uint32_t i);
TABIA_API double tabia_search_move_value(const tabia_search *s, uint32_t role, uint32_t i);
/* The probability with which it should be made. */
TABIA_API double tabia_search_move_share(const tabia_search *s, uint32_t role, uint32_t i);
TABIA_API bool tabia_search_move_is_proved(const tabia_search *s, uint32_t role, uint32_t i);

/* The principal line: joint moves, one move for each role. */
TABIA_API uint32_t tabia_search_line_length(const tabia_search *s);
TABIA_API const tabia_move *tabia_search_line_joint(const tabia_search *s, uint32_t step);

typedef enum tabia_effort {
  TABIA_EFFORT_ITERATIONS, /* of the last search */
  TABIA_EFFORT_PLAYOUTS,   /* random games of it */
  TABIA_EFFORT_DEPTH,      /* joint moves of its longest line */
  TABIA_EFFORT_NODES,      /* states in the tree, including those of former searches */
  TABIA_EFFORT_BYTES       /* of the tree */
} tabia_effort;

TABIA_API uint64_t tabia_search_effort(const tabia_search *s, tabia_effort what);
/* How states were valued, "plays", "judges" or "mixes". */
TABIA_API const char *tabia_search_style(const tabia_search *s);
TABIA_API double tabia_search_time(const tabia_search *s); /* seconds of the last search */

/* ======== strategies for hidden states ======== */

/* How to play where roles do not know the state (GDL-II): a mixed strategy for everything that a
   role may know, found by self-play that minimises regret.  In a constant-sum game of two roles it
   converges to a strategy that nobody can exploit.

       tabia_strategy_open(&strategy, machine, NULL, log);
       tabia_strategy_learn(strategy, 10, 0, NULL, log);
       ...
       tabia_strategy_tell(strategy, role, move, percepts, count);   after each step
       tabia_strategy_think(strategy, role, 1, 0, NULL, log);
       share = tabia_strategy_share(strategy, role, move);

   A strategy belongs to one thread at a time. */
typedef struct tabia_strategy tabia_strategy;

/* Options: seed=N (1), below 2^53; memory=BYTES (256 M), K, M and G may follow; strangers=SHARE
   (0.5), at least 0 and below 1, the share of games against roles that move at random, from which a
   role learns what to do where roles that have learned would not go.  TABIA_MISUSE: an option is
   wrong, or the machine does not number its moves and percepts in advance ("lanes" and "circuit"
   do). */
TABIA_API tabia_status tabia_strategy_open(tabia_strategy **strategy, const tabia_machine *m,
                                           const tabia_options *options, tabia_messages *log);
TABIA_API void tabia_strategy_close(tabia_strategy *s);

/* Plays games against itself from the start, for this time or number of games, whichever ends first
   (0: no limit).  TABIA_LIMIT: the limits were reached; what was learned remains. */
TABIA_API tabia_status tabia_strategy_learn(tabia_strategy *s, double seconds, uint64_t games,
                                            const tabia_limits *limits, tabia_messages *log);

/* Another match begins: no role has seen anything yet. */
TABIA_API void tabia_strategy_restart(tabia_strategy *s);
/* Records what a role has done and seen in a step, each percept once, in any order.  TABIA_LIMIT:
   there is no memory, and the strategy has failed for good. */
TABIA_API tabia_status tabia_strategy_tell(tabia_strategy *s, uint32_t role, tabia_move own,
                                           const tabia_percept *percepts, uint32_t count);

/* Plays games that are consistent with what the role has perceived; or games from the start, once
   enough of these have reached the information set of the role. */
TABIA_API tabia_status tabia_strategy_think(tabia_strategy *s, uint32_t role, double seconds,
                                            uint64_t games, const tabia_limits *limits,
                                            tabia_messages *log);

/* The probability with which the role should make the move, given what it has perceived; 1 for
   every move if nothing is known.  The move must be legal. */
TABIA_API double tabia_strategy_share(const tabia_strategy *s, uint32_t role, tabia_move move);
/* The number of games that reached the information set of the role; 0: nothing is known. */
TABIA_API uint64_t tabia_strategy_visits(const tabia_strategy *s, uint32_t role);
TABIA_API uint64_t tabia_strategy_games(const tabia_strategy *s); /* that were played in all */
TABIA_API uint64_t tabia_strategy_sets(const tabia_strategy *s);  /* information sets known */

/* ======== why? ======== */

/* Why a literal holds in a state of a game, or why it does not: a tree of steps, as a list in which
   the parts of a step follow it, one level deeper.  For a literal that holds the tree is its
   shortest derivation: as few literals as possible, each with its rule and values.  For one that
   does not hold, it has for each rule that could derive it the first condition that fails, the
   facts that hold instead, and why the condition fails; for a fluent that held before, the step
   that lost it and the rules that did not keep it; for a literal that can never hold, what is
   missing.  Nothing is grounded. */
typedef struct tabia_why tabia_why;

/* Explains a literal: an atom, (not ATOM), or a fluent alone, in KIF, possibly with variables:
   "(legal x ?m)".  Options:
     from=STATE   fluents to begin with, as for tabia_position_read
     after=MOVES  moves that lead to the state, as for tabia_position_play
     does=MOVES   moves made in it, for `next` and `sees`, as for tabia_joint_read
   TABIA_MISUSE: it is not a literal, or an option is wrong; TABIA_FAULTY: the rules have an error,
   or the moves cannot be made; TABIA_UNREADABLE: the state cannot be read. */
TABIA_API tabia_status tabia_why_ask(tabia_why **why, const tabia_rules *rules, const char *literal,
                                     const tabia_options *options, const tabia_limits *limits,
                                     tabia_messages *log);
TABIA_API void tabia_why_free(tabia_why *why);

TABIA_API bool tabia_why_holds(const tabia_why *why);
/* In one line, such as "no: terminal does not hold at the start". */
TABIA_API const char *tabia_why_headline(const tabia_why *why);
/* The atoms that hold, sorted; at most one for a literal without variables. */
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
   it is not in the text. */
TABIA_API bool tabia_why_step_place(const tabia_why *why, uint32_t i, size_t *start, size_t *end,
                                    uint32_t *line);

/* Writes the explanation; `format`: "text"; "json", an object; or "dot", for Graphviz.  Steps
   deeper than `depth` are left out. */
TABIA_API tabia_status tabia_why_write(tabia_why *why, const char *format, uint32_t depth,
                                       tabia_put *put, void *context, tabia_messages *log);

/* ======== coverage ======== */

/* Which rules fire: a rule with conditions fires in a state when these hold for some values.  For
   authors: a rule that fires in no test and no random game is untried, or can never fire. */
typedef struct tabia_coverage tabia_coverage;

/* The limits count from here on, over all calls; they must outlive the object. */
TABIA_API tabia_status tabia_coverage_new(tabia_coverage **coverage, const tabia_rules *rules,
                                          const tabia_limits *limits, tabia_messages *log);
TABIA_API void tabia_coverage_free(tabia_coverage *c);

/* Follows a line of play: `from` fluents as for tabia_position_read (NULL: the start), `after`
   moves as for tabia_position_play (NULL: none).  Returns what these functions return. */
TABIA_API tabia_status tabia_coverage_follow(tabia_coverage *c, const char *from, const char *after,
                                             tabia_messages *log);
/* Follows random games.  TABIA_LIMIT: not all of them; TABIA_FAULTY: a rule turned out to have no
   meaning. */
TABIA_API tabia_status tabia_coverage_play(tabia_coverage *c, uint64_t games, uint64_t max_steps,
                                           uint64_t seed, tabia_messages *log);

/* Rules with conditions, in the order of the text: whether the rule has fired, its line, and its
   head for people, "(<= (goal ?p 100) ...)". */
TABIA_API uint32_t tabia_coverage_count(const tabia_coverage *c);
TABIA_API bool tabia_coverage_fired(const tabia_coverage *c, uint32_t i);
TABIA_API uint32_t tabia_coverage_line(const tabia_coverage *c, uint32_t i);
TABIA_API const char *tabia_coverage_rule(const tabia_coverage *c, uint32_t i);

/* ======== proofs ======== */

/* Proves or refutes properties of a game.  A proof is made for rules, is asked for properties, and
   runs once.

     playable                  every role always has a legal move until the game ends
     terminates                every play comes to an end
     winnable [ROLE]           some play ends with 100 for the role
     goals                     at the end every role has exactly one goal, from 0 to 100
     dead                      every move is legal in some state, and every rule fires
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
/* Adds a list of properties with commas between them.  If none is added, the run decides the first
   six above. */
TABIA_API void tabia_proof_ask(tabia_proof *p, const char *properties);

/* Every process proves the same properties of the same game by the method "exhaustive", with one
   thread, keeps the states that it owns by their hash, and gets the same verdicts.  Only playable,
   terminates, winnable, goals, unreachable and invariant are decided; others stay unknown.  NULL,
   the default: this process has all states. */
TABIA_API void tabia_proof_set_exchange(tabia_proof *p, const tabia_exchange *e);
/* A folder for checkpoint files of an exhaustive walk, by several processes or by this one alone,
   as for tabia_solve_set_checkpoint. */
TABIA_API void tabia_proof_set_checkpoint(tabia_proof *p, const char *folder, double seconds);

/* Called for each verdict as soon as it is found, by the thread that runs the proof. */
typedef void tabia_found(void *context, const tabia_proof *p, uint32_t i);

/* Runs it; `found` may be NULL.  Options:
     method=NAME       one of the methods ("auto"; with an exchange or a checkpoint "exhaustive")
     threads=N         of an exhaustive walk (1)
     seed=N            of random play (1), below 2^53
     confidence=C      of the bound that random play gives, between 0 and 1 (0.99)
     walk=FILE         saves an exhaustive walk there, and resumes it
     certificate=NAME  the file name of the certificate that verdicts in JSON have
     not-terminal=yes|no reachable=yes|no mutexes=yes|no    what the method "abstract" may assume
   TABIA_OK: every property is decided, and none is refuted; TABIA_FAULTY: one is refuted, or the
   rules have an error; TABIA_LIMIT: one is undecided; TABIA_MISUSE: a property or an option is
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
TABIA_API uint64_t tabia_proof_states(const tabia_proof *p, uint32_t i);    /* that were visited */
/* The depth of the states, of the line of play, or of the induction. */
TABIA_API uint32_t tabia_proof_depth(const tabia_proof *p, uint32_t i);

/* The line of play that shows the verdict: its length in steps (which may be 0), and its moves. */
TABIA_API bool tabia_proof_has_line(const tabia_proof *p, uint32_t i);
TABIA_API uint32_t tabia_proof_line_length(const tabia_proof *p, uint32_t i);
TABIA_API const char *tabia_proof_line_move(const tabia_proof *p, uint32_t i, uint32_t step,
                                            uint32_t role); /* canonical KIF */
/* For a play without end: the line leads back to the state that it had after this number of
   steps. */
TABIA_API uint32_t tabia_proof_line_returns_to(const tabia_proof *p, uint32_t i);

/* For `mutex`, the groups of fluents that were proved: at most one fluent of a group holds, or
   exactly one. */
TABIA_API uint32_t tabia_proof_group_count(const tabia_proof *p, uint32_t i);
TABIA_API bool tabia_proof_group_is_exact(const tabia_proof *p, uint32_t i, uint32_t group);
TABIA_API uint32_t tabia_proof_group_size(const tabia_proof *p, uint32_t i, uint32_t group);
TABIA_API const char *tabia_proof_group_fluent(const tabia_proof *p, uint32_t i, uint32_t group,
                                               uint32_t k); /* canonical KIF, maybe with `not` */

/* Writes a verdict in full; `format`: "text" or "json", an object. */
TABIA_API tabia_status tabia_proof_write(const tabia_proof *p, uint32_t i, const char *format,
                                         tabia_put *put, void *context, tabia_messages *log);
/* True if the verdict has a certificate.  tabia_proof_write_certificate writes those of all
   verdicts; TABIA_FAULTY: no verdict has one. */
TABIA_API bool tabia_proof_has_certificate(const tabia_proof *p, uint32_t i);
TABIA_API tabia_status tabia_proof_write_certificate(const tabia_proof *p, tabia_put *put,
                                                     void *context, tabia_messages *log);
/* Writes the line of a verdict as a trace of the game called `game`; TABIA_FAULTY: it has none. */
TABIA_API tabia_status tabia_proof_write_trace(const tabia_proof *p, uint32_t i, const char *game,
                                               tabia_put *put, void *context, tabia_messages *log);

/* Checks a certificate, and writes a line for each section.  The code shares with the provers only
   the reader, the grounder, the SAT solver and the machines without circuits.  TABIA_OK: all of it
   is accepted; TABIA_FAULTY: something is rejected; TABIA_LIMIT: not all was checked;
   TABIA_UNREADABLE: it is not a certificate. */
TABIA_API tabia_status tabia_certificate_check(const tabia_rules *rules, const char *name,
                                               const char *certificate, size_t length,
                                               const tabia_limits *limits, tabia_put *put,
                                               void *context, tabia_messages *log);

/* ======== the same game? ======== */

/* Are two rulesheets the same game? They are if, after every line of moves, the same roles have the
   same legal moves, goals and percepts, and the game is over in both or in neither.  Fluents and
   other relations may differ.  This is decided by all pairs of states if these are few, else by the
   provers, on one game that combines both. */
typedef struct tabia_diff tabia_diff;

/* Compares them.  Options:
     map=NAMES         names that differ, in pairs: the old one, then the new one, in KIF
     goals=always|end  compare goals in every state, or only where the game is over
     method=auto|pairs|product|play
                       all ways in order of cost; every pair of states, on machine `reference`; both
                       as one game, by the provers; random games, which prove nothing
     seed=N            of random games (1), below 2^53
     threads=N         of an exhaustive walk (1)
   TABIA_OK: proved to be the same; TABIA_FAULTY: they differ; TABIA_LIMIT: not known within the
   limits, which should have a time: without one the call may never return.  In these cases *diff is
   made; it is NULL if rules have an error (TABIA_FAULTY) or an option is wrong (TABIA_MISUSE).
   Both rules must outlive it. */
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
/* What was compared without finding a difference: the number of random games; and the depth below
   which all lines of moves were compared. */
TABIA_API uint64_t tabia_diff_games(const tabia_diff *d);
TABIA_API uint32_t tabia_diff_depth(const tabia_diff *d);

/* The roles of the old rules; a role that only one of the rulesheets has is itself a difference. */
TABIA_API uint32_t tabia_diff_role_count(const tabia_diff *d);
TABIA_API const char *tabia_diff_role(const tabia_diff *d, uint32_t role);

/* The line of moves that shows the difference, with old names; and whether it is a shortest one. */
TABIA_API uint32_t tabia_diff_line_length(const tabia_diff *d);
TABIA_API const char *tabia_diff_line_move(const tabia_diff *d, uint32_t step, uint32_t role);
TABIA_API bool tabia_diff_line_is_shortest(const tabia_diff *d);

/* What differs after that line or, for percepts, in its last step.  The kind is a relation: "role",
   "terminal", "legal", "goal" or "sees".  The literal, with old names, holds in only one of the
   games. */
TABIA_API uint32_t tabia_diff_count(const tabia_diff *d);
TABIA_API const char *tabia_diff_kind(const tabia_diff *d, uint32_t i);
TABIA_API const char *tabia_diff_literal(const tabia_diff *d, uint32_t i);
TABIA_API bool tabia_diff_is_in_new(const tabia_diff *d, uint32_t i);
/* Why the literal holds or does not hold, in the old rules or, if `in_new`, in the new ones, with
   their own names.  Returns what tabia_why_ask returns. */
TABIA_API tabia_status tabia_diff_why(const tabia_diff *d, uint32_t i, bool in_new,
                                      const tabia_limits *limits, tabia_why **why,
                                      tabia_messages *log);

/* ======== traces and comparison ======== */

/* Plays one game, which the seed determines in a way that other programs can reproduce, and writes
   it as JSON lines: for each state the counts and SHA-1 sums of its fluents and legal moves, and
   the moves made.  Plays at most `max_steps` joint moves; a warning says if the game did not end by
   then.  TABIA_FAULTY: as of tabia_playouts_run. */
TABIA_API tabia_status tabia_trace_write(const tabia_machine *m, const char *game, uint64_t seed,
                                         uint64_t max_steps, const tabia_limits *limits,
                                         tabia_put *put, void *context, tabia_messages *log);

/* The same for the first game that tabia_playouts_run plays with that seed in a lane, 0 to 511.
   TABIA_MISUSE: the machine is not `lanes`, or there is no such lane. */
TABIA_API tabia_status tabia_trace_write_lane(const tabia_machine *m, const char *game,
                                              uint64_t seed, uint32_t lane, uint64_t max_steps,
                                              const tabia_limits *limits, tabia_put *put,
                                              void *context, tabia_messages *log);

/* Compares a machine with a trace, or with another machine.  It can be run any number of times; the
   results are those of the last run. */
typedef struct tabia_comparison tabia_comparison;

TABIA_API tabia_comparison *tabia_comparison_new(void);
TABIA_API void tabia_comparison_free(tabia_comparison *c);

/* Replays a trace.  TABIA_OK: the machine plays as the trace says; TABIA_FAULTY: it does not, or
   has failed; TABIA_UNREADABLE: the text is not a trace; TABIA_LIMIT: not all of it was
   replayed. */
TABIA_API tabia_status tabia_comparison_replay(tabia_comparison *c, const tabia_machine *m,
                                               const char *trace, size_t length,
                                               const tabia_limits *limits, tabia_messages *log);

/* Settings of tabia_comparison_run. */
TABIA_API void tabia_comparison_set_seed(tabia_comparison *c, uint64_t seed);   /* default: 1 */
TABIA_API void tabia_comparison_set_games(tabia_comparison *c, uint64_t games); /* default: 10 */
/* The number of states to compare, in as many games as that takes; 0, the default: the number of
   games decides. */
TABIA_API void tabia_comparison_set_states(tabia_comparison *c, uint64_t states);
TABIA_API void tabia_comparison_set_max_steps(tabia_comparison *c,
                                              uint64_t steps); /* default: 1000 */
TABIA_API void tabia_comparison_set_ignore_terminal(tabia_comparison *c, bool ignore);

/* Plays these games on two machines of one game in parallel, and compares every state in full.
   TABIA_FAULTY: they differ, or one has failed; a message says how. */
TABIA_API tabia_status tabia_comparison_run(tabia_comparison *c, const tabia_machine *trusted,
                                            const tabia_machine *other, const tabia_limits *limits,
                                            tabia_messages *log);

TABIA_API uint64_t tabia_comparison_games(const tabia_comparison *c);  /* compared to their end */
TABIA_API uint64_t tabia_comparison_states(const tabia_comparison *c); /* that agreed */
/* The first difference: the moves that lead to it, then "-" before what was expected and "+" before
   what was found; or what is wrong with a trace.  NULL: there is none. */
TABIA_API const char *tabia_comparison_difference(const tabia_comparison *c);

#ifdef __cplusplus
}
#endif

#endif
