/** A parsed rule: which tools it matches, and optionally which paths or commands. */
export interface Rule {
  /** As the user wrote it, for reasons and receipts. */
  readonly source: string;
  matchesTool(tool: string): boolean;
  /** Absent if the rule applies to every path. */
  readonly matchesPath?: (path: RulePath) => boolean;
  /** Used instead of `matchesPath` for a tool that runs commands. */
  readonly matchesCommand?: (command: RuleCommand) => CommandMatch;
}

/** How a rule matches a command: exactly, by its first words, possibly (deny and ask rules only), or not at all. */
export type CommandMatch = "exact" | "prefix" | "maybe" | "none";

/** A command in the form that rules match, with wrappers such as `timeout 5` removed. */
export interface RuleCommand {
  /** Absent if a word is unknown until it runs. */
  readonly argv?: readonly string[];
  /** No variable, redirection or wrapper changes what it does. */
  readonly isPlain: boolean;
  /** An option or operand makes the known program do more than usual. */
  readonly isTricky: boolean;
}

/** A path in both forms that rules use; `relative` is undefined outside the workspace. */
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
