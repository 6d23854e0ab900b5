import type { AfterCallHook, BeforeCallHook, Hooks } from "../../runtime/pipeline/hooks/hooks.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { PulseHooks } from "./pulse-types.ts";

/** Pulse's hooks in this runtime's words. They see the names and the input that the caller used, and may change both. */
export function pulseHooks({ beforeToolCall, afterToolCall }: PulseHooks): Hooks {
  return {
    ...(beforeToolCall && { beforeCall: before(beforeToolCall) }),
    ...(afterToolCall && { afterCall: after(afterToolCall) }),
  };
}

function before(hook: NonNullable<PulseHooks["beforeToolCall"]>): BeforeCallHook {
  return async ({ name, written }) => {
    const changed: unknown = await hook({ name, input: written });
    return isPlainObject(changed) && "input" in changed
      ? { decision: "rewrite", written: changed.input }
      : undefined;
  };
}

function after(hook: NonNullable<PulseHooks["afterToolCall"]>): AfterCallHook {
  return async ({ name, written }, { text, data }) => {
    const output = data === undefined ? text : data;
    const changed: unknown = await hook({ name, input: written, output });
    return isPlainObject(changed) && "output" in changed
      ? { decision: "replace", result: changed.output }
      : undefined;
  };
}
