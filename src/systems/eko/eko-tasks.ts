import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { AgentResult } from "../../capabilities/agents/index.ts";
import { findModel } from "../../capabilities/agents/models/find-model.ts";
import {
  createRequestedCalls,
  type RequestedCalls,
} from "../../capabilities/interop/events/event-translator.ts";
import { createEkoMessages } from "../../capabilities/interop/index.ts";
import type { LoggedEvent, RuntimeOptions, Session } from "../../index.ts";
import { openRuntime } from "../../open-runtime.ts";
import { isPlainObject } from "../../shared/json.ts";
import { newId } from "../../shared/new-id.ts";
import { defined } from "../../shared/options/defined.ts";
import { type EkoAgentIdentity, ekoTools } from "./eko-tools.ts";
import type { EkoCallback, EkoCallbackMessage, EkoModel, EkoResult, EkoTool } from "./eko-types.ts";

export interface EkoConfig {
  /** Models by name; `default` works, unless an agent names another one. */
  readonly llms: Readonly<Record<string, EkoModel>>;
  readonly agents: readonly EkoAgent[];
  readonly callback?: EkoCallback;
  /** Options of the runtime beneath: its workspace, store, permissions and more. */
  readonly toolwright?: Omit<RuntimeOptions, "tools">;
}

export interface EkoAgentParams {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly EkoTool[];
}

/** An agent: its name, its purpose and its tools. */
export class EkoAgent {
  readonly Name: string;
  readonly Description: string;
  readonly Tools: readonly EkoTool[];

  constructor({ name, description, tools }: EkoAgentParams) {
    if (!Array.isArray(tools) || tools.length === 0)
      throw new TypeError(`the agent ${name} needs at least one tool`);
    this.Name = name;
    this.Description = description;
    this.Tools = tools;
  }
}

/** Works on tasks with the tools of its agents, every call of them checked, limited and recorded. */
export class Eko {
  readonly #config: EkoConfig;
  readonly #running = new Map<string, AbortController>();

  constructor(config: EkoConfig) {
    if (config.llms?.default === undefined) throw new TypeError("Eko: llms needs a default");
    if (!Array.isArray(config.agents) || config.agents.length === 0)
      throw new TypeError("Eko: at least one agent is needed");
    this.#config = config;
  }

  /** Resolves even when the task fails; what went wrong is in the result. */
  async run(prompt: string, taskId: string = newId("task")): Promise<EkoResult> {
    if (this.#running.has(taskId)) throw new Error(`the task ${taskId} is already running`);
    const abort = new AbortController();
    this.#running.set(taskId, abort);
    try {
      return toResult(taskId, await runTask(this.#config, { prompt, taskId, signal: abort.signal }));
    } catch (error) {
      return { taskId, success: false, stopReason: "error", result: "", error: error as Error };
    } finally {
      this.#running.delete(taskId);
    }
  }

  /** Returns whether the task was running. */
  abortTask(taskId: string, reason = "the task was aborted"): boolean {
    const abort = this.#running.get(taskId);
    abort?.abort(new Error(reason));
    return abort !== undefined;
  }
}

/** One agent works by itself; several work for one that hands out parts of the task. */
async function runTask(
  config: EkoConfig,
  { prompt, taskId, signal }: { prompt: string; taskId: string; signal: AbortSignal },
): Promise<AgentResult> {
  const { llms, agents, callback } = config;
  const isAlone = agents.length === 1;
  const agentName = isAlone ? agents[0]!.Name : "planner";
  const identity: EkoAgentIdentity = { taskId, agentName, nodeId: `${taskId}-00` };
  const model = await findEkoModel(llms.default!);
  let telling: ReturnType<typeof tellCallback> | undefined;
  const say = async (message: EkoCallbackMessage) => telling?.say(message);
  const runtime = await openRuntime(runtimeOptions(config, { identity, model, say }));
  try {
    const agent = runtime.agent({
      model,
      name: agentName,
      // An agent never has more tools than the one that spawned it.
      tools: isAlone ? namesOf(agents[0]!) : ["agent_run", ...agents.flatMap(namesOf)],
      session: { taskId },
    });
    const session = await agent.session();
    telling = callback && tellCallback(session, identity, callback);
    const result = await agent.run(prompt, { signal });
    await session.close();
    await telling?.done;
    return result;
  } finally {
    await runtime.close();
  }
}

function runtimeOptions(
  { agents, toolwright = {} }: EkoConfig,
  use: { identity: EkoAgentIdentity; model: LanguageModelV4; say: EkoCallback["onMessage"] },
): RuntimeOptions {
  const { identity, model, say } = use;
  const tools = new Set(agents.flatMap(({ Tools }) => Tools));
  const templates = Object.fromEntries(
    agents.map((agent) => [agent.Name, { description: agent.Description, tools: namesOf(agent) }]),
  );
  return {
    dialect: "eko",
    // Eko has no tools that must be searched for.
    deferral: { maxTools: 1000 },
    ...toolwright,
    // The developer who wrote the tools also chose them for the task; the agents have no others.
    permissions: { mode: "auto", ...toolwright.permissions },
    tools: ekoTools([...tools], { agent: identity, callback: { onMessage: say } }),
    agents: { model, ...toolwright.agents, templates: { ...templates, ...toolwright.agents?.templates } },
  };
}

function namesOf({ Tools }: EkoAgent): string[] {
  return Tools.map(({ name }) => name);
}

async function findEkoModel(given: EkoModel): Promise<LanguageModelV4> {
  if (!isPlainObject(given) || typeof given.provider !== "string" || "doStream" in given)
    return given as LanguageModelV4;
  const { provider, model, apiKey, config = {} } = given as Exclude<EkoModel, LanguageModelV4>;
  const key = typeof apiKey === "function" ? await apiKey() : apiKey;
  return findModel(`${provider}/${model}`, defined({ baseUrl: config.baseURL, apiKey: key }));
}

function toResult(taskId: string, { reason, text, error }: AgentResult): EkoResult {
  const success = reason === "done";
  const stopReason = success ? "done" : reason === "interrupted" ? "abort" : "error";
  const problem = success ? {} : { error: new Error(error?.message ?? `the agent ended: ${reason}`) };
  return { taskId, success, stopReason, result: text, ...problem };
}

/** Tells a callback the events of a session, in order. */
function tellCallback(session: Session, identity: EkoAgentIdentity, callback: EkoCallback) {
  const translate = createEkoMessages(identity);
  const calls = createRequestedCalls();
  let told = 0;
  let news = Promise.withResolvers<void>();
  const advance = (to: number) => {
    told = to;
    news.resolve();
    news = Promise.withResolvers();
  };
  const tellAll = async () => {
    try {
      for await (const event of session.events({ since: 0 })) {
        noteCalls(event, calls);
        for (const message of translate(event)) {
          // A tool sends these messages itself while it runs.
          if (message.type !== "tool_running") await callback.onMessage(message);
        }
        advance(event.sequence);
      }
    } finally {
      advance(Number.POSITIVE_INFINITY);
    }
  };
  const done = tellAll();
  // The code that awaits it gets the error; until then it must not end the process.
  done.catch(() => {});
  return {
    /** Resolves when the session has closed and all of it was told; rejects with the callback's error. */
    done,
    /** Passes on a message of a tool, after all events that happened before. */
    async say(message: EkoCallbackMessage): Promise<void> {
      const until = await session.bookmark();
      while (until > told) await news.promise;
      await callback.onMessage(withModelsId(message, calls));
    },
  };
}

function noteCalls(event: LoggedEvent, calls: RequestedCalls): void {
  if (event.type === "subagent-event") noteCalls(event.event, calls);
  if (event.type === "assistant-message") for (const part of event.content) calls.add(part);
}

/** A tool knows its call by the runtime's id; all other messages about the call have the model's. */
function withModelsId(message: EkoCallbackMessage, calls: RequestedCalls): EkoCallbackMessage {
  const renamed = { ...message };
  for (const field of ["toolId", "toolCallId"]) {
    const id = message[field];
    if (typeof id === "string") renamed[field] = calls.find({ callId: id, tool: "" }).toolCallId;
  }
  return renamed;
}
