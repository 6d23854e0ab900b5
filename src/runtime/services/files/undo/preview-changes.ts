import { ToolError } from "../../../../tool/tool-error.ts";
import { type FileChange, missing, type PathState } from "../../../events/file-change.ts";
import { type GitEntry, gitDiff } from "../diff/git-diff.ts";
import { readText } from "../read/read-text.ts";
import type { Tree } from "../tree/tree.ts";
import { type NetChange, netChanges } from "./net-changes.ts";

export interface PreviewOptions {
  /** As it is. */
  readonly base: Tree;
  /** As it would be. */
  readonly tree: Tree;
  readonly signal: AbortSignal;
  nameOf(canonical: string): string;
}

/** A unified diff of everything that would change; what is no text is told in a line, and so are folders. */
export async function previewChanges(
  changes: readonly FileChange[],
  options: PreviewOptions,
): Promise<string> {
  const parts: string[] = [];
  for (const net of netChanges(changes)) parts.push(await describeNet(net, options));
  return parts.join("");
}

async function describeNet(net: NetChange, options: PreviewOptions): Promise<string> {
  const { path, is: after, was: before } = net;
  const name = options.nameOf(path);
  const isOther = before.kind !== after.kind && before.kind !== "missing" && after.kind !== "missing";
  if (isOther) {
    // A diff knows no file that becomes a link or a folder: the one goes, the other comes.
    const gone = await describeNet({ path, was: before, is: missing }, options);
    return gone + (await describeNet({ path, was: missing, is: after }, options));
  }
  if (before.kind === "directory" || after.kind === "directory") return describeFolder(name, before, after);
  const [old, fresh] = await Promise.all([
    entryOf(path, before, options.base, options),
    entryOf(path, after, options.tree, options),
  ]);
  return describeMode(name, before, after) + (await gitDiff(name, old, fresh));
}

function describeFolder(name: string, before: PathState, after: PathState): string {
  if (before.kind === "missing") return `new directory ${name}\n`;
  if (after.kind === "missing") return `deleted directory ${name}\n`;
  return describeMode(name, before, after);
}

/** In full, since git only knows whether a file can be run. */
function describeMode(name: string, before: PathState, after: PathState): string {
  if (!("mode" in before) || !("mode" in after) || before.mode === after.mode) return "";
  return `mode of ${name}: ${before.mode.toString(8)} to ${after.mode.toString(8)}\n`;
}

/** Undefined for what is not there. */
async function entryOf(
  path: string,
  state: PathState,
  tree: Tree,
  options: PreviewOptions,
): Promise<GitEntry | undefined> {
  if (state.kind === "link") return { mode: "120000", text: state.target };
  if (state.kind !== "file") return undefined;
  return { mode: state.mode & 0o100 ? "100755" : "100644", text: await textOf(path, tree, options) };
}

/** Undefined for what is no text. */
async function textOf(
  path: string,
  tree: Tree,
  { signal, nameOf }: PreviewOptions,
): Promise<string | undefined> {
  try {
    return (await readText(path, { tree, signal, name: nameOf(path) })).file.text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
