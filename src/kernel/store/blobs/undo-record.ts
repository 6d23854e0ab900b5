import type { FileChange } from "../../events/file-change.ts";

/** Everything needed to undo a call. */
export interface UndoRecord {
  /** Canonical name of the tool. */
  readonly tool: string;
  readonly changes: readonly FileChange[];
  /** For a tool with its own `undo`. */
  readonly own?: { readonly input: unknown; readonly output: unknown };
  /** What changed, with secrets masked; a long one is cut. Absent if it could not be told any more. */
  readonly diff?: string;
}

/** The part of the blob store that undo records need. */
export interface KeptBytes {
  keepBytes(bytes: Buffer): Promise<{ readonly hash: string; readonly kept: boolean }>;
  read(hash: string): Promise<Buffer | undefined>;
}

export async function readUndoRecord(
  blobs: Pick<KeptBytes, "read">,
  name: string,
): Promise<UndoRecord | undefined> {
  const bytes = await blobs.read(name);
  return bytes && (JSON.parse(bytes.toString()) as UndoRecord);
}

export async function keepUndoRecord(blobs: KeptBytes, record: UndoRecord): Promise<string | undefined> {
  const { hash, kept } = await blobs.keepBytes(Buffer.from(JSON.stringify(record)));
  return kept ? hash : undefined;
}
