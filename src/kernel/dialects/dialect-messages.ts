import { orMeant } from "../../shared/text/did-you-mean.ts";
import type { ErrorCode } from "../../tool/tool-error.ts";
import type { Dialect } from "./dialect.ts";
import { createFieldEncoder } from "./encode-fields.ts";

export interface DialectMessages {
  encodeError(error: { readonly code: ErrorCode; readonly message: string }): string;
  unknownTool(name: string, nearest: readonly string[]): string;
  encodeFailure(failure: Failure): { readonly data?: unknown; readonly text?: string | undefined };
  /** The lines to log after a folder of tool files was loaded. */
  describeLoading(loaded: LoadedFolder): readonly string[];
}

/** A folder whose tool files were loaded. */
interface LoadedFolder {
  readonly files: number;
  /** As the dialect calls them. */
  readonly tools: readonly string[];
}

/** The parts that a dialect's shape of a failed call is made of. */
interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly tool: string;
  /** The data of the call's work so far. */
  readonly partial?: unknown;
  /** In the tool's own terms, if the call got so far; read only by a dialect that repeats it. */
  readonly input: () => unknown;
}

/** Errors in the dialect's own words and shape. */
export function createDialectMessages({ messages = {}, failure, text }: Dialect): DialectMessages {
  const {
    filesFound = "tool files found: {count}",
    toolLoaded = "tool loaded: {name}",
    toolsLoaded = "tools loaded: {count}",
  } = messages;
  const encode = failure && createFieldEncoder(failure);
  return {
    encodeFailure: ({ input, ...data }) => {
      if (encode === undefined) return { data: data.partial };
      const encoded = encode({ data, input: input() });
      return { data: encoded, text: text === "json" ? JSON.stringify(encoded) : undefined };
    },
    encodeError: ({ code, message }) => {
      // Its message is already the dialect's sentence for an unknown tool.
      if (messages.failed === undefined || code === "unknown-tool") return message;
      if (isFilled(messages.failed, message)) return message;
      return fillTemplate(messages.failed, new Map([["message", message]]));
    },
    unknownTool: (name, nearest) => {
      const shown = shorten(name);
      if (messages.unknownTool !== undefined)
        return fillTemplate(messages.unknownTool, new Map([["name", shown]]));
      return `there is no tool named ${JSON.stringify(shown)}${orMeant(nearest)}`;
    },
    describeLoading: ({ files, tools }) => [
      fillTemplate(filesFound, new Map([["count", `${files}`]])),
      ...tools.map((name) => fillTemplate(toolLoaded, new Map([["name", name]]))),
      fillTemplate(toolsLoaded, new Map([["count", `${tools.length}`]])),
    ],
  };
}

/** Replaces in one pass, so that braces inside a value stay text. */
function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, key: string) => values.get(key) ?? placeholder);
}

/** Whether a message already has the template's words around it, as when a tool writes the dialect's words itself. */
function isFilled(template: string, message: string): boolean {
  const [before = "", after = ""] = template.split("{message}");
  return message.startsWith(before) && message.endsWith(after);
}

const maxShownCharacters = 100;

/** Cuts a name that is too long to repeat: models have been seen to put a whole file into one. */
function shorten(name: string): string {
  return name.length > maxShownCharacters ? `${name.slice(0, maxShownCharacters)}…` : name;
}
