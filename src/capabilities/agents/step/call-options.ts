import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ProviderOptions, TokenUsage } from "../../../kernel/events/index.ts";
import { sha256 } from "../../../shared/crypto.ts";
import { defined } from "../../../shared/options/defined.ts";
import type { AgentRun } from "../agent-run.ts";
import type { AnswerFormat } from "../answer-format.ts";
import { formatsWithTools } from "../models/model-abilities.ts";

/** The options of the request to the model, in every step. */
export function toCallOptions(run: AgentRun): LanguageModelV4CallOptions & { abortSignal: AbortSignal } {
  const { transcript, offered, options, providerOptions, signal } = run;
  const { temperature, reasoning } = options;
  const maxOutputTokens = roomForAnswer(run);
  const { tools, system } = offered;
  const format = enforcedFormat(run);
  const forProvider = joinProviderOptions(format?.providerOptions, providerOptions);
  return {
    prompt: transcript.messages({ role: "system", content: system }),
    ...(tools.length > 0 && { tools, toolChoice: { type: "auto" } }),
    ...defined({ maxOutputTokens, temperature, reasoning, responseFormat: format?.responseFormat }),
    providerOptions: forProvider as NonNullable<LanguageModelV4CallOptions["providerOptions"]>,
    abortSignal: signal,
  };
}

/** The answer's format for the provider; undefined where the format would keep the model from calling tools. */
export function enforcedFormat({ answer, offered, model }: AgentRun): AnswerFormat | undefined {
  const isPossible = offered.tools.length === 0 || formatsWithTools(model);
  return answer?.isEnforced && isPossible ? answer.format : undefined;
}

/** The tokens that the answer may have, so that it cannot exceed the rest of a budget. */
function roomForAnswer({ options, host, meter, reserved = 0 }: AgentRun): number | undefined {
  const { maxOutputTokens } = options;
  const left = Math.min(host.spending.leftTokens(), meter.leftTokens) + reserved;
  if (left === Number.POSITIVE_INFINITY) return maxOutputTokens;
  return Math.max(1, Math.min(maxOutputTokens ?? left, left));
}

/** The model's name in the option `prices`. */
export function modelNameOf({ model: { provider, modelId } }: AgentRun): string {
  return `${provider.split(".")[0]}/${modelId}`;
}

/** Charges the tokens of an answer to the agent and to the session, if its provider has counted them. */
export function spend(run: AgentRun, usage: TokenUsage | undefined): void {
  if (usage === undefined) return;
  run.meter.spend(usage);
  run.host.spending.charge(modelNameOf(run), usage);
}

/**
 * Provider options that turn on prompt caching and keep the transcript complete without state on the provider's side.
 * Each provider reads its own entry and ignores the others.
 */
export function cacheHints(cacheKey: string): ProviderOptions {
  return {
    anthropic: { cacheControl: { type: "ephemeral" } },
    openai: { promptCacheKey: shortKey(cacheKey), store: false },
  };
}

/** OpenAI refuses keys of more than 64 characters. */
function shortKey(key: string): string {
  return key.length <= 64 ? key : sha256(key);
}

/** Per provider, `wanted` wins over `given`. */
export function joinProviderOptions(
  given: ProviderOptions = {},
  wanted: ProviderOptions = {},
): ProviderOptions {
  const names = new Set([...Object.keys(given), ...Object.keys(wanted)]);
  return Object.fromEntries([...names].map((name) => [name, { ...given[name], ...wanted[name] }]));
}
