import { orMeant } from "../../shared/text/did-you-mean.ts";
import type { ErrorCode } from "../../tool/tool-error.ts";
import type { Dialect } from "./dialect.ts";

export interface DialectMessages {
  encodeError(error: { readonly code: ErrorCode; readonly message: string }): string;
  unknownTool(name: string, nearest: readonly string[]): string;
}

/** Error messages in the dialect's own words. */
export function createDialectMessages({ messages = {} }: Dialect): DialectMessages {
  return {
    encodeError: ({ code, message }) => {
      // Its message is already the dialect's sentence for an unknown tool.
      if (messages.failed === undefined || code === "unknown-tool") return message;
      return fillTemplate(messages.failed, new Map([["message", message]]));
    },
    unknownTool: (name, nearest) => {
      const shown = shorten(name);
      if (messages.unknownTool !== undefined)
        return fillTemplate(messages.unknownTool, new Map([["name", shown]]));
      return `there is no tool named ${JSON.stringify(shown)}${orMeant(nearest)}`;
    },
  };
}

/** Replaces in one pass, so that braces inside a value stay text. */
function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, key: string) => values.get(key) ?? placeholder);
}

const maxShownCharacters = 100;

/** Models have been seen to put a whole file into a name. */
function shorten(name: string): string {
  return name.length > maxShownCharacters ? `${name.slice(0, maxShownCharacters)}…` : name;
}
