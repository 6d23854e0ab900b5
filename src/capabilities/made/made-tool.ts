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
  /** The methods of its context that it may call, such as `files.readText`. */
  readonly permissions: readonly string[];
  readonly examples: readonly MadeExample[];
  readonly timeoutMs?: number;
}

export const madeLanguages = ["javascript", "typescript", "shell"] as const;

type MadeLanguage = (typeof madeLanguages)[number];

interface MadeExample {
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: unknown;
  /** The answers of its context in this example, by the method that it calls. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Gives the hash of a tool's content, whatever the order of the members in its file. */
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

/** Names a version for the command line and for rules. */
export function idOf(name: string, hash: string): string {
  return `${name}@${shownHash(hash)}`;
}

/**
 * The methods that a made tool may ask for, with their weight: `reads` changes nothing, `files` changes only files,
 * `acts` may do more. Each use is judged again. Their arguments and results travel as JSON.
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
