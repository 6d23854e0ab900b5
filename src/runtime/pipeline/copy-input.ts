import { cloneJson } from "../../shared/json-schema/clone-json.ts";

/**
 * A copy for whoever looks at a call: an input changed in place would get around its validation.
 * Plain JSON is copied many times faster by itself; what a schema has made of an input may be more than that.
 */
export function copyInput(input: unknown): unknown {
  try {
    return cloneJson(input);
  } catch {
    return structuredClone(input);
  }
}
