import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { CallRequest } from "../../kernel/call/index.ts";
import type { ProviderOptions, TokenUsage } from "../../kernel/events/index.ts";
import { foreign, type KeyTable, knownKeys, value } from "../../shared/options/known-keys.ts";

/** How an agent works. Everything but the model has a default. */
export interface AgentOptions extends Pick<CallRequest, "onApproval" | "onQuestion"> {
  /** A model of an AI SDK provider, or a name such as `anthropic/claude-sonnet-4-5`. */
  readonly model: LanguageModelV4 | string;
  /** Base URL for a model that is given by name. */
  readonly baseUrl?: string;
  /** Called once with the model; the agent and its sub-agents work with the model it returns, such as one with middleware. */
  readonly wrapModel?: (model: LanguageModelV4, agent: { readonly sessionId: string }) => LanguageModelV4;
  /** Replaces the default instructions in the system prompt; the tools' manuals follow it. */
  readonly system?: string;
  /**
   * Quotes the workspace's `AGENTS.md` and `CLAUDE.md` in the system prompt, as text of the project that permits nothing.
   * Default: false; `toolwright run` and `toolwright acp` do.
   */
  readonly projectNotes?: boolean;
  /** The agent's name in the records. Default: `agent`. */
  readonly name?: string;
  /** The most steps for one message. Default: 100. */
  readonly maxSteps?: number;
  readonly budget?: AgentBudget;
  /** Called after each step; true ends the work. */
  readonly stopWhen?: (state: AgentState) => boolean | Promise<boolean>;
  /** Upper limit for every call, and the timeout of tools that declare none. */
  readonly toolTimeoutMs?: number;
  /** Retries of a step after a rate limit or a network error. Default: 5. */
  readonly maxRetries?: number;
  /** Delay before the first retry; it doubles each time. Default: 1 s. */
  readonly retryDelayMs?: number;
  /** How long the model may be silent before its connection counts as lost. Default: 5 minutes. */
  readonly modelTimeoutMs?: number;
  /**
   * Before the context is full, lets the model write a summary that takes the place of the conversation so far, with the task,
   * the list of tasks and unfinished calls. Default: false, old outputs are removed; `toolwright` itself does.
   */
  readonly summarize?: boolean;
  /** The model's context window. Default: 128,000. Old outputs are removed before it is full. */
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly reasoning?: "none" | "minimal" | "low" | "medium" | "high";
  /** Passed to the model's provider unchanged. */
  readonly providerOptions?: ProviderOptions;
}

/** What one message may cost, however often the work on it is interrupted and continued. */
export interface AgentBudget {
  /** Calls of tools, those of sub-agents included. A call too many is refused, and ends the work. */
  readonly calls?: number;
  /** Input and output tokens of all steps of one message. */
  readonly tokens?: number;
  readonly timeMs?: number;
}

export const agentKeyTable = {
  model: foreign,
  baseUrl: value,
  wrapModel: value,
  system: value,
  projectNotes: value,
  summarize: value,
  name: value,
  maxSteps: value,
  budget: knownKeys<AgentBudget>({ calls: value, tokens: value, timeMs: value }),
  stopWhen: value,
  toolTimeoutMs: value,
  maxRetries: value,
  retryDelayMs: value,
  modelTimeoutMs: value,
  contextTokens: value,
  maxOutputTokens: value,
  temperature: value,
  reasoning: value,
  providerOptions: foreign,
  onApproval: value,
  onQuestion: value,
} satisfies KeyTable<AgentOptions>;

export interface AgentState {
  readonly steps: number;
  /** The tokens of the agent and of its sub-agents. */
  readonly usage: TokenUsage;
  /** The model's text in the last step. */
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

/** Rejects options that would otherwise fail only in the middle of the work. */
export function checkAgentOptions(options: AgentOptions): void {
  checkModel(options.model);
  for (const name of ["system", "name"] as const) checkType(name, options[name], "string");
  for (const name of ["wrapModel", "stopWhen", "onApproval", "onQuestion"] as const)
    checkType(name, options[name], "function");
  for (const name of numbers) checkNumber(name, options[name], name === "maxRetries" ? 0 : 1);
  for (const name of ["calls", "tokens", "timeMs"] as const)
    checkNumber(`budget.${name}`, options.budget?.[name], 0);
}

/** Older versions of the interface stream the same parts that an agent needs. */
const knownVersions: readonly string[] = ["v2", "v3", "v4"];

export function checkModel(model: unknown): void {
  if (typeof model === "string" && model !== "") return;
  const { specificationVersion, doStream } = (model ?? {}) as Partial<LanguageModelV4>;
  if (typeof doStream !== "function")
    throw new TypeError("agent: model must be an AI SDK language model or a name such as anthropic/<model>");
  if (!knownVersions.includes(specificationVersion ?? ""))
    throw new TypeError(
      `agent: the model implements version ${JSON.stringify(specificationVersion)} of the AI SDK provider interface; supported versions: ${knownVersions.join(", ")}`,
    );
}

function checkType(name: string, value: unknown, type: "string" | "function"): void {
  if (value === undefined || typeof value === type) return;
  const wanted = type === "string" ? "a string" : "a function";
  throw new TypeError(`agent: ${name} must be ${wanted}; received ${JSON.stringify(value)}`);
}

function checkNumber(name: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least)) return;
  throw new TypeError(
    `agent: ${name} must be a number of at least ${least}; received ${JSON.stringify(value)}`,
  );
}
