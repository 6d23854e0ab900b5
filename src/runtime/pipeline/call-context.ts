import type { Redactor } from "../../shared/secrets/redact.ts";
import type { Caller } from "../../tool/caller.ts";
import type { Logger, ToolContext, ToolServices, Variables } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { FileChange } from "../events/file-change.ts";
import { createView } from "../services/call-services.ts";
import type { ServiceCall, ServiceName, ServiceViews } from "../services/service.ts";
import { serviceNames } from "../services/services.ts";
import { createVariables } from "../sessions/variables.ts";
import { calledTool, type ResolvedCall } from "./call.ts";
import { createServiceCall } from "./service-call.ts";

// Its services are as many as there are in the table: their getters are made from it, below.
export interface CallContext extends ToolServices {}

/**
 * What the tool gets to work with. Every part is made when the tool asks for it, and can be taken out of the context
 * (`const { progress } = context`). Once closed, a tool that was given up on can say and do nothing more.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: every member is defined in the static block
export class CallContext implements ToolContext {
  readonly #call: ResolvedCall;
  #isOpen = true;
  #views: Partial<ServiceViews> | undefined;
  #serviceCall: ServiceCall | undefined;
  #variables: Variables | undefined;
  #taskVariables: Variables | undefined;

  static {
    for (const name of serviceNames) {
      Object.defineProperty(CallContext.prototype, name, {
        get(this: CallContext) {
          return this.#view(name);
        },
      });
    }
  }

  constructor(call: ResolvedCall) {
    this.#call = call;
  }

  close(): void {
    this.#isOpen = false;
    this.#call.delegation?.end();
  }

  get signal(): AbortSignal {
    return this.#call.deadline.signal;
  }

  get deadline(): number {
    return this.#call.deadline.at;
  }

  get sessionId(): string {
    return this.#call.host.session.id;
  }

  get callId(): string {
    return this.#call.id;
  }

  get caller(): Caller {
    return this.#call.caller;
  }

  get variables(): Variables {
    this.#variables ??= this.#guardVariables(this.#call.host.variables);
    return this.#variables;
  }

  get taskVariables(): Variables {
    this.#taskVariables ??= this.#guardVariables(this.#call.host.taskVariables);
    return this.#taskVariables;
  }

  get emit(): ToolContext["emit"] {
    return (eventType, data) => {
      if (!this.#isOpen) return;
      const { log, redactor } = this.#call.host;
      const kept = data === undefined ? {} : { data: masked(redactor, data, `emit(${eventType})`) };
      log.note({
        type: "custom",
        ...calledTool(this.#call),
        eventType: redactor.text(String(eventType)),
        ...kept,
      });
    };
  }

  get progress(): ToolContext["progress"] {
    return (update) => {
      if (!this.#isOpen) return;
      const { host, request } = this.#call;
      const { log, redactor } = host;
      log.note({
        type: "call-progress",
        ...calledTool(this.#call),
        update: masked(redactor, update, "progress"),
      });
      tellCaller(request.onProgress, update);
    };
  }

  get logger(): Logger {
    return {
      debug: this.#logAt("debug"),
      info: this.#logAt("info"),
      warn: this.#logAt("warn"),
      error: this.#logAt("error"),
    };
  }

  get ask(): ToolContext["ask"] {
    return this.#view("questions").ask;
  }

  /** What the call has changed so far. */
  static changesOf(context: ToolContext): readonly FileChange[] {
    return (context as CallContext).#call.changes ?? [];
  }

  /** For what the runtime itself does in the name of the call, such as undoing another. */
  static serviceCallOf(context: ToolContext): ServiceCall {
    return (context as CallContext).#asServiceCall();
  }

  /** One for the whole call: in a dry run, what was planned is seen by what comes after. */
  #view<Name extends ServiceName>(name: Name): ServiceViews[Name] {
    this.#views ??= {};
    const views: { [Each in ServiceName]?: ServiceViews[Each] } = this.#views;
    const view = views[name] ?? this.#createView(name);
    views[name] = view;
    return view;
  }

  #createView<Name extends ServiceName>(name: Name): ServiceViews[Name] {
    const call = this.#call;
    return createView(name, {
      services: call.host.services,
      gate: call.gate,
      call: this.#asServiceCall(),
      isOpen: () => this.#isOpen,
      track: (work) => track(call, work),
    });
  }

  #asServiceCall(): ServiceCall {
    this.#serviceCall ??= createServiceCall(this.#call, this);
    return this.#serviceCall;
  }

  #guardVariables(variables: Variables): Variables {
    return variablesUntilEnded(variablesFor(this.#call, variables), () => this.#isOpen);
  }

  #logAt(level: keyof Logger): Logger["info"] {
    return (message, data) => {
      if (!this.#isOpen) return;
      const { host, request } = this.#call;
      const { log, redactor } = host;
      const kept = data === undefined ? {} : { data: masked(redactor, data, `logger.${level}`) };
      const entry = { level, message: redactor.text(String(message)), ...kept };
      log.note({ type: "log", ...calledTool(this.#call), ...entry });
      tellCaller(request.onLog, entry);
    };
  }
}

function track<Result>(call: ResolvedCall, work: Promise<Result>): Promise<Result> {
  call.underway ??= new Set();
  const { underway } = call;
  underway.add(work);
  const settle = () => underway.delete(work);
  work.then(settle, settle);
  return work;
}

/** In a dry run the tool reads what it set, and nobody else ever does. */
function variablesFor({ request }: ResolvedCall, variables: Variables): Variables {
  return request.isDryRun ? createVariables("dry-run", new Map(variables.entries()), () => {}) : variables;
}

/** What is set too late is dropped without a word: a throw from a forgotten timer would end the whole process. */
function variablesUntilEnded(variables: Variables, isOpen: () => boolean): Variables {
  return {
    get: variables.get,
    has: variables.has,
    keys: variables.keys,
    entries: variables.entries,
    get size() {
      return variables.size;
    },
    set(name, value) {
      if (isOpen()) variables.set(name, value);
      return this;
    },
    delete: (name) => isOpen() && variables.delete(name),
  };
}

/** An event must be JSON to be kept; said here, where the tool's author can see who did it. */
function masked(redactor: Redactor, data: unknown, what: string): unknown {
  try {
    JSON.stringify(data);
    return redactor.value(data);
  } catch (cause) {
    const message = `${what}: the data cannot be written as JSON: ${(cause as Error).message}`;
    throw new ToolError("tool-failed", message, { cause });
  }
}

/** Whoever listens cannot break the call. */
function tellCaller<RecordedOutput>(
  listener: ((told: RecordedOutput) => void) | undefined,
  told: RecordedOutput,
): void {
  try {
    listener?.(told);
  } catch {
    // the listener's own problem
  }
}
