import { missing, type PathState } from "../../../kernel/events/file-change.ts";
import type { NetChange } from "../../../kernel/events/net-changes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type GitEntry, gitDiff } from "../diff/git-diff.ts";
import { readText } from "../read/read-text.ts";
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
