import { readJsonString } from "./read-json-string.ts";

export interface RepairedJson {
  /** `whole`: all of it is there. `cut`: a beginning of JSON, closed where it ends. `broken`: no JSON. */
  readonly state: "whole" | "cut" | "broken";
  /** JSON; empty where nothing is there yet or nothing can be made of it. */
  readonly text: string;
}

/**
 * Mends what models get wrong in JSON without a doubt about the meaning: a code fence around it, commas before a closing
 * bracket, line breaks and tabs inside strings. Everything else that is no JSON stays broken.
 * Of a text that is cut off it keeps what is certain: a string as far as it goes, but no number that may go on and no
 * name without a value.
 */
export function repairJson(given: string): RepairedJson {
  const text = withoutFence(given);
  const open: Frame[] = [];
  let root = "value" as Phase;
  let output = "";
  // How much of the output is JSON once the open brackets are closed.
  let certain = 0;
  let position = 0;

  const cut = (): RepairedJson => ({ state: "cut", text: closeAll(output.slice(0, certain), open) });
  const finishValue = () => {
    const frame = open.at(-1);
    if (frame === undefined) root = "after";
    else frame.phase = "after";
    certain = output.length;
  };

  while (true) {
    position = skipSpace(text, position);
    const next = text[position];
    const frame = open.at(-1);
    if (next === undefined) return root === "after" ? { state: "whole", text: output } : cut();
    const phase = frame?.phase ?? root;

    if (frame !== undefined && next === frame.close && phase !== "colon" && phase !== "value") {
      output += next;
      open.pop();
      finishValue();
      position += 1;
    } else if (phase === "after") {
      if (frame === undefined || next !== ",") return broken;
      frame.phase = "next";
      position += 1;
    } else if (phase === "colon") {
      if (next !== ":") return broken;
      output += next;
      frame!.phase = "value";
      position += 1;
    } else {
      if (phase === "next") output += ",";
      const isName = frame?.close === "}" && phase !== "value";
      if (next === '"') {
        const string = readJsonString(text, position);
        if (string.state === "broken") return broken;
        if (string.state === "cut" && isName) return cut();
        output += string.json;
        if (string.state === "cut") return { state: "cut", text: closeAll(output, open) };
        position = string.end;
        if (isName) frame!.phase = "colon";
        else finishValue();
      } else if (isName) return broken;
      else if (next === "{" || next === "[") {
        if (open.length >= maxDepth) return broken;
        output += next;
        open.push({ close: next === "{" ? "}" : "]", phase: "first" });
        certain = output.length;
        position += 1;
      } else {
        const word = readWord(text, position);
        if (word === undefined) return broken;
        const isLast = position + word.length === text.length;
        const isOpenEnded = frame !== undefined && isLast && !isLiteral(word);
        if (isOpenEnded || !isScalar(word)) return isLast && canBecomeScalar(word) ? cut() : broken;
        output += word;
        position += word.length;
        finishValue();
      }
    }
  }
}

/** What comes next in a bracket: `first` its first item, `next` another one, `value` what a name stands for. */
type Phase = "first" | "next" | "colon" | "value" | "after";

interface Frame {
  readonly close: "}" | "]";
  phase: Phase;
}

const broken: RepairedJson = { state: "broken", text: "" };

/** Deeper than any tool's input may be. */
const maxDepth = 100;

/** A fence around the whole, which may itself be cut off. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith("```")) return trimmed;
  const [, body = ""] = /^```[a-z0-9]*\s*(.*)$/is.exec(trimmed) ?? [];
  return body.endsWith("```") ? body.slice(0, -3) : body;
}

function closeAll(text: string, open: readonly Frame[]): string {
  return (
    text +
    open
      .map(({ close }) => close)
      .reverse()
      .join("")
  );
}

function skipSpace(text: string, start: number): number {
  let position = start;
  while (" \t\n\r".includes(text[position] ?? "x")) position += 1;
  return position;
}

function readWord(text: string, position: number): string | undefined {
  const word = /[-+.\w]+/y;
  word.lastIndex = position;
  return word.exec(text)?.[0];
}

const literals = ["true", "false", "null"];

function isLiteral(word: string): boolean {
  return literals.includes(word);
}

function isScalar(word: string): boolean {
  return isLiteral(word) || /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(word);
}

function canBecomeScalar(word: string): boolean {
  if (literals.some((literal) => literal.startsWith(word))) return true;
  return /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?)?$|^-?(?:0|[1-9]\d*)(?:\.\d+)?[eE][-+]?\d*$/.test(word);
}
