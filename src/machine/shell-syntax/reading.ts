import type { ArithmeticExpression, ParsedScript, SyntaxNode, Word as WordNode } from "unbash";
import type { Redirect, SimpleCommand, Word } from "./shell-script.ts";
import type { ShellState } from "./shell-state.ts";
import type { Atom } from "./words/atom.ts";

/** The state of one analysis of a script, and the mutually recursive functions that perform it. */
export interface Reading {
  readonly commands: SimpleCommand[];
  readonly options: ReadOptions;
  addProblem(reason: string, text: string): void;
  /** Counts work; throws a `ReadingLimit` when the limit is exceeded. */
  spend(steps: number): void;
  /** Counts a command once, even if it is walked several times. */
  countCommand(node: object): void;
  newPipeline(): number;
  /** Every function that the script defines or may define, anywhere. */
  readonly functionNames: ReadonlySet<string>;
  /** Nothing in the whole script can change the directory. */
  readonly staysInPlace: boolean;
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
  /** Walks a script nested in a word; its changes to the state are discarded. */
  walkNested(script: ParsedScript | undefined, place: ScriptPlace): void;
  /** Reads any word, including the operand of an expansion or a test, which may contain spaces and operators. */
  readAtoms(word: WordNode, place: ScriptPlace): Atom[];
  /** Reads a word of a command. */
  readWord(word: WordNode, place: ScriptPlace): Atom[];
  checkArithmetic(expression: ArithmeticExpression | undefined, place: ScriptPlace): void;
}

export interface ReadOptions {
  /** Variables that the shell is known to start with. */
  readonly known?: { readonly HOME?: string; readonly PWD?: string };
  /** Whether a function with this name would hide a program or builtin. */
  readonly isKnownProgram?: (name: string) => boolean;
}

/** A position in the script. */
export interface Site {
  /** The text that offsets refer to. */
  readonly source: string;
  readonly around: readonly string[];
  readonly redirects: readonly Redirect[];
  readonly depth: number;
  readonly inside?: number;
  /** How often the enclosing loops are walked, multiplied together. */
  readonly rounds: number;
}

/** A position in the script, with the known state of the shell there. */
export interface ScriptPlace {
  readonly reading: Reading;
  readonly site: Site;
  readonly state: ShellState;
}

export class ReadingLimit extends Error {}

/**
 * The shell lists a folder to expand a pattern even outside a command's arguments, for example among a loop's values.
 * This records it as a bare redirection that reads the pattern, unless the folder is the one the script starts in.
 */
export function noteListing(word: Word, { reading, site, state }: ScriptPlace): void {
  const directory = state.directories?.[0];
  if (word.kind !== "glob" || (directory === "." && !word.pattern.includes("/"))) return;
  reading.commands.push({
    text: word.source,
    words: [],
    assignments: [],
    redirects: [{ operator: "<", target: word }],
    pipeline: { id: reading.newPipeline(), position: 0, length: 1 },
    directory,
    inside: site.inside,
    around: site.around,
  });
}
