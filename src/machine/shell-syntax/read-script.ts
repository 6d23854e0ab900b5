import { loadParser, type Parser, prescreenScript } from "./prescreen-script.ts";
import { type Reading, ReadingLimit, type ReadOptions, type Site } from "./reading.ts";
import type { ScriptProblem, ShellScript, SimpleCommand } from "./shell-script.ts";
import { forkState, type ShellState } from "./shell-state.ts";
import { findChanges } from "./walk/loop-changes.ts";
import { enter, walkScript } from "./walk/walk-script.ts";
import { checkArithmetic } from "./words/arithmetic.ts";
import { isOneWord, readAtoms } from "./words/word-atoms.ts";

/**
 * What a script will run, as far as it can be known without running it. Fails closed: anything that cannot be parsed, is
 * too complex, or makes bash evaluate data as code is reported as a problem. Never throws.
 */
export async function readScript(text: string, options: ReadOptions = {}): Promise<ShellScript> {
  const gate = prescreenScript(text);
  if (!gate.mayParse) return { commands: [], problems: gate.problems };
  const parser = await loadParser();
  const problems: ScriptProblem[] = [...gate.problems];
  const commands: SimpleCommand[] = [];
  try {
    readParsed(text, { parser, options, problems, commands });
  } catch (error) {
    // The parser and the walk are recursive; even a script within the length limit can exhaust the stack.
    const isExpected = error instanceof ReadingLimit || error instanceof RangeError;
    problems.push({
      reason: isExpected ? "it is too complex to analyse" : describeFailure(error),
      text: "",
    });
  }
  return { commands, problems };
}

interface Findings {
  readonly parser: Parser;
  readonly options: ReadOptions;
  readonly problems: ScriptProblem[];
  readonly commands: SimpleCommand[];
}

function readParsed(text: string, findings: Findings): void {
  const script = findings.parser.parse(text);
  const state: ShellState = { variables: new Map(), functions: new Set(), directories: ["."] };
  const reading = createReading(findings);
  const { hasDirectory, hasAnything, functions } = findChanges([script], reading);
  const staysInPlace = !hasDirectory && !hasAnything;
  const site: Site = { source: text, around: [], redirects: [], depth: 0, rounds: 1 };
  walkScript(script, { reading: { ...reading, staysInPlace, functionNames: functions }, site, state });
}

// Far more than real scripts take. The time limit is a last resort, since on a busy machine it must not decide.
const maxSteps = 20_000;
const maxMilliseconds = 1000;
const maxCommands = 50;
const maxProblems = 50;

function createReading({ parser, options, problems, commands }: Findings): Reading {
  const startedMs = performance.now();
  const counted = new Set<object>();
  let steps = 0;
  let pipelines = 0;
  return {
    commands,
    options,
    staysInPlace: false,
    functionNames: new Set(),
    addProblem(reason, text) {
      const isNew = !problems.some((each) => each.reason === reason && each.text === text);
      if (isNew && problems.length < maxProblems) problems.push({ reason, text });
    },
    spend(amount) {
      steps += amount;
      if (steps > maxSteps || performance.now() - startedMs > maxMilliseconds) throw new ReadingLimit();
    },
    countCommand(node) {
      counted.add(node);
      if (counted.size > maxCommands) this.addProblem(`it contains more than ${maxCommands} commands`, "");
    },
    newPipeline: () => pipelines++,
    forEachChild: parser.forEachChild,
    walkNested(script, place) {
      const { site, state } = place;
      if (script === undefined)
        return this.addProblem("a command substitution could not be parsed", site.source);
      const inner = enter(site, this, "substitution");
      if (inner !== undefined)
        walkScript(script, { ...place, site: { ...inner, redirects: [] }, state: forkState(state) });
    },
    readAtoms,
    readWord(word, place) {
      const atoms = readAtoms(word, place);
      if (!isOneWord(atoms)) this.addProblem("a word could not be parsed", word.text);
      return atoms;
    },
    checkArithmetic,
  };
}

function describeFailure(error: unknown): string {
  return `it could not be analysed: ${error instanceof Error ? error.message : String(error)}`;
}
