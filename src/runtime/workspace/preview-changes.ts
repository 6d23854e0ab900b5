import { ToolError } from "../../tool/tool-error.ts";
import { unifiedDiff } from "../text-edit/preview.ts";
import type { FileChange, PathState } from "./file-change.ts";
import { type NetChange, netChanges } from "./net-changes.ts";
import { readText } from "./read-text.ts";
import type { Tree } from "./tree.ts";

export interface PreviewOptions {
  /** As it is. */
  readonly base: Tree;
  /** As it would be. */
  readonly tree: Tree;
  readonly signal: AbortSignal;
  nameOf(canonical: string): string;
}

/** A unified diff of everything that would change; what is no text is told in a line. */
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
  const [old, fresh] = await Promise.all([
    textOf(path, before, options.base, options),
    textOf(path, after, options.tree, options),
  ]);
  const headline = describeKinds(name, before, after);
  if (old === undefined || fresh === undefined) return `${headline ?? `Binary file ${name} differs`}\n`;
  const { diff } = await unifiedDiff(name, old, fresh);
  return (headline === undefined ? "" : `${headline}\n`) + diff;
}

/** Undefined where a file stays a file. */
function describeKinds(name: string, before: PathState, after: PathState): string | undefined {
  if (before.kind === "file" && after.kind === "file") {
    return before.mode === after.mode
      ? undefined
      : `mode of ${name}: ${octal(before.mode)} to ${octal(after.mode)}`;
  }
  if (before.kind === "missing") return `new ${describeState(name, after)}`;
  if (after.kind === "missing") return `deleted ${describeState(name, before)}`;
  return `${describeState(name, before)} becomes ${describeState(name, after)}`;
}

function describeState(name: string, state: PathState): string {
  return state.kind === "link" ? `link ${name} -> ${state.target}` : `${state.kind} ${name}`;
}

function octal(mode: number): string {
  return mode.toString(8);
}

/** Empty for what is not there, undefined for what is no text. */
async function textOf(
  path: string,
  state: PathState,
  tree: Tree,
  { signal, nameOf }: PreviewOptions,
): Promise<string | undefined> {
  if (state.kind === "missing") return "";
  if (state.kind !== "file") return undefined;
  try {
    return (await readText(path, { tree, signal, name: nameOf(path) })).file.text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
