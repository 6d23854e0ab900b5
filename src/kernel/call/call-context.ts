import type { Redactor } from "../../shared/secrets/redact.ts";
import { countOf } from "../../shared/text/count-of.ts";
import type { Caller } from "../../tool/caller.ts";
import { serviceNames } from "../../tool/service-names.ts";
import type { Logger, ToolContext, ToolServices, Variables } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Wording } from "../../tool/wording.ts";
import type { FileChange, SessionEvent } from "../events/index.ts";
import { whyNeverAllowed } from "../policy/index.ts";
import { createView, type ServiceCall, type ServiceName, type ServiceViews } from "../services/index.ts";
import { createVariables, variablesOver } from "../session/index.ts";
import { calledTool, type ResolvedCall } from "./call.ts";
import { createServiceCall } from "./service-call.ts";

/**
 * JSON takes more room than words: names, brackets and escapes. A result that is longer all the same is cut afterwards.
 */
const shareInJson = 0.6;

// The getters of its services are defined from the table of services, below.
export interface CallContext extends ToolServices {}

/**
 * What a tool's `run` works with. Every part is created on first use and can be destructured
 * (`const { progress } = context`). Once closed, a tool that was given up on can no longer do or report anything.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: every member is defined in the static block
export class CallContext implements ToolContext {
  readonly #call: ResolvedCall;
  readonly #life = { isOpen: true };
  #views: Partial<ServiceViews> | undefined;
  #serviceCall: ServiceCall | undefined;
  #variables: Variables | undefined;
  #taskVariables: Variables | undefined;
  #reports: CallReports | undefined;

  static {
    for (const name of serviceNames) {
      Object.defineProperty(CallContext.prototype, name, {
        get(this: CallContext) {
          return this.#view(name);
        },
      });
    }
    // Every call's context has it, so no tool may change it.
    Object.freeze(CallContext.prototype);
  }

  constructor(call: ResolvedCall) {
    this.#call = call;
  }

  close(): void {
    this.#life.isOpen = false;
    this.#reports?.end();
    this.#call.work.delegation?.end();
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

  get workspace(): string {
    return this.#call.host.session.workspace;
  }

  get callId(): string {
    return this.#call.id;
  }

  get caller(): Caller {
    return this.#call.caller;
  }

  get maxOutputCharacters(): number {
    const { maxCharacters } = this.#call.resolved.outputLimit;
    return this.#call.host.dialect.writesJson ? Math.floor(maxCharacters * shareInJson) : maxCharacters;
  }

  get markTruncated(): ToolContext["markTruncated"] {
    return (all = {}) => {
      if (this.#life.isOpen) this.#call.work.truncation = all;
    };
  }

  get variables(): Variables {
    this.#variables ??= this.#guardVariables(this.#call.host.kept.variables);
    return this.#variables;
  }

  get taskVariables(): Variables {
    this.#taskVariables ??= this.#guardVariables(this.#call.host.kept.taskVariables);
    return this.#taskVariables;
  }

  get wording(): Wording {
    return wordingOf(this.#call);
  }

  get emit(): ToolContext["emit"] {
    return (eventType, data) => {
      if (!this.#life.isOpen) return;
      const { redactor } = this.#call.host;
      this.#reporting().add(() => ({
        type: "custom",
        ...calledTool(this.#call),
        eventType: redactor.text(String(eventType)),
        ...(data !== undefined && { data: masked(redactor, data, `emit(${eventType})`) }),
      }));
    };
  }

  get progress(): ToolContext["progress"] {
    return (update) => {
      if (!this.#life.isOpen) return;
      const { host, request } = this.#call;
      this.#reporting().addLatest(() => {
        const kept = masked(host.redactor, update, "progress");
        // Some listeners pass it on to a model or another machine.
        notifyListener(request.onProgress, kept);
        return { type: "call-progress", ...calledTool(this.#call), update: kept };
      });
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

  /** The files that the call has changed so far. */
  static changesOf(context: ToolContext): readonly FileChange[] {
    return (context as CallContext).#call.work.changes ?? [];
  }

  /** Makes the end of the call wait for work. */
  static trackIn(context: ToolContext, work: Promise<unknown>): void {
    track((context as CallContext).#call, work);
  }

  /** For the runtime's own work on behalf of a call, such as undoing another. */
  static serviceCallOf(context: ToolContext): ServiceCall {
    return (context as CallContext).#asServiceCall();
  }

  /** One view for the whole call, so that in a dry run later steps see the changes planned by earlier ones. */
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
      gate: call.gate.services,
      call: this.#asServiceCall(),
      life: this.#life,
      confirmOwner: call.host.log.confirmOwner,
      track: (work) => track(call, work),
    });
  }

  #asServiceCall(): ServiceCall {
    this.#serviceCall ??= createServiceCall(this.#call, this);
    return this.#serviceCall;
  }

  #guardVariables(variables: Variables): Variables {
    return variablesUntilEnded(variablesFor(this.#call, variables), () => this.#life.isOpen);
  }

  #logAt(level: keyof Logger): Logger["info"] {
    return (message, data) => {
      if (!this.#life.isOpen) return;
      const { host, request } = this.#call;
      const { redactor } = host;
      this.#reporting().add(() => {
        const kept = data === undefined ? {} : { data: masked(redactor, data, `logger.${level}`) };
        const entry = { level, message: redactor.text(String(message)), ...kept };
        notifyListener(request.onLog, entry);
        return { type: "log", ...calledTool(this.#call), ...entry };
      });
    };
  }

  #reporting(): CallReports {
    this.#reports ??= createCallReports(this.#call);
    return this.#reports;
  }
}

function track<Result>({ work }: ResolvedCall, promise: Promise<Result>): Promise<Result> {
  work.underway ??= new Set();
  const { underway } = work;
  underway.add(promise);
  const settle = () => underway.delete(promise);
  promise.then(settle, settle);
  return promise;
}

/** In a dry run only the tool itself sees the variables it set. */
function variablesFor({ request }: ResolvedCall, variables: Variables): Variables {
  return request.isDryRun ? createVariables("dry-run", new Map(variables.entries()), () => {}) : variables;
}

/** A variable set too late is dropped silently: a throw from a forgotten timer would end the whole process. */
function variablesUntilEnded(variables: Variables, isOpen: () => boolean): Variables {
  return variablesOver(variables, {
    set(name, value) {
      if (isOpen()) variables.set(name, value);
    },
    remove: (name) => isOpen() && variables.delete(name),
  });
}

/** Events must be JSON. Checked here, so that the stack trace leads to the tool. */
function masked(redactor: Redactor, data: unknown, what: string): unknown {
  try {
    JSON.stringify(data);
    return redactor.value(data);
  } catch (cause) {
    const message = `${what}: the data cannot be written as JSON: ${(cause as Error).message}`;
    throw new ToolError("tool-failed", message, { cause });
  }
}

/** A listener that throws cannot break the call. */
function notifyListener<Message>(listener: ((message: Message) => void) | undefined, message: Message): void {
  try {
    listener?.(message);
  } catch {
    // the listener's own problem
  }
}

/** Names tools for a call's answer, so that every tool it names can be called next. */
export function wordingOf({ host, resolved: { wording } }: ResolvedCall): Wording {
  return {
    argument: wording.argument,
    tool(name) {
      host.offerTool(name);
      return wording.tool(name);
    },
    hasTool(name) {
      const entry = wording.hasTool(name) ? host.dialect.resolve(name)?.entry : undefined;
      return entry !== undefined && whyNeverAllowed(entry, host.policy.current) === undefined;
    },
  };
}

/** What one call reports while it runs: events, progress and log messages, no faster than they can be written. */
type CallReports = ReturnType<typeof createCallReports>;

function createCallReports(call: ResolvedCall) {
  const { log } = call.host;
  let waiting = 0;
  let leftOut = 0;
  let latest: (() => SessionEvent) | undefined;

  const take = (make: () => SessionEvent) => {
    const event = make();
    waiting += 1;
    // Also where it is written at once: a tool that never waits must not fill the log either.
    Promise.resolve(log.note(event)).then(onWritten);
  };

  /** Tells the listeners of the call's messages too how many they do not get. */
  const noteLeftOut = (count: number) => {
    const message = `${countOf(count, "report")} left out: ${call.resolved.spokenName} made them faster than they can be written`;
    const entry = { level: "warn", message, data: { leftOut: count } } as const;
    notifyListener(call.request.onLog, entry);
    log.note({ type: "log", ...calledTool(call), ...entry });
  };

  const onWritten = () => {
    waiting -= 1;
    if (waiting === 0) end();
  };

  /** Records how much was left out. */
  const end = () => {
    const [newest, count] = [latest, leftOut];
    latest = undefined;
    leftOut = 0;
    if (newest !== undefined) take(newest);
    if (count > 0) noteLeftOut(count);
  };

  return {
    /** Takes a report, or counts it if too many wait to be written; then it is not even made. */
    add(make: () => SessionEvent) {
      if (waiting < maxWaiting) take(make);
      else leftOut += 1;
    },
    /** The same for one that the next of its kind outdates: of those that have to wait, the newest is taken later. */
    addLatest(make: () => SessionEvent) {
      if (waiting < maxWaiting) return take(make);
      if (latest !== undefined) leftOut += 1;
      latest = make;
    },
    end,
  };
}

// What a call may report before the runtime gets to write any of it.
const maxWaiting = 1000;
