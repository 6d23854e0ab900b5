import type { IncomingMessage, ServerResponse } from "node:http";
import type { SessionAgent } from "../../capabilities/agents/index.ts";
import {
  createFlytoEvents,
  type FlytoEvent,
  type SendOptions,
  sendServerSentEvents,
} from "../../capabilities/interop/index.ts";
import type {
  CallOptions,
  CallResult,
  Hooks,
  LoggedEvent,
  Runtime,
  RuntimeOptions,
  Session,
} from "../../index.ts";
import { flyto } from "../../kernel/dialects/index.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { defined } from "../../shared/options/defined.ts";
import type { Job } from "../../tool/services/processes.ts";
import { inDialectsWords } from "../in-dialects-words.ts";
import { openRuntimeFor } from "../session-on-demand.ts";
import { FlytoRegistry } from "./flyto-registry.ts";
import { flytoTools } from "./flyto-tools.ts";
import type { AnyFlytoTool, FlytoModel, FlytoPermissionRequest } from "./flyto-types.ts";

export interface FlytoEngineOptions {
  /** Needed by `Run`. */
  readonly model?: FlytoModel;
  readonly tools?: readonly AnyFlytoTool[];
  /** The folder that the tools work in. Default: the current one. */
  readonly cwd?: string;
  readonly canUseTool?: FlytoCanUseTool;
  /** Without it, a call of a run that needs approval waits for `ReplyPermission`, and any other is refused. */
  readonly permissionHandler?: FlytoPermissionHandler;
  /** Goes on with the session that has this id, if there is one. */
  readonly sessionId?: string;
  /** Other options of the runtime beneath: its store, permissions and more. */
  readonly toolwright?: Omit<RuntimeOptions, "tools" | "workspace" | "dialect" | "onApproval">;
}

/** A call, as a model's answer has it. */
export interface FlytoToolUse {
  readonly Name: string;
  readonly Input?: unknown;
}

/** How a call ended. */
export interface FlytoToolOutcome {
  /** For `Undo`, and in the events about the call. */
  readonly ToolUseID: string;
  readonly Output: string;
  readonly IsError: boolean;
  readonly Data?: unknown;
  /** Whether `Undo` can revert it. */
  readonly Reversible: boolean;
}

/** An engine with Flyto's tools and events, every call checked, limited and recorded. */
export class FlytoEngine {
  readonly #runtime: Runtime;
  readonly #session: Session;
  readonly #agent: SessionAgent | undefined;
  readonly #tools: FlytoRegistry;

  private constructor(runtime: Runtime, session: Session, agent: SessionAgent | undefined) {
    this.#runtime = runtime;
    this.#session = session;
    this.#agent = agent;
    this.#tools = new FlytoRegistry(runtime, session);
  }

  static async open(options: FlytoEngineOptions = {}): Promise<FlytoEngine> {
    const { model, sessionId, permissionHandler } = options;
    return openRuntimeFor(runtimeOptions(options), async (runtime) => {
      const session = await runtime.openSession(defined({ id: sessionId }));
      const onApproval = permissionHandler === undefined ? { onApproval: untilReplied } : {};
      const agent = model === undefined ? undefined : runtime.agent({ model, session, ...onApproval });
      return new FlytoEngine(runtime, session, agent);
    });
  }

  Tools(): FlytoRegistry {
    return this.#tools;
  }

  /**
   * Works on a prompt and yields the events of this work. It begins when the reader asks for the first event, and ends if
   * the reader leaves. The conversation stays with the engine.
   */
  async *Run(
    prompt: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<FlytoEvent, void, void> {
    const translate = createFlytoEvents();
    for await (const event of this.#work(prompt, signal)) yield* translate(event);
  }

  /** The session's events so far, then new ones until it closes. */
  async *Events(
    query: { readonly since?: number; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<FlytoEvent, void, void> {
    const translate = createFlytoEvents();
    for await (const event of this.#session.events(query)) yield* translate(event);
  }

  /** Answers a request with the session's events; a client that reconnects gets the events that it has missed. */
  ServeEvents(request: IncomingMessage, response: ServerResponse, options?: SendOptions): Promise<void> {
    return sendServerSentEvents(this.#session, request, response, options);
  }

  /** Answers a request with the events of one run, which ends if the client leaves. Check yourself who may ask for one. */
  ServeRun(
    prompt: string,
    request: IncomingMessage,
    response: ServerResponse,
    options?: SendOptions,
  ): Promise<void> {
    const log = {
      bookmark: async () => 0,
      events: ({ signal }: { readonly signal: AbortSignal }) => this.#work(prompt, signal),
    };
    return sendServerSentEvents(log, request, response, options);
  }

  /** Calls a tool. Never rejects: a failure is in the outcome. */
  async Execute(
    name: string,
    input: unknown = {},
    options: Pick<CallOptions, "signal" | "timeoutMs" | "onProgress"> = {},
  ): Promise<FlytoToolOutcome> {
    return toOutcome(await this.#session.call(name, input, options));
  }

  /** Calls several tools: neighbours that are safe beside others at the same time, all others alone. */
  async ExecuteAll(uses: readonly FlytoToolUse[]): Promise<FlytoToolOutcome[]> {
    const results = await this.#session.callAll(
      uses.map(({ Name, Input = {} }) => ({ name: Name, input: Input })),
    );
    return results.map(toOutcome);
  }

  /** Says what a call would do, without doing it. */
  async DryRun(name: string, input: unknown = {}): Promise<FlytoToolOutcome> {
    return toOutcome(await this.#session.dryRun(name, input));
  }

  /** Reverts a call, by the id in its outcome. */
  async Undo(toolUseID: string): Promise<FlytoToolOutcome> {
    return toOutcome(await this.#session.undo(toolUseID));
  }

  /** Decides on a call that waits, by the id of its `permission_request`. Each can be decided once. */
  ReplyPermission(id: string, allow: boolean): void {
    this.#session.approvals.decide(id, allow === true ? "allow" : "deny");
  }

  /** Commands that run in the background. */
  BackgroundTasks() {
    const { jobs } = this.#session;
    return {
      List: (): Promise<readonly Job[]> => jobs.list(),
      Get: (taskID: string): Promise<Job> => jobs.get(taskID),
      Cancel: (taskID: string): Promise<Job> => jobs.kill(taskID),
    };
  }

  CancelBackgroundTask(taskID: string): Promise<Job> {
    return this.#session.jobs.kill(taskID);
  }

  /** The session beneath, with receipts, sub-agents and everything else. */
  get session(): Session {
    return this.#session;
  }

  close(): Promise<void> {
    return this.#runtime.close();
  }

  /** The events that are logged while the agent works on a prompt. */
  async *#work(prompt: string, signal?: AbortSignal): AsyncGenerator<LoggedEvent, void, void> {
    if (this.#agent === undefined) throw new TypeError("Run: a model is needed; give the engine one");
    const leaving = new AbortController();
    const over = new AbortController();
    const since = await this.#session.bookmark();
    const working = this.#agent.run(prompt, {
      signal: signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal]),
    });
    const ended = working.catch(() => {}).then(() => over.abort());
    try {
      yield* this.#session.events({ since, signal: over.signal });
      await working;
    } finally {
      leaving.abort(new Error("the reader of this run's events has left"));
      await ended;
    }
  }
}

function runtimeOptions(options: FlytoEngineOptions): RuntimeOptions {
  const { tools = [], cwd, canUseTool, permissionHandler, toolwright = {} } = options;
  return {
    ...toolwright,
    dialect: "flyto",
    tools: flytoTools(tools),
    hooks: canUseHooks(canUseTool, toolwright.hooks),
    output: toolwright.output ?? { tools: outputOfFlyto },
    ...defined({ workspace: cwd, onApproval: permissionHandler && toApprovalHandler(permissionHandler) }),
  };
}

/** Room for as many lines, paths and matches as Flyto's tools give, each as long as it may be. */
const outputOfFlyto = {
  Read: 2000 * 2200,
  Glob: 10_000 * 4200,
  Grep: 250 * 4800,
};

function toOutcome({ callId, status, text, data, receipt }: CallResult): FlytoToolOutcome {
  return {
    ToolUseID: callId,
    Output: text,
    IsError: status !== "done",
    ...defined({ Data: data }),
    Reversible: receipt.undo !== undefined,
  };
}

/** Whether a call may be made at all, by the tool's name in Flyto and its input. Anything but true refuses it. */
export type FlytoCanUseTool = (name: string, input: unknown) => MaybePromise<boolean>;

/** Decides on a call that needs approval. Anything but true refuses it. */
export type FlytoPermissionHandler = (request: FlytoPermissionRequest) => MaybePromise<boolean>;

type ApprovalHandler = NonNullable<RuntimeOptions["onApproval"]>;

/** The user's own hooks, and before them the one that asks `canUseTool`. */
function canUseHooks(canUseTool: FlytoCanUseTool | undefined, more: Hooks = {}): Hooks {
  if (canUseTool === undefined) return more;
  const { beforeCall = [] } = more;
  return {
    ...more,
    beforeCall: [
      async (call) => {
        const { name, args } = inDialectsWords(flyto, call);
        if ((await canUseTool(name, args)) === true) return undefined;
        return { decision: "deny", reason: `canUseTool does not allow ${name}` };
      },
      ...[beforeCall].flat(),
    ],
  };
}

function toApprovalHandler(handler: FlytoPermissionHandler): ApprovalHandler {
  return async ({ id, callId, tool, input, verdict }) => {
    const { name, args } = inDialectsWords(flyto, { tool, input });
    const request = { id, tool_use_id: callId, tool_name: name, input: args, reason: verdict.reason };
    return (await handler(request)) === true ? "allow" : "deny";
  };
}

/** For a call that the reader of the events decides on. */
const untilReplied: ApprovalHandler = (_request, signal) =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
