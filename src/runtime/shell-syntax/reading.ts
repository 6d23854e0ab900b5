import type { ArithmeticExpression, ParsedScript, SyntaxNode, Word as WordNode } from "unbash";
import type { Redirect, SimpleCommand } from "./shell-script.ts";
import type { ShellState } from "./shell-state.ts";
import type { Atom } from "./words/atom.ts";

/** One reading of a script: what was found so far, what may still be spent, and the parts that call each other. */
export interface Reading {
  readonly commands: SimpleCommand[];
  readonly options: ReadOptions;
  addProblem(reason: string, text: string): void;
  /** Pays for a piece of work; throws a `ReadingLimit` when there was too much of it. */
  spend(steps: number): void;
  /** Counts a command of the text, however often it is walked. */
  countCommand(node: object): void;
  newPipeline(): number;
  /** All that the script defines anywhere, surely or perhaps. */
  readonly functionNames: ReadonlySet<string>;
  /** Nothing in the whole script can change the directory. */
  readonly staysInPlace: boolean;
  forEachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void;
  /** A script nested in a word; what it changes stays in it. */
  walkNested(script: ParsedScript | undefined, site: Site, state: ShellState): void;
  /** Any word, also the operand of an expansion or a test, which may hold spaces and operators. */
  readAtoms(word: WordNode, site: Site, state: ShellState): Atom[];
  /** A word of a command. */
  readWord(word: WordNode, site: Site, state: ShellState): Atom[];
  checkArithmetic(expression: ArithmeticExpression | undefined, site: Site, state: ShellState): void;
}

export interface ReadOptions {
  /** Values that the shell will surely start with. */
  readonly known?: { readonly HOME?: string; readonly PWD?: string };
  /** Whether a function of this name would stand in the way of a program or builtin; asked for nothing else. */
  readonly isKnownProgram?: (name: string) => boolean;
}

/** Where in the script something stands. */
export interface Site {
  /** The text that positions count in. */
  readonly source: string;
  readonly around: readonly string[];
  readonly redirects: readonly Redirect[];
  readonly depth: number;
  readonly inside?: number;
  /** How often the loops around it are walked, taken together. */
  readonly rounds: number;
}

export class ReadingLimit extends Error {}
