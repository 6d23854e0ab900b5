/** A rule as it is matched: canonical tool name or name pattern, and optionally the paths it speaks of. */
export interface Rule {
  /** As the user wrote it, for the record of who decided. */
  readonly source: string;
  matchesTool(tool: string): boolean;
  /** Absent when the rule is about the tool whatever it touches. */
  readonly matchesPath?: (path: RulePath) => boolean;
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
