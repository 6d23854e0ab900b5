import type { FileChange } from "../../events/index.ts";
import type { BlobStore } from "./blob-store.ts";

/** The data with which a call can be undone. */
export interface UndoRecord {
  /** Canonical name of the tool. */
  readonly tool: string;
  readonly changes: readonly FileChange[];
  /** For a tool with its own `undo`. */
  readonly own?: { readonly input: unknown; readonly output: unknown };
  /** A diff of the changes, with secrets masked; a long one is cut. Absent if the earlier content was gone. */
  readonly diff?: string;
}

/** The part of the blob store that undo records need. */
export type KeptBytes = Pick<BlobStore, "keepBytes" | "read">;

export async function readUndoRecord(blobs: Pick<KeptBytes, "read">, name: string) {
  const bytes = await blobs.read(name);
  return bytes && (JSON.parse(bytes.toString()) as UndoRecord);
}

export async function keepUndoRecord(blobs: KeptBytes, record: UndoRecord): Promise<string | undefined> {
  const { hash, kept } = await blobs.keepBytes(Buffer.from(JSON.stringify(record)));
  return kept ? hash : undefined;
}
