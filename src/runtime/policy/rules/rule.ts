/** A rule as it is matched: canonical tool name or name pattern, and optionally the paths it speaks of. */
export interface Rule {
  /** As the user wrote it, for the record of who decided. */
  readonly source: string;
  matchesTool(tool: string): boolean;
  /** Absent when the rule is about the tool whatever it touches. */
  readonly matchesPath?: (path: RulePath) => boolean;
  /** In its place for a tool that runs commands. */
  readonly matchesCommand?: (command: RuleCommand) => CommandMatch;
}

/** Whether a rule speaks of a command: of this very one, of all that begin like it, perhaps (of one that restricts), or of others. */
export type CommandMatch = "exact" | "prefix" | "maybe" | "none";

/** A command as rules see it: wrappers removed, every word known. */
export interface RuleCommand {
  /** Absent where it is known only when it runs. */
  readonly argv?: readonly string[];
  /** No variable, redirection or wrapper makes something else of it. */
  readonly isPlain: boolean;
  /** Its program is known, and is given an option or operand that makes more of it than it seems. */
  readonly isTricky: boolean;
}

/** A path both ways: relative to the workspace where it is inside, and absolute. */
export interface RulePath {
  readonly relative: string | undefined;
  readonly absolute: string;
}

export interface Rules {
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}

export class RuleError extends Error {
  override readonly name = "RuleError";
}
