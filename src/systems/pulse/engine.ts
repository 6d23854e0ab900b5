import type { RuntimeOptions } from "../../runtime-options.ts";
import type { Session } from "../../session.ts";
import { createSessionOnDemand, type SessionOnDemand } from "../session-on-demand.ts";
import { pulseHooks } from "./pulse-hooks.ts";
import { pulsePlugin } from "./pulse-plugin.ts";
import { pulseTools } from "./pulse-tools.ts";
import type { PulseClarification, PulseHooks, PulseModel, PulsePlugin, PulseTool } from "./pulse-types.ts";

export interface EngineOptions {
  readonly model: PulseModel;
  /** They take the place of built-in tools and of plugins' tools with the same names. */
  readonly tools?: Readonly<Record<string, PulseTool>>;
  readonly enginePlugins?: { readonly plugins?: readonly PulsePlugin[] };
  readonly hooks?: PulseHooks;
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

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#sessionOnDemand = createSessionOnDemand(() => runtimeOptions(options));
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
    const agent = runtime.agent({
      model: this.#options.model,
      session,
      ...(onClarificationRequest && {
        onQuestion: async ({ text: question, default: defaultAnswer, timeoutMs: timeout }) =>
          onClarificationRequest({
            question,
            ...(defaultAnswer !== undefined && { defaultAnswer }),
            ...(timeout !== undefined && { timeout }),
          }),
      }),
    });
    const { text, reason, error } = await agent.run(message, { ...(abortSignal && { signal: abortSignal }) });
    if (reason === "failed") throw new Error(error?.message ?? "the model failed");
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

function runtimeOptions({ tools = {}, enginePlugins, hooks, toolwright }: EngineOptions): RuntimeOptions {
  return {
    ...toolwright,
    dialect: "pulse",
    tools: pulseTools(tools).map((tool) => ({ tool, override: true })),
    plugins: (enginePlugins?.plugins ?? []).map(pulsePlugin),
    ...(hooks && { hooks: pulseHooks(hooks) }),
  };
}
