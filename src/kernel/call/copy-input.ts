import { cloneJson } from "../../shared/json-schema/clone-json.ts";

/**
 * A copy for hooks and approval handlers: an input changed in place would bypass its validation.
 * Copying plain JSON is many times faster than `structuredClone`, but a schema may have turned it into something else.
 */
export function copyInput(input: unknown): unknown {
  try {
    return cloneJson(input);
  } catch {
    return structuredClone(input);
  }
}

/** A copy for the records; of what cannot be copied, such as a function that a schema has made, the thing itself. */
export function copyForRecord(input: unknown): unknown {
  try {
    return copyInput(input);
  } catch {
    return input;
  }
}
