import { posix } from "node:path";
import type { Command, CommandArgument, Redirected, TestCommand } from "unbash";
import type { ScriptPlace } from "../reading.ts";
import type { Assignment, PipelinePlace, Redirect, SimpleCommand, Word } from "../shell-script.ts";
import { bothExits, type ExitStates, forgetAll, forkState } from "../shell-state.ts";
import { assign, readAssignment } from "../words/assignments.ts";
import { resolveArguments } from "../words/resolve-word.ts";
import { effectOf, isDeclaration } from "./builtin-effects.ts";
import { namedVariable } from "./loop-changes.ts";
import { readTest } from "./read-test.ts";
import { readRedirect } from "./redirects.ts";

export interface Context extends ScriptPlace {
  readonly pipeline: PipelinePlace;
}

export function walkCommand(node: Command, context: Context): ExitStates {
  const { reading, state } = context;
  reading.countCommand(node);
  const { index, inner } = reserve(node, context);
  expectGaps([...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix], inner);
  const words = [node.name, ...node.args].flatMap((each) =>
    each === undefined ? [] : readArgument(each, inner),
  );
  const redirects = node.redirects.map((redirect) => readRedirect(redirect, inner));
  const assignments = readAssignments(node, inner, words.length > 0);
  fill(index, { words, redirects, assignments, context: inner });
  const [name] = words;
  if (name === undefined) return bothExits(state);
  if (name.kind !== "literal") {
    forgetAll(state);
    return bothExits(state);
  }
  if (reading.functionNames.has(name.text)) return callFunction(inner);
  return applyBuiltin(name.text, { words, assignments, context: inner });
}

/** Records a test in double brackets as a command. */
export function walkTest(node: TestCommand, context: Context): ExitStates {
  context.reading.countCommand(node);
  const { index, inner } = reserve(node, context);
  const bracket = (text: string): Word => ({ kind: "literal", text, source: text });
  const words = [bracket("[["), ...readTest(node.expression, inner), bracket("]]")];
  fill(index, { words, redirects: [], assignments: [], context: inner });
  return bothExits(context.state);
}

/** Records a compound command's redirections as a bare redirection, since it may contain no command to attach them to. */
export function walkRedirects(node: Redirected, context: Context): readonly Redirect[] {
  const [first] = node.redirects;
  const { index, inner } = reserve({ pos: first?.pos ?? node.pos, end: node.end }, context);
  const redirects = node.redirects.map((redirect) => readRedirect(redirect, inner));
  fill(index, { words: [], redirects, assignments: [], context: inner });
  return redirects;
}

function reserve({ pos, end }: { readonly pos: number; readonly end: number }, context: Context) {
  const { reading, site, pipeline, state } = context;
  const text = site.source.slice(pos, end);
  const directory = state.directories?.[0];
  const { around, redirects } = site;
  const index = reading.commands.length;
  reading.commands.push({
    text,
    // Replaced by `fill`; remains only if reading stops in the middle of this command.
    words: [{ kind: "dynamic", prefix: "", source: text, why: "not read to its end" }],
    assignments: [],
    redirects,
    pipeline,
    directory,
    inside: site.inside,
    around,
  });
  return { index, inner: { ...context, site: { ...site, inside: index } } };
}

interface Filling extends Builtin {
  readonly redirects: readonly Redirect[];
}

function fill(index: number, { words, redirects, assignments, context }: Filling): void {
  const { reading, state } = context;
  const reserved: SimpleCommand = reading.commands[index]!;
  const [name] = words;
  const isFunctionCall = name?.kind === "literal" && state.functions.has(name.text);
  reading.commands[index] = {
    ...reserved,
    words,
    assignments,
    redirects: [...redirects, ...reserved.redirects],
    isFunctionCall,
  };
}

/** The parser ends a word at `<(` and `)`, where bash continues it. */
function expectGaps(nodes: readonly Piece[], { reading, site }: Context): void {
  nodes.forEach((node, index) => {
    const before = nodes[index - 1];
    const isWord = node.type === "Word" || node.type === "Assignment";
    if (isWord && before?.end === node.pos) {
      reading.addProblem("two words have no space between them", site.source.slice(before.pos, node.end));
    }
  });
}

type Piece = Command["suffix"][number] | Command["prefix"][number];

function readArgument(node: CommandArgument, context: Context): Word[] {
  const { reading } = context;
  if (node.type === "Assignment") return [readDeclaration(node, context)];
  // In zsh this expands to the path of a command.
  if (/^=[A-Za-z_./]/.test(node.text)) reading.addProblem("a word has a special meaning in zsh", node.text);
  const words = resolveArguments(node, context);
  if (words !== undefined) {
    reading.spend(words.length);
    return words;
  }
  reading.addProblem("braces expand to too many words", node.text);
  return [{ kind: "dynamic", prefix: "", source: node.text, why: "too many words" }];
}

/** Reads an assignment among the arguments of `export`, `declare` and the like as one word. */
function readDeclaration(node: Extract<CommandArgument, { type: "Assignment" }>, context: Context): Word {
  const assignment = readAssignment(node, context);
  assign(assignment, context);
  const { name, value, isCompound } = assignment;
  if (isCompound) context.reading.addProblem("an argument assigns an array", node.text);
  if (value.kind === "glob")
    return { kind: "dynamic", prefix: `${name}=`, source: node.text, why: "a pattern" };
  if (value.kind === "dynamic") return { ...value, prefix: `${name}=${value.prefix}`, source: node.text };
  return { ...value, text: `${name}=${value.text}`, source: node.text };
}

function readAssignments(node: Command, context: Context, hasName: boolean): Assignment[] {
  // Assignments before a command apply only to that command.
  const state = hasName ? forkState(context.state) : context.state;
  return node.prefix.flatMap((each) => {
    if (each.type !== "Assignment") return [];
    const assignment = readAssignment(each, { ...context, state });
    if (!hasName) assign(assignment, context);
    else state.variables.delete(assignment.name);
    return [assignment];
  });
}

/**
 * A function may assign variables and change the directory. It cannot undefine functions unnoticed: its commands are
 * walked.
 */
function callFunction({ reading, state }: Context): ExitStates {
  state.variables.clear();
  if (!reading.staysInPlace) state.directories = undefined;
  return bothExits(state);
}

interface Builtin {
  readonly words: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly context: Context;
}

function applyBuiltin(name: string, builtin: Builtin): ExitStates {
  const { state } = builtin.context;
  const effect = effectOf(builtin.words.map(textOf));
  if (effect === "directory") return changeDirectory(builtin);
  if (effect === "anything") forgetAll(state);
  else if (effect === "named") forgetNamed(name, builtin);
  return bothExits(state);
}

function forgetNamed(name: string, { words, context }: Builtin): void {
  const { reading, state } = context;
  for (const word of words.slice(1)) {
    const text = textOf(word);
    if (isDeclaration(name)) {
      const isEvaluating = text === undefined || /^[-+]\w*[ni]/.test(text);
      if (isEvaluating) reading.addProblem("a declaration makes bash evaluate values as code", word.source);
      // `readDeclaration` has already handled its assignments.
      if (text?.includes("=")) continue;
    }
    const variable = namedVariable(text);
    if (variable === undefined) state.variables.clear();
    else state.variables.delete(variable);
  }
}

function textOf(word: Word): string | undefined {
  return word.kind === "literal" || word.kind === "variable" ? word.text : undefined;
}

/** The state after `cd`, `pushd`, `popd` or `dirs`; unchanged if the command fails. */
function changeDirectory({ words, assignments, context: { state } }: Builtin): ExitStates {
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
