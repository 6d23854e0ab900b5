import type { SandboxProfile } from "../../machine/sandbox/index.ts";
import type { FileChange, Noted, NotedFields } from "../events/index.ts";
import type { Bounds, Gate } from "../policy/index.ts";

/** Look for problems in the files that a session's calls have changed. */
export interface ChangeChecks {
  /** Remembers changes for the next `check`. */
  note(changes: readonly FileChange[]): void;
  /** Checks the changes since the last time; undefined if no check is for the changed files. */
  check(use: CheckUse): Promise<CheckReport | undefined>;
  close(): Promise<void>;
}

export interface CheckReport {
  /** For the receipt. */
  readonly noted: NotedFields;
  /** For the model. */
  readonly text: string;
}

/** On whose behalf a check is made. */
export interface CheckUse {
  readonly gate: CheckGate;
  /** For the receipt of the call: notes on programs that are run for the check. */
  readonly noted: Noted;
}

/** Judges the program of a check, and which of its findings may be told. */
interface CheckGate extends Pick<Gate, "locate" | "mayRead"> {
  runConfigured(command: string, directory: string, widest: SandboxProfile): Promise<Bounds>;
}
