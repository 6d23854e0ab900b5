import type { StartableProgram } from "../../../machine/sandbox/index.ts";
import { isPlainObject, tryParseJson } from "../../../shared/json.ts";
import type { ProcessIdentity } from "../../../shared/process-identity.ts";
import type { CommandSpec } from "../command/running-command.ts";
import { isIdentity, type JobRecord } from "../jobs/job-record.ts";

/** Tells a new supervisor which job to run. Sent through a pipe, because the environment may contain secrets. */
export interface SupervisorOrder {
  readonly record: Omit<JobRecord, "identity">;
  readonly statusFile: string;
  readonly command: Omit<CommandSpec, "wrap" | "onLines">;
  /** For a sandboxed job: the program to start, and how many descriptors it gets, numbered from 4. */
  readonly wrapped?: (StartableProgram & { readonly descriptorCount: number }) | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The supervisor's only answer, sent when the program runs or failed to start. */
export type SupervisorAnswer = { readonly identity: ProcessIdentity } | { readonly failure: string };

/** The first descriptor after stdin, stdout, stderr and the shell's report. */
export const firstHandedDescriptor = 4;

/** Undefined if the order is incomplete because the process that wrote it died. */
export function parseOrder(text: string): SupervisorOrder | undefined {
  const value = tryParseJson(text);
  const isWhole = isPlainObject(value) && isPlainObject(value.record) && isPlainObject(value.command);
  return isWhole ? (value as unknown as SupervisorOrder) : undefined;
}

export function parseAnswer(text: string): SupervisorAnswer {
  const value = tryParseJson(text);
  if (isPlainObject(value) && isIdentity(value.identity)) return { identity: value.identity };
  const failure = isPlainObject(value) ? value.failure : undefined;
  return { failure: typeof failure === "string" ? failure : "its supervisor ended without an answer" };
}
