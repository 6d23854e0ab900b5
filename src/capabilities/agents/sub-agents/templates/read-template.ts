import { isPlainName, plainNameRule, readDescription } from "../../../../kernel/definitions/index.ts";
import { type Mode, modes } from "../../../../kernel/policy/index.ts";
import { DocumentError } from "../../../../shared/front-matter/document-error.ts";
import {
  type FrontMatter,
  type FrontMatterField,
  readFrontMatter,
} from "../../../../shared/front-matter/read-front-matter.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { knownKeys, value } from "../../../../shared/options/known-keys.ts";
import { findUnknownKey } from "../../../../shared/options/refuse-unknown-keys.ts";
import type { AgentTemplate } from "./agent-template.ts";

/**
 * Reads a template from a file in our format or Claude Code's. Files of the workspace are not trusted, and a limit in
 * one is meant: a limit that cannot be read is an error, never ignored.
 */
export async function readTemplate(
  text: string,
  { name, path }: { readonly name: string; readonly path: string },
): Promise<AgentTemplate> {
  refuseInvisible(text);
  const matter = await readFrontMatter(text);
  refuseMisspelled(matter);
  // Other programs' files have their own fields.
  if (path.startsWith(".toolwright/")) refuseUnknown(matter);
  const { fields } = matter;
  const given = defined({
    tools: readToolNames("tools", fields.get("tools")),
    disallowedTools: readToolNames("disallowedTools", fields.get("disallowedTools")),
    model: readModel(textOf("model", matter)),
    maxSteps: leastOf(["maxSteps", "maxTurns"].map((key) => readCount(key, textOf(key, matter)))),
    mode: readMode(textOf("mode", matter)),
    system: matter.body.trim() || undefined,
  });
  const named = readName(textOf("name", matter)) ?? name;
  return { name: named, description: readDescription(matter), ...given };
}

/** A person who reads the file must see everything that the model will read. */
function refuseInvisible(text: string): void {
  const at = text.search(invisible);
  if (at === -1) return;
  const line = text.slice(0, at).split(/\r\n|\r|\n/).length;
  const code = text.codePointAt(at)!.toString(16).toUpperCase().padStart(4, "0");
  throw new DocumentError(line, `contains the invisible character U+${code}; remove it`);
}

// Control characters except tabs and line breaks, bidirectional controls, and tag characters. Joiners are allowed,
// because many languages need them.
const invisible = /(?![\n\r\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

function refuseUnknown({ fields }: FrontMatter): void {
  for (const [key, { line }] of fields) {
    const problem = findUnknownKey({ [key]: true }, fieldKeys);
    if (problem !== undefined) throw new DocumentError(line, problem);
  }
}

export const fieldKeys = knownKeys<TemplateFields>({
  name: value,
  description: value,
  tools: value,
  disallowedTools: value,
  model: value,
  maxSteps: value,
  maxTurns: value,
  mode: value,
});

interface TemplateFields extends Omit<AgentTemplate, "system" | "agents"> {
  /** The name for `maxSteps` in Claude Code's files. */
  readonly maxTurns?: number;
}

/** A misspelled field could be a restriction that is silently ignored; all other unknown fields are fine. */
function refuseMisspelled({ fields }: FrontMatter): void {
  for (const [key, { line }] of fields) {
    const meant = spellings.get(key.toLowerCase().replace(/[^a-z]/g, ""));
    if (meant !== undefined && meant !== key)
      throw new DocumentError(line, `unknown field ${key}; write ${meant}`);
  }
}

const spellings = new Map([
  ...Object.keys(fieldKeys.keys).map((key) => [key.toLowerCase(), key] as const),
  ["tool", "tools"],
  ["allowedtools", "tools"],
  ["disallowedtool", "disallowedTools"],
]);

type TextField = Extract<FrontMatterField, { kind: "text" }>;

/** A field without a value counts as absent. */
function textOf(key: string, { fields }: FrontMatter): TextField | undefined {
  const field = fields.get(key);
  if (field === undefined) return undefined;
  if (field.kind !== "text") throw new DocumentError(field.line, `${key} must be a string; put it in quotes`);
  return field.text === "" ? undefined : field;
}

function readName(field: TextField | undefined): string | undefined {
  if (field === undefined || isPlainName(field.text)) return field?.text;
  throw new DocumentError(field.line, `the name ${plainNameRule}`);
}

/** A name without a provider, such as `sonnet`, is unknown here, so the parent's model is used. */
function readModel(field: TextField | undefined): string | undefined {
  if (field === undefined || !field.text.includes("/")) return undefined;
  const { text, line } = field;
  if (!/^[\w.-]+\/[\w./:@+-]+$/.test(text))
    throw new DocumentError(line, "the model must be a name such as anthropic/<model>, or inherit");
  // A script could be any file on this machine, and its content would be revealed.
  if (text.startsWith("scripted/"))
    throw new DocumentError(line, "scripted models can only be set in code; leave the model out");
  return text;
}

function readCount(key: string, field: TextField | undefined): number | undefined {
  if (field === undefined) return undefined;
  const count = Number(field.text);
  if (/^\d+$/.test(field.text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw new DocumentError(field.line, `${key} must be a whole number of at least 1`);
}

function leastOf(counts: readonly (number | undefined)[]): number | undefined {
  const given = counts.filter((count) => count !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
}

function readMode(field: TextField | undefined): Mode | undefined {
  if (field === undefined) return undefined;
  const mode = modes.find((each) => each === field.text);
  if (mode !== undefined) return mode;
  throw new DocumentError(field.line, `the mode must be one of ${modes.join(", ")}`);
}

/** Names and patterns of tools, as a list or separated by commas; whether such tools exist is not checked. */
function readToolNames(key: string, field: FrontMatterField | undefined): readonly string[] | undefined {
  if (field === undefined) return undefined;
  if (field.kind === "nested")
    throw new DocumentError(field.line, `${key} must be a list of names, or names separated by commas`);
  const texts = field.kind === "list" ? field.items : splitOutsideBrackets(field.text);
  const names = [...new Set(texts.map((text) => text.trim()).filter((name) => name !== ""))];
  // An empty value could mean all tools or none.
  if (names.length === 0 && !(field.kind === "list" && field.items.length === 0))
    throw new DocumentError(field.line, `${key} is empty; leave it out, or write [] for none`);
  if (names.length > maxNames) throw new DocumentError(field.line, `${key} has more than ${maxNames} names`);
  const odd = names.find((name) => !isToolText(name));
  if (odd === undefined) return names;
  throw new DocumentError(field.line, `${key}: ${JSON.stringify(odd)} is not a tool name or pattern`);
}

/** `Bash(git log, git diff)` is one piece. */
function splitOutsideBrackets(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if ((character === "," && depth === 0) || character === "\n") {
      pieces.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...pieces, text.slice(start)];
}

// Bounds the work of matching names from an untrusted file against all tools.
const maxNames = 500;
const maxNameCharacters = 1000;

/** No invisible characters, and balanced brackets. */
function isToolText(text: string): boolean {
  if (text.length > maxNameCharacters) return false;
  return /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}()]+(?:\([^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\))?$/u.test(text);
}
