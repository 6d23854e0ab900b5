import { hostname } from "node:os";
import { isoTime } from "../../shared/iso-time.ts";
import { ToolError } from "../../tool/tool-error.ts";
import {
  describeSessionIdRule,
  isAliveIn,
  isSessionId,
  leaseWrite,
  type OpenedRecord,
  ownLifeIn,
  type SessionOwner,
  type SessionRecord,
  type Store,
  type VariableWrite,
} from "../store/index.ts";
import { describeOwner, doesAnswer } from "./inbox/ask-owner.ts";

export interface OwnedSession {
  readonly taskId: string;
  readonly resumed: boolean;
  readonly dialect: string;
  /** The number of its lease. */
  readonly fence: number;
}

/**
 * Creates the session or opens it again, for this process alone. It can be taken from an owner that has died, and from
 * one that lives and does not answer for ten seconds by this process's clock: that one is suspended or blocked, and when it goes
 * on, its first write is refused.
 */
export async function ownSession(
  store: Store,
  record: Omit<OpenedRecord, "check" | "takeLease"> & Required<Pick<OpenedRecord, "chooseDialect">>,
): Promise<OwnedSession> {
  const { id, workspace } = record;
  if (!isSessionId(id)) throw new TypeError(describeSessionIdRule(id));
  const own = { ...(await ownLifeIn(store)), host: hostname(), since: isoTime() };
  let gone: SessionOwner | undefined;
  for (;;) {
    let fence = 0;
    let replaced: SessionOwner | undefined;
    try {
      const { taskId, resumed, dialect } = await store.openSession({
        ...record,
        check(known) {
          refuseOtherWorkspace(known, workspace);
          refuseOtherTask(known, record.taskId);
        },
        takeLease(lease) {
          replaced = lease?.owner;
          if (replaced !== undefined && replaced.life !== own.life && !isSame(replaced, gone))
            throw new Held(replaced);
          fence = (lease?.fence ?? 0) + 1;
          return { fence, owner: own };
        },
      });
      // A suspended owner notices as soon as it goes on.
      if (replaced?.life !== undefined) store.lives.wake(replaced.life);
      return { taskId, resumed, dialect: dialect!, fence };
    } catch (error) {
      if (!(error instanceof Held)) throw error;
      const { owner } = error;
      if ((await isAliveIn(store, owner)) && (await doesAnswer(store, id, owner)))
        throw sessionBusy(id, owner);
      gone = owner;
    }
  }
}

/** Ends the ownership. The next owner counts on from its number. */
export function releaseWrite(id: string, { fence }: Pick<OwnedSession, "fence">): VariableWrite {
  return leaseWrite(id, { fence });
}

class Held extends Error {
  readonly owner: SessionOwner;
  constructor(owner: SessionOwner) {
    super();
    this.owner = owner;
  }
}

function isSame(one: SessionOwner, other: SessionOwner | undefined): boolean {
  return one.life === other?.life && one.since === other?.since && one.pid === other?.pid;
}

function sessionBusy(id: string, owner: SessionOwner): ToolError {
  return new ToolError(
    "session-busy",
    `session ${id} is open in another process (${describeOwner(owner)}); close it there, or use another session`,
    {
      hint: "Close it there, or use another session. `runtime.remoteSession(id)` reads it and sends it what you want done.",
      retryable: true,
    },
  );
}

export function isSessionBusy(error: unknown): boolean {
  return error instanceof ToolError && error.code === "session-busy";
}

export function sessionLost(id: string, cause?: unknown): ToolError {
  return new ToolError(
    "session-lost",
    `another process took session ${id} over, because this one did not answer for ten seconds`,
    { hint: "Open the session again when the other process is done with it.", cause },
  );
}

/**
 * Refuses a session whose paths, approvals and budget were about another folder. A sub-agent's may have been a worktree
 * that is gone.
 */
function refuseOtherWorkspace(known: SessionRecord, workspace: string): void {
  if (known.parent !== undefined || known.workspace === "" || known.workspace === workspace) return;
  throw new TypeError(
    `session ${known.id} belongs to the workspace ${known.workspace}; open it there, or use another id`,
  );
}

function refuseOtherTask({ id, taskId }: SessionRecord, given: string | undefined): void {
  if (given === undefined || given === taskId) return;
  throw new TypeError(`session ${id} belongs to task ${taskId} and cannot change to ${given}`);
}
