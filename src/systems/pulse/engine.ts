import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { RuntimeOptions, Session } from "../../index.ts";
import { defined } from "../../shared/options/defined.ts";
import type { QuestionHandler } from "../../tool/services/question.ts";
import { createSessionOnDemand, type SessionOnDemand } from "../session-on-demand.ts";
import {
  askRequestHooks,
  createRunHookLists,
  instructionsOf,
  pulseHooks,
  runHookNames,
  withRunHooks,
} from "./pulse-hooks.ts";
import { createPulseSharing, type PulseSharing, pulsePlugin, pulseTools } from "./pulse-plugin.ts";
import type {
  PulseClarification,
  PulseHooks,
  PulseModel,
  PulsePlugin,
  PulseSystemPrompt,
  PulseTool,
} from "./pulse-types.ts";

export interface EngineOptions {
  readonly model: PulseModel;
  /** They take the place of built-in tools and of plugins' tools with the same names. */
  readonly tools?: Readonly<Record<string, PulseTool>>;
  readonly enginePlugins?: { readonly plugins?: readonly PulsePlugin[] };
  readonly hooks?: PulseHooks;
  /** Instructions for the model in place of the default ones, or after them. */
  readonly systemPrompt?: PulseSystemPrompt;
  /** Options of the runtime beneath: its workspace, store, permissions and more. */
  readonly toolwright?: Omit<RuntimeOptions, "tools" | "plugins" | "dialect">;
}

export interface EngineRunOptions {
  readonly abortSignal?: AbortSignal;
  readonly onClarificationRequest?: (request: PulseClarification) => Promise<string> | string;
}

/** A model that works with Pulse's tools, every call of them checked, limited and recorded. */
export class Engine {
  readonly #options: EngineOptions;
  readonly #sessionOnDemand: SessionOnDemand;
  readonly #runHooks = createRunHookLists();

  constructor(options: EngineOptions) {
    this.#options = options;
    const sharing = createPulseSharing(this.#runHooks);
    this.#sessionOnDemand = createSessionOnDemand(() => runtimeOptions(options, sharing));
    for (const name of runHookNames) {
      const hook = options.hooks?.[name];
      if (hook !== undefined) this.#runHooks[name].push(hook as never);
    }
  }

  /** Loads plugins and tools; `run` does so itself. */
  async initialize(): Promise<void> {
    await this.#sessionOnDemand.open();
  }

  /** Works on a message and returns the answer. Rejects if the model fails. */
  async run(
    message: string,
    { abortSignal, onClarificationRequest }: EngineRunOptions = {},
  ): Promise<string> {
    const { runtime, session } = await this.#sessionOnDemand.open();
    const hooks = this.#runHooks;
    const context = { messages: [{ role: "user", content: message }] };
    const { systemPrompt: own } = this.#options;
    const all = Object.fromEntries(session.tools().map((tool) => [tool.name, tool]));
    const { systemPrompt, tools } = await askRequestHooks(hooks.beforeRun, {
      context,
      ...defined({ systemPrompt: own }),
      tools: all,
    });
    const append = typeof systemPrompt === "object" ? systemPrompt.append : undefined;
    const isWatched = hooks.beforeLLMCall.length + hooks.afterLLMCall.length > 0 || append !== undefined;
    const agent = runtime.agent({
      model: this.#options.model,
      session,
      ...defined({
        system:
          typeof systemPrompt === "object" || systemPrompt === undefined
            ? undefined
            : instructionsOf(systemPrompt, ""),
        tools: tools === all ? undefined : Object.keys(tools).filter((name) => Object.hasOwn(all, name)),
        wrapModel: isWatched ? (model: LanguageModelV4) => withRunHooks(model, hooks, append) : undefined,
        onQuestion: onClarificationRequest && toQuestionHandler(onClarificationRequest),
      }),
    });
    const { text, reason, error } = await agent.run(message, defined({ signal: abortSignal }));
    if (reason === "failed") throw new Error(error?.message ?? "the model failed");
    for (const hook of hooks.afterRun) await hook({ context, result: text });
    return text;
  }

  /** The session beneath, with receipts, undo and everything else. */
  async session(): Promise<Session> {
    return (await this.#sessionOnDemand.open()).session;
  }

  close(): Promise<void> {
    return this.#sessionOnDemand.close();
  }
}

function toQuestionHandler(
  onClarificationRequest: NonNullable<EngineRunOptions["onClarificationRequest"]>,
): QuestionHandler {
  return async ({ text: question, default: defaultAnswer, timeoutMs: timeout }) =>
    onClarificationRequest({ question, ...defined({ defaultAnswer, timeout }) });
}

function runtimeOptions(
  { tools = {}, enginePlugins, hooks, toolwright }: EngineOptions,
  sharing: PulseSharing,
): RuntimeOptions {
  return {
    // Only what says so itself must be searched for.
    deferral: { maxTools: 1000 },
    ...toolwright,
    dialect: "pulse",
    tools: pulseTools(tools).map((tool) => ({ tool, override: true })),
    plugins: (enginePlugins?.plugins ?? []).map((plugin) => pulsePlugin(plugin, sharing)),
    ...defined({ hooks: hooks && pulseHooks(hooks) }),
  };
}
