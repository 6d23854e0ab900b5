import { readFile, stat } from "node:fs/promises";
import { updateOwnFile } from "../../../machine/locks/index.ts";
import { sha256 } from "../../../shared/crypto.ts";
import { closeSchema } from "../../../shared/json-schema/close-schema.ts";
import { compileSchema } from "../../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { findRepeatedKey } from "../../../shared/options/find-repeated-key.ts";
import { type Mode, modes } from "../decide.ts";
import { eachList, type RuleList } from "../rules/rule.ts";

/** A policy file as it was written: rules with their lines, and their tests. */
export interface PolicyFile extends Record<RuleList, readonly PolicyRule[]> {
  readonly path: string;
  /** The hash of the whole text: a user trusts exactly this text. */
  readonly hash: string;
  /** The mode of sessions that are opened without one. */
  readonly mode?: Mode | undefined;
  /** The widest mode that any session may have. */
  readonly maxMode?: Mode | undefined;
  readonly tests: readonly PolicyTest[];
}

export interface PolicyRule {
  readonly text: string;
  readonly line: number;
  /** Commands or paths, or whole calls, that the rule is about, and others that it is not. */
  readonly examples?: RuleExamples | undefined;
}

interface RuleExamples {
  readonly match?: readonly PolicyExample[];
  readonly not?: readonly PolicyExample[];
}

export type PolicyExample = string | { readonly tool: string; readonly input?: unknown };

/** A call, and the decision that the whole policy should come to. */
interface PolicyTest {
  readonly tool: string;
  readonly input?: unknown;
  readonly expect: "allow" | "ask" | "deny";
  readonly mode?: Mode;
  readonly line: number;
}

/** A policy file that cannot be used, with the place of the problem in its message. */
export class PolicyFileError extends Error {
  override readonly name = "PolicyFileError";
}

/** Reads and checks a policy file; undefined if there is none. */
export async function readPolicyFile(path: string): Promise<PolicyFile | undefined> {
  const text = await readText(path);
  return text === undefined ? undefined : parsePolicyFile(text, path);
}

export function parsePolicyFile(text: string, path: string): PolicyFile {
  const validation = compileSchema(closeSchema(policySchema))(parseJson(text, path));
  if (!validation.ok) {
    const problems = validation.issues.map(({ message }) => message).join("; ");
    throw new PolicyFileError(`${path}: ${problems}`);
  }
  const { mode, maxMode, tests = [], ...lists } = validation.value as WrittenPolicy;
  const nextLine = createLineFinder(text);
  const rulesOf = (list: RuleList) =>
    (lists[list] ?? []).map((written): PolicyRule => {
      const rule = typeof written === "string" ? { rule: written } : written;
      return { text: rule.rule, line: nextLine(rule.rule), examples: rule.examples };
    });
  return {
    path,
    hash: sha256(text),
    ...{ mode, maxMode },
    ...eachList(rulesOf),
    tests: tests.map((test) => ({ ...test, line: nextLine(test.tool) })),
  };
}

interface WrittenPolicy extends Partial<Record<RuleList, readonly (string | WrittenRule)[]>> {
  readonly mode?: Mode;
  readonly maxMode?: Mode;
  readonly tests?: readonly Omit<PolicyTest, "line">[];
}

interface WrittenRule {
  readonly rule: string;
  readonly examples?: RuleExamples;
}

const someText: JsonSchema = { type: "string", minLength: 1 };
const anything: JsonSchema = { type: "object", additionalProperties: true };
const examples: JsonSchema = {
  type: "array",
  items: {
    anyOf: [
      someText,
      { type: "object", properties: { tool: someText, input: anything }, required: ["tool"] },
    ],
  },
};
const rules: JsonSchema = {
  type: "array",
  items: {
    anyOf: [
      someText,
      {
        type: "object",
        properties: {
          rule: someText,
          examples: { type: "object", properties: { match: examples, not: examples } },
        },
        required: ["rule"],
      },
    ],
  },
};

const policySchema: JsonSchema = {
  type: "object",
  properties: {
    $schema: { type: "string" },
    mode: { enum: modes },
    maxMode: { enum: modes },
    allow: rules,
    ask: rules,
    deny: rules,
    tests: {
      type: "array",
      items: {
        type: "object",
        properties: {
          tool: someText,
          input: anything,
          expect: { enum: ["allow", "ask", "deny"] },
          mode: { enum: modes },
        },
        required: ["tool", "expect"],
      },
    },
  },
};

const maxBytes = 1024 * 1024;

async function readText(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    // A pipe would block for ever.
    if (!stats.isFile()) throw new Error("it is not a regular file");
    if (stats.size > maxBytes) throw new Error("it is larger than 1 MB");
    return await readFile(path, "utf8");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new PolicyFileError(`${path} cannot be read: ${message}`, { cause });
  }
}

function parseJson(text: string, path: string): unknown {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    // The rest of the message quotes the file.
    const [problem = ""] = (cause as Error).message.split(/, (?:\.\.\.)?"| in JSON at /);
    throw new PolicyFileError(`${path}:${brokenLine(text)}: it is not valid JSON: ${problem}`, { cause });
  }
  const repeated = findRepeatedKey(text);
  if (repeated === undefined) return content;
  const { key, line } = repeated;
  throw new PolicyFileError(`${path}:${line}: ${JSON.stringify(key)} is there twice; join the two`);
}

/** The first line up to which the text is wrong, and not only unfinished; some errors of the parser give no place. */
function brokenLine(text: string): number {
  const lines = text.split("\n");
  const isBroken = (index: number) => {
    const beginning = lines.slice(0, index + 1).join("\n");
    try {
      JSON.parse(beginning);
      return false;
    } catch (error) {
      const { message } = error as Error;
      const position = Number(/at position (\d+)/.exec(message)?.[1] ?? 0);
      return !/end of JSON input|Unterminated/.test(message) && position < beginning.trimEnd().length;
    }
  };
  // A text with a broken line stays broken with more lines after it, so the line is found by halving; trying each would
  // take hours.
  let [first, last] = [0, lines.length - 1];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    if (isBroken(middle)) last = middle;
    else first = middle + 1;
  }
  return first + 1;
}

/** Finds the lines of strings, each use of the same string on its own line. */
function createLineFinder(text: string): (value: string) => number {
  const lines = new Map<string, number[]>();
  let line = 1;
  let from = 0;
  for (const found of text.matchAll(/"(?:[^"\\]|\\.)*"/gs)) {
    line += text.slice(from, found.index).split("\n").length - 1;
    from = found.index;
    const value = JSON.parse(found[0]) as string;
    const known = lines.get(value);
    if (known === undefined) lines.set(value, [line]);
    else known.push(line);
  }
  const uses = new Map<string, number>();
  return (value) => {
    const known = lines.get(value) ?? [1];
    const use = uses.get(value) ?? 0;
    uses.set(value, use + 1);
    return known[Math.min(use, known.length - 1)]!;
  };
}

/** Adds allow rules to a policy file of the user's. Everything else in it stays as it is. */
export async function keepOwnRules(path: string, rules: readonly string[]): Promise<void> {
  try {
    await updateOwnFile(path, (text) => addRules(text, { path, rules }));
  } catch (cause) {
    const { code, syscall, message } = cause as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw cause;
    throw new PolicyFileError(`${path} cannot be changed: ${message}`, { cause });
  }
}

interface Addition {
  readonly path: string;
  readonly rules: readonly string[];
}

/** The text of the file with the rules added; undefined if it has them all. */
function addRules(text: string | undefined, { path, rules }: Addition): string | undefined {
  // A file with a mistake in it is the user's to correct, and must not be overwritten.
  if (text !== undefined) parsePolicyFile(text, path);
  const kept: WrittenPolicy = text === undefined ? {} : JSON.parse(text);
  const { allow = [] } = kept;
  const known = new Set(allow.map((rule) => (typeof rule === "string" ? rule : rule.rule)));
  const added = rules.filter((rule) => !known.has(rule));
  if (added.length === 0) return undefined;
  return `${JSON.stringify({ ...kept, allow: [...allow, ...added] }, null, 2)}\n`;
}
