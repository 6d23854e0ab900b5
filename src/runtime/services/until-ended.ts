import type { Variables } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";

/** A service as a call may use it: once the call has ended, its receipt tells all, and nothing new may begin. */
export function untilEnded<Service extends object>(service: Service, isOpen: () => boolean): Service {
  const guarded = Object.entries(service).map(([name, operate]) => [
    name,
    async (...given: unknown[]) => {
      if (!isOpen()) throw callEnded();
      return operate(...given);
    },
  ]);
  return Object.fromEntries(guarded) as Service;
}

/** What is set too late is dropped without a word: a throw from a forgotten timer would end the whole process. */
export function variablesUntilEnded(variables: Variables, isOpen: () => boolean): Variables {
  return {
    get: variables.get,
    has: variables.has,
    keys: variables.keys,
    entries: variables.entries,
    get size() {
      return variables.size;
    },
    set(name, value) {
      if (isOpen()) variables.set(name, value);
      return this;
    },
    delete: (name) => isOpen() && variables.delete(name),
  };
}

export function callEnded(): ToolError {
  return new ToolError("cancelled", "the call has ended");
}
