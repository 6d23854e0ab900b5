import type { PresentedTool } from "../runtime/dialects/dialect-view.ts";
import { isCallId } from "../runtime/pipeline/begin-call.ts";
import type { AnswerTo } from "./answer-to.ts";
import { createCallTurns } from "./call-turns.ts";
import { checkFormatName, type FormatName, type RenderedTools } from "./formats.ts";
import { type HandleOptions, handleMessage, type InteropSession } from "./handle-message.ts";
import { createToolRenderer } from "./render-tools.ts";
import type { RunCall } from "./tool-format.ts";
import { createVendorNames } from "./vendors/vendor-names.ts";

export interface ToolsOptions<Name extends FormatName = FormatName> {
  /** `json` unless told. */
  readonly format?: Name;
  /** For OpenAI: holds the model to the schema while it writes, wherever the schema allows it. */
  readonly strict?: boolean;
}

export interface ActiveToolsOptions<Name extends FormatName = FormatName> extends ToolsOptions<Name> {
  /** Whoever may use only these tools is offered none besides; all of them, if the search tool is not among them. */
  readonly only?: readonly string[];
}

export interface Interop {
  /** The whole catalogue as the `tools` of a vendor's API: an array, but for the AI SDK, which takes an object. */
  tools<Name extends FormatName = "json">(options?: ToolsOptions<Name>): RenderedTools[Name];
  /**
   * What a model is to be offered now: all tools while there are few, else the core ones and those activated. What is
   * activated comes at the end and moves nothing, so that a provider's prompt cache holds.
   */
  activeTools<Name extends FormatName = "json">(options?: ActiveToolsOptions<Name>): RenderedTools[Name];
  /**
   * Runs all tool calls of a model's message and gives the messages to append after it. Recognises the vendor by the
   * message; takes a whole response too, and what `createCallAssembler` makes of a stream.
   */
  handle<Message>(message: Message, options?: HandleOptions): Promise<AnswerTo<Message>[]>;
}

/** A session's tools out, calls in, results out, in every vendor's format. */
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
    tools: (options = {}) => render(session.list(), options),
    activeTools: (options = {}) => render(session.listActive(options.only), options),
    handle: (message, options) => handleMessage(session, message, options),
  };
}

function ownName(session: InteropSession, vendorName: string): string {
  return createVendorNames(session.list().map(({ name }) => name)).fromVendor(vendorName);
}
