/** A bash script, as far as it is known before it runs. */
export interface ShellScript {
  /**
   * Every simple command at any depth, in the order in which they would run. The body of a loop over literal words is
   * listed once for each word.
   */
  readonly commands: readonly SimpleCommand[];
  /** What could not be parsed or is too complex; a single problem is enough to require approval. */
  readonly problems: readonly ScriptProblem[];
}

export interface ScriptProblem {
  /** A clause for a person to read. */
  readonly reason: string;
  /** The part of the script that it is about. */
  readonly text: string;
}

/**
 * A run of one program, builtin or function, or a bare assignment or redirection. A test in double brackets counts as a
 * command with the words `[[`, its operators and operands, and `]]`; the redirections of a group, loop or function count
 * as a bare redirection.
 */
export interface SimpleCommand {
  /** As it was written. */
  readonly text: string;
  /** The name and its arguments, braces expanded; empty for a bare assignment or redirection. */
  readonly words: readonly Word[];
  /** `NAME=value` in front of the command, or on its own. */
  readonly assignments: readonly Assignment[];
  /** Its own, and those of the groups, loops and functions around it. */
  readonly redirects: readonly Redirect[];
  readonly pipeline: PipelinePlace;
  /**
   * Where it runs: absolute, or relative to where the script starts (`.`). Absent if unknown, for example after a `cd`
   * that may fail or has an unknown target. Links are not resolved.
   */
  readonly directory?: string | undefined;
  /** Index, in `commands`, of the command in whose words or redirections it is nested. */
  readonly inside?: number | undefined;
  /** It calls a function that this script has certainly defined; the function's own commands are in `commands`. */
  readonly isFunctionCall?: boolean;
  /**
   * What encloses it, outermost first: `subshell`, `group`, `loop`, `condition`, `case`, `function`, `substitution`,
   * `background`.
   */
  readonly around: readonly string[];
}

export interface PipelinePlace {
  /** The same for all commands of one pipeline. */
  readonly id: number;
  /** From 0. */
  readonly position: number;
  readonly length: number;
}

/** A word with its quotes removed. */
export type Word =
  /** One argument, exactly this text. */
  | { readonly kind: "literal"; readonly text: string; readonly source: string }
  /** One argument whose text comes from a variable that this script has set. */
  | { readonly kind: "variable"; readonly text: string; readonly source: string }
  /** File names that match a pattern; `prefix` is the literal text before the first special character. */
  | {
      readonly kind: "glob";
      readonly pattern: string;
      readonly prefix: string;
      readonly source: string;
      /** Instead, anything beneath the folder of this name; with a test for the last part of its path, if there is one. */
      readonly beneath?: { readonly mayBeNamed: (name: string) => boolean };
    }
  /** Unknown until it runs; every argument it becomes starts with `prefix` unless that is empty. */
  | {
      readonly kind: "dynamic";
      readonly prefix: string;
      readonly source: string;
      readonly why: string;
      /** It becomes one argument, which is a whole number. */
      readonly isInteger?: boolean | undefined;
    };

export interface Assignment {
  readonly name: string;
  readonly value: Word;
  /** `+=`, an array element or a whole array. */
  readonly isCompound: boolean;
}

export interface Redirect {
  /** `<`, `>`, `>>`, `>|`, `&>`, `&>>`, `<>`, `>&`, `<&`, `<<`, `<<-`, `<<<`. */
  readonly operator: string;
  /** The descriptor before the operator; for `{name}>`, the name. */
  readonly descriptor?: number | string | undefined;
  /** The file or descriptor; for a here-document or here-string, its body. */
  readonly target: Word;
}
