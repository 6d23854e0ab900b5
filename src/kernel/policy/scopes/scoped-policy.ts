import type { Mode } from "../decide.ts";
import type { Rules } from "../rules/rule.ts";

/** What holds now, from all files and the options of the session. */
export interface ScopedPolicy {
  readonly rules: Rules;
  /** The mode of sessions that are opened without one. */
  readonly mode: Mode;
  readonly maxMode?: Mode;
  /** A file that was changed and cannot be used; until it can, everything asks. */
  readonly broken?: string;
  readonly notes: readonly PolicyNote[];
}

/** Something about a policy file that its reader should know. */
export interface PolicyNote {
  readonly source: string;
  readonly subject: string;
  readonly message: string;
}

export interface PolicyProblem extends PolicyNote {
  readonly severity?: "warning";
  readonly about: "rule";
}
