import type { Caller } from "./caller.ts";
import type { FormFields, InferFields } from "./forms/form-fields.ts";
import type { AgentKind, Agents } from "./services/agents.ts";
import type { DatabaseSummary, Databases } from "./services/databases.ts";
import type { Files } from "./services/files.ts";
import type { MadeToolBuilder } from "./services/made.ts";
import type { Notes } from "./services/notes.ts";
import type { Processes } from "./services/processes.ts";
import type { FormQuestion, PlainQuestion } from "./services/question.ts";
import type { Search } from "./services/search.ts";
import type { SkillSummary, Skills } from "./services/skills.ts";
import type { SourceCode } from "./services/source-code.ts";
import type { System } from "./services/system.ts";
import type { Tasks, Todos } from "./services/tasks.ts";
import type { ToolCatalogue } from "./services/tool-catalogue.ts";
import type { Web } from "./services/web.ts";
import type { Wording } from "./wording.ts";

/** What a tool's description may depend on. */
export interface SessionView {
  readonly id: string;
  readonly workspace: string;
  readonly dialect: string;
  readonly mode: string;
  /** The skills that were found the last time. */
  readonly skills?: readonly SkillSummary[];
  /** The kinds of agents that were found the last time. */
  readonly agents?: readonly AgentKind[];
  /** The databases that the user declared. */
  readonly databases?: readonly DatabaseSummary[];
}

/**
 * Named JSON values that outlive a call, and are there again after a restart. Used like a `Map`. A value that JSON would
 * lose, such as a Map, a Set or a function, is refused.
 */
export interface Variables extends Iterable<[string, unknown]> {
  get(name: string): unknown;
  set(name: string, value: unknown): this;
  has(name: string): boolean;
  delete(name: string): boolean;
  clear(): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<unknown>;
  entries(): IterableIterator<[string, unknown]>;
  forEach(visit: (value: unknown, name: string, variables: Variables) => void): void;
  readonly size: number;
}

export interface Logger {
  debug(message: string, data?: unknown): void;
  info(message: string, data?: unknown): void;
  warn(message: string, data?: unknown): void;
  error(message: string, data?: unknown): void;
}

export interface AskOptions {
  /** Withdraws the question when the tool no longer needs the answer. */
  readonly signal?: AbortSignal;
}

/** Everything a tool may touch. Tools reach the outside world only through this, so that nothing bypasses the checks. */
export interface ToolContext extends ToolServices {
  /** Aborted when the caller cancels or the deadline passes. Pass it on, or check it inside long loops. */
  readonly signal: AbortSignal;
  /** When the call times out, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly sessionId: string;
  /** Absolute path of the folder that the call works in. */
  readonly workspace: string;
  readonly callId: string;
  readonly caller: Caller;
  /** The longest text that the caller gets; more is cut. A tool that answers in pages ends each within this. */
  readonly maxOutputCharacters: number;
  /** For a message that names a tool or an argument. */
  readonly wording: Wording;
  /**
   * Says that the answer leaves something out, such as the next pages; the result is marked as `truncated`.
   * `storedPath` is a file of the runtime that holds all of it.
   */
  markTruncated(all?: { readonly storedPath?: string }): void;
  /** Shared by the calls of this session. */
  readonly variables: Variables;
  /** Shared by all sessions that work on the same task. */
  readonly taskVariables: Variables;
  /** Adds a custom event to the session's log. */
  emit(type: string, data?: unknown): void;
  /** Reports progress to the caller while the tool runs. */
  progress(update: unknown): void;
  readonly logger: Logger;
  /**
   * Asks the person and waits; the wait does not count against the deadline. With `fields` the answer is an object,
   * else a string. Rejects immediately with `nobody-to-ask` if no person can be asked, with `declined` if the person
   * declines, with `timed-out` without an answer in time, and with `no-match` for an answer that does not fit.
   */
  ask<const Fields extends FormFields>(
    form: FormQuestion<Fields>,
    options?: AskOptions,
  ): Promise<InferFields<Fields>>;
  ask(question: string | PlainQuestion, options?: AskOptions): Promise<string>;
}

/** The services that a tool can use. */
export interface ToolServices {
  readonly files: Files;
  readonly search: Search;
  readonly processes: Processes;
  readonly web: Web;
  readonly tasks: Tasks;
  readonly todos: Todos;
  readonly skills: Skills;
  readonly agents: Agents;
  readonly tools: ToolCatalogue;
  readonly made: MadeToolBuilder;
  readonly notes: Notes;
  readonly system: System;
  readonly databases: Databases;
  readonly sourceCode: SourceCode;
}
