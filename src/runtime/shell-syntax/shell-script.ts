/** A bash command line as far as it can be known before it runs. */
export interface ShellScript {
  /**
   * Every simple command, nested in whatever, in the order in which they would run. The body of a loop over literal
   * words is here once for each of them.
   */
  readonly commands: readonly SimpleCommand[];
  /** What could not be understood or is too much to look through; one is enough to ask. */
  readonly problems: readonly ScriptProblem[];
}

export interface ScriptProblem {
  readonly reason: string;
  /** The piece of the text it is about. */
  readonly text: string;
}

/**
 * One program, builtin or function being run, or a bare assignment or redirection. A test in double brackets is here
 * too, with the words `[[`, its operators and operands, and `]]`; so is what a group, loop or function redirects.
 */
export interface SimpleCommand {
  /** As it was written. */
  readonly text: string;
  /** The name and its arguments, braces expanded; empty for a bare assignment or redirection. */
  readonly words: readonly Word[];
  /** `NAME=value` in front of the command, or on its own. */
  readonly assignments: readonly Assignment[];
  /** Its own ones and those of the groups, loops and functions around it. */
  readonly redirects: readonly Redirect[];
  readonly pipeline: PipelinePlace;
  /**
   * Where it runs: absolute, or relative to where the whole script starts (`.`); absent where that cannot be told, as
   * after a `cd` whose success or target is not known. Links on the way are not resolved.
   */
  readonly directory?: string;
  /** The index, in `commands`, of the command in one of whose words or redirections it stands. */
  readonly inside?: number;
  /** The name is that of a function which this script has surely defined; what it does stands in `commands` itself. */
  readonly isFunctionCall?: true;
  /** What stands around it, outermost first: `subshell`, `group`, `loop`, `condition`, `case`, `function`, `substitution`, `background`. */
  readonly around: readonly string[];
}

export interface PipelinePlace {
  /** Commands of one pipeline share it. */
  readonly id: number;
  /** From 0. */
  readonly position: number;
  readonly length: number;
}

/** A word after quotes were removed. */
export type Word =
  /** One argument, exactly this text. */
  | { readonly kind: "literal"; readonly text: string; readonly source: string }
  /** One argument whose text comes from a variable that this script itself has set. */
  | { readonly kind: "variable"; readonly text: string; readonly source: string }
  /** Names of files; `prefix` is the literal text before the first special character. */
  | { readonly kind: "glob"; readonly pattern: string; readonly prefix: string; readonly source: string }
  /** Known only when it runs; every argument it becomes begins with `prefix` where that is not empty. */
  | {
      readonly kind: "dynamic";
      readonly prefix: string;
      readonly source: string;
      readonly why: string;
      /** One argument, and nothing but a number. */
      readonly isInteger?: true;
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
  /** The descriptor written in front; for `{name}>` the name. */
  readonly descriptor?: number | string;
  /** The file or descriptor; for a here-document or here-string, its body. */
  readonly target: Word;
}
