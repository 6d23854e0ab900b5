import { parseFrozen } from "../../shared/parse-frozen.ts";
import type { Variables } from "../../tool/tool-context.ts";
import type { VariableWrite } from "../store/store.ts";

/**
 * A map in memory, which several sessions may share; every change is handed on, to be kept. Values are frozen copies,
 * as JSON keeps them: what is read now is what will be read after a restart.
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
      // The value of the moment in which it is written: whoever writes last, also for another session, writes the latest.
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
  if (text === undefined) throw new TypeError(`variable ${name}: a ${typeof value} cannot be kept`);
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
