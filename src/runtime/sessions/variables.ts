import { parseFrozen } from "../../shared/parse-frozen.ts";
import type { Variables } from "../../tool/tool-context.ts";
import type { VariableWrite } from "../store/store.ts";

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
  return {
    get: (name) => values.get(name),
    has: (name) => values.has(name),
    keys: () => values.keys(),
    entries: () => values.entries(),
    get size() {
      return values.size;
    },
    set(name, value) {
      if (value === undefined) {
        this.delete(name);
        return this;
      }
      values.set(name, copyJson(name, value));
      tellChange(name);
      return this;
    },
    delete(name) {
      if (!values.delete(name)) return false;
      tellChange(name);
      return true;
    },
  };
}

function copyJson(name: string, value: unknown): unknown {
  const text = writeJson(name, value);
  if (text === undefined) throw new TypeError(`variable ${name}: a ${typeof value} cannot be stored`);
  return parseFrozen(text);
}

function writeJson(name: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new TypeError(`variable ${name}: the value cannot be written as JSON: ${why}`, { cause });
  }
}
