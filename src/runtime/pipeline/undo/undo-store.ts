import type { Variables } from "../../../tool/tool-context.ts";
import type { FileChange } from "../../events/file-change.ts";
import type { ServiceCall } from "../../services/service.ts";

/** What it takes to undo a call. */
export interface UndoRecord {
  /** Canonical name of the tool. */
  readonly tool: string;
  readonly changes: readonly FileChange[];
  /** For a tool that undoes itself. */
  readonly own?: { readonly input: unknown; readonly output: unknown };
}

/** Where a session keeps what its calls can be undone by. */
export interface UndoStore {
  /** Gives the name to ask for it by; undefined where there is no room. */
  keep(record: UndoRecord): Promise<string | undefined>;
  read(name: string): Promise<UndoRecord | undefined>;
  /** By call: the undo or redo that dealt with it last. */
  readonly turns: Variables;
  /** Brings files back to what they were before the changes, or tells what stands against it. */
  revert(
    changes: readonly FileChange[],
    use: Pick<ServiceCall, "deadline" | "isPreview" | "noteChange">,
  ): Promise<readonly FileChange[]>;
}

/** As much of the store of blobs as a record needs. */
export interface KeptBytes {
  keepBytes(bytes: Buffer): Promise<{ readonly hash: string; readonly kept: boolean }>;
  read(hash: string): Promise<Buffer | undefined>;
}

export function createUndoStore(
  blobs: KeptBytes,
  { turns, revert }: Pick<UndoStore, "turns" | "revert">,
): UndoStore {
  return {
    async keep(record) {
      const { hash, kept } = await blobs.keepBytes(Buffer.from(JSON.stringify(record)));
      return kept ? hash : undefined;
    },
    async read(name) {
      const bytes = await blobs.read(name);
      return bytes && (JSON.parse(bytes.toString()) as UndoRecord);
    },
    turns,
    revert,
  };
}
