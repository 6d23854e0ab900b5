import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  type PolicyFile,
  PolicyFileError,
  type PolicyPlaces,
  policyPlaces,
  projectPolicyFile,
  RuleError,
  readPolicyFile,
  trustProject,
} from "../../../../kernel/policy/index.ts";
import type { RuntimeOptions } from "../../../../kernel/runtime/index.ts";
import { UsageError } from "../../command.ts";

export async function rootOf({ workspace }: RuntimeOptions): Promise<string> {
  const given = typeof workspace === "object" ? workspace.root : (workspace ?? ".");
  return realpath(given).catch(() => {
    throw new UsageError(`the workspace ${given} does not exist`);
  });
}

/** Reads the policy files that the person has named, or else those in effect. */
export async function policyFilesFor(
  named: readonly string[],
  root: string,
): Promise<readonly (PolicyFile | PolicyFileError)[]> {
  const { managed, user } = policyPlaces();
  const paths =
    named.length > 0 ? named.map((path) => resolve(path)) : [managed, user, projectPolicyFile(root)];
  const files = await Promise.all(paths.map((path) => readPolicyFile(path).catch(asFinding)));
  const missing = paths[files.indexOf(undefined)];
  if (named.length > 0 && missing !== undefined) throw new UsageError(`${missing} does not exist`);
  return files.filter((file) => file !== undefined);
}

/** Why a rule cannot be used, from the error of its parser for a rule without a place. */
export function problemOfRule(error: unknown): string {
  if (!(error instanceof RuleError)) throw error;
  return error.message.replace(/^: /, "");
}

function asFinding(error: unknown): PolicyFileError {
  if (error instanceof PolicyFileError) return error;
  throw error;
}

/** Does some work with the policy as it would be if a file were the project's, and trusted. */
export async function withTrusted<Result>(
  { root, file }: { root: string; file: string },
  work: (places: PolicyPlaces) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-policy-"));
  try {
    const trust = join(folder, "trust.json");
    const read = await readPolicyFile(file);
    if (read !== undefined) await trustProject(trust, { root, hash: read.hash });
    return await work({ ...policyPlaces(), trust, project: file });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
