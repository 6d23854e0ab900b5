import type { FileChange } from "../../kernel/events/index.ts";
import type { ListTree } from "../../kernel/policy/index.ts";
import { methodKeys, type OpenService, type Service, type ServiceCall } from "../../kernel/services/index.ts";
import type { SessionKept, SessionLog } from "../../kernel/session/index.ts";
import type { BlobStore } from "../../kernel/store/index.ts";
import { knownKeys, listOfShape, value } from "../../shared/options/known-keys.ts";
import { inCode, kinds } from "../../shared/options/option.ts";
import type { FileEdits } from "../../tool/services/files.ts";
import type { ChangedContents } from "./change/changing.ts";
import type { FileScope } from "./file-scope.ts";
import { openFreshness } from "./freshness-pool.ts";
import type { IntentLog } from "./intents/intent-log.ts";
import { listTree } from "./list-tree.ts";
import { createDiskView } from "./tree/disk-view.ts";
import { diffChanges } from "./undo/diff-changes.ts";
import { watchChanges } from "./watch-files.ts";
import type { Workspace } from "./workspace.ts";

export const filesOptions = { requireReadBeforeWrite: inCode<boolean>(value, { codeSchema: kinds.flag }) };

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
    const freshness = await openFreshness(parts.kept);
    const watch = parts.watchFiles ? await watchChanges(parts, freshness) : undefined;
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
    const { roots } = workspace;
    const nameOf = (canonical: string) => roots.relative(canonical) ?? canonical;
    const tree = createDiskView({ roots, blobs, signal: never, nameOf });
    return {
      forCall: (gate, call) => workspace.files({ ...scopeOf(call), gate }),
      listTree: listTree(tree),
      diff: (changes) => diffChanges(changes, { tree, blobs, contents: known, signal: never, nameOf }),
      revert: (changes, use) => workspace.revert(changes, scopeOf(use)),
      close: async () => watch?.close(),
    };
  },
};

const never = new AbortController().signal;
