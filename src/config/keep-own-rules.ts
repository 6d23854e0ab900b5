import { dirname } from "node:path";
import { mkdirNow, readFileNow, renameNow, rmNow, writeFileNow } from "../runtime/locks/files-now.ts";
import { withUserLock } from "../runtime/locks/user-lock.ts";
import { newId } from "../shared/new-id.ts";
import { PolicyFileError, parsePolicyFile } from "./policy-file.ts";

/** Adds allow rules to a policy file of the user's. Everything else in it stays as it is. */
export async function keepOwnRules(path: string, rules: readonly string[]): Promise<void> {
  await withUserLock("own-rules", () => {
    const text = readNow(path);
    // A file with a mistake in it is the user's to correct, and must not be overwritten.
    if (text !== undefined) parsePolicyFile(text, path);
    const kept = text === undefined ? {} : (JSON.parse(text) as { allow?: readonly WrittenRule[] });
    const { allow = [] } = kept;
    const known = new Set(allow.map((rule) => (typeof rule === "string" ? rule : rule.rule)));
    const added = rules.filter((rule) => !known.has(rule));
    if (added.length === 0) return;
    replaceNow(path, `${JSON.stringify({ ...kept, allow: [...allow, ...added] }, null, 2)}\n`);
  });
}

type WrittenRule = string | { readonly rule: string };

function readNow(path: string): string | undefined {
  try {
    return readFileNow(path, "utf8");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new PolicyFileError(`${path} cannot be read: ${message}`, { cause });
  }
}

function replaceNow(path: string, text: string): void {
  mkdirNow(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${newId("new")}`;
  try {
    writeFileNow(aside, text, { flag: "wx", mode: 0o600 });
    renameNow(aside, path);
  } finally {
    rmNow(aside, { force: true });
  }
}
