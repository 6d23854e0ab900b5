/** The known state of the shell at one point of the script; updated in place as commands are walked. */
export interface ShellState {
  /** Values that the script itself has assigned; any other variable may hold anything. */
  readonly variables: Map<string, Value>;
  /** Functions that have certainly been defined. */
  readonly functions: Set<string>;
  /** The current directory, followed by those that `popd` returns to; undefined if unknown. */
  directories: readonly string[] | undefined;
}

export type Value =
  | { readonly kind: "text"; readonly text: string }
  /** An unknown whole number. */
  | { readonly kind: "integer" }
  /** A file name that matches the pattern, or the pattern itself. */
  | { readonly kind: "glob"; readonly pattern: string; readonly prefix: string };

/** The state after a command, if it succeeded and if it failed; the same object if that makes no difference. */
export interface ExitStates {
  readonly success: ShellState;
  readonly failure: ShellState;
}

/** An independent copy, for a subshell or a branch. */
export function forkState({ variables, functions, directories }: ShellState): ShellState {
  return { variables: new Map(variables), functions: new Set(functions), directories };
}

export function bothExits(state: ShellState): ExitStates {
  return { success: state, failure: state };
}

/** The state that is known if the script may have come here in either state. */
export function joinStates(one: ShellState, other: ShellState): ShellState {
  if (one === other) return one;
  const variables = new Map<string, Value>();
  for (const [name, value] of one.variables) {
    const joined = joinValues(value, other.variables.get(name));
    if (joined !== undefined) variables.set(name, joined);
  }
  const isSamePlace =
    one.directories?.length === other.directories?.length &&
    one.directories?.every((directory, index) => directory === other.directories?.[index]);
  return {
    variables,
    functions: new Set([...one.functions].filter((name) => other.functions.has(name))),
    directories: isSamePlace ? one.directories : undefined,
  };
}

export function isInteger(value: Value | undefined): boolean {
  return value?.kind === "integer" || (value?.kind === "text" && isIntegerText(value.text));
}

export function isIntegerText(text: string): boolean {
  return /^-?\d{1,18}$/.test(text);
}

/** Forgets all, after a command that may have assigned any variable, defined any function and changed the directory. */
export function forgetAll(state: ShellState): void {
  state.variables.clear();
  state.functions.clear();
  state.directories = undefined;
}

function joinValues(one: Value, other: Value | undefined): Value | undefined {
  if (other === undefined) return undefined;
  if (one.kind === "text" && other.kind === "text" && one.text === other.text) return one;
  if (one.kind === "glob" && other.kind === "glob" && one.pattern === other.pattern) return one;
  return isInteger(one) && isInteger(other) ? { kind: "integer" } : undefined;
}

/**
 * Whether assigning this variable cannot change how bash or a program behaves. Names that matter are in capitals, with
 * few exceptions.
 */
export function isFreshName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !meaningful.test(name);
}

const meaningful = /^(?:_|auto_resume|histchars|\w+_proxy)$/;
