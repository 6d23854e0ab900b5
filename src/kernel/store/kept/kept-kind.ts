import type { SessionEvent } from "../../events/index.ts";
import type { Store, VariableWrite } from "../store.ts";

/** One kind of value kept beside the logs: JSON, by name. Only its declaration knows where the values are stored. */
export interface KeptKind<Value = unknown> {
  /** The beginning of their scopes in the store, before the id of their session. Other versions read the same place. */
  readonly scope: string;
  /** The owner with which values are removed, if not a session. Values of the whole store are removed by their age. */
  readonly owner?: "task" | "store";
  /** Whether a value is whole. Readers leave out all others, and `log --verify` reports them. */
  readonly isValue: (value: unknown) => value is Value;
  /** Stands for a damaged value, where leaving it out would forgive something. */
  instead?(name: string): Value;
  /** Whether the session has to stay because of this value, however old it is. */
  holdsSession?(value: Value): boolean;
  /**
   * Changes the values as an event of a log tells, so that an imported log gives them, and a part of a log their former
   * state. Absent where no file may give them, such as approvals. The event of a file can have any form.
   */
  replay?(values: Map<string, Value>, event: SessionEvent): void;
}

/** The store itself tells which task a session works on, and removes what no session works on any more. */
export const taskScope = "task";

/** Values of one kind in a session that this process owns. */
export interface KeptValues<Value> extends StoredKept<Value> {
  /**
   * Sets a value, or removes it if none is given. Written soon, with the session's next events at the latest, and read from
   * then on. Refused if another process owns the session by then.
   */
  set(name: string, value?: Value): void;
  /** Removes damaged values, and values that are of no use any more. */
  tidy(isOver: (value: Value) => boolean): Promise<void>;
}

/** Opens one kind of what a session keeps for later processes. */
export type SessionKept = <Value>(kind: KeptKind<Value>) => KeptValues<Value>;

/** The place of the values of one kind that belong to a session, to a task, or to the store as a whole. */
export function keptPlace<Value>(kind: KeptKind<Value>, ownerId: string) {
  const scope = kind.owner === "store" ? kind.scope : `${kind.scope}:${ownerId}`;
  return {
    scope,
    /**
     * A change to be written together with events, or a claim. Without a value, there is none afterwards, or at that
     * moment.
     */
    write: (name: string, value?: Value): VariableWrite => ({ scope, name, value }),
  };
}

/** Values of one kind that belong to one session, task or store. */
type StoredKept<Value> = ReturnType<typeof keptIn<Value>>;

/** Reads stored values, whether or not a process owns the session. */
export function keptIn<Value>(store: Pick<Store, "readVariables">, kind: KeptKind<Value>, ownerId: string) {
  const { isValue, instead } = kind;
  const place = keptPlace(kind, ownerId);
  const read = async () => {
    const damaged: string[] = [];
    const values = await store.readVariables(place.scope, (name) => damaged.push(name));
    for (const [name, value] of values) if (!isValue(value)) damaged.push(name);
    for (const name of damaged) {
      if (instead === undefined) values.delete(name);
      else values.set(name, instead(name));
    }
    return { values: values as Map<string, Value>, damaged };
  };
  return {
    ...place,
    list: async () => (await read()).values,
    /** The names of values that cannot be read, or are something else. */
    listDamaged: async () => (await read()).damaged,
    get: async (name: string) => (await read()).values.get(name),
  };
}

/** The ids of sessions with values of this kind, damaged ones too. */
export async function findKeptOwners(store: Pick<Store, "listScopes">, { scope }: KeptKind) {
  return (await store.listScopes(`${scope}:`)).map((found) => found.slice(scope.length + 1));
}

/** Whether values of this kind are stored there. */
export function isScopeOf({ scope: kindScope, owner }: KeptKind, scope: string): boolean {
  return owner === "store" ? scope === kindScope : scope.startsWith(`${kindScope}:`);
}

/** The test of a kind whose reader takes every value. */
export function isAnything(_value: unknown): _value is unknown {
  return true;
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}
