import type { FileChange, PathState } from "../../../kernel/events/file-change.ts";
import { netChanges } from "../../../kernel/events/net-changes.ts";
import type { BlobStore } from "../../../kernel/store/blobs/blob-store.ts";
import { createHash } from "../../../shared/crypto.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { asText, readFile } from "../read/read-text.ts";
import type { Tree } from "../tree/tree.ts";
import { type ChangeTexts, describeChanges, type TextIn } from "./describe-changes.ts";

export interface MadeChanges extends Pick<ChangeTexts, "nameOf"> {
  readonly blobs: Pick<BlobStore, "read">;
  /** Where the changes were made. */
  readonly tree: Tree;
  readonly signal: AbortSignal;
}

/**
 * A unified diff of changes that were just made; a file that is too large for a diff gets one line. Undefined if a
 * content is gone already, because another process has changed the file since.
 */
export async function diffChanges(
  changes: readonly FileChange[],
  { blobs, tree, signal, nameOf }: MadeChanges,
): Promise<string | undefined> {
  const nets = netChanges(changes);
  const shown = new Set(
    nets
      .slice(0, maxPaths)
      .filter(isSmall)
      .map(({ path }) => path),
  );
  const left = nets.filter(({ path }) => !shown.has(path));
  const decode = (path: string, bytes: Buffer | undefined, hash: string) => {
    if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== hash) throw new Gone();
    return textOf(bytes, nameOf(path));
  };
  const before: TextIn = async (path, { hash }) => decode(path, await blobs.read(hash), hash);
  const after: TextIn = async (path, { hash }) => {
    const read = await readFile(path, { tree, signal, name: nameOf(path), maxBytes: maxFileBytes });
    return decode(path, read.bytes, hash);
  };
  try {
    const diff = await describeChanges(
      changes.filter(({ path }) => shown.has(path)),
      { before, after, nameOf },
    );
    return (
      diff +
      left
        .slice(0, maxPaths)
        .map(({ path }) => `changed, not shown: ${nameOf(path)}\n`)
        .join("")
    );
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
