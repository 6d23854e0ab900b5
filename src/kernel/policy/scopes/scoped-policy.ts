import type { Mode } from "../decide.ts";
import type { Rules } from "../rules/rule.ts";

/** What holds now, from all files and the options of the session. */
export interface ScopedPolicy {
  readonly rules: Rules;
  /** The mode of sessions that are opened without one. */
  readonly mode: Mode;
  /** The widest mode that any session may have. */
  readonly maxMode?: Mode | undefined;
  /** A file that was changed and cannot be used; until it can, everything asks. */
  readonly broken?: string | undefined;
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
