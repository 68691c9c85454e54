// The editor of the page: there is one, made when the page is first drawn.

import type { RulesEditor } from "./editor";

let editor: RulesEditor | null = null;

export const setEditor = (made: RulesEditor): void => {
  editor = made;
};

export const withEditor = (act: (editor: RulesEditor) => void): void => {
  if (editor) act(editor);
};

export const currentEditor = (): RulesEditor | null => editor;
