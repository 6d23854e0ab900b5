import type { Search } from "../../tool/search.ts";
import type {
  Agents,
  Caller,
  Files,
  Logger,
  Processes,
  Question,
  Skills,
  Tasks,
  ToolContext,
  Variables,
  Web,
} from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { FileChange } from "../workspace/file-change.ts";
import type { FileUse, ResolvedCall } from "./call.ts";
import { guardFiles } from "./guard-files.ts";
import { guardSearch } from "./guard-search.ts";
import { unavailableServices } from "./unavailable-services.ts";

/**
 * What the tool gets to work with. Every part is made when the tool asks for it, and can be taken out of the context
 * (`const { progress } = context`). Once closed, a tool that was given up on can say nothing more.
 */
export class CallContext implements ToolContext {
  readonly #call: ResolvedCall;
  #isOpen = true;
  #files: Files | undefined;

  constructor(call: ResolvedCall) {
    this.#call = call;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** For what the runtime itself does to files in the name of a call, such as undoing another. */
  static fileUseOf(context: ToolContext): FileUse {
    return fileUseOf((context as CallContext).#call);
  }

  /** What the call has changed so far. */
  static changesOf(context: ToolContext): readonly FileChange[] {
    return (context as CallContext).#call.changes ?? [];
  }

  get signal(): AbortSignal {
    return this.#call.deadline.signal;
  }

  get deadline(): number {
    return this.#call.deadline.at;
  }

  get sessionId(): string {
    return this.#call.environment.session.id;
  }

  get callId(): string {
    return this.#call.id;
  }

  get caller(): Caller {
    return this.#call.caller;
  }

  get variables(): Variables {
    return this.#call.environment.variables;
  }

  get taskVariables(): Variables {
    return this.#call.environment.taskVariables;
  }

  get files(): Files {
    // One for the whole call: in a dry run, what was planned is seen by what comes after.
    this.#files ??= guardFiles(this.#call, this.#call.environment.files(fileUseOf(this.#call)));
    return this.#files;
  }

  get search(): Search {
    return guardSearch(this.#call);
  }

  get emit(): ToolContext["emit"] {
    return (eventType, data) => {
      if (!this.#isOpen) return;
      const { log } = this.#call.environment;
      const event = {
        type: "custom",
        ...this.#about,
        eventType,
        ...(data !== undefined && { data }),
      } as const;
      log.note(keepable(event, `emit(${eventType})`));
    };
  }

  get progress(): ToolContext["progress"] {
    return (update) => {
      if (!this.#isOpen) return;
      const { environment, request } = this.#call;
      environment.log.note(keepable({ type: "call-progress", ...this.#about, update } as const, "progress"));
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
    return (question) => askPerson(this.#call, typeof question === "string" ? { text: question } : question);
  }

  get processes(): Processes {
    return unavailableServices.processes;
  }

  get web(): Web {
    return unavailableServices.web;
  }

  get tasks(): Tasks {
    return unavailableServices.tasks;
  }

  get skills(): Skills {
    return unavailableServices.skills;
  }

  get agents(): Agents {
    return unavailableServices.agents;
  }

  get #about(): { readonly callId: string; readonly tool: string } {
    return { callId: this.#call.id, tool: this.#call.resolved.entry.name };
  }

  #logAt(level: keyof Logger): Logger["info"] {
    return (message, data) => {
      if (!this.#isOpen) return;
      const { log, redactor } = this.#call.environment;
      const kept = data === undefined ? {} : { data: redactor.value(data) };
      const event = {
        type: "log",
        ...this.#about,
        level,
        message: redactor.text(String(message)),
        ...kept,
      } as const;
      log.note(keepable(event, `logger.${level}`));
    };
  }
}

function fileUseOf(call: ResolvedCall): FileUse {
  return {
    signal: call.deadline.signal,
    isPreview: call.request.isDryRun === true,
    onChange: (change) => {
      call.changes ??= [];
      call.changes.push(change);
    },
  };
}

/** An event must be JSON to be kept; said here, where the tool's author can see who did it. */
function keepable<Event>(event: Event, what: string): Event {
  try {
    JSON.stringify(event);
    return event;
  } catch (cause) {
    const message = `${what}: the data cannot be written as JSON: ${(cause as Error).message}`;
    throw new ToolError("tool-failed", message, { cause });
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

/** The clock stands still while a person thinks. */
async function askPerson(call: ResolvedCall, question: Question): Promise<string> {
  const { askPerson: ask, log } = call.environment;
  if (ask === undefined) {
    throw new ToolError("nobody-to-ask", "there is nobody to ask here", {
      hint: "Go on without the answer, or say what is missing.",
    });
  }
  log.note({ type: "question-asked", callId: call.id, ...question });
  call.deadline.pause();
  try {
    const answer = await ask(question, call.deadline.signal);
    log.note({ type: "question-answered", callId: call.id, answer });
    return answer;
  } finally {
    call.deadline.resume();
  }
}
