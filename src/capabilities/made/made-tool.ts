import { sha256, shownHash } from "../../shared/crypto.ts";
import { canonicalJson } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";

/** A tool that an agent has made: everything that is approved, and nothing else. */
export interface MadeTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly language: MadeLanguage;
  readonly code: string;
  /** What it may use of its context, such as `files.readText`. */
  readonly permissions: readonly string[];
  readonly examples: readonly MadeExample[];
  readonly timeoutMs?: number;
}

export const madeLanguages = ["javascript", "typescript", "shell"] as const;

type MadeLanguage = (typeof madeLanguages)[number];

interface MadeExample {
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: unknown;
  /** What its context answers in this example, by what it uses of it. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** The same for the same content, in any order of the file. */
export function hashOf({
  name,
  description,
  input,
  language,
  code,
  permissions,
  examples,
  timeoutMs,
}: MadeTool): string {
  const content = { name, description, input, language, code, permissions, examples };
  return sha256(canonicalJson(timeoutMs === undefined ? content : { ...content, timeoutMs }));
}

/** How a version is named on the command line and in rules. */
export function idOf(name: string, hash: string): string {
  return `${name}@${shownHash(hash)}`;
}

/**
 * What a made tool may ask for, and the weight of it: `reads` changes nothing, `files` changes nothing but files, `acts` may
 * do more. Whatever it asks for is judged again when it is used. Only what travels as JSON.
 */
export const grants: ReadonlyMap<string, "reads" | "files" | "acts"> = new Map([
  ["files.readText", "reads"],
  ["files.readLines", "reads"],
  ["files.list", "reads"],
  ["search.glob", "reads"],
  ["search.grep", "reads"],
  ["search.grepFiles", "reads"],
  ["files.writeText", "files"],
  ["files.editTexts", "files"],
  ["files.remove", "files"],
  ["files.makeDirectory", "files"],
  ["files.move", "files"],
  ["files.copy", "files"],
  ["web.read", "acts"],
  ["web.search", "acts"],
  ["processes.run", "acts"],
]);
