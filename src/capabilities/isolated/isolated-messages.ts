import type { HandlerName } from "../../tool/read-isolated.ts";
import type { Logger, ToolContext } from "../../tool/tool-context.ts";

/** Questions of the runtime to the process of an isolated tool, by name. */
export interface AskedOfProcess {
  readonly call: {
    readonly module: string;
    readonly tool: string;
    readonly handler: HandlerName;
    readonly given: unknown;
    readonly facts: ContextFacts;
    /** A process that has grown beyond it is not used again. */
    readonly maxRestingBytes: number;
  };
  /** Calls a function that the tool gave as an argument. */
  readonly callback: { readonly id: number; readonly given: unknown };
  /** The call's new deadline. */
  readonly deadline: number;
}

/** What that process asks of the runtime. Whatever the tool does to its process, this is all that reaches ours. */
export interface AskedOfRuntime {
  /** Its name is the method, such as `files.readText`. */
  readonly use: {
    readonly given: readonly unknown[];
    /** Which of the arguments are functions, and their ids. */
    readonly callbacks: readonly (readonly [index: number, id: number])[];
  };
  readonly reports: SentReports;
}

/** What a context says without being asked. */
export interface ContextFacts extends Pick<ToolContext, FactName> {
  readonly variables: readonly (readonly [string, unknown])[];
  readonly taskVariables: readonly (readonly [string, unknown])[];
}

type FactName = "deadline" | "sessionId" | "workspace" | "callId" | "caller" | "maxOutputCharacters";

export interface SentReports {
  readonly reports: readonly SentReport[];
  /** How many were made too fast to be sent. */
  readonly leftOut: number;
  readonly writes: readonly SentWrite[];
}

/** Data is sent as the JSON that it is kept as. */
export type SentReport =
  | { readonly report: "emit"; readonly type: string; readonly json?: string | undefined }
  | { readonly report: "progress"; readonly json?: string | undefined }
  | {
      readonly report: "log";
      readonly level: keyof Logger;
      readonly message: string;
      readonly json?: string | undefined;
    }
  | { readonly report: "truncated"; readonly all: { readonly storedPath?: string } | undefined };

interface SentWrite {
  readonly scope: "variables" | "taskVariables";
  readonly name: string;
  /** Undefined if it was deleted. */
  readonly value: unknown;
}
