import { canonicalJson } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { sha256, shownHash } from "../../shared/sha256.ts";

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

/** The same for the same content, whoever wrote the file and in whatever order. */
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
