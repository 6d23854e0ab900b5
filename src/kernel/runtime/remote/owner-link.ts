import { ToolError } from "../../../tool/tool-error.ts";
import { askOwner } from "../../session/inbox/ask-owner.ts";
import type { InboxRequest } from "../../session/inbox/inbox-item.ts";
import { isAliveIn } from "../../store/process-life.ts";
import type { SessionOwner } from "../../store/store.ts";
import type { RunningRuntime } from "../running-runtime.ts";
import type { Session } from "../session.ts";

/** How to reach the process that has the session open. */
export interface OwnerLink {
  owner(): Promise<SessionOwner | undefined>;
  /** Asks the owner, or does it here; again if the owner is gone before it has done it. */
  perform(request: InboxRequest, here: (session: Session, isOpenHere: boolean) => unknown): Promise<unknown>;
}

export function createOwnerLink(
  { store, open }: Pick<RunningRuntime, "store" | "open">,
  id: string,
): OwnerLink {
  const owner = async (): Promise<SessionOwner | undefined> => {
    const holder = (await store.readLease(id))?.owner;
    return holder !== undefined && (await isAliveIn(store, holder)) ? holder : undefined;
  };
  const perform: OwnerLink["perform"] = async (request, here) => {
    for (;;) {
      const holder = await owner();
      if (holder !== undefined && holder.life !== store.lives.own) {
        const reply = await askOwner(store, id, { owner: holder, request });
        if (reply.outcome === "gone") continue;
        const { error, value } = reply.answer;
        if (error !== undefined) throw new ToolError(error.code, error.message, error);
        return value;
      }
      try {
        const session = await open({ id });
        try {
          return await here(session, holder !== undefined);
        } finally {
          if (holder === undefined) await session.close();
        }
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
  };
  return { owner, perform };
}

function isBusy(error: unknown): boolean {
  return error instanceof ToolError && error.code === "session-busy";
}
