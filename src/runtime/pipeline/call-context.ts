import type { Redactor } from "../../shared/secrets/redact.ts";
import type { Caller } from "../../tool/caller.ts";
import type { Agents } from "../../tool/services/agents.ts";
import type { Files } from "../../tool/services/files.ts";
import type { Processes } from "../../tool/services/processes.ts";
import type { Answer, Question } from "../../tool/services/question.ts";
import type { Search } from "../../tool/services/search.ts";
import type { Skills } from "../../tool/services/skills.ts";
import type { Tasks, Todos } from "../../tool/services/tasks.ts";
import type { ToolCatalogue } from "../../tool/services/tool-catalogue.ts";
import type { Web } from "../../tool/services/web.ts";
import type { AskOptions, Logger, ToolContext, Variables } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { admitReached } from "../policy/admit-path.ts";
import { guardAgents } from "../services/agents/guard-agents.ts";
import { guardFiles } from "../services/files/guard-files.ts";
import type { FileChange } from "../services/files/undo/file-change.ts";
import { guardProcesses } from "../services/processes/guard-processes.ts";
import { askPerson } from "../services/questions/ask-person.ts";
import { guardSearch } from "../services/search/guard-search.ts";
import { guardTasks, guardTodos } from "../services/tasks/guard-tasks.ts";
import { unavailableServices } from "../services/unavailable-services.ts";
import { callEnded, untilEnded, variablesUntilEnded } from "../services/until-ended.ts";
import { createVariables } from "../sessions/variables.ts";
import { calledTool, type FileUse, type ResolvedCall } from "./call.ts";

/**
 * What the tool gets to work with. Every part is made when the tool asks for it, and can be taken out of the context
 * (`const { progress } = context`). Once closed, a tool that was given up on can say and do nothing more.
 */
export class CallContext implements ToolContext {
  readonly #call: ResolvedCall;
  #isOpen = true;
  #files: Files | undefined;
  #processes: Processes | undefined;
  #variables: Variables | undefined;
  #taskVariables: Variables | undefined;

  constructor(call: ResolvedCall) {
    this.#call = call;
  }

  close(): void {
    this.#isOpen = false;
    this.#call.delegation?.end();
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
    this.#variables ??= this.#guardVariables(this.#call.environment.variables);
    return this.#variables;
  }

  get taskVariables(): Variables {
    this.#taskVariables ??= this.#guardVariables(this.#call.environment.taskVariables);
    return this.#taskVariables;
  }

  get files(): Files {
    // One for the whole call: in a dry run, what was planned is seen by what comes after.
    this.#files ??= untilEnded(
      guardFiles(this.#call, this.#call.environment.files(fileUseOf(this.#call))),
      () => this.#isOpen,
    );
    return this.#files;
  }

  get search(): Search {
    return untilEnded(guardSearch(this.#call), () => this.#isOpen);
  }

  get emit(): ToolContext["emit"] {
    return (eventType, data) => {
      if (!this.#isOpen) return;
      const { log, redactor } = this.#call.environment;
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
      const { environment, request } = this.#call;
      const { log, redactor } = environment;
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
    const ask = async (question: string | Question, options?: AskOptions): Promise<Answer> => {
      if (!this.#isOpen) throw callEnded();
      return askPerson(this.#call, typeof question === "string" ? { text: question } : question, options);
    };
    // What comes back has been checked against the question.
    return ask as ToolContext["ask"];
  }

  get processes(): Processes {
    this.#processes ??= untilEnded(
      guardProcesses(this.#call, (stream, text) => this.progress({ type: "output", stream, text })),
      () => this.#isOpen,
    );
    return this.#processes;
  }

  get web(): Web {
    return unavailableServices.web;
  }

  get tasks(): Tasks {
    return untilEnded(guardTasks(this.#call), () => this.#isOpen);
  }

  get todos(): Todos {
    return untilEnded(guardTodos(this.#call), () => this.#isOpen);
  }

  get skills(): Skills {
    const { skills } = this.#call.environment;
    if (skills === undefined) return unavailableServices.skills;
    return untilEnded(skills(this.files), () => this.#isOpen);
  }

  get agents(): Agents {
    return untilEnded(guardAgents(this.#call), () => this.#isOpen);
  }

  get tools(): ToolCatalogue {
    const { tools } = this.#call.environment;
    return tools === undefined ? unavailableServices.tools : untilEnded(tools, () => this.#isOpen);
  }

  #guardVariables(variables: Variables): Variables {
    return variablesUntilEnded(variablesFor(this.#call, variables), () => this.#isOpen);
  }

  #logAt(level: keyof Logger): Logger["info"] {
    return (message, data) => {
      if (!this.#isOpen) return;
      const { environment, request } = this.#call;
      const { log, redactor } = environment;
      const kept = data === undefined ? {} : { data: masked(redactor, data, `logger.${level}`) };
      const entry = { level, message: redactor.text(String(message)), ...kept };
      log.note({ type: "log", ...calledTool(this.#call), ...entry });
      tellCaller(request.onLog, entry);
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
    admit: (action, canonical) => admitReached(call, action, canonical),
  };
}

/** In a dry run the tool reads what it set, and nobody else ever does. */
function variablesFor({ request }: ResolvedCall, variables: Variables): Variables {
  return request.isDryRun ? createVariables("dry-run", new Map(variables.entries()), () => {}) : variables;
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
function tellCaller<Told>(listener: ((told: Told) => void) | undefined, told: Told): void {
  try {
    listener?.(told);
  } catch {
    // the listener's own problem
  }
}
