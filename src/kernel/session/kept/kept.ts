import { type KeptKind, keptIn, type StoredKept } from "../../store/kept/kept-kind.ts";
import type { Store } from "../../store/store.ts";
import type { SessionLog } from "../session-log.ts";

/** Values of one kind in a session that this process owns. */
export interface KeptValues<Value> extends StoredKept<Value> {
  /**
   * Without a value, it is removed. Written soon, with the session's next events at the latest, and read from then on.
   * Refused if another process owns the session by then.
   */
  set(name: string, value?: Value): void;
  /** Removes damaged values, and those that are of no use any more. */
  tidy(isOver: (value: Value) => boolean): Promise<void>;
}

/** Opens one kind of what a session keeps for later processes. */
export type SessionKept = <Value>(kind: KeptKind<Value>) => KeptValues<Value>;

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
