import type { FileChange } from "../../kernel/events/file-change.ts";
import { unguardedGate } from "../../kernel/policy/gate.ts";
import type { ListTree } from "../../kernel/policy/restricted-names.ts";
import {
  methodKeys,
  type OpenService,
  type Service,
  type ServiceCall,
} from "../../kernel/services/service.ts";
import type { SessionKept } from "../../kernel/session/kept/kept.ts";
import type { SessionLog } from "../../kernel/session/session-log.ts";
import type { BlobStore } from "../../kernel/store/blobs/blob-store.ts";
import { isText, type KeptKind } from "../../kernel/store/kept/kept-kind.ts";
import { knownKeys, listOfShape, value } from "../../shared/options/known-keys.ts";
import { inCode } from "../../shared/options/option.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import type { FileEdits } from "../../tool/services/files.ts";
import type { ChangedContents } from "./change/changing.ts";
import { createPathLocks } from "./change/path-locks.ts";
import type { FileScope } from "./file-scope.ts";
import { createFreshnessPool, type FreshnessPool } from "./freshness-pool.ts";
import type { IntentLog } from "./intents/intent-log.ts";
import { listTree } from "./list-tree.ts";
import { openScope } from "./open-scope.ts";
import { diffChanges } from "./undo/diff-changes.ts";
import { watchFiles } from "./watch-files.ts";
import { readingScope, type Workspace } from "./workspace.ts";

export const filesOptions = { requireReadBeforeWrite: inCode<boolean>() };

export interface FilesParts {
  readonly id: string;
  readonly kept: SessionKept;
  readonly log: Pick<SessionLog, "note" | "confirmOwner">;
  readonly workspace: Workspace;
  /** Earlier versions of changed files. */
  readonly blobs: BlobStore;
  /** Where changes are written down before they are made. */
  readonly intents?: Pick<IntentLog, "begin">;
  readonly requireReadBeforeWrite?: boolean | undefined;
  /** Logs each change that other processes make to a file that the session has read. */
  readonly watchFiles?: boolean | undefined;
}

export interface OpenedFiles extends OpenService<"files"> {
  readonly listTree: ListTree;
  /** Restores files to their state before the changes, or throws a `conflict` naming what changed since. */
  revert(changes: readonly FileChange[], use: RevertUse): Promise<readonly FileChange[]>;
  /** A diff of changes that were just made; undefined if a content is gone already. */
  diff(changes: readonly FileChange[]): Promise<string | undefined>;
}

type RevertUse = Pick<ServiceCall, "id" | "deadline" | "isPreview" | "noteChange"> &
  Partial<Pick<ServiceCall, "showsAbsolutePaths">>;

const fileEdits = knownKeys<FileEdits>({
  path: value,
  encoding: value,
  edits: listOfShape(
    knownKeys<FileEdits["edits"][number]>({ oldText: value, newText: value, replaceAll: value }),
  ),
});

/** Reads and changes files of the workspace: contained, checked for staleness, locked and undoable. */
export const filesService: Service<"files", FilesParts, OpenedFiles> = {
  offers: "reading and changing files",
  keys: methodKeys<"files">(
    {
      readLines: [
        1,
        {
          firstLine: value,
          maxLines: value,
          firstColumn: value,
          maxLineCharacters: value,
          maxCharacters: value,
          encoding: value,
        },
      ],
      list: [1, { recursive: value, maxEntries: value }],
      readText: [1, { encoding: value, maxBytes: value }],
      writeText: [2, { encoding: value }],
      writeBytes: [2, { overwrite: value }],
      updateText: [2, { encoding: value }],
      remove: [1, { recursive: value }],
      makeDirectory: [1, { recursive: value }],
      move: [2, { overwrite: value }],
      copy: [2, { overwrite: value }],
    },
    { editTexts: [0, listOfShape(fileEdits)] },
  ),
  inPreview: "plans",
  isBrief: true,
  confirmsOwner: true,
  async open(parts) {
    const { workspace, blobs, intents, requireReadBeforeWrite = false } = parts;
    const freshness = await openFreshness(parts);
    const watch = parts.watchFiles ? await startWatch(parts, freshness) : undefined;
    const known = new WeakMap<FileChange, ChangedContents>();
    const scopeOf = ({
      id: callId,
      deadline,
      isPreview,
      noteChange,
      showsAbsolutePaths = false,
    }: RevertUse): Omit<FileScope, "gate"> => ({
      showsAbsolutePaths,
      signal: deadline.signal,
      freshness,
      blobs,
      onChange(change, contents) {
        if (contents !== undefined) known.set(change, contents);
        noteChange(change);
      },
      mode: isPreview ? "preview" : "apply",
      requireReadBeforeWrite,
      confirmOwner: parts.log.confirmOwner,
      beginIntent: intents && ((roots) => intents.begin({ callId, sessionId: parts.id, roots })),
    });
    const reading = openScope(readingScope(workspace), workspace.roots, createPathLocks());
    return {
      forCall: (gate, call) => workspace.files({ ...scopeOf(call), gate }),
      listTree: listTree(reading.tree),
      diff: (changes) =>
        diffChanges(changes, { ...reading, blobs, contents: known, nameOf: reading.diffNameOf }),
      // Unguarded, because permission for each reverted path was checked before.
      revert: (changes, use) =>
        workspace.revert(changes, { ...scopeOf(use), gate: unguardedGate(workspace) }),
      close: async () => watch?.close(),
    };
  },
};

/** Includes what an earlier run of the session had read. */
async function openFreshness({ kept }: FilesParts): Promise<FreshnessPool> {
  const hashes = kept(readHashes);
  return createFreshnessPool({ known: await hashes.list(), onChange: hashes.set });
}

/** By path, the hash of what the session has read or written there. */
export const readHashes: KeptKind<string> = { scope: "freshness", isValue: isText };

function startWatch({ workspace: { root }, log }: FilesParts, freshness: FreshnessPool) {
  return watchFiles(root, {
    freshness,
    onChange: (path, kind) =>
      log.note({ type: "file-change", path: relativeInside(root, path) ?? path, kind }),
  });
}
