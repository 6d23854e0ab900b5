import type { Store, VariableWrite } from "../store.ts";

/** One kind of what is kept beside the logs: values of JSON, by name. Only its declaration knows where they are stored. */
export interface KeptKind<Value = unknown> {
  /** What their scopes in the store begin with, before the id of their session. Other versions read the same place. */
  readonly scope: string;
  /** What they belong to and are removed with, if not a session. Those of the whole store are removed by their age. */
  readonly owner?: "task" | "store";
  /** Others are left out where values are read, and told by `log --verify`. */
  readonly isValue: (value: unknown) => value is Value;
  /** Stands for a damaged value, where leaving it out would forgive something. */
  instead?(name: string): Value;
  /** Whether the session has to stay because of this value, however old it is. */
  holdsSession?(value: Value): boolean;
}

/** Values of one kind that belong to one session, task or store. */
export interface StoredKept<Value> {
  readonly scope: string;
  list(): Promise<Map<string, Value>>;
  get(name: string): Promise<Value | undefined>;
  /** A change to be written together with events, or a claim. Without a value: there is none. */
  write(name: string, value?: Value): VariableWrite;
}

/** Reads what is stored, whether or not a process owns the session. */
export function keptIn<Value>(
  store: Pick<Store, "readVariables">,
  { scope: kindScope, owner, isValue, instead }: KeptKind<Value>,
  ownerId: string,
): StoredKept<Value> {
  const scope = owner === "store" ? kindScope : `${kindScope}:${ownerId}`;
  const list = async () => {
    const damaged: string[] = [];
    const values = await store.readVariables(scope, (name) => damaged.push(name));
    for (const [name, value] of values) if (!isValue(value)) damaged.push(name);
    for (const name of damaged) {
      if (instead === undefined) values.delete(name);
      else values.set(name, instead(name));
    }
    return values as Map<string, Value>;
  };
  return {
    scope,
    list,
    get: async (name) => (await list()).get(name),
    write: (name, value) => ({ scope, name, value }),
  };
}

/** The ids of sessions with values of this kind, damaged ones too. */
export async function findKeptOwners(
  store: Pick<Store, "listScopes">,
  { scope }: KeptKind,
): Promise<readonly string[]> {
  return (await store.listScopes(`${scope}:`)).map((found) => found.slice(scope.length + 1));
}

/** Whether values of this kind are stored there. */
export function isScopeOf({ scope: kindScope, owner }: KeptKind, scope: string): boolean {
  return owner === "store" ? scope === kindScope : scope.startsWith(`${kindScope}:`);
}

/** For values whose reader takes whatever they are. */
export function isAnything(_value: unknown): _value is unknown {
  return true;
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}
