// The editor's looks.  It stands in a shadow root, where its own style sheets are adopted ones: the page's policy allows
// no inline styles.  Colours come from the page by custom properties.

import { EditorView } from "@codemirror/view";

export const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--text)", paddingBlock: "0.75rem" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--active-line)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--active-line)", color: "var(--text)" },
  "&.cm-focused .cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection": {
    backgroundColor: "var(--selection)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--selection)",
    outline: "1px solid var(--accent)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    boxShadow: "var(--shadow)",
    fontFamily: "var(--sans)",
    maxWidth: "34rem",
    overflow: "hidden",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-diagnostic": { padding: "0.5rem 0.75rem", borderLeft: "4px solid", whiteSpace: "pre-line" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    borderRadius: "6px",
    padding: "0.2rem 0.6rem",
    font: "inherit",
    marginInlineStart: "0.5rem",
    cursor: "pointer",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1.5px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1.5px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
  // The markers of the gutter are data: images, which the page's policy does not allow.
  ".cm-lint-marker": { width: "0.5rem", height: "0.5rem", borderRadius: "50%", marginTop: "0.45rem" },
  ".cm-lint-marker-error": { content: "none", backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { content: "none", backgroundColor: "var(--warn)" },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-textfield": { backgroundColor: "var(--surface)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".hover-text": { padding: "0.5rem 0.75rem", maxHeight: "16rem", overflow: "auto" },
  ".hover-text p": { margin: "0 0 0.35rem", whiteSpace: "pre-line" },
  ".hover-text code": { fontFamily: "var(--mono)" },
  ".cm-completionInfo": { padding: "0.4rem 0.6rem", maxWidth: "20rem" },
  ".cm-searchMatch": { backgroundColor: "var(--mark)" },
});
