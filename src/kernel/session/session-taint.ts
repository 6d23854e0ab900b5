import { isPlainObject } from "../../shared/json.ts";
import { defined } from "../../shared/options/defined.ts";
import type { TaintSource } from "../policy/index.ts";
import { isText, type KeptKind, keptIn, type Store } from "../store/index.ts";
import { openKept } from "./kept/kept.ts";
import type { SessionLog } from "./session-log.ts";

/** The untrusted content that has entered a session, and the sessions that it may have gone on to. */
export interface SessionTaint {
  /** All of it now: another list after every change. */
  readonly sources: readonly TaintSource[];
  list(): readonly TaintSource[];
  /** Resolves when it is recorded, in the log of every session that it concerns. */
  add(sources: readonly TaintSource[], callId?: string): Promise<void>;
  /** Only for a person to call, who vouches for all content that the session has read so far. */
  clear(by: string): Promise<void>;
  /** Reads the sources again, because a person may have cleared them from another process. */
  refresh(): Promise<void>;
  /** Hands on every source that is added or cleared from now on. Returns how to stop that. */
  forward(to: SessionTaint): () => void;
}

/** Reads the sources that earlier runs of the session have recorded. */
export async function openTaint(
  { store, log }: { store: Pick<Store, "readVariables" | "isShared">; log: SessionLog },
  id: string,
): Promise<SessionTaint> {
  const kept = openKept({ store, log }, id)(taintSources);
  let known: ReadonlyMap<string, TaintSource> = new Map();
  /** Sources that the store may not have yet. */
  const unwritten = new Map<string, TaintSource>();
  const joined = new Set<SessionTaint>();
  let changes = 0;
  const read = async () => {
    let stored: ReadonlyMap<string, TaintSource>;
    let before: number;
    do {
      before = changes;
      stored = await kept.list();
      // It may lack a change that was written meanwhile.
    } while (changes !== before);
    setKnown(new Map([...stored, ...unwritten]));
  };
  const setKnown = (now: ReadonlyMap<string, TaintSource>) => {
    known = now;
    taint.sources = [...known.values()];
  };

  const clear = async (by: string) => {
    if (store.isShared) await read();
    if (known.size === 0) return;
    for (const name of known.keys()) kept.set(name);
    setKnown(new Map());
    unwritten.clear();
    await log.append([{ type: "taint-clear", clearedBy: by }]);
    changes += 1;
    if (store.isShared) await read();
    for (const other of joined) await other.clear(by);
  };

  const taint: { -readonly [Key in keyof SessionTaint]: SessionTaint[Key] } = {
    sources: [],
    list: () => taint.sources,
    async add(sources, callId) {
      const fresh = sources.filter((source) => !known.has(keyOf(source)));
      if (fresh.length === 0) return;
      // Known at once, so that a call which is decided while this is written already counts it.
      setKnown(new Map([...known, ...fresh.map((source) => [keyOf(source), source] as const)]));
      for (const source of fresh) {
        unwritten.set(keyOf(source), source);
        kept.set(keyOf(source), source);
      }
      await log.append(fresh.map((source) => ({ type: "taint-add", source, ...defined({ callId }) })));
      for (const source of fresh) unwritten.delete(keyOf(source));
      changes += 1;
      for (const other of joined) await other.add(fresh, callId);
    },
    clear,
    async refresh() {
      if (!store.isShared || known.size === 0) return;
      await read();
      // A person has ended it from another process; for the sessions that share its content as well.
      if (known.size === 0) for (const other of joined) await other.clear("another process");
    },
    forward(to) {
      joined.add(to);
      return () => joined.delete(to);
    },
  };
  await read();
  return taint;
}

/**
 * Joins a sub-agent's session with its parent's: each gets to read the other's content, in a task or in an answer.
 * Returns how to part them.
 */
export async function joinTaints(parent: SessionTaint, child: SessionTaint): Promise<() => void> {
  await child.add(parent.list());
  await parent.add(child.list());
  const parts = [parent.forward(child), child.forward(parent)];
  return () => {
    for (const part of parts) part();
  };
}

/** Reads the taint of a session that may be open in another process. */
export async function readTaint(store: Pick<Store, "readVariables">, id: string) {
  return [...(await keptIn(store, taintSources, id).list()).values()];
}

/** A source whose record cannot be read counts all the same; its name says enough. */
export const taintSources: KeptKind<TaintSource> = {
  scope: "taint",
  isValue: (value): value is TaintSource => isPlainObject(value) && isText(value.kind) && isText(value.name),
  instead: sourceOf,
  // That a person has vouched for them is not taken from a file.
  replay(values, event) {
    if (event.type === "taint-add" && taintSources.isValue(event.source))
      values.set(keyOf(event.source), event.source);
  },
};

/** The reverse of `keyOf`. */
function sourceOf(key: string): TaintSource {
  const space = key.indexOf(" ");
  return { kind: key.slice(0, space) as TaintSource["kind"], name: key.slice(space + 1) };
}

function keyOf({ kind, name }: TaintSource): string {
  return `${kind} ${name}`;
}
