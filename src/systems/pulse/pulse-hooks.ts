import type { AfterCallHook, BeforeCallHook, Hooks } from "../../index.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { PulseToolHooks } from "./pulse-types.ts";

/** Pulse's hooks in this runtime's words. They see the names and the input that the caller used, and may change both. */
export function pulseHooks({
  beforeToolCall,
  afterToolCall,
  onBeforeToolCall,
  onAfterToolCall,
}: PulseToolHooks): Hooks {
  return {
    beforeCall: [
      ...(beforeToolCall ? [before(beforeToolCall)] : []),
      ...(onBeforeToolCall
        ? [before(({ name, input }) => asInput(onBeforeToolCall(name, asFields(input))))]
        : []),
    ],
    afterCall: [
      ...(afterToolCall ? [after(afterToolCall)] : []),
      ...(onAfterToolCall
        ? [after(({ name, input, output }) => asOutput(onAfterToolCall(name, asFields(input), output)))]
        : []),
    ],
  };
}

/** The input as an object, because Pulse's users read its fields without a check. */
function asFields(input: unknown): Record<string, unknown> {
  return isPlainObject(input) ? input : {};
}

async function asInput(changed: unknown) {
  const input = await changed;
  return input === undefined ? undefined : { input };
}

async function asOutput(changed: unknown) {
  const output = await changed;
  return output === undefined ? undefined : { output };
}

function before(hook: NonNullable<PulseToolHooks["beforeToolCall"]>): BeforeCallHook {
  return async ({ name, written }) => {
    const changed: unknown = await hook({ name, input: written });
    return isPlainObject(changed) && "input" in changed
      ? { decision: "rewrite", written: changed.input }
      : undefined;
  };
}

function after(hook: NonNullable<PulseToolHooks["afterToolCall"]>): AfterCallHook {
  return async ({ name, written }, { text, data }) => {
    const output = data === undefined ? text : data;
    const changed: unknown = await hook({ name, input: written, output });
    return isPlainObject(changed) && "output" in changed
      ? { decision: "replace", result: changed.output }
      : undefined;
  };
}
