import { readJsonString } from "./read-json-string.ts";

export interface JsonToken {
  readonly type: "{" | "}" | "[" | "]" | "," | ":" | "string" | "scalar";
  readonly json: string;
  /** `open-ended`: a number at the very end of the text, which may get more digits. */
  readonly state: "whole" | "open-ended" | "cut" | "broken";
  readonly end: number;
}

/** The tokens of a JSON text, up to and including the first incomplete one. */
export function* readJsonTokens(text: string): Generator<JsonToken, void, void> {
  let position = skipSpace(text, 0);
  while (position < text.length) {
    const token = readToken(text, position);
    yield token;
    if (token.state !== "whole") return;
    position = skipSpace(text, token.end);
  }
}

function skipSpace(text: string, start: number): number {
  let position = start;
  while (" \t\n\r".includes(text[position] ?? "x")) position += 1;
  return position;
}

function readToken(text: string, position: number): JsonToken {
  const next = text[position]!;
  if (isMark(next)) return { type: next, json: next, state: "whole", end: position + 1 };
  if (next === '"') return { type: "string", ...readJsonString(text, position) };
  const word = readWord(text, position);
  const end = position + word.length;
  return { type: "scalar", json: word, state: judgeWord(word, end === text.length), end };
}

function isMark(character: string): character is "{" | "}" | "[" | "]" | "," | ":" {
  return "{}[],:".includes(character);
}

function readWord(text: string, position: number): string {
  const word = /[-+.\w]+/y;
  word.lastIndex = position;
  return word.exec(text)?.[0] ?? "";
}

function judgeWord(word: string, isLast: boolean): JsonToken["state"] {
  if (literals.includes(word)) return "whole";
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(word)) return isLast ? "open-ended" : "whole";
  return isLast && word !== "" && canBecomeScalar(word) ? "cut" : "broken";
}

const literals = ["true", "false", "null"];

function canBecomeScalar(word: string): boolean {
  if (literals.some((literal) => literal.startsWith(word))) return true;
  return /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?)?$|^-?(?:0|[1-9]\d*)(?:\.\d+)?[eE][-+]?\d*$/.test(word);
}
