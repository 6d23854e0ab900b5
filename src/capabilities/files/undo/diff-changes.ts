import { type FileChange, type NetChange, netChanges } from "../../../kernel/events/index.ts";
import type { BlobStore } from "../../../kernel/store/index.ts";
import { hash as hashOf } from "../../../shared/crypto.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ChangedContents } from "../change/changing.ts";
import { asText, readFile } from "../read/read-text.ts";
import { ifPossible } from "../tree/if-possible.ts";
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
  const known = (path: string, end: -1 | 0) => {
    const change = changes.filter((each) => each.path === path).at(end);
    return change && contents.get(change);
  };
  const storedBytes = async (hash: string) => {
    const bytes = await blobs.read(hash);
    if (bytes === undefined || hashOf("sha256", bytes) !== hash) throw new Gone();
    return bytes;
  };
  const bytesOnDisk = async (path: string, hash: string) => {
    const read = await readFile(path, { tree, signal, nameOf, maxBytes: maxFileBytes });
    if (read.hash !== hash) throw new Gone();
    return read.bytes;
  };
  const textOf = async (path: string, bytes: Buffer) => {
    const read = { bytes, hash: "", stamp: "", mode: 0 };
    return (await ifPossible(() => asText(path, read, { nameOf })))?.file.text;
  };
  const before: TextIn = async (path, { hash }) =>
    textOf(path, known(path, 0)?.before ?? (await storedBytes(hash)));
  const after: TextIn = async (path, { hash }) =>
    textOf(path, known(path, -1)?.after ?? (await bytesOnDisk(path, hash)));
  /** Only of the one change to a path. */
  const diffOf = (path: string) => (known(path, 0) === known(path, -1) ? known(path, 0)?.diff : undefined);
  try {
    const diff = await describeChanges(shown, { before, after, diffOf, nameOf });
    return diff + left.map(({ path }) => `changed, not shown: ${nameOf(path)}\n`).join("");
  } catch (error) {
    if (error instanceof Gone || error instanceof ToolError) return undefined;
    throw error;
  }
}

class Gone extends Error {}

const maxFileBytes = 256 * 1024;
const maxPaths = 50;

function isSmall({ is, was }: NetChange): boolean {
  return [is, was].every((state) => state.kind !== "file" || state.sizeBytes <= maxFileBytes);
}
