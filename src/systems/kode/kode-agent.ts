import type { SessionAgent } from "../../capabilities/agents/index.ts";
import type { KodeEnvelope } from "../../capabilities/interop/index.ts";
import type { Runtime, RuntimeOptions, Session } from "../../index.ts";
import { defined } from "../../shared/options/defined.ts";
import { openRuntimeFor } from "../session-on-demand.ts";
import { type KodeListener, type KodeQuery, listenToKode, subscribeToKode } from "./kode-events-of.ts";
import { hooksOfTools, kodeModelHooks, toHooks } from "./kode-hooks.ts";
import { AgentTemplateRegistry, chooseKodeTools, ToolRegistry } from "./kode-registries.ts";
import { failingLikeKode, kodeTools } from "./kode-tools.ts";
import type { KodeAgentConfig, KodeModel, KodePermission, KodeTemplate } from "./kode-types.ts";

/** What agents share. All of it may be left out. */
export interface KodeDependencies {
  readonly templateRegistry?: AgentTemplateRegistry;
  readonly toolRegistry?: ToolRegistry;
  /** Makes the model for an agent that names none itself. */
  readonly modelFactory?: (config: KodeAgentConfig) => KodeModel;
  /** What tools find as `ctx.services`. */
  readonly services?: Readonly<Record<string, unknown>>;
}

export interface KodeReply {
  /** `paused`: a call waits for a decision, and no listener could make it. */
  readonly status: "ok" | "paused";
  readonly text: string;
  readonly permissionIds?: readonly string[];
}

type KodeListening = ReturnType<typeof listenToKode>;

/** An agent with KODE's methods. */
export class KodeAgent {
  readonly agentId: string;
  readonly #runtime: Runtime;
  readonly #agent: SessionAgent;
  readonly #session: Session;
  readonly #listening: KodeListening;
  #work: Promise<KodeReply> | undefined;

  private constructor(runtime: Runtime, agent: SessionAgent, session: Session, listening: KodeListening) {
    this.#runtime = runtime;
    this.#agent = agent;
    this.#session = session;
    this.agentId = session.id;
    this.#listening = listening;
  }

  /** Opens an agent; one with the same id goes on where it was. */
  static async create(config: KodeAgentConfig, dependencies: KodeDependencies = {}): Promise<KodeAgent> {
    const { templateRegistry = new AgentTemplateRegistry(), toolRegistry = new ToolRegistry() } =
      dependencies;
    const template = config.templateId === undefined ? undefined : templateRegistry.get(config.templateId);
    const workDir = config.sandbox?.workDir ?? process.cwd();
    const permission = { ...template?.permission, ...config.overrides?.permission };
    const chosen = chooseKodeTools(config.tools ?? template?.tools ?? "*", toolRegistry, permission);
    const model = config.model ?? template?.model ?? dependencies.modelFactory?.(config);
    if (model === undefined)
      throw new TypeError("Agent.create: a model is needed, in the config or its template");
    const hooks = [template?.hooks, config.overrides?.hooks];
    const wrapModel = kodeModelHooks(hooks);
    const { allowPaths: extraRoots, watchFiles } = config.sandbox ?? {};
    const timeoutMs = config.metadata?.toolTimeoutMs ?? template?.runtime?.metadata?.toolTimeoutMs;
    const options: RuntimeOptions = {
      // KODE has no tools that must be searched for.
      deferral: { maxTools: 1000 },
      ...config.toolwright,
      dialect: "kode",
      workspace: extraRoots === undefined ? workDir : { root: workDir, extraRoots },
      approvals: "queue",
      ...defined({ timeoutMs }),
      permissions: toPermissions(permission, config.toolwright?.permissions),
      hooks: toHooks([...hooksOfTools(chosen.instances), ...hooks]),
      tools: kodeTools(chosen.instances, { services: dependencies.services ?? {}, hasHooks: true }),
      agents: {
        model,
        ...defined({ maxDepth: template?.runtime?.subagents?.depth }),
        ...templatesOf(templateRegistry, template),
        ...config.toolwright?.agents,
      },
    };
    return openRuntimeFor(options, async (runtime) => {
      for (const [name, loader] of toolRegistry.loaders())
        await runtime.tools.registerMCPLoader(name, failingLikeKode(loader));
      const agent = runtime.agent({
        model,
        ...defined({
          wrapModel,
          system: template?.systemPrompt,
          toolTimeoutMs: timeoutMs,
          tools: chosen.names,
        }),
        session: defined({ id: config.agentId, watchFiles }),
      });
      const session = await agent.session();
      // Listeners hear nothing of what a resumed agent did before.
      const since = await session.bookmark();
      const warn = (message: string) => config.toolwright?.logger?.warn(message);
      return new KodeAgent(runtime, agent, session, listenToKode(session, { since, warn }));
    });
  }

  /** Opens an agent that exists already. */
  static async resume(
    agentId: string,
    config: Omit<KodeAgentConfig, "agentId">,
    dependencies: KodeDependencies = {},
  ): Promise<KodeAgent> {
    const agent = await KodeAgent.create({ ...config, agentId }, dependencies);
    if (agent.#session.resumed) return agent;
    await agent.close();
    throw Object.assign(new Error(`there is no agent ${agentId}`), { code: "AGENT_NOT_FOUND" });
  }

  /** Works on a message and returns the answer. */
  async chat(message: string): Promise<KodeReply> {
    return this.#waitFor(this.#begin(message));
  }

  complete(message: string): Promise<KodeReply> {
    return this.chat(message);
  }

  /** Begins to work on a message, or hands it to the work under way; the events tell how that goes on. */
  async send(message: string): Promise<void> {
    if (this.#work === undefined) this.#begin(message).catch(() => {});
    else await this.#agent.send(message);
  }

  /** Works on a message and tells what happens meanwhile, up to the event `done`. */
  async *chatStream(message: string): AsyncGenerator<KodeEnvelope, void, void> {
    const since = { seq: await this.#session.bookmark() };
    await this.send(message);
    for await (const envelope of this.subscribe(["progress"], { since })) {
      yield envelope;
      if (envelope.event.type === "done") return;
    }
  }

  stream(message: string): AsyncGenerator<KodeEnvelope, void, void> {
    return this.chatStream(message);
  }

  /** Calls back for every event of a type. Returns a function that stops it. */
  on(type: string, listener: KodeListener): () => void {
    return this.#listening.on(type, listener);
  }

  subscribe(
    channels?: readonly KodeEnvelope["event"]["channel"][],
    query: KodeQuery = {},
  ): AsyncIterable<KodeEnvelope> {
    return subscribeToKode(this.#session, channels, query);
  }

  /** Decides on a call that waits; each can be decided once. */
  async decide(permissionId: string, decision: "allow" | "deny", note?: string): Promise<void> {
    this.#session.approvals.decide(permissionId, decision, note === undefined ? {} : { note });
  }

  interrupt(): void {
    this.#agent.interrupt();
  }

  status(): { readonly agentId: string; readonly state: "READY" | "WORKING" | "PAUSED" } {
    const isWaiting = this.#session.approvals.list().length > 0;
    const state = this.#work === undefined ? "READY" : isWaiting ? "PAUSED" : "WORKING";
    return { agentId: this.agentId, state };
  }

  /** The session beneath, with receipts, undo and everything else that KODE does not have. */
  get session(): Session {
    return this.#session;
  }

  async close(): Promise<void> {
    await this.#session.close();
    await this.#listening.ended;
    await this.#runtime.close();
  }

  #begin(message: string): Promise<KodeReply> {
    const work = this.#agent
      .run(message)
      .then(({ text }): KodeReply => ({ status: "ok", text }))
      .finally(() => {
        this.#work = undefined;
      });
    this.#work = work;
    return work;
  }

  /** Returns early if the work waits for a decision that no listener could make. */
  async #waitFor(work: Promise<KodeReply>): Promise<KodeReply> {
    const asked = Promise.withResolvers<KodeReply>();
    const stop = this.#listening.onUnheard("permission_required", (event) => {
      const permissionIds = [String(event.permissionId)];
      asked.resolve({ status: "paused", text: "", permissionIds });
    });
    try {
      return await Promise.race([work, asked.promise]);
    } finally {
      stop();
    }
  }
}

/** The templates that its sub-agents may have. */
function templatesOf(registry: AgentTemplateRegistry, template: KodeTemplate | undefined) {
  const allowed = template?.runtime?.subagents?.templates ?? [];
  const templates = allowed.map((id) => {
    const { desc = id, systemPrompt, tools, model } = registry.get(id);
    const definition = {
      description: desc,
      ...defined({
        system: systemPrompt,
        tools: Array.isArray(tools) ? tools : undefined,
        model: typeof model === "string" ? model : undefined,
      }),
    };
    return [id, definition] as const;
  });
  return templates.length === 0 ? {} : { templates: Object.fromEntries(templates) };
}

const modes = { auto: "auto", approval: "ask", readonly: "readonly" } as const;

/** KODE's permissions as rules. `allowTools` does not allow anything by itself: it is the list of tools to choose from. */
function toPermissions(
  { mode = "auto", denyTools = [], requireApprovalTools = [] }: KodePermission,
  more: NonNullable<RuntimeOptions["permissions"]> = {},
): NonNullable<RuntimeOptions["permissions"]> {
  if (!Object.hasOwn(modes, mode))
    throw new TypeError(
      `permission.mode must be auto, approval or readonly; received ${JSON.stringify(mode)}`,
    );
  return {
    ...more,
    mode: more.mode ?? modes[mode],
    deny: denyTools.concat(more.deny ?? []),
    ask: requireApprovalTools.concat(more.ask ?? []),
  };
}
