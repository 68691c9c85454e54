/* Names of any bytes, for tests of what prints and reads them. */
#ifndef TABIA_READ_ANY_NAME_FIXTURE_H
#define TABIA_READ_ANY_NAME_FIXTURE_H

#include "base/rng.h"
#include "read/symbol.h"

static inline slice hard_name(uint32_t i) {
#define HARD_NAME(bytes) \
  { bytes, sizeof bytes - 1 }
  static const slice all[] = {
      HARD_NAME("a b"),
      HARD_NAME(" "),
      HARD_NAME("("),
      HARD_NAME(")"),
      HARD_NAME(";"),
      HARD_NAME("|"),
      HARD_NAME("#|"),
      HARD_NAME("|#"),
      HARD_NAME("#|a|#"),
      HARD_NAME("\\"),
      HARD_NAME("\\\\"),
      HARD_NAME("a\\ b"),
      HARD_NAME("?x"),
      HARD_NAME("?"),
      HARD_NAME("\\?x"),
      HARD_NAME("?x y"),
      HARD_NAME("."),
      HARD_NAME(".."),
      HARD_NAME("1.5"),
      HARD_NAME("-1"),
      HARD_NAME("'"),
      HARD_NAME("''"),
      HARD_NAME("it's"),
      HARD_NAME("\""),
      HARD_NAME("\"a b\""),
      HARD_NAME("|a b|"),
      HARD_NAME("not"),
      HARD_NAME("AND"),
      HARD_NAME("oR"),
      HARD_NAME("<="),
      HARD_NAME(":-"),
      HARD_NAME("true"),
      HARD_NAME("DOES"),
      HARD_NAME("role"),
      HARD_NAME("Upper"),
      HARD_NAME("camelCase"),
      HARD_NAME("_"),
      HARD_NAME("_1"),
      HARD_NAME("X"),
      HARD_NAME("%"),
      HARD_NAME("/*"),
      HARD_NAME("*/"),
      HARD_NAME("\n"),
      HARD_NAME("a\nb"),
      HARD_NAME("\t"),
      HARD_NAME("\r\n"),
      HARD_NAME("\0"),
      HARD_NAME("a\0b"),
      HARD_NAME("\x7f"),
      HARD_NAME("\x1b[1m"),
      HARD_NAME("\x80"),
      HARD_NAME("\xff\xfe"),
      HARD_NAME("\xc3"),
      HARD_NAME("\xc3\xa9"),
      HARD_NAME("\xe9"),
      HARD_NAME("\xc2\xa0"),
      HARD_NAME("\xef\xbb\xbf"),
      HARD_NAME("\xed\xa0\x80"),
      HARD_NAME("\\x41\\"),
      HARD_NAME("x41\\"),
      HARD_NAME("\\x41"),
      HARD_NAME("a\\x"),
      HARD_NAME("n++"),
      HARD_NAME("a-b"),
      HARD_NAME("a--b"),
      HARD_NAME("a->b"),
      HARD_NAME("~"),
      HARD_NAME("&lt;"),
      HARD_NAME("g x y"),
      HARD_NAME("f(a,b)"),
      HARD_NAME("a."),
      HARD_NAME(","),
  };
#undef HARD_NAME
  const uint32_t count = sizeof all / sizeof *all;
  return i < count ? all[i] : (slice){NULL, 0};
}

/* One of the hard names, or up to six bytes, most of which mean something to a reader. */
static inline slice any_name(rng *r, char *room) {
  static const char signs[] = " ()\\'\"?;|#.,:-<=_%/*&~x41aA0\n\xc3\xa9\x80";
  const slice hard = hard_name(rng_below(r, 256));
  if (hard.length) return hard;
  const uint32_t length = 1 + rng_below(r, 6);
  for (uint32_t i = 0; i < length; i++)
    room[i] = rng_below(r, 3) ? signs[rng_below(r, sizeof signs - 1)] : (char)rng_below(r, 256);
  return (slice){room, length};
}

#endif
