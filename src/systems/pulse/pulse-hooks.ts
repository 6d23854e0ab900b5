import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AfterCallHook, BeforeCallHook, Hooks } from "../../index.ts";
import { isPlainObject } from "../../shared/json.ts";
import { defined } from "../../shared/options/defined.ts";
import { watchModel } from "../watch-model.ts";
import type {
  PulseRequest,
  PulseRequestChange,
  PulseRunHooks,
  PulseSystemPrompt,
  PulseToolHooks,
} from "./pulse-types.ts";

/** Pulse's hooks in this runtime's words. They see the names and the input that the caller used, and may change both. */
export function pulseHooks(hooks: PulseToolHooks): Hooks {
  const { beforeToolCall, afterToolCall, onBeforeToolCall, onAfterToolCall } = hooks;
  const beforeCall: BeforeCallHook[] = [];
  const afterCall: AfterCallHook[] = [];
  if (beforeToolCall) beforeCall.push(before(beforeToolCall));
  if (onBeforeToolCall)
    beforeCall.push(before(({ name, input }) => asInput(onBeforeToolCall(name, asFields(input)))));
  if (afterToolCall) afterCall.push(after(afterToolCall));
  if (onAfterToolCall)
    afterCall.push(
      after(({ name, input, output }) => asOutput(onAfterToolCall(name, asFields(input), output))),
    );
  return { beforeCall, afterCall };
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

export const runHookNames = ["beforeRun", "afterRun", "beforeLLMCall", "afterLLMCall"] as const;

/** The hooks around a run, in the order in which they are called. */
export type RunHookLists = {
  readonly [Name in (typeof runHookNames)[number]]: NonNullable<PulseRunHooks[Name]>[];
};

export function createRunHookLists(): RunHookLists {
  return { beforeRun: [], afterRun: [], beforeLLMCall: [], afterLLMCall: [] };
}

/** Asks one hook after the other; each sees what those before it changed. */
export async function askRequestHooks(
  hooks: readonly ((request: PulseRequest) => unknown)[],
  request: PulseRequest,
): Promise<PulseRequest> {
  let current = request;
  for (const hook of hooks) {
    const answer = await hook(current);
    if (!isPlainObject(answer)) continue;
    const { systemPrompt, tools }: PulseRequestChange = answer;
    current = { ...current, ...defined({ systemPrompt, tools: tools ?? undefined }) };
  }
  return current;
}

/** The model, whose requests and answers the hooks see. `append` follows the instructions. */
export function withRunHooks(
  model: LanguageModelV4,
  { beforeLLMCall, afterLLMCall }: RunHookLists,
  append: string | undefined,
): LanguageModelV4 {
  return watchModel(model, {
    async before(given) {
      const request =
        append === undefined ? given : withSystem(given, `${systemOf(given.prompt)}\n\n${append}`);
      if (beforeLLMCall.length === 0) return request;
      const offered = request.tools ?? [];
      const systemPrompt = systemOf(request.prompt);
      const tools = Object.fromEntries(offered.map((tool) => [tool.name, tool]));
      const context = contextOf(request.prompt);
      const asked = await askRequestHooks(beforeLLMCall, { context, systemPrompt, tools });
      const kept = offered.filter(({ name }) => Object.hasOwn(asked.tools, name));
      const { toolChoice: _choice, tools: _tools, ...rest } = request;
      const limited =
        kept.length === offered.length ? request : kept.length === 0 ? rest : { ...request, tools: kept };
      const system = instructionsOf(asked.systemPrompt, systemPrompt);
      return system === systemPrompt ? limited : withSystem(limited, system);
    },
    async after({ content, finishReason }, { prompt }) {
      const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
      for (const hook of afterLLMCall) await hook({ context: contextOf(prompt), finishReason, text });
    },
  });
}

/** The instructions that a system prompt stands for, after those that are there. */
export function instructionsOf(prompt: PulseSystemPrompt | undefined, before: string): string {
  if (prompt === undefined) return before;
  if (typeof prompt === "string") return prompt;
  return typeof prompt === "function" ? prompt() : `${before}\n\n${prompt.append}`;
}

function contextOf(prompt: LanguageModelV4Prompt): PulseRequest["context"] {
  return { messages: prompt.filter(({ role }) => role !== "system") };
}

function systemOf(prompt: LanguageModelV4Prompt): string {
  return prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n\n");
}

function withSystem(request: LanguageModelV4CallOptions, content: string): LanguageModelV4CallOptions {
  const others = request.prompt.filter(({ role }) => role !== "system");
  return { ...request, prompt: [{ role: "system", content }, ...others] };
}
