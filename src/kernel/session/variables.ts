import { parseFrozen } from "../../shared/json.ts";
import type { Variables } from "../../tool/tool-context.ts";
import type { VariableWrite } from "../store/index.ts";

/**
 * A map in memory that several sessions may share; every change is passed on to be stored. Values are frozen copies, as
 * JSON keeps them, so they read the same now and after a restart.
 */
export function createVariables(
  scope: string,
  values: Map<string, unknown>,
  onWrite: (write: VariableWrite) => void,
): Variables {
  const tellChange = (name: string) =>
    onWrite({
      scope,
      name,
      // Read when it is written, so that the last write has the latest value, even for another session.
      get value() {
        return values.get(name);
      },
    });
  const remove = (name: string) => {
    if (!values.delete(name)) return false;
    tellChange(name);
    return true;
  };
  return variablesOver(values, {
    set(name, value) {
      if (value === undefined) {
        remove(name);
        return;
      }
      values.set(name, copyJson(name, value));
      tellChange(name);
    },
    remove,
  });
}

/** Variables that read the given values, and make changes by the given functions. */
export function variablesOver(
  values: Pick<Variables, "get" | "has" | "keys" | "values" | "entries" | "size">,
  { set, remove }: { set(name: string, value: unknown): void; remove(name: string): boolean },
): Variables {
  return {
    get: (name) => values.get(name),
    has: (name) => values.has(name),
    keys: () => values.keys(),
    values: () => values.values(),
    entries: () => values.entries(),
    [Symbol.iterator]: () => values.entries(),
    forEach(visit) {
      for (const [name, value] of values.entries()) visit(value, name, this);
    },
    get size() {
      return values.size;
    },
    set(name, value) {
      set(name, value);
      return this;
    },
    delete: remove,
    clear() {
      for (const name of [...values.keys()]) remove(name);
    },
  };
}

/** Copies a value as JSON keeps it. Throws a `TypeError` that names a part which JSON would not keep. */
export function copyJson(name: string, value: unknown): unknown {
  const text = writeJson(name, value);
  // Looked for after writing, which has refused circles.
  const lost = text === undefined ? typeof value : findLost(value);
  if (text === undefined || lost !== undefined)
    throw new TypeError(
      `variable ${name}: a ${lost} cannot be stored; store JSON values, such as a list of its entries`,
    );
  return parseFrozen(text);
}

/** The kind of a value that JSON would silently replace: a Map by `{}`, a function by nothing, NaN by null. */
function findLost(value: unknown): string | undefined {
  if (typeof value === "function" || typeof value === "symbol") return typeof value;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "number that is not finite";
  if (typeof value !== "object" || value === null || "toJSON" in value) return undefined;
  const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (kind !== "Object" && kind !== "Array") return kind;
  for (const inner of Object.values(value)) {
    const lost = findLost(inner);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

function writeJson(name: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new TypeError(`variable ${name}: the value cannot be written as JSON: ${why}`, { cause });
  }
}
