import { join } from "node:path";
import type { SessionShell } from "../../kernel/runtime/index.ts";
import type { CheckUse } from "../../kernel/services/index.ts";
import type { Sandbox } from "../../machine/sandbox/index.ts";
import { DeadlineReached } from "../../shared/deadline.ts";
import { findInstalled } from "../../shared/programs/find-installed.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** The parts of a session that its checkers need. */
export interface CheckerParts {
  readonly root: string;
  readonly sandbox: () => Promise<Sandbox>;
  readonly shell: SessionShell;
}

/** One program that looks for problems, for as long as its session is open. */
export interface Checker {
  /** Resolves with a finding whatever happens; `changed` are absolute. */
  check(changed: readonly string[], use: CheckUse): Promise<CheckFinding>;
  close(): Promise<void>;
}

/** A checker's finding about a change. */
export type CheckFinding =
  /** `fresh` are new since its last run, or all in the changed files if there was none. */
  | {
      readonly status: "checked";
      readonly fresh: readonly Problem[];
      /** Problems of the changed files that were there before. */
      readonly before: number;
      /** Problems of other files that are not in `fresh`. */
      readonly elsewhere: number;
      /** The checker printed more than was read. */
      readonly isCut?: boolean;
    }
  | { readonly status: "refused" | "failed" | "timed-out"; readonly why: string };

/** Something that a checker found in a file. */
export interface Problem {
  /** The path as the checker named the file, or absolute. */
  readonly path: string;
  /** Counted from 1, like the column. */
  readonly line: number;
  readonly column?: number | undefined;
  readonly severity: "error" | "warning" | "info";
  /** The rule or the number of the message. */
  readonly code?: string | undefined;
  readonly message: string;
}

/** One checker's finding about a change, as numbers. */
export interface CheckRecord {
  /** The program. */
  readonly by: string;
  readonly status: "checked" | "refused" | "failed" | "timed-out";
  readonly problems?: number;
  /** Problems of the changed files that were there before. */
  readonly before?: number;
  readonly elsewhere?: number;
}

/** The finding of a checker that failed; the change that it looked at stands all the same. */
export function findingOfError(error: unknown): CheckFinding {
  if (error instanceof DeadlineReached) return { status: "timed-out", why: error.message };
  const why = error instanceof Error ? error.message : String(error);
  const code = error instanceof ToolError ? error.code : undefined;
  return { status: code === "approval-needed" || code === "permission-denied" ? "refused" : "failed", why };
}

/** Finds the program of a checker: one without a path is taken from the project's packages, if they have it. */
export async function findChecker(
  [program = "", ...args]: readonly string[],
  root: string,
): Promise<readonly string[]> {
  if (program.includes("/")) return [program, ...args];
  return [(await findInstalled(program, [join(root, "node_modules/.bin")])) ?? program, ...args];
}
