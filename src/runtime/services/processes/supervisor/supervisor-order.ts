import { isPlainObject } from "../../../../shared/json.ts";
import type { ProcessIdentity } from "../../../../shared/process-identity.ts";
import type { StartableProgram } from "../../../sandbox/sandbox.ts";
import type { CommandSpec } from "../command/running-command.ts";
import { isIdentity, type JobRecord } from "../jobs/job-record.ts";

/** What a supervisor is told, once, when it starts. It comes through a pipe: an environment may hold secrets. */
export interface SupervisorOrder {
  readonly record: Omit<JobRecord, "identity">;
  readonly statusFile: string;
  readonly command: Omit<CommandSpec, "wrap" | "onLines">;
  /** Where it runs in a sandbox: what to start, and how many descriptors it was given for it, from 4 on. */
  readonly wrapped?: StartableProgram & { readonly descriptorCount: number };
  readonly timeoutMs?: number;
}

/** What it answers, once, when the program runs or cannot. */
export type SupervisorAnswer = { readonly identity: ProcessIdentity } | { readonly failure: string };

/** The first descriptor after input, output, errors and the one on which a shell tells where it ended. */
export const firstHandedDescriptor = 4;

/** Cut off where whoever gave the order died while giving it. */
export function parseOrder(text: string): SupervisorOrder | undefined {
  const value = parseJson(text);
  const isWhole = isPlainObject(value) && isPlainObject(value.record) && isPlainObject(value.command);
  return isWhole ? (value as unknown as SupervisorOrder) : undefined;
}

export function parseAnswer(text: string): SupervisorAnswer {
  const value = parseJson(text);
  if (isPlainObject(value) && isIdentity(value.identity)) return { identity: value.identity };
  const failure = isPlainObject(value) ? value.failure : undefined;
  return { failure: typeof failure === "string" ? failure : "its supervisor ended without an answer" };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
