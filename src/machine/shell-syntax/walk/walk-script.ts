import type {
  AndOr,
  Case,
  CommandNode,
  CompoundCommand,
  CompoundList,
  Function as FunctionNode,
  If,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirected,
  Statement,
} from "unbash";
import type { Reading, ScriptPlace, Site } from "../reading.ts";
import { bothExits, type ExitStates, forkState, joinStates, type ShellState } from "../shell-state.ts";
import { type Context, walkCommand, walkRedirects, walkTest } from "./walk-command.ts";
import { walkLoop } from "./walk-loop.ts";

// Deeper than maxDepth is a problem; deeper than maxLookedAt is not walked at all.
const maxDepth = 16;
const maxLookedAt = 48;

/** Walks a whole script, or one nested in a word. */
export function walkScript(script: ParsedScript, place: ScriptPlace): void {
  const { reading, site } = place;
  const source = script.source ?? site.source;
  for (const { message, pos } of script.errors ?? []) {
    reading.addProblem(`syntax error: ${message}`, source.slice(pos, pos + 40));
  }
  walkStatements(script.commands, { ...place, site: { ...site, source } });
}

/** The site one level deeper, or undefined if that is too deep to walk. */
export function enter(site: Site, reading: Reading, around: string): Site | undefined {
  const depth = site.depth + 1;
  if (depth > maxDepth) reading.addProblem(`it is nested more than ${maxDepth} levels deep`, "");
  if (depth > maxLookedAt) return undefined;
  return { ...site, depth, around: [...site.around, around] };
}

function walkStatements(statements: readonly Statement[], place: ScriptPlace): ShellState {
  return statements.reduce((state, statement) => {
    const { success, failure } = walkStatement(statement, { ...place, state });
    return joinStates(success, failure);
  }, place.state);
}

function walkStatement({ type, command, background }: Statement, place: ScriptPlace): ExitStates {
  if (type !== "Statement") return addUnknownConstruct(type, place);
  if (!background) return walkAndOr(command, place);
  const site = { ...place.site, around: [...place.site.around, "background"] };
  walkAndOr(command, { ...place, site, state: forkState(place.state) });
  return bothExits(place.state);
}

function walkAndOr(node: AndOr | PipelineNode, place: ScriptPlace): ExitStates {
  if (node.type !== "AndOr") return walkPipeline(node, place);
  const [first, ...others] = node.commands;
  if (first === undefined) return bothExits(place.state);
  return others.reduce(
    (left, command, index): ExitStates => {
      const isAnd = node.operators[index] === "&&";
      const from = isAnd ? left.success : left.failure;
      const right = walkPipeline(command, { ...place, state: forkState(from) });
      return isAnd
        ? { success: right.success, failure: joinStates(left.failure, right.failure) }
        : { success: joinStates(left.success, right.success), failure: right.failure };
    },
    walkPipeline(first, place),
  );
}

function walkPipeline(node: PipelineNode, place: ScriptPlace): ExitStates {
  const { reading, state } = place;
  const id = reading.newPipeline();
  if (node.type !== "Pipeline") return walkNode(node, { ...place, pipeline: { id, position: 0, length: 1 } });
  const { commands, prefixes } = node;
  checkPrefixes(node, place);
  const { length } = commands;
  const [only] = commands;
  if (only !== undefined && length === 1) {
    const ends = walkNode(only, { ...place, pipeline: { id, position: 0, length } });
    const isNegated = prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
    return isNegated ? { success: ends.failure, failure: ends.success } : ends;
  }
  // Each command of a pipeline runs in its own subshell.
  commands.forEach((command, position) => {
    walkNode(command, { ...place, state: forkState(state), pipeline: { id, position, length } });
  });
  return bothExits(state);
}

function checkPrefixes({ prefixes, operators }: Pipeline, place: ScriptPlace): void {
  for (const { type } of prefixes)
    if (type !== "Time" && type !== "Negation") addUnknownConstruct(type, place);
  for (const operator of operators)
    if (operator !== "|" && operator !== "|&") addUnknownConstruct(operator, place);
}

function walkNode(node: CommandNode, place: Context): ExitStates {
  place.reading.spend(1);
  switch (node.type) {
    case "Command":
      return walkCommand(node, place);
    case "Function":
      return walkFunction(node, place);
    case "Redirected":
      return walkRedirected(node, place);
    case "Coproc":
      place.reading.addProblem("it starts a coprocess", textOf(node, place));
      if (node.body.type === "CompoundList") walkList(node.body, place, "background");
      else walkNode(node.body, { ...place, state: forkState(place.state) });
      return bothExits(place.state);
    default:
      return walkCompound(node, place);
  }
}

function walkRedirected(node: Redirected, place: Context): ExitStates {
  const redirects = walkRedirects(node, place);
  const site = { ...place.site, redirects: [...redirects, ...place.site.redirects] };
  return walkCompound(node.command, { ...place, site });
}

function walkCompound(node: CompoundCommand, place: Context): ExitStates {
  const { reading, state } = place;
  switch (node.type) {
    case "Subshell":
      walkList(node.body, { ...place, state: forkState(state) }, "subshell");
      return bothExits(state);
    case "BraceGroup":
      return walkGroup(node.body, place, "group");
    case "If":
      return walkIf(node, place);
    case "Case":
      return walkCase(node, place);
    case "TestCommand":
      return walkTest(node, place);
    case "ArithmeticCommand":
      if (node.expression === undefined)
        reading.addProblem("arithmetic could not be parsed", textOf(node, place));
      reading.checkArithmetic(node.expression, place);
      return bothExits(state);
    case "For":
    case "ArithmeticFor":
    case "While":
    case "Select":
      return walkLoop(node, place, (list, inner) => walkList(list, inner, "loop"));
    default:
      return addUnknownConstruct((node as { readonly type: string }).type, place);
  }
}

/** Keeps success and failure of the last command apart, as if the braces were not there. */
function walkGroup(body: CompoundList, place: ScriptPlace, around: string): ExitStates {
  const site = enter(place.site, place.reading, around);
  const last = body.commands.at(-1);
  if (site === undefined || last === undefined) return bothExits(place.state);
  const state = walkStatements(body.commands.slice(0, -1), { ...place, site });
  return walkStatement(last, { ...place, site, state });
}

function walkIf(node: If, place: ScriptPlace): ExitStates {
  let state = place.state;
  const ends: ShellState[] = [];
  for (const { clause, then } of [node, ...node.elif]) {
    const { success, failure } = walkGroup(clause, { ...place, state }, "condition");
    ends.push(walkList(then, { ...place, state: forkState(success) }, "condition"));
    state = forkState(failure);
  }
  if (node.else !== undefined) state = walkList(node.else, { ...place, state }, "condition");
  return bothExits(ends.reduce(joinStates, state));
}

function walkCase(node: Case, place: ScriptPlace): ExitStates {
  const { reading, state } = place;
  for (const word of [node.word, ...node.items.flatMap(({ pattern }) => pattern)])
    reading.readAtoms(word, place);
  // A branch may fall through into the next, so each starts with the state after any of the branches before it.
  const end = node.items.reduce((before, { body }) => {
    return joinStates(before, walkList(body, { ...place, state: forkState(before) }, "case"));
  }, state);
  return bothExits(end);
}

function walkFunction(node: FunctionNode, place: Context): ExitStates {
  const { reading, site, state } = place;
  const name = node.name.text;
  const { isKnownProgram = () => true } = reading.options;
  if (!/^[A-Za-z_][\w-]*$/.test(name) || /^command_not_found/.test(name) || isKnownProgram(name)) {
    reading.addProblem(`a function replaces the command ${name}`, name);
  }
  // Functions that call it would then call the new one, which may call them again.
  if (state.functions.has(name)) reading.addProblem("a function is defined twice", name);
  const inner = enter(site, reading, "function");
  // It is called later, when variables and directory may differ. It is not among the functions it may call, because
  // recursion may never end.
  const body: ShellState = {
    variables: new Map(),
    functions: new Set([...state.functions].filter((each) => each !== name)),
    directories: reading.staysInPlace ? state.directories : undefined,
  };
  if (inner !== undefined) {
    const bodyPlace = { ...place, site: inner, state: body };
    if (node.body.type === "CompoundList") walkList(node.body, bodyPlace, "group");
    else walkNode(node.body, bodyPlace);
  }
  state.functions.add(name);
  return bothExits(state);
}

function walkList(list: CompoundList, place: ScriptPlace, around: string): ShellState {
  const site = enter(place.site, place.reading, around);
  return site === undefined ? place.state : walkStatements(list.commands, { ...place, site });
}

function addUnknownConstruct(kind: string, place: ScriptPlace): ExitStates {
  place.reading.addProblem(`it contains an unknown construct (${kind})`, place.site.source.slice(0, 80));
  return bothExits(place.state);
}

function textOf({ pos, end }: { readonly pos: number; readonly end: number }, { site }: ScriptPlace): string {
  return site.source.slice(pos, end);
}
