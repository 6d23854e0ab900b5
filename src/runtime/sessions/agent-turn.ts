import { isPlainObject } from "../../shared/json.ts";
import { isAliveIn, ownLifeIn, type ProcessLife } from "../store/process-life.ts";
import { ClaimLost, type Store } from "../store/store.ts";

/** A session is one conversation, so only one agent works in it at a time, whichever process it is in. */
export interface AgentTurn {
  /** Throws if another agent has the turn. Returns how to give it back. */
  take(): Promise<() => Promise<void>>;
}

export function createAgentTurn(store: Store, sessionId: string): AgentTurn {
  const scope = `agent-turn:${sessionId}`;
  const name = "holder";
  let isTaken = false;

  const claim = async (own: ProcessLife): Promise<void> => {
    for (;;) {
      const holder = (await store.readVariables(scope)).get(name);
      if (isProcess(holder) && holder.life !== own.life && (await isAliveIn(store, holder)))
        throw new Error(`an agent in another process (pid ${holder.pid}) is working in this session`);
      try {
        await write(holder, own);
        return;
      } catch (error) {
        if (!(error instanceof ClaimLost)) throw error;
      }
    }
  };
  const write = async (from: unknown, to: unknown) => {
    const [requires, variables] = [from, to].map((value) => [{ scope, name, value }]);
    await store.append(sessionId, { events: [], variables: variables!, requires: requires! });
  };

  return {
    async take() {
      if (isTaken) throw new Error("another agent is already working in this session");
      isTaken = true;
      try {
        const own = await ownLifeIn(store);
        await claim(own);
        return async () => {
          isTaken = false;
          // If this fails, whoever comes next finds in the end that this process is gone.
          await write(own, undefined).catch(() => {});
        };
      } catch (error) {
        isTaken = false;
        throw error;
      }
    },
  };
}

function isProcess(value: unknown): value is ProcessLife {
  return isPlainObject(value) && typeof value.pid === "number";
}
