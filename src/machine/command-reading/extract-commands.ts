import { defined } from "../../shared/options/defined.ts";
import type { Redirect, SimpleCommand, Word } from "../shell-syntax/index.ts";
import { knownText, shownText } from "./known-words.ts";
import { wrappers } from "./tables/wrappers.ts";
import { unwrap } from "./wrapper.ts";

/** One command of a script as bash would read it, without its permissions. Long parts are cut. */
export interface ParsedCommand {
  /** The program behind wrappers such as `sudo` and assignments; absent for a bare assignment or redirection. */
  readonly name?: string;
  /** The arguments as they would be passed, or as they are written if that is not known before the command runs. */
  readonly args: readonly string[];
  /** How many more arguments it has. */
  readonly omittedArgs?: number;
  /** Names of the wrappers, outermost first. */
  readonly wrappers: readonly string[];
  /** `NAME=value` for this command, written before it or given to `env`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly redirects: readonly ParsedRedirect[];
  /** Its place in the pipeline: `position` counts from 0, and commands with the same `id` are in the same one. */
  readonly pipeline: { readonly id: number; readonly position: number; readonly length: number };
}

export interface ParsedRedirect {
  readonly operator: string;
  readonly descriptor?: number | string;
  /** The file or descriptor; for a here-document, its text. */
  readonly target: string;
  /** Whether the target is known before it runs. */
  readonly isStatic: boolean;
}

/** A command in a form for callers and people: what really runs, with what, from where and to where. */
export function parsedCommand(command: SimpleCommand): ParsedCommand {
  const seen = unwrapCommand(command.words);
  const assigned = command.assignments.map(({ name, value }) => [name, shown(value)]);
  const given = seen.assignments.map((word) => splitAssignment(shown(word)));
  const omitted = seen.args.length - maxArgs;
  return {
    ...defined({ name: seen.name && shown(seen.name) }),
    args: seen.args.slice(0, maxArgs).map(shown),
    ...defined({ omittedArgs: omitted > 0 ? omitted : undefined }),
    wrappers: seen.wrappers.slice(0, maxArgs),
    environment: Object.fromEntries([...assigned, ...given].slice(0, maxArgs)),
    redirects: command.redirects.slice(0, maxArgs).map(parsedRedirect),
    pipeline: command.pipeline,
  };
}

// A verdict goes into every receipt, and the whole text of the command stands there already.
const maxArgs = 50;
const maxCharacters = 200;

function shown(word: Word): string {
  const text = shownText(word);
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`;
}

interface Seen {
  readonly name?: Word;
  readonly args: readonly Word[];
  readonly wrappers: readonly string[];
  readonly assignments: readonly Word[];
  /** The words of each wrapper and of the command that it runs, outermost first. */
  readonly wrapped: readonly (readonly Word[])[];
}

/** The command inside `sudo -u x nice env A=b command`. */
export function unwrapCommand(words: readonly Word[]): Seen {
  const names: string[] = [];
  const assignments: Word[] = [];
  const wrapped: (readonly Word[])[] = [];
  let rest = words;
  for (;;) {
    const [first, ...args] = rest;
    if (first === undefined) return { args: [], wrappers: names, assignments, wrapped };
    const name = knownText(first);
    const wrapper = name === undefined ? undefined : wrappers.get(name);
    const inner = wrapper && unwrap(wrapper, args);
    if (name === undefined || inner === undefined || inner.words.length === 0) {
      return { name: first, args, wrappers: names, assignments, wrapped };
    }
    names.push(name);
    wrapped.push(rest);
    assignments.push(...inner.assignments);
    rest = inner.words;
  }
}

function splitAssignment(text: string): [string, string] {
  const equals = text.indexOf("=");
  return [text.slice(0, equals), text.slice(equals + 1)];
}

function parsedRedirect({ operator, descriptor, target }: Redirect): ParsedRedirect {
  return {
    operator,
    ...defined({ descriptor }),
    target: shown(target),
    isStatic: knownText(target) !== undefined,
  };
}
