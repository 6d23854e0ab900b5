import type { Variables } from "../../tool/tool-context.ts";
import type { VariableWrite } from "../store/store.ts";

/** A map in memory, which several sessions may share; every change is handed on, to be kept. */
export function createVariables(
  scope: string,
  values: Map<string, unknown>,
  onWrite: (write: VariableWrite) => void,
): Variables {
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
      if (JSON.stringify(value) === undefined)
        throw new TypeError(`variable ${name}: a ${typeof value} cannot be kept`);
      values.set(name, value);
      onWrite({ scope, name, value });
      return this;
    },
    delete(name) {
      if (!values.delete(name)) return false;
      onWrite({ scope, name, value: undefined });
      return true;
    },
  };
}
