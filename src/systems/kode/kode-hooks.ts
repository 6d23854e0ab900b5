import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { AfterDecision, BeforeDecision, HookCall, Hooks } from "../../index.ts";
import type { HookAnswer } from "../../kernel/call/index.ts";
import { kode } from "../../kernel/dialects/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { inDialectsWords } from "../in-dialects-words.ts";
import { watchModel } from "../watch-model.ts";
import { answerToKode, type KodeMessage, toKodeMessages } from "./kode-messages.ts";
import type {
  KodeHookCall,
  KodeHookContext,
  KodeHookDecision,
  KodeHooks,
  KodeToolInstance,
} from "./kode-types.ts";

/** The hooks that KODE's tools have for their own calls, as hooks of this runtime. */
export function kodeHooks(tools: readonly KodeToolInstance[]): Hooks {
  return toHooks(hooksOfTools(tools));
}

/** KODE's hooks in this runtime's words, in the order in which they are asked. */
export function toHooks(all: readonly (KodeHooks | undefined)[]): Hooks {
  const hooks = all.filter((each) => each !== undefined);
  return {
    beforeCall: hooks.flatMap((hook) => {
      if (hook.preToolUse === undefined) return [];
      return async (call) => toBeforeDecision(await hook.preToolUse?.(inKodesWords(call), contextOf(call)));
    }),
    afterCall: hooks.flatMap((hook) => {
      if (hook.postToolUse === undefined) return [];
      return async (call, { status, data, text }) => {
        const { id, name } = inKodesWords(call);
        const content = data === undefined ? text : data;
        const outcome = { id, name, ok: status === "done", content };
        return toAfterDecision(await hook.postToolUse?.(outcome, contextOf(call)));
      };
    }),
  };
}

function contextOf({ sessionId, signal }: HookCall): KodeHookContext {
  return { agentId: sessionId, agent: { id: sessionId }, signal };
}

/** The hooks that tools have for their own calls. */
export function hooksOfTools(tools: readonly KodeToolInstance[]): KodeHooks[] {
  return tools.flatMap(({ name, hooks }): KodeHooks[] => {
    if (hooks === undefined) return [];
    return [
      {
        preToolUse: (call, context) => (call.name === name ? hooks.preToolUse?.(call, context) : undefined),
        postToolUse: (outcome, context) =>
          outcome.name === name ? hooks.postToolUse?.(outcome, context) : undefined,
      },
    ];
  });
}

function inKodesWords(call: HookCall): KodeHookCall {
  const { callId: id, sessionId: agentId } = call;
  return { id, agentId, ...inDialectsWords(kode, call) };
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

/**
 * KODE's hooks around the model, for `wrapModel` of an agent; undefined if there are none. What `preModel` changes in
 * the messages is sent; the log keeps the messages as they were said.
 */
export function kodeModelHooks(
  all: readonly (KodeHooks | undefined)[],
): ((model: LanguageModelV4, agent: { readonly sessionId: string }) => LanguageModelV4) | undefined {
  const hooks = all.filter((each) => each !== undefined);
  const isWatching = hooks.some((each) => each.preModel ?? each.postModel ?? each.messagesChanged);
  if (!isWatching) return undefined;
  return (model, { sessionId: agentId }) => {
    let told = -1;
    const tellChange = async (messages: readonly KodeMessage[]) => {
      if (messages.length === told) return;
      told = messages.length;
      for (const { messagesChanged } of hooks)
        await messagesChanged?.({ agentId, messages: structuredClone(messages) as KodeMessage[] });
    };
    return watchModel(model, {
      async before(request) {
        const { messages, back } = toKodeMessages(request.prompt);
        await tellChange(messages);
        for (const { preModel } of hooks) await preModel?.(messages);
        return { ...request, prompt: back() };
      },
      async after(answer, { prompt }) {
        const said = answerToKode(answer);
        for (const { postModel } of hooks) await postModel?.(structuredClone(said));
        await tellChange([...toKodeMessages(prompt).messages, said]);
      },
    });
  };
}
