import { isCallId } from "../../kernel/call/begin-call.ts";
import type { PresentedTool } from "../../kernel/dialects/dialect-view.ts";
import { knownKeys, value } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import type { AnswerTo } from "./answer-to.ts";
import { createCallTurns } from "./call-turns.ts";
import { checkFormatName, type FormatName, type RenderedTools } from "./formats.ts";
import { type HandleOptions, handleMessage, type InteropSession } from "./handle-message.ts";
import { createToolRenderer } from "./render-tools.ts";
import type { RunCall } from "./tool-format.ts";
import { createVendorNames } from "./vendors/vendor-names.ts";

export interface ToolsOptions<Name extends FormatName = FormatName> {
  /** Default: `json`. */
  readonly format?: Name;
  /** For OpenAI: makes the model follow the schema exactly, wherever the schema allows it. */
  readonly strict?: boolean;
}

export interface ActiveToolsOptions<Name extends FormatName = FormatName> extends ToolsOptions<Name> {
  /** Offers only these tools, for a caller that may use no others; all of them, if the search tool is not among them. */
  readonly only?: readonly string[];
}

export const toolsKeys = knownKeys<ToolsOptions>({ format: value, strict: value });
export const activeToolsKeys = knownKeys<ActiveToolsOptions>({ format: value, strict: value, only: value });

export interface Interop {
  /**
   * The whole catalogue as the `tools` of a vendor's API: an array, or an object for the AI SDK. A tool whose every call
   * is denied is only in the format `json`, with the reason.
   */
  tools<Name extends FormatName = "json">(options?: ToolsOptions<Name>): RenderedTools[Name];
  /**
   * The tools to offer a model now: all of them if there are few, otherwise the core tools and the activated ones. Newly
   * activated tools come last, so that the provider's prompt cache stays valid.
   */
  activeTools<Name extends FormatName = "json">(options?: ActiveToolsOptions<Name>): RenderedTools[Name];
  /**
   * Runs all tool calls of a model's message and returns the messages to append after it. Recognises the vendor from the
   * message; also accepts a whole response, and the result of `createCallAssembler` for a stream.
   */
  handle<Message>(message: Message, options?: HandleOptions): Promise<AnswerTo<Message>[]>;
}

/** Offers a session's tools, takes calls and returns results in every vendor's format. */
export function createInterop(session: InteropSession): Interop {
  const renderTools = createToolRenderer();
  const enter = createCallTurns();
  const run: RunCall = ({ name: vendorName, id, ...request }) => {
    const name = session.find(vendorName) === undefined ? ownName(session, vendorName) : vendorName;
    const isConcurrencySafe = session.find(name)?.isConcurrencySafe ?? true;
    return enter(isConcurrencySafe, async () => {
      const [result] = await session.callAll([{ ...request, name, ...(isCallId(id) && { id }) }]);
      return result!;
    });
  };
  const render = <Name extends FormatName>(
    tools: readonly PresentedTool[],
    { format, strict = false }: ToolsOptions<Name>,
  ) => {
    const name = format ?? ("json" as Name);
    checkFormatName(name);
    return renderTools(name, tools, { strict, run });
  };
  return {
    tools(options = {}) {
      refuseUnknownKeys(options, toolsKeys, "tools");
      const { format = "json" } = options;
      const isOffered = ({ denied }: PresentedTool) => format === "json" || denied === undefined;
      return render(session.list().filter(isOffered), options);
    },
    activeTools(options = {}) {
      refuseUnknownKeys(options, activeToolsKeys, "activeTools");
      return render(session.listActive(options.only), options);
    },
    handle: (message, options) => handleMessage(session, message, options),
  };
}

function ownName(session: InteropSession, vendorName: string): string {
  return createVendorNames(session.list().map(({ name }) => name)).fromVendor(vendorName);
}
