/** What is known of the shell at one point of the script; changed in place while commands are walked. */
export interface ShellState {
  /** What the script itself has assigned; a name that is not here may hold anything. */
  readonly variables: Map<string, Value>;
  /** Functions that have surely been defined. */
  readonly functions: Set<string>;
  /** The directory it is in and, above it, those to come back to by `popd`; undefined where that cannot be told. */
  directories: readonly string[] | undefined;
}

export type Value =
  | { readonly kind: "text"; readonly text: string }
  /** Some whole number. */
  | { readonly kind: "integer" }
  /** The name of a file that matches, or the pattern itself. */
  | { readonly kind: "glob"; readonly pattern: string; readonly prefix: string };

/** After a command: how things are where it succeeded and where it failed; one and the same where that is no matter. */
export interface ExitStates {
  readonly success: ShellState;
  readonly failure: ShellState;
}

export function createState(): ShellState {
  return { variables: new Map(), functions: new Set(), directories: ["."] };
}

/** A copy that can be changed on its own, as a subshell or a branch does. */
export function forkState({ variables, functions, directories }: ShellState): ShellState {
  return { variables: new Map(variables), functions: new Set(functions), directories };
}

export function bothExits(state: ShellState): ExitStates {
  return { success: state, failure: state };
}

/** What holds whichever way the script came here. */
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

export function joinExits({ success, failure }: ExitStates): ShellState {
  return joinStates(success, failure);
}

export function isInteger(value: Value | undefined): boolean {
  return value?.kind === "integer" || (value?.kind === "text" && isIntegerText(value.text));
}

export function isIntegerText(text: string): boolean {
  return /^-?\d{1,18}$/.test(text);
}

/** Nothing can be told any more: what ran may have assigned, defined and gone anywhere. */
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
