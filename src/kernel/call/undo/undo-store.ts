import type { Variables } from "../../../tool/tool-context.ts";
import type { FileChange } from "../../events/file-change.ts";
import type { ServiceCall } from "../../services/service.ts";

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

/** A session's undo records. */
export interface UndoStore {
  /** Returns the record's name for `read`; undefined if there is no room. */
  keep(record: UndoRecord): Promise<string | undefined>;
  read(name: string): Promise<UndoRecord | undefined>;
  /** A diff of changes that were just made; undefined if a content is gone already. */
  diff(changes: readonly FileChange[]): Promise<string | undefined>;
  /** By call id: the call that last undid or redid it. */
  readonly turns: Variables;
  /** Restores files to their state before the changes, or throws if something conflicts. */
  revert(
    changes: readonly FileChange[],
    use: Pick<ServiceCall, "id" | "deadline" | "isPreview" | "noteChange">,
  ): Promise<readonly FileChange[]>;
  /** The end of the call is on record: its changes need not be known from anywhere else. */
  settle(callId: string): void;
}

/** The part of the blob store that undo records need. */
export interface KeptBytes {
  keepBytes(bytes: Buffer): Promise<{ readonly hash: string; readonly kept: boolean }>;
  read(hash: string): Promise<Buffer | undefined>;
}

export function createUndoStore(
  blobs: KeptBytes,
  parts: Pick<UndoStore, "turns" | "revert" | "settle" | "diff">,
): UndoStore {
  return {
    ...parts,
    keep: (record) => keepUndoRecord(blobs, record),
    read: (name) => readUndoRecord(blobs, name),
  };
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
