import type { Gate } from "../../kernel/policy/gate.ts";
import type { CheckUse } from "../../kernel/services/change-checks.ts";
import type { CommandOutcome, RunOptions } from "../../tool/services/processes.ts";
import type { CheckFinding } from "./problem.ts";

/** One program that looks for problems, for as long as its session is open. */
export interface Checker {
  /** Resolves with a finding whatever happens; `changed` are absolute. */
  check(changed: readonly string[], use: CheckUse): Promise<CheckFinding>;
  close(): Promise<void>;
}

/** What checkers need of the session's commands. */
export interface CheckerShell {
  environment(): Promise<Readonly<Record<string, string>>>;
  /** Runs a command on behalf of the session, without asking a person. */
  runConfigured(
    use: {
      readonly gate: Pick<Gate, "run">;
      readonly signal: AbortSignal;
      readonly noted: CheckUse["noted"];
    },
    command: string,
    options: RunOptions,
  ): Promise<CommandOutcome>;
}
