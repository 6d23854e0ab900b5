import {
  type AnswerParty,
  type ChildEnd,
  cannotBeSent,
  fromSentError,
  type SentError,
  startProgram,
} from "../../machine/child/index.ts";
import { entryFile } from "../../shared/entry-file.ts";
import { describeStray } from "../../shared/stray-rejections.ts";
import type { IsolatedWork } from "../../tool/read-isolated.ts";
import { serviceNames } from "../../tool/service-names.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { defaultMaxMemoryMb, type IsolatedModule } from "../../tool/traits.ts";
import type { AskedOfProcess, AskedOfRuntime, SentReports } from "./isolated-messages.ts";

export type IsolatedProcess = ReturnType<typeof startIsolated>;

const outOfMemory = "heap out of memory";

/**
 * Starts a process in which isolated tools of one module run, one call at a time; the module is loaded with the first call.
 */
export function startIsolated({ maxMemoryMb = defaultMaxMemoryMb }: IsolatedModule) {
  let crash: string | undefined;
  let printed = "";
  let isOutOfMemory = false;
  const child = startProgram(entryFile(import.meta.url, { source: "isolated-main.ts", built: "isolated" }), {
    flags: [...loaderFlags(process.execArgv), `--max-old-space-size=${maxMemoryMb}`],
    environment: undefined,
    // The engine's own limit counts objects, not the bytes of buffers.
    limits: { maxMemoryBytes: (maxMemoryMb + engineMb) * 2 ** 20, lookEveryMs: 100 },
    describe: (end) =>
      isOutOfMemory ? tooMuchMemory(maxMemoryMb) : describeEnd(end, { maxMemoryMb, crash }),
    unsendable: (name, cause) => cannotBeSent(`what ${name} returned`, cause),
    onPrinted(chunk) {
      printed += String(chunk);
      // A long stack trace follows it.
      isOutOfMemory ||= printed.includes(outOfMemory);
      printed = printed.slice(-outOfMemory.length);
      // The output of the tool must not end up in a protocol that this process speaks on its own output.
      process.stderr.write(chunk);
    },
  });
  /** Takes the questions and messages of the tool during a call. */
  const answerFor = (context: ToolContext, tool: string): AnswerParty => {
    let { deadline } = context;
    const callBack = (id: number, given: unknown) => child.peer.ask("callback", { id, given });
    return async (name, given, signal) => {
      if (name === "reports") return takeReports(context, given as AskedOfRuntime["reports"]);
      if (name.includes(".")) {
        try {
          return await answerUse(context, name, given as AskedOfRuntime["use"], { signal, callBack });
        } finally {
          const moved: AskedOfProcess["deadline"] = context.deadline;
          if (deadline !== moved) child.peer.tell("deadline", moved);
          deadline = moved;
        }
      }
      if (name === "crash") crash = (given as SentError).stack ?? (given as SentError).message;
      else child.retire();
      if (name === "stray") context.logger.warn(describeStray(tool, fromSentError(given as SentError)));
    };
  };

  return {
    get isUsable() {
      return child.isUsable;
    },
    end: child.end,
    call({ place, handler, given, windUpMs }: IsolatedWork, context: ToolContext): Promise<unknown> {
      const { module, tool = "" } = place;
      // A process that has grown is replaced before it meets its limit in the middle of a call.
      const maxRestingBytes = (maxMemoryMb * 2 ** 20) / 2;
      const call = { module: String(module), tool, handler, given, facts: factsOf(context), maxRestingBytes };
      const answer = answerFor(context, place.tool ?? "the tool");
      return child.ask("call", call satisfies AskedOfProcess["call"], {
        signal: context.signal,
        windUpMs,
        answer,
      });
    },
  };
}

/** Does what an isolated tool asks of its context, as if it had asked here: with the call's own gate and records. */
async function answerUse(
  context: ToolContext,
  asked: string,
  { given, callbacks }: AskedOfRuntime["use"],
  { signal, callBack }: { signal: AbortSignal; callBack: (id: number, given: unknown) => Promise<unknown> },
): Promise<unknown> {
  const dot = asked.indexOf(".");
  const [service, method] = [asked.slice(0, dot), asked.slice(dot + 1)];
  const args = [...given];
  for (const [index, id] of callbacks) args[index] = (value: unknown) => callBack(id, value);
  if (service === "context" && method === "ask") return context.ask(args[0] as string, { signal });
  const name = serviceNames.find((each) => each === service);
  const view = name && (context[name] as unknown as Record<string, (...given: unknown[]) => unknown>);
  if (view === undefined || method in Object.prototype || !(method in view)) {
    throw new ToolError("unsupported", `a context has no ${asked}`);
  }
  return view[method]!(...args);
}

/** Passes on what an isolated tool has reported and written. */
function takeReports(context: ToolContext, { reports, leftOut, writes }: SentReports): void {
  for (const { scope, name, value } of writes) {
    if (value === undefined) context[scope].delete(name);
    else context[scope].set(name, value);
  }
  for (const each of reports) {
    if (each.report === "emit") context.emit(each.type, parsed(each.json));
    else if (each.report === "progress") context.progress(parsed(each.json));
    else if (each.report === "log") context.logger[each.level](each.message, parsed(each.json));
    else context.markTruncated(each.all);
  }
  if (leftOut > 0) {
    const many = leftOut === 1 ? "1 report was" : `${leftOut.toLocaleString("en-US")} reports were`;
    context.logger.warn(`${many} left out: the tool made them faster than they can be sent`, { leftOut });
  }
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}

function factsOf(context: ToolContext) {
  const { deadline, sessionId, workspace, callId, caller, maxOutputCharacters } = context;
  return {
    ...{ deadline, sessionId, workspace, callId, caller, maxOutputCharacters },
    variables: [...context.variables.entries()],
    taskVariables: [...context.taskVariables.entries()],
  };
}

function describeEnd(
  end: ChildEnd,
  { maxMemoryMb, crash }: { maxMemoryMb: number; crash: string | undefined },
): unknown {
  const itself = (how: string) => new ToolError("tool-failed", `the tool's process ended: ${crash ?? how}`);
  switch (end.state) {
    case "stopped":
      return end.reason;
    case "over":
      return tooMuchMemory(maxMemoryMb);
    case "exited":
      return itself(`it exited with code ${end.code}`);
    case "killed":
      return itself(`it was ended by ${end.signal}`);
    case "unstarted":
      return end.error;
    default:
      return new ToolError("cancelled", "the tool's process was ended");
  }
}

function tooMuchMemory(maxMemoryMb: number): ToolError {
  return new ToolError("tool-failed", `the tool was ended: it used more than ${maxMemoryMb} MB of memory`, {
    hint: "Ask it for less at once, or set maxMemoryMb in the tool's trait isolated.",
  });
}

/** The options that decide how modules are found and read; other options are about this process alone. */
function loaderFlags(flags: readonly string[]): string[] {
  return flags.flatMap((flag, index) => {
    if (!isLoaderFlag(flag)) return [];
    const value = flags[index + 1];
    const isSeparate = !flag.includes("=") && takesValue.test(flag) && value !== undefined;
    return isSeparate ? [flag, value] : [flag];
  });
}

const takesValue = /^(?:--import|--require|-r|--loader|--experimental-loader|--conditions|-C)(?:=|$)/;

function isLoaderFlag(flag: string): boolean {
  return takesValue.test(flag) || flag.startsWith("--experimental-") || flag === "--no-warnings";
}

// What Node itself takes.
const engineMb = 96;
