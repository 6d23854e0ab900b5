import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderOptions, TokenUsage } from "../runtime/events/agent-event.ts";
import type { CallRequest } from "../runtime/pipeline/call.ts";

/** How an agent works. Everything but the model has a default. */
export interface AgentOptions extends Pick<CallRequest, "onApproval" | "onQuestion"> {
  /** A model of an AI SDK provider, or a name such as `anthropic/claude-sonnet-4-5`. */
  readonly model: LanguageModelV4 | string;
  /** Where a model that is given by name is reached. */
  readonly baseUrl?: string;
  /** What the agent is told first, in place of the usual instructions; the manuals of the tools follow it. */
  readonly system?: string;
  /** Who the records say it was; `agent` unless told. */
  readonly name?: string;
  /** How many times the model is asked at most for one message; 100 unless told. */
  readonly maxSteps?: number;
  readonly budget?: AgentBudget;
  /** Looked at after each step; true ends the work. */
  readonly stopWhen?: (state: AgentState) => boolean | Promise<boolean>;
  /** No call takes longer; a tool that does not say how long it may take gets this time. */
  readonly toolTimeoutMs?: number;
  /** How often a step is tried again after a rate limit or a network fault; 5 unless told. */
  readonly maxRetries?: number;
  /** How long to wait before the first such time; it doubles each time. 1 s unless told. */
  readonly retryDelayMs?: number;
  /** After how long without a word from the model the connection counts as lost; 5 minutes unless told. */
  readonly modelTimeoutMs?: number;
  /** How much the model can take in; 128,000 unless told. Old outputs are left out before it is full. */
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly reasoning?: "none" | "minimal" | "low" | "medium" | "high";
  /** Handed to the model's provider as they are. */
  readonly providerOptions?: ProviderOptions;
}

export interface AgentBudget {
  /** Tokens in and out, added up over the steps of one message. */
  readonly tokens?: number;
  readonly timeMs?: number;
}

export interface AgentState {
  readonly steps: number;
  readonly usage: TokenUsage;
  /** What the model said in the last step. */
  readonly text: string;
}

const numbers = [
  "maxSteps",
  "toolTimeoutMs",
  "maxRetries",
  "retryDelayMs",
  "modelTimeoutMs",
  "contextTokens",
  "maxOutputTokens",
] as const;

/** Refuses what would otherwise fail only in the middle of the work. */
export function checkAgentOptions(options: AgentOptions): void {
  checkModel(options.model);
  for (const name of ["system", "name"] as const) checkType(name, options[name], "string");
  for (const name of ["stopWhen", "onApproval", "onQuestion"] as const)
    checkType(name, options[name], "function");
  for (const name of numbers) checkNumber(name, options[name], name === "maxRetries" ? 0 : 1);
  checkNumber("budget.tokens", options.budget?.tokens, 0);
  checkNumber("budget.timeMs", options.budget?.timeMs, 0);
}

/** Older versions of the interface stream the same parts, as far as an agent needs them. */
const knownVersions: readonly string[] = ["v2", "v3", "v4"];

export function checkModel(model: unknown): void {
  if (typeof model === "string" && model !== "") return;
  const { specificationVersion, doStream } = (model ?? {}) as Partial<LanguageModelV4>;
  if (typeof doStream !== "function")
    throw new TypeError(
      "agent: model must be a language model of an AI SDK provider, or a name such as anthropic/<model>",
    );
  if (!knownVersions.includes(specificationVersion ?? ""))
    throw new TypeError(
      `agent: the model speaks version ${JSON.stringify(specificationVersion)} of the provider interface; known are ${knownVersions.join(", ")}`,
    );
}

function checkType(name: string, value: unknown, type: "string" | "function"): void {
  if (value === undefined || typeof value === type) return;
  const wanted = type === "string" ? "a text" : "a function";
  throw new TypeError(`agent: ${name} must be ${wanted}; received ${JSON.stringify(value)}`);
}

function checkNumber(name: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least)) return;
  throw new TypeError(
    `agent: ${name} must be a number of at least ${least}; received ${JSON.stringify(value)}`,
  );
}
