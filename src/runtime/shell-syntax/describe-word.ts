import type { Word } from "./shell-script.ts";
import { showHidden } from "./show-hidden.ts";

/** A word for somebody to read: such that it cannot pass for two, nor for another, nor hide anything. */
export function describeWord(word: Word): string {
  switch (word.kind) {
    case "literal":
    case "variable":
      return quote(word.text);
    case "glob":
      return showLine(word.pattern);
    case "dynamic":
      return `${showLine(word.source)} (${word.why})`;
  }
}

function quote(text: string): string {
  const shown = showLine(text);
  const isPlain = /^[\w@%+=:,./-]+$/.test(shown);
  return isPlain ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}

function showLine(text: string): string {
  return showHidden(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
