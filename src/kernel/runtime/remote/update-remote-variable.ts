import { variableText } from "../../call/inbox/session-inbox.ts";
import { sessionValues } from "../../session/session-variables.ts";
import { copyJson } from "../../session/variables.ts";
import { keptIn } from "../../store/kept/kept-kind.ts";
import { isAliveIn } from "../../store/process-life.ts";
import { leaseWrite } from "../../store/session-lease.ts";
import { claim, type Store } from "../../store/store.ts";
import type { OwnerLink } from "./owner-link.ts";
import type { RemoteSession } from "./remote-session.ts";

/** Changes variables by their owner, or in the store while no process owns the session. */
export function variableUpdater(
  store: Store,
  id: string,
  { perform }: OwnerLink,
): RemoteSession["updateVariable"] {
  const values = keptIn(store, sessionValues, id);
  return async (name, change) => {
    for (;;) {
      const lease = await store.readLease(id);
      const before = await values.get(name);
      const changed = change(before);
      const value = changed === undefined ? undefined : copyJson(name, changed);
      const isUnowned = lease?.owner === undefined || !(await isAliveIn(store, lease.owner));
      if (isUnowned && lease?.isDamaged !== true) {
        const requires = [values.write(name, before), leaseWrite(id, lease)];
        if (await claim(store, id, { variables: [values.write(name, value)], requires })) return value;
        continue;
      }
      const expected = variableText(before);
      const answer = await perform(
        { kind: "variable", name, value, expected },
        ({ variables }, isOpenHere) => {
          // Opened for a moment only, which has written a whole lease: the next round requires that.
          const isChanged = isOpenHere && variableText(variables.get(name)) === expected;
          if (isChanged) variables.set(name, value);
          return { isChanged };
        },
      );
      if ((answer as { isChanged: boolean }).isChanged) return value;
    }
  };
}
