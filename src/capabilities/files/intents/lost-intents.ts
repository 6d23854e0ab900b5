import { join } from "node:path";
import type { FileChange } from "../../../kernel/events/index.ts";
import { type BlobStore, logSuffix, openBlobStore } from "../../../kernel/store/index.ts";
import {
  existsNow,
  openKernelLock,
  type ProcessLives,
  readdirNow,
  readFileNow,
  rmNow,
  takePatiently,
  writeFileNow,
} from "../../../machine/locks/index.ts";
import { createRoots } from "../../../shared/files/workspace-roots.ts";
import { awaitSteps } from "../tree/commit-step.ts";
import { createDiskTree } from "../tree/disk-tree.ts";
import type { Tree } from "../tree/tree.ts";
import { type Intent, noIntent } from "./intent.ts";
import { type IntentLog, intentLocks } from "./intent-log.ts";
import { type IntentCall, type IntentLine, type IntentRecord, readIntents } from "./intent-record.ts";
import { changesOf, recoverIntent } from "./recover-intent.ts";

export type LostIntents = ReturnType<typeof openLostIntents>;

interface LostChanges {
  /** In the order they were made. */
  readonly changes: readonly FileChange[];
  /** Half of a change was found, and taken back. */
  readonly isTakenBack: boolean;
  /** The root of the workspace that they were made in. */
  readonly root: string;
  readonly blobs: BlobStore;
}

export interface LostIntentsOptions {
  readonly lives: Pick<ProcessLives, "isAlive">;
  /** Takes the changes that recovery itself makes. */
  readonly log: Pick<IntentLog, "begin" | "forget" | "stepLock">;
}

/** What processes were about to change that have died, or have lost their session. */
export function openLostIntents(folder: string, { lives, log }: LostIntentsOptions) {
  const blobStores = new Map<string, Promise<BlobStore>>();
  const openBlobs = (blobs: string): Promise<BlobStore> => {
    const opened = blobStores.get(blobs) ?? openBlobStore(blobs);
    blobStores.set(blobs, opened);
    return opened;
  };
  /** The folders that the dead process could change, whichever workspace this one has. */
  const openTree = async ({ roots, blobs }: IntentRecord, intent = noIntent): Promise<Tree> => {
    const [root = "", ...extraRoots] = roots;
    return createDiskTree({
      roots: createRoots({ root, extraRoots, readableRoots: [] }),
      blobs: await openBlobs(blobs),
      signal: never,
      nameOf: (path) => path,
      intent,
    });
  };
  let recovering: Promise<void> | undefined;
  const listLogs = () =>
    existsNow(folder) ? readdirNow(folder).filter((name) => name.endsWith(logSuffix)) : [];
  const isDead = (name: string) => !lives.isAlive(lifeOf(name));
  const isUnsettled = (name: string) => readLog(folder, name).some(({ isEnded }) => !isEnded);

  /** Unlike other work under a lock, this may take a while; a process that waits in vain goes on without. */
  const underLock = async (work: () => Promise<void>) => {
    const lock = openKernelLock(join(folder, intentLocks.recovery));
    try {
      await takePatiently(lock, patienceMs);
      await work();
    } finally {
      lock.close();
    }
  };
  const recoverAll = async () => {
    if (!listLogs().some((name) => isDead(name) && isUnsettled(name))) return;
    await underLock(async () => {
      for (const name of listLogs().filter(isDead)) await recoverLog(name);
    });
  };
  /** The last change first: the one before it is found as that one has left it. */
  const recoverLog = async (name: string, isLost = (_: IntentRecord) => true) => {
    for (const record of readLog(folder, name).reverse()) {
      if (record.isEnded || !isLost(record)) continue;
      const { number, roots } = record;
      const intent = { ...intentPerStep(() => log.begin({ ...noCall, roots })), stepLock: log.stepLock };
      const tree = await openTree(record, intent);
      const recovered = await recoverIntent(record, tree).finally(intent.end);
      const line: IntentLine = { about: "recovered", number, ...recovered };
      log.forget(noCall.callId);
      // The line before it may have been cut off.
      writeFileNow(join(folder, name), `\n${JSON.stringify(line)}\n`, { flag: "a", mode: 0o600 });
    }
  };

  return {
    /** Takes back or completes what the dead have half changed. Waits for another process that does the same. */
    recover(): Promise<void> {
      recovering ??= recoverAll().finally(() => {
        recovering = undefined;
      });
      return recovering;
    },
    /** The same for one call, whose process is alive perhaps, but has lost the session and makes no further step. */
    async recoverCall(call: IntentCall): Promise<void> {
      const isLost = (record: IntentRecord) => !record.isEnded && isOf(call, record);
      if (!listLogs().some((name) => readLog(folder, name).some(isLost))) return;
      // One that it was making when it was suspended; it makes none that it begins later.
      await awaitSteps(log.stepLock);
      await underLock(async () => {
        for (const name of listLogs()) await recoverLog(name, isLost);
      });
    },
    /** The written changes of a call that has no end; undefined if it has written none. */
    async find(call: IntentCall): Promise<LostChanges | undefined> {
      const records = listLogs()
        .flatMap((name) => readLog(folder, name))
        .filter((record) => isOf(call, record));
      const [first] = records;
      if (first === undefined) return undefined;
      const changes: FileChange[] = [];
      for (const record of records) {
        changes.push(...(await changesOf(record, await openTree(record))));
      }
      const isTakenBack = records.some((record) => record.isTakenBack);
      return { changes, isTakenBack, root: first.roots[0]!, blobs: await openBlobs(first.blobs) };
    },
    /** Whether processes have written here, all of which have died. */
    isOver: () => listLogs().length > 0 && listLogs().every(isDead),
    /** Removes what dead processes have written down, unless some of their calls still have no end. */
    forget(isNeeded: (life: string) => boolean): void {
      for (const name of listLogs()) {
        if (!isDead(name) || isNeeded(lifeOf(name)) || isUnsettled(name)) continue;
        rmNow(join(folder, `${name}.new`), { force: true });
        rmNow(join(folder, name), { force: true });
      }
    },
  };
}

/** Changes that recovery makes belong to no call. */
const noCall: IntentCall = { callId: "", sessionId: "" };

function isOf({ callId, sessionId }: IntentCall, record: IntentRecord): boolean {
  return record.callId === callId && record.sessionId === sessionId;
}

function lifeOf(name: string): string {
  return name.slice(0, -logSuffix.length);
}

/** Empty if another process has removed it, because all is well. */
function readLog(folder: string, name: string): IntentRecord[] {
  const file = join(folder, name);
  try {
    return readIntents(readFileNow(file, "utf8"));
  } catch (error) {
    if (!existsNow(file)) return [];
    throw error;
  }
}

const never = new AbortController().signal;

/** Every step is a separate intent, which leaves no files behind if this process dies too. */
function intentPerStep(begin: () => Intent): Intent {
  let current: Intent | undefined;
  return {
    ...noIntent,
    step(step) {
      if (step.kind !== "ready") {
        current?.end();
        current = begin();
      }
      current?.last();
      current?.step(step);
    },
    end: () => current?.end(),
  };
}

const patienceMs = 10_000;
