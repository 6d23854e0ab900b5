import type { Variables } from "../../../tool/tool-context.ts";
import type { FileChange } from "../../events/index.ts";
import type { ServiceCall } from "../../services/index.ts";
import { type KeptBytes, keepUndoRecord, readUndoRecord, type UndoRecord } from "../../store/index.ts";

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
