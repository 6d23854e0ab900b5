import { updateOwnFile } from "../../../machine/locks/own-file.ts";
import { PolicyFileError, parsePolicyFile } from "./policy-file.ts";

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
  const kept = text === undefined ? {} : (JSON.parse(text) as { allow?: readonly WrittenRule[] });
  const { allow = [] } = kept;
  const known = new Set(allow.map((rule) => (typeof rule === "string" ? rule : rule.rule)));
  const added = rules.filter((rule) => !known.has(rule));
  if (added.length === 0) return undefined;
  return `${JSON.stringify({ ...kept, allow: [...allow, ...added] }, null, 2)}\n`;
}

type WrittenRule = string | { readonly rule: string };
