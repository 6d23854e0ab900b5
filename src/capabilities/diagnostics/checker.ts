import type { Bounds } from "../../kernel/policy/bounds.ts";
import type { Gate } from "../../kernel/policy/gate.ts";
import type { SandboxProfile } from "../../machine/sandbox/sandbox.ts";
import type { CommandOutcome, RunOptions } from "../../tool/services/processes.ts";
import type { CheckFinding } from "./problem.ts";

/** One program that looks for problems, for as long as its session is open. */
export interface Checker {
  /** Resolves with a finding whatever happens; `changed` are absolute. */
  check(changed: readonly string[], use: CheckerUse): Promise<CheckFinding>;
  close(): Promise<void>;
}

/** On whose behalf a checker is asked. */
export interface CheckerUse {
  readonly gate: CheckerGate;
  readonly onPlanted: (paths: readonly string[]) => void;
}

/** What checkers need of the session's commands. */
export interface CheckerShell {
  environment(): Promise<Readonly<Record<string, string>>>;
  /** Runs a command on behalf of the session, without asking a person. */
  runConfigured(
    use: {
      readonly gate: Pick<Gate, "run">;
      readonly signal: AbortSignal;
      readonly onPlanted: CheckerUse["onPlanted"];
    },
    command: string,
    options: RunOptions,
  ): Promise<CommandOutcome>;
}

/** Judges the program, and what may be told of its files. */
interface CheckerGate extends Pick<Gate, "locate" | "mayRead"> {
  runConfigured(command: string, directory: string, widest: SandboxProfile): Promise<Bounds>;
}
