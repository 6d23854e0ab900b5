import { type FileChange, netChanges, type PathState } from "../../../kernel/events/index.ts";
import type { BlobStore } from "../../../kernel/store/index.ts";
import { createHash } from "../../../shared/crypto.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ChangedContents } from "../change/changing.ts";
import { asText, readFile } from "../read/read-text.ts";
import type { ReadableTree } from "../tree/tree.ts";
import { type ChangeTexts, describeChanges, type TextIn } from "./describe-changes.ts";

export interface MadeChanges extends Pick<ChangeTexts, "nameOf"> {
  readonly blobs: Pick<BlobStore, "read">;
  /** What the changes have left in memory, so that it need not be read again. */
  readonly contents: Pick<WeakMap<FileChange, ChangedContents>, "get">;
  /** Where the changes were made. */
  readonly tree: ReadableTree;
  readonly signal: AbortSignal;
}

/**
 * A unified diff of changes that were just made; a file that is too large for a diff gets one line. Undefined if a
 * content is in memory no more, and gone on the disk, because another process has changed the file since.
 */
export async function diffChanges(
  changes: readonly FileChange[],
  { blobs, contents, tree, signal, nameOf }: MadeChanges,
): Promise<string | undefined> {
  const nets = netChanges(changes);
  const shown = nets.slice(0, maxPaths).filter(isSmall);
  const left = nets.filter((net) => !shown.includes(net)).slice(0, maxPaths);
  /** The contents at one end of all changes to a path. */
  const contentAt = (end: "before" | "after", path: string) => {
    const all = changes.filter((change) => change.path === path);
    const change = end === "before" ? all[0] : all.at(-1);
    return change && contents.get(change)?.[end];
  };
  const decode = (path: string, bytes: Buffer | undefined, hash: string) => {
    if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== hash) throw new Gone();
    return textOf(bytes, nameOf(path));
  };
  const before: TextIn = async (path, { hash }) => {
    const known = contentAt("before", path);
    return known ? textOf(known, nameOf(path)) : decode(path, await blobs.read(hash), hash);
  };
  const after: TextIn = async (path, { hash }) => {
    const known = contentAt("after", path);
    if (known) return textOf(known, nameOf(path));
    const read = await readFile(path, { tree, signal, name: nameOf(path), maxBytes: maxFileBytes });
    return decode(path, read.bytes, hash);
  };
  try {
    const diff = await describeChanges(shown, { before, after, nameOf });
    return diff + left.map(({ path }) => `changed, not shown: ${nameOf(path)}\n`).join("");
  } catch (error) {
    if (error instanceof Gone || error instanceof ToolError) return undefined;
    throw error;
  }
}

class Gone extends Error {}

const maxFileBytes = 256 * 1024;
const maxPaths = 50;

function isSmall({ is, was }: { readonly is: PathState; readonly was: PathState }): boolean {
  return [is, was].every((state) => state.kind !== "file" || state.sizeBytes <= maxFileBytes);
}

function textOf(bytes: Buffer, name: string): string | undefined {
  try {
    return asText({ bytes, hash: "", stamp: "", mode: 0 }, { name }).file.text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
