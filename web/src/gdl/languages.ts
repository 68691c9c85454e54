// Highlighting of both notations.

import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { StreamParser, StringStream } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { keywords, type Notation } from "./notation";

const isKeyword = new Set(keywords);

interface KifState {
  atHead: boolean; // a name that comes now is that of a relation or function
}

const kif: StreamParser<KifState> = {
  name: "kif",
  startState: () => ({ atHead: false }),
  token(stream, state) {
    if (stream.eatSpace()) return null;
    if (stream.peek() === ";") return comment(stream);
    if (stream.eat("(")) {
      state.atHead = true;
      return "paren";
    }
    const wasHead = state.atHead;
    state.atHead = false;
    if (stream.eat(")")) return "paren";
    if (!stream.match(/^[^\s();]+/)) return stream.next() ? null : null;
    return kifWord(stream.current().toLowerCase(), wasHead);
  },
  languageData: { commentTokens: { line: ";" }, closeBrackets: { brackets: ["("] } },
  tokenTable: {},
};

function kifWord(word: string, wasHead: boolean): string {
  if (word === "<=") return "operatorKeyword";
  if (word.startsWith("?")) return "variableName";
  if (isKeyword.has(word)) return "keyword";
  if (/^\d+$/.test(word)) return "number";
  return wasHead ? "typeName" : "atom";
}

function comment(stream: StringStream): string {
  stream.skipToEnd();
  return "comment";
}

const prolog: StreamParser<unknown> = {
  name: "prolog",
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.peek() === "%") return comment(stream);
    if (stream.match(/^(:-|<=|\\\+|~|&|\||==?|\\=)/)) return "operatorKeyword";
    if (stream.match(/^[(),.]/)) return "paren";
    if (stream.match(/^'[^']*'/)) return "atom";
    if (stream.match(/^\d+/)) return "number";
    if (stream.match(/^[A-Z_?]\w*/)) return "variableName";
    if (stream.match(/^[a-z][\w]*/)) return prologWord(stream);
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "%" }, closeBrackets: { brackets: ["(", "'"] } },
};

function prologWord(stream: StringStream): string {
  if (isKeyword.has(stream.current())) return "keyword";
  return stream.peek() === "(" ? "typeName" : "atom";
}

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: tags.operatorKeyword, color: "var(--code-operator)", fontWeight: "600" },
  { tag: tags.variableName, color: "var(--code-variable)" },
  { tag: tags.typeName, color: "var(--code-relation)" },
  { tag: tags.atom, color: "var(--text)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.paren, color: "var(--code-paren)" },
]);

const languages: Record<Notation, StreamLanguage<unknown>> = {
  kif: StreamLanguage.define(kif) as StreamLanguage<unknown>,
  prolog: StreamLanguage.define(prolog),
};

export const languageOf = (notation: Notation): LanguageSupport => new LanguageSupport(languages[notation]);
export const highlighting = syntaxHighlighting(style);
