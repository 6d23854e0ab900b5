import { missing, type NetChange, type PathState } from "../../../kernel/events/index.ts";
import { quoteName } from "../../../shared/diff/format-spans.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { readText } from "../read/read-text.ts";
import { diffTexts } from "../thread/text-thread.ts";
import type { ReadableTree } from "../tree/tree.ts";

export interface ChangeTexts {
  /** Without the changes. */
  readonly before: TextIn;
  /** With the changes. */
  readonly after: TextIn;
  nameOf(canonical: string): string;
}

type FileState = Extract<PathState, { kind: "file" }>;

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
  const [old, fresh] = await Promise.all([
    entryOf(path, before, options.before),
    entryOf(path, after, options.after),
  ]);
  return describeMode(name, before, after) + (await gitDiff(name, old, fresh));
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

/** Undefined if it does not exist. */
async function entryOf(path: string, state: PathState, textIn: TextIn): Promise<GitEntry | undefined> {
  if (state.kind === "link") return { mode: "120000", text: state.target };
  if (state.kind !== "file") return undefined;
  return { mode: state.mode & 0o100 ? "100755" : "100644", text: await textIn(path, state) };
}

/** Texts as a tree has them now. */
export function textsIn(
  tree: ReadableTree,
  { signal, nameOf }: { readonly signal: AbortSignal } & Pick<ChangeTexts, "nameOf">,
): TextIn {
  return async (path) => {
    try {
      return (await readText(path, { tree, signal, name: nameOf(path) })).file.text;
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  };
}

/** A file or link as git sees it. */
interface GitEntry {
  /** `100644`, `100755` or, for a link, `120000`. */
  readonly mode: string;
  /** A file's text or a link's target; undefined for a binary file. */
  readonly text: string | undefined;
}

/** One file's change as `git diff` writes it, so that `git apply` can also create and delete links and empty files. */
async function gitDiff(
  path: string,
  before: GitEntry | undefined,
  after: GitEntry | undefined,
): Promise<string> {
  const names = { before: quoteName(`a/${path}`), after: quoteName(`b/${path}`) };
  const header = [`diff --git ${names.before} ${names.after}`, ...describeModes(before?.mode, after?.mode)];
  return `${header.join("\n")}\n${await describeContent(path, { before, after, names })}`;
}

function describeModes(before: string | undefined, after: string | undefined): string[] {
  if (before === undefined) return [`new file mode ${after}`];
  if (after === undefined) return [`deleted file mode ${before}`];
  return before === after ? [] : [`old mode ${before}`, `new mode ${after}`];
}

async function describeContent(
  path: string,
  {
    before,
    after,
    names,
  }: {
    before: GitEntry | undefined;
    after: GitEntry | undefined;
    names: { before: string; after: string };
  },
): Promise<string> {
  const isText = [before, after].every((entry) => entry === undefined || entry.text !== undefined);
  if (!isText) {
    return `Binary files ${before ? names.before : nothing} and ${after ? names.after : nothing} differ\n`;
  }
  const { diff } = await diffTexts(path, { before: before?.text ?? "", after: after?.text ?? "" });
  if (before === undefined) return diff.replace(/^--- .*$/m, `--- ${nothing}`);
  return after === undefined ? diff.replace(/^\+\+\+ .*$/m, `+++ ${nothing}`) : diff;
}

const nothing = "/dev/null";
