import { posix } from "node:path";
import type { Assignment, Word } from "../shell-script.ts";
import { type ExitStates, forkState, type ShellState } from "../shell-state.ts";

interface DirectoryCommand {
  readonly words: readonly Word[];
  readonly assignments: readonly Assignment[];
}

/** The state after `cd`, `pushd`, `popd` or `dirs`; unchanged if the command fails. */
export function changeDirectory({ words, assignments }: DirectoryCommand, state: ShellState): ExitStates {
  const success = forkState(state);
  // The assignment may be of CDPATH or HOME.
  success.directories = assignments.length > 0 ? undefined : nextDirectories(words, state.directories);
  return { success, failure: forkState(state) };
}

function nextDirectories(
  [command, ...args]: readonly Word[],
  directories: readonly string[] | undefined,
): readonly string[] | undefined {
  const name = command === undefined ? undefined : textOf(command);
  const [first] = args;
  const [operand, ...others] = first !== undefined && textOf(first) === "--" ? args.slice(1) : args;
  if (directories === undefined || others.length > 0) return undefined;
  const [current = ".", ...below] = directories;
  if (name === "dirs") return operand === undefined ? directories : undefined;
  if (name === "popd") return operand === undefined && below.length > 0 ? below : undefined;
  const target = operand === undefined ? undefined : textOf(operand);
  const next = target === undefined ? undefined : joinLogically(current, target);
  if (next === undefined) return undefined;
  return name === "pushd" ? [next, ...directories] : [next, ...below];
}

function textOf(word: Word): string | undefined {
  return word.kind === "literal" || word.kind === "variable" ? word.text : undefined;
}

/**
 * Bash resolves `..` in the text of the path, ignoring links; but if the result does not exist, it lets the kernel follow
 * the links. So the result of a path that goes up and down again is unknown.
 */
function joinLogically(current: string, target: string): string | undefined {
  // `-` and `+1` refer to earlier directories; an empty name is not a directory.
  if (target === "" || /^[-+]/.test(target)) return undefined;
  const steps = target.split("/").filter((step) => step !== "" && step !== ".");
  const hasUp = steps.includes("..");
  const isOnlyUp = steps.every((step) => step === "..");
  if (posix.isAbsolute(target)) return hasUp ? undefined : posix.normalize(`/${steps.join("/")}`);
  if (hasUp && !isOnlyUp) return undefined;
  return posix.join(current, ...steps);
}
