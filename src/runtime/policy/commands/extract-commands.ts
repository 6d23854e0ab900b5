import type {
  PipelinePlace,
  Redirect,
  ShellScript,
  SimpleCommand,
  Word,
} from "../../shell-syntax/shell-script.ts";
import { knownText, shownText } from "./known-words.ts";
import { wrappers } from "./tables/wrappers.ts";
import { unwrap } from "./wrapper.ts";

/** One command in a form for display. */
export interface CommandInfo {
  readonly text: string;
  /** The program behind wrappers such as `sudo` and assignments; undefined for a bare assignment or redirection. */
  readonly name?: string;
  readonly args: readonly string[];
  /** Names of the wrappers, outermost first. */
  readonly wrappers: readonly string[];
  /** `NAME=value` for this command, written before it or given to `env`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly redirects: readonly {
    operator: string;
    descriptor?: number | string;
    target: string;
    isStatic: boolean;
  }[];
  readonly pipeline: PipelinePlace;
  readonly inside?: number;
}

/** Every command in a script at any depth, in the order of the text. */
export function extractCommands({ commands }: ShellScript): readonly CommandInfo[] {
  return commands.map(describeCommand);
}

function describeCommand(command: SimpleCommand): CommandInfo {
  const seen = unwrapCommand(command.words);
  const assigned = command.assignments.map(({ name, value }) => [name, shownText(value)]);
  const given = seen.assignments.map((word) => splitAssignment(shownText(word)));
  return {
    text: command.text,
    ...(seen.name !== undefined && { name: shownText(seen.name) }),
    args: seen.args.map(shownText),
    wrappers: seen.wrappers,
    environment: Object.fromEntries([...assigned, ...given]),
    redirects: command.redirects.map(describeRedirect),
    pipeline: command.pipeline,
    ...(command.inside !== undefined && { inside: command.inside }),
  };
}

interface Seen {
  readonly name?: Word;
  readonly args: readonly Word[];
  readonly wrappers: readonly string[];
  readonly assignments: readonly Word[];
  /** The words of each wrapper and what it runs, outermost first. */
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

function describeRedirect({ operator, descriptor, target }: Redirect): CommandInfo["redirects"][number] {
  return {
    operator,
    ...(descriptor !== undefined && { descriptor }),
    target: shownText(target),
    isStatic: knownText(target) !== undefined,
  };
}
