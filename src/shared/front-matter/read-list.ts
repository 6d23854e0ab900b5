import { DocumentError } from "./document-error.ts";
import { readQuoted } from "./read-quoted.ts";
import { withoutComment } from "./without-comment.ts";

/** The texts of `[a, "b"]`; nothing where it holds anything but texts. */
export function readFlowList(text: string): readonly string[] | undefined {
  if (!text.startsWith("[") || !text.endsWith("]")) return undefined;
  const pieces = splitOutsideQuotes(text.slice(1, -1)).map((piece) => piece.trim());
  // A comma may stand behind the last.
  if (pieces.at(-1) === "") pieces.pop();
  return readItems(pieces, /[[\]{}"']/);
}

/** The texts of lines `- a`; nothing where they hold anything but texts. */
export function readBlockList(lines: readonly string[]): readonly string[] | undefined {
  const [indent = ""] = /^ */.exec(lines[0] ?? "") ?? [];
  const isItem = (line: string) => line.startsWith(`${indent}- `);
  if (!lines.every(isItem)) return undefined;
  return readItems(lines.map((line) => line.slice(indent.length + 2).trim()));
}

function splitOutsideQuotes(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let quote = "";
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (quote !== "") {
      if (character === "\\" && quote === '"') index += 1;
      else if (character === quote) quote = "";
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === ",") {
      pieces.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...pieces, text.slice(start)];
}

function readItems(texts: readonly string[], forbidden?: RegExp): readonly string[] | undefined {
  const items: string[] = [];
  for (const text of texts) {
    const item = /^["']/.test(text) ? readQuotedItem(text) : readPlainItem(text, forbidden);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function readQuotedItem(text: string): string | undefined {
  try {
    return readQuoted(text, 1);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

/** What would be a value of another kind, or mean something else, is no text. */
function readPlainItem(text: string, forbidden?: RegExp): string | undefined {
  const item = withoutComment(text);
  const isOther = item === "" || /^(?:[[\]{}&*!%@`|>]|[-?:](?:\s|$))|:(?:\s|$)/.test(item);
  return isOther || forbidden?.test(item) ? undefined : item;
}
