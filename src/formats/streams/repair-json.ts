export interface RepairedJson {
  /** `whole`: complete. `cut`: the beginning of a JSON text, with its brackets closed. `broken`: not JSON. */
  readonly state: "whole" | "cut" | "broken";
  /** Valid JSON; empty if there is nothing yet or it cannot be repaired. */
  readonly text: string;
}

/**
 * Repairs models' mistakes in JSON that leave no doubt about the meaning: a code fence around it, trailing commas, line
 * breaks and tabs inside strings. Any other invalid JSON is broken.
 * Of a text that is cut off, keeps all that is certain: the beginning of a string, but no number that may continue and no name
 * without a value.
 */
export function repairJson(given: string): RepairedJson {
  const root: Frame = { phase: "value" };
  const writing: Writing = { root, open: [], output: "", certain: 0 };
  for (const token of readJsonTokens(withoutFence(given))) {
    if (token.state === "broken" || !fits(token, innermost(writing))) return broken;
    if (token.state === "cut" || (token.state === "open-ended" && writing.open.length > 0)) {
      return cutOff(writing, token);
    }
    if (writing.open.length > maxDepth) return broken;
    writeToken(writing, token);
  }
  return root.phase === "after" ? { state: "whole", text: writing.output } : cutOff(writing);
}

/** What comes next within a bracket: `first` its first item, `next` another one, `value` the value of a name. */
interface Frame {
  readonly close?: "}" | "]";
  phase: "first" | "next" | "colon" | "value" | "after";
}

interface Writing {
  readonly root: Frame;
  readonly open: Frame[];
  output: string;
  /** Length of the output that is valid JSON once the open brackets are closed. */
  certain: number;
}

const broken: RepairedJson = { state: "broken", text: "" };

/** Deeper than any tool's input may be. */
const maxDepth = 100;

/** Removes a code fence around the whole text, which may itself be cut off. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith("```")) return trimmed;
  const [, body = ""] = /^```[a-z0-9]*\s*(.*)$/is.exec(trimmed) ?? [];
  return body.endsWith("```") ? body.slice(0, -3) : body;
}

function innermost({ open, root }: Writing): Frame {
  return open.at(-1) ?? root;
}

function fits({ type }: JsonToken, frame: Frame): boolean {
  const { phase, close } = frame;
  if (phase === "colon") return type === ":";
  if (phase === "after") return close !== undefined && (type === "," || type === close);
  if (type === close && phase !== "value") return true;
  return isName(frame) ? type === "string" : ["string", "scalar", "{", "["].includes(type);
}

function isName({ phase, close }: Frame): boolean {
  return close === "}" && phase !== "value";
}

function writeToken(writing: Writing, { type, json }: JsonToken): void {
  const frame = innermost(writing);
  // Written only when an item follows, which drops trailing commas.
  if (type === ",") {
    frame.phase = "next";
    return;
  }
  if (frame.phase === "next" && type !== frame.close) writing.output += ",";
  writing.output += json;
  if (type === ":") frame.phase = "value";
  else if (type === "string" && isName(frame)) frame.phase = "colon";
  else if (type === "{" || type === "[") {
    writing.open.push({ close: type === "{" ? "}" : "]", phase: "first" });
    writing.certain = writing.output.length;
  } else {
    if (type === frame.close) writing.open.pop();
    innermost(writing).phase = "after";
    writing.certain = writing.output.length;
  }
}

/** The certain part, and the beginning of a string value. */
function cutOff(writing: Writing, token?: JsonToken): RepairedJson {
  const frame = innermost(writing);
  const { open, output, certain } = writing;
  const comma = frame.phase === "next" ? "," : "";
  const isBeginning = token?.type === "string" && !isName(frame);
  const text = isBeginning ? output + comma + token.json : output.slice(0, certain);
  const closings = open.map(({ close }) => close);
  return { state: "cut", text: text + closings.reverse().join("") };
}

interface JsonToken {
  readonly type: "{" | "}" | "[" | "]" | "," | ":" | "string" | "scalar";
  readonly json: string;
  /** `open-ended`: a number at the very end of the text, which may get more digits. */
  readonly state: "whole" | "open-ended" | "cut" | "broken";
  readonly end: number;
}

/** The tokens of a JSON text, up to and including the first incomplete one. */
function* readJsonTokens(text: string): Generator<JsonToken, void, void> {
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

/**
 * Reads the string that starts at a quotation mark, and escapes line breaks and other control characters in it. A string that
 * is cut off is closed where it ends.
 */
function readJsonString(text: string, start: number): Omit<JsonToken, "type"> {
  // In pieces, because a single match of any length would overflow the stack.
  const proper = /(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,4096}/y;
  let json = '"';
  let position = start + 1;
  while (position < text.length) {
    proper.lastIndex = position;
    const [piece] = proper.exec(text) ?? [];
    if (piece !== undefined) {
      json += piece.replace(controls, escapeRun);
      position += piece.length;
      continue;
    }
    const next = text[position]!;
    if (next === '"') return { state: "whole", json: `${json}"`, end: position + 1 };
    const state = /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(text.slice(position, position + 6)) ? "cut" : "broken";
    return { state, json: `${withoutHalfPair(json)}"`, end: text.length };
  }
  return { state: "cut", json: `${withoutHalfPair(json)}"`, end: position };
}

const controls = /[\u0000-\u001f]+/g;

function escapeRun(run: string): string {
  return JSON.stringify(run).slice(1, -1);
}

/** Drops a lone high surrogate at the end, whose other half is yet to come. */
function withoutHalfPair(json: string): string {
  const end = json.slice(-escapeCharacters);
  if (/[\uD800-\uDBFF]$/.test(end)) return json.slice(0, -1);
  if (!/^\\u[dD][89abAB][0-9a-fA-F]{2}$/.test(end)) return json;
  // After an escaped backslash, these are ordinary characters and not an escape.
  let slashes = 1;
  while (json.at(-escapeCharacters - slashes) === "\\") slashes += 1;
  return slashes % 2 === 1 ? json.slice(0, -escapeCharacters) : json;
}

const escapeCharacters = 6;
