import type { DialectParams } from "../../runtime/dialects/dialect.ts";
import { toDialectValue } from "../../runtime/dialects/dialect-value.ts";
import { kode } from "../../runtime/dialects/tables/kode.ts";
import type {
  AfterDecision,
  BeforeDecision,
  HookAnswer,
  HookCall,
  Hooks,
} from "../../runtime/pipeline/hooks/hooks.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { KodeHookCall, KodeHookDecision, KodeHooks } from "./kode-types.ts";

/** KODE's hooks in this runtime's words: the template's first, then those of the agent. */
export function toHooks(all: readonly (KodeHooks | undefined)[]): Hooks {
  const hooks = all.filter((each) => each !== undefined);
  return {
    beforeCall: hooks.flatMap((hook) => {
      if (hook.preToolUse === undefined) return [];
      return async (call) => toBeforeDecision(await hook.preToolUse?.(inKodesWords(call)));
    }),
    afterCall: hooks.flatMap((hook) => {
      if (hook.postToolUse === undefined) return [];
      return async (call, { status, data, text }) => {
        const { id, name } = inKodesWords(call);
        const content = data === undefined ? text : data;
        return toAfterDecision(await hook.postToolUse?.({ id, name, ok: status === "done", content }));
      };
    }),
  };
}

/**
 * A call as KODE would make it, whichever of the tool's names the model used: a hook knows the tool by KODE's name alone,
 * and has to judge what will run.
 */
function inKodesWords({
  callId: id,
  sessionId: agentId,
  tool,
  name,
  input,
  written,
}: HookCall): KodeHookCall {
  const row = Object.hasOwn(kode.tools, tool) ? kode.tools[tool] : undefined;
  if (row === undefined) return { id, agentId, name, args: input };
  // What KODE alone has, such as the context of a task, is only in what the model wrote.
  const own = name === row.name && isPlainObject(written) ? written : {};
  return { id, agentId, name: row.name, args: { ...own, ...toKodeArguments(input, row.params) } };
}

function toKodeArguments(input: unknown, params: DialectParams = {}): Record<string, unknown> {
  if (!isPlainObject(input)) return {};
  const shown = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const param = params[name];
    if (param === undefined) return [[name, value]];
    if (param === null || param.fixed !== undefined) return [];
    const { items, name: kodeName = name } = param;
    if (items === undefined || !Array.isArray(value)) return [[kodeName, toDialectValue(value, param)]];
    return [[kodeName, value.map((item) => toKodeArguments(item, items))]];
  });
  return Object.fromEntries(shown);
}

function toBeforeDecision(decision: HookAnswer<KodeHookDecision>): BeforeDecision | undefined {
  if (!isPlainObject(decision)) return undefined;
  if (decision.decision === "ask") {
    const reason = isPlainObject(decision.meta) ? decision.meta.reason : undefined;
    return { decision: "ask", reason: typeof reason === "string" ? reason : "a hook asks for approval" };
  }
  if (decision.decision === "deny") {
    const { reason = "a hook does not allow it", toolResult } = decision;
    return { decision: "deny", reason: typeof toolResult === "string" ? toolResult : String(reason) };
  }
  return "result" in decision ? { decision: "answer", result: decision.result } : undefined;
}

function toAfterDecision(decision: unknown): AfterDecision | undefined {
  if (!isPlainObject(decision)) return undefined;
  if ("replace" in decision) return { decision: "replace", result: contentOf(decision.replace) };
  if (!isPlainObject(decision.update) || !("content" in decision.update)) return undefined;
  return { decision: "replace", result: decision.update.content };
}

/** An outcome in KODE's form, or its content alone. */
function contentOf(replaced: unknown): unknown {
  return isPlainObject(replaced) && "content" in replaced ? replaced.content : replaced;
}
