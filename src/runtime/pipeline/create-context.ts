import type { Logger, Question, ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { ResolvedCall } from "./call.ts";
import { unavailableServices } from "./unavailable-services.ts";

/** What the tool gets to work with. Once closed, a tool that was given up on can say nothing more. */
export function createContext(call: ResolvedCall): { context: ToolContext; close(): void } {
  const { environment, deadline, request } = call;
  const { log, session } = environment;
  const tool = call.resolved.entry.name;
  let isOpen = true;

  const context: ToolContext = {
    ...unavailableServices,
    signal: deadline.signal,
    get deadline() {
      return deadline.at;
    },
    sessionId: session.id,
    callId: call.id,
    caller: call.caller,
    variables: environment.variables,
    taskVariables: environment.taskVariables,
    get files() {
      return environment.files(deadline.signal);
    },
    emit(eventType, data) {
      if (!isOpen) return;
      const event = {
        type: "custom",
        callId: call.id,
        tool,
        eventType,
        ...(data !== undefined && { data }),
      } as const;
      log.note(keepable(event, `emit(${eventType})`));
    },
    progress(update) {
      if (!isOpen) return;
      log.note(keepable({ type: "call-progress", callId: call.id, tool, update } as const, "progress"));
      tellCaller(request.onProgress, update);
    },
    get logger() {
      return createLogger(call, () => isOpen);
    },
    ask: (question) => ask(call, typeof question === "string" ? { text: question } : question),
  };
  return {
    context,
    close: () => {
      isOpen = false;
    },
  };
}

/** An event must be JSON to be kept; said here, where the tool's author can see who did it. */
function keepable<Event>(event: Event, what: string): Event {
  try {
    JSON.stringify(event);
    return event;
  } catch (cause) {
    throw new ToolError(
      "tool-failed",
      `${what}: the data cannot be written as JSON: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** Whoever listens cannot break the call. */
function tellCaller(onProgress: ((update: unknown) => void) | undefined, update: unknown): void {
  try {
    onProgress?.(update);
  } catch {
    // the listener's own problem
  }
}

function createLogger(call: ResolvedCall, isOpen: () => boolean): Logger {
  const { log, redactor } = call.environment;
  const at = (level: keyof Logger) => (message: string, data?: unknown) => {
    if (!isOpen()) return;
    const event = {
      type: "log",
      callId: call.id,
      tool: call.resolved.entry.name,
      level,
      message: redactor.text(String(message)),
      ...(data !== undefined && { data: redactor.value(data) }),
    } as const;
    log.note(keepable(event, `logger.${level}`));
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

async function ask(call: ResolvedCall, question: Question): Promise<string> {
  const { askPerson, log } = call.environment;
  if (askPerson === undefined) {
    throw new ToolError("nobody-to-ask", "there is nobody to ask here", {
      hint: "Go on without the answer, or say what is missing.",
    });
  }
  log.note({ type: "question-asked", callId: call.id, ...question });
  call.deadline.pause();
  try {
    const answer = await call.deadline.race(askPerson(question, call.deadline.signal));
    log.note({ type: "question-answered", callId: call.id, answer });
    return answer;
  } finally {
    call.deadline.resume();
  }
}
