import { createVariables } from "../../kernel/session/index.ts";
import { cannotBeSent, type Peer } from "../../machine/child/index.ts";
import { serviceNames } from "../../tool/service-names.ts";
import type { Logger, ToolContext, ToolServices } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { AskedOfProcess, AskedOfRuntime, ContextFacts, SentReport } from "./isolated-messages.ts";

export type IsolatedContext = ReturnType<typeof createIsolatedContext>;

type Scope = "variables" | "taskVariables";

/** The context of a call in the process of an isolated tool. */
export function createIsolatedContext(
  facts: ContextFacts,
  { runtime, signal }: { readonly runtime: Peer; readonly signal: AbortSignal },
) {
  const functions: ((given: unknown) => unknown)[] = [];
  let { deadline } = facts;

  let reports: SentReport[] = [];
  /** Reports that the next of their kind outdate, by kind. */
  let newest = new Map<string, SentReport>();
  let leftOut = 0;
  let written = new Map<string, { readonly scope: Scope; readonly name: string }>();
  let isSending = false;

  /** Sends the reports and writes that were not sent yet. */
  const flush = () => {
    if (reports.length + newest.size + leftOut + written.size === 0) return;
    const writes = [...written.values()].map((each) => ({
      ...each,
      value: context[each.scope].get(each.name),
    }));
    const sent: AskedOfRuntime["reports"] = { reports: [...reports, ...newest.values()], leftOut, writes };
    [reports, newest, leftOut, written] = [[], new Map(), 0, new Map()];
    isSending = true;
    const goOn = () => {
      isSending = false;
      flush();
    };
    runtime.ask("reports", sent).then(goOn, goOn);
  };
  /** The next ones are sent when these have arrived: a tool that never waits neither fills its memory nor ours. */
  const report = (make: () => SentReport) => {
    if (reports.length < maxWaiting) reports.push(make());
    else leftOut += 1;
    if (!isSending) flush();
  };
  const reportNewest = (each: SentReport) => {
    if (reports.length < maxWaiting) return report(() => each);
    if (newest.has(each.report)) leftOut += 1;
    newest.set(each.report, each);
  };

  const use: UseMethod = (service, method, given, own) => {
    const what = `an argument of ${service === "context" ? method : `${service}.${method}`}`;
    const callbacks: [number, number][] = [];
    const plain = given.map((value, index) => {
      if (isStream(value)) throw cannotBeSent(what, "it comes in pieces");
      if (typeof value !== "function") return value;
      callbacks.push([index, functions.push(value as (given: unknown) => unknown) - 1]);
      return undefined;
    });
    // Earlier reports may matter for this question.
    flush();
    return runtime.ask(`${service}.${method}`, { given: plain, callbacks } satisfies AskedOfRuntime["use"], {
      signal: own,
      what,
    });
  };

  const variables = (scope: Scope) =>
    createVariables(scope, new Map(facts[scope]), ({ name }) => {
      written.set(`${scope} ${name}`, { scope, name });
      if (!isSending) flush();
    });
  const log = (level: keyof Logger) => (message: string, data?: unknown) =>
    report(() => ({
      ...{ report: "log", level, message: String(message) },
      json: toJson(`logger.${level}`, data),
    }));
  const { sessionId, workspace, callId, caller, maxOutputCharacters } = facts;
  const context: ToolContext = {
    ...servicesBy(use),
    ...{ sessionId, workspace, callId, caller, maxOutputCharacters },
    signal,
    get deadline() {
      return deadline;
    },
    variables: variables("variables"),
    taskVariables: variables("taskVariables"),
    emit: (type, data) =>
      report(() => ({ report: "emit", type: String(type), json: toJson(`emit(${type})`, data) })),
    progress: (update) => reportNewest({ report: "progress", json: toJson("progress", update) }),
    markTruncated: (all) => reportNewest({ report: "truncated", all }),
    logger: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
    ask: (async (question: unknown, options?: { signal?: AbortSignal }) =>
      use("context", "ask", [question], options?.signal)) as ToolContext["ask"],
    wording: { argument: refuseWording, tool: refuseWording, hasTool: refuseWording },
  };

  return {
    context,
    flush,
    /** Calls a function that was given as an argument. */
    callBack: ({ id, given }: AskedOfProcess["callback"]): unknown => functions[id]?.(given),
    moveDeadline(moved: number) {
      deadline = moved;
    },
  };
}

type UseMethod = (
  service: string,
  method: string,
  given: readonly unknown[],
  signal?: AbortSignal,
) => Promise<unknown>;

/** Every method of every service asks the runtime, which knows whether there is such a method. */
function servicesBy(use: UseMethod): ToolServices {
  const entries = serviceNames.map((service) => {
    const get = (target: object, method: string | symbol) =>
      // Looked up by `await`, printing and the like on any object.
      typeof method === "symbol" || method === "then" || method === "toJSON" || method in Object.prototype
        ? Reflect.get(target, method)
        : async (...given: unknown[]) => use(service, method, given);
    return [service, new Proxy({}, { get })];
  });
  return Object.fromEntries(entries) as ToolServices;
}

/** Its answers are needed at once, and the runtime's take a moment. */
function refuseWording(): never {
  throw new ToolError("unsupported", "an isolated tool cannot use context.wording", {
    hint: "Name tools and arguments in toText, which runs in the runtime's process and gets the wording.",
  });
}

function toJson(what: string, data: unknown): string | undefined {
  try {
    return JSON.stringify(data);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new ToolError("tool-failed", `${what}: the data cannot be written as JSON: ${why}`, { cause });
  }
}

function isStream(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

const maxWaiting = 1000;
