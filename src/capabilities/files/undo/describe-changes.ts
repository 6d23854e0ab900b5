import { missing, type NetChange, type PathState } from "../../../kernel/events/index.ts";
import { quoteName } from "../../../shared/diff/format-spans.ts";
import { type ReadTextOptions, readText } from "../read/read-text.ts";
import { diffTexts } from "../thread/text-thread.ts";
import { ifPossible } from "../tree/if-possible.ts";
import type { FileState, ReadableTree } from "../tree/tree.ts";

export interface ChangeTexts {
  /** Without the changes. */
  readonly before: TextIn;
  /** With the changes. */
  readonly after: TextIn;
  /** The unified diff of a path's two texts, if it was made before. */
  diffOf?(path: string): string | undefined;
  nameOf(canonical: string): string;
}

/** The text of a file in one of its states; undefined if it is not text. */
export type TextIn = (path: string, state: FileState) => Promise<string | undefined>;

/** A unified diff of all changes; binary files and folders get one line each. */
export async function describeChanges(nets: readonly NetChange[], options: ChangeTexts): Promise<string> {
  const parts: string[] = [];
  for (const net of nets) parts.push(await describeNet(net, options));
  return parts.join("");
}

async function describeNet(net: NetChange, options: ChangeTexts): Promise<string> {
  const { path, is: after, was: before } = net;
  const name = options.nameOf(path);
  const isOther = before.kind !== after.kind && before.kind !== "missing" && after.kind !== "missing";
  if (isOther) {
    // A diff cannot turn a file into a link or folder, so it shows a removal and a creation.
    const gone = await describeNet({ path, was: before, is: missing }, options);
    return gone + (await describeNet({ path, was: missing, is: after }, options));
  }
  if (before.kind === "directory" || after.kind === "directory") return describeFolder(name, before, after);
  return describeMode(name, before, after) + (await gitDiff(net, options));
}

function describeFolder(name: string, before: PathState, after: PathState): string {
  if (before.kind === "missing") return `new directory ${name}\n`;
  if (after.kind === "missing") return `deleted directory ${name}\n`;
  return describeMode(name, before, after);
}

/** Shows the full mode, because git's diff only knows whether a file is executable. */
function describeMode(name: string, before: PathState, after: PathState): string {
  if (!("mode" in before) || !("mode" in after) || before.mode === after.mode) return "";
  return `mode of ${name}: ${before.mode.toString(8)} to ${after.mode.toString(8)}\n`;
}

/** Texts as a tree has them now. */
export function textsIn(tree: ReadableTree, how: Pick<ReadTextOptions, "signal" | "nameOf">): TextIn {
  return async (path) => (await ifPossible(() => readText(path, { tree, ...how })))?.file.text;
}

/** One file's change as `git diff` writes it, so that `git apply` can also create and delete links and empty files. */
async function gitDiff(net: NetChange, options: ChangeTexts): Promise<string> {
  const name = options.nameOf(net.path);
  const names = { before: quoteName(`a/${name}`), after: quoteName(`b/${name}`) };
  const modes = describeModes(gitMode(net.was), gitMode(net.is));
  const header = [`diff --git ${names.before} ${names.after}`, ...modes].join("\n");
  return `${header}\n${options.diffOf?.(net.path) ?? (await describeContent(net, names, options))}`;
}

/** Undefined if nothing is there. */
function gitMode(state: PathState): string | undefined {
  if (state.kind === "link") return "120000";
  if (state.kind === "file") return state.mode & 0o100 ? "100755" : "100644";
  return undefined;
}

function describeModes(before: string | undefined, after: string | undefined): string[] {
  if (before === undefined) return [`new file mode ${after}`];
  if (after === undefined) return [`deleted file mode ${before}`];
  return before === after ? [] : [`old mode ${before}`, `new mode ${after}`];
}

async function describeContent(
  { path, was, is }: NetChange,
  names: { readonly before: string; readonly after: string },
  options: ChangeTexts,
): Promise<string> {
  const [before, after] = await Promise.all([
    textOf(path, was, options.before),
    textOf(path, is, options.after),
  ]);
  if (before === undefined || after === undefined) {
    const shown = [
      was.kind === "missing" ? nothing : names.before,
      is.kind === "missing" ? nothing : names.after,
    ];
    return `Binary files ${shown.join(" and ")} differ\n`;
  }
  const { diff } = await diffTexts(options.nameOf(path), { before, after });
  if (was.kind === "missing") return diff.replace(/^--- .*$/m, `--- ${nothing}`);
  return is.kind === "missing" ? diff.replace(/^\+\+\+ .*$/m, `+++ ${nothing}`) : diff;
}

const nothing = "/dev/null";

/** A file's text or a link's target; undefined for a binary file. */
async function textOf(path: string, state: PathState, textIn: TextIn): Promise<string | undefined> {
  if (state.kind === "file") return textIn(path, state);
  return state.kind === "link" ? state.target : "";
}
