import { type KeptValues, keptIn, type SessionKept, type Store } from "../../store/index.ts";
import type { SessionLog } from "../session-log.ts";

export type { KeptValues, SessionKept } from "../../store/index.ts";

export function openKept(
  { store, log }: { store: Pick<Store, "readVariables">; log: Pick<SessionLog, "noteVariable"> },
  ownerId: string,
): SessionKept {
  return (kind) => {
    const stored = keptIn(store, kind, ownerId);
    const set: KeptValues<unknown>["set"] = (name, value) =>
      log.noteVariable({ scope: stored.scope, name, value });
    return {
      ...stored,
      set,
      async tidy(isOver) {
        for (const name of await stored.listDamaged()) set(name);
        for (const [name, value] of await stored.list()) if (isOver(value)) set(name);
      },
    };
  };
}
