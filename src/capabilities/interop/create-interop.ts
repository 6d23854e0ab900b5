import { AsyncLocalStorage } from "node:async_hooks";
import {
  type AdaptedSchema,
  type AdaptedTool,
  checkFormatName,
  createVendorNames,
  type FormatName,
  formats,
  type RenderedTools,
  type RunCall,
  type ToolFormat,
} from "../../formats/index.ts";
import { isCallId } from "../../kernel/call/index.ts";
import type { PresentedTool } from "../../kernel/dialects/index.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { knownKeys, value } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import {
  type AnswerTo,
  createNameReader,
  type HandleOptions,
  handleMessage,
  type InteropSession,
} from "./handle-message.ts";

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
  const enter = createCallTurns();
  const run: RunCall = ({ name: vendorName, id, ...request }) => {
    const name = createNameReader(session)(vendorName);
    const isConcurrencySafe = session.find(name)?.isConcurrencySafe ?? true;
    return enter(isConcurrencySafe, async () => {
      const [result] = await session.callAll([{ ...request, name, ...(isCallId(id) && { id }) }]);
      return result!;
    });
  };
  const render = createToolRenderer(run);
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

/**
 * Runs work in order of arrival: concurrency-safe work in parallel, everything else alone. For callers that start all calls
 * of a step at once and leave the ordering to the tools.
 */
export function createCallTurns() {
  const inside = new AsyncLocalStorage<true>();
  /** Settled when the last call that runs alone has ended. */
  let alone: Promise<unknown> = Promise.resolve();
  /** Calls that started since then. */
  let together = new Set<Promise<unknown>>();
  return <Result>(isSafe: boolean, work: () => Promise<Result>): Promise<Result> => {
    // A call made within another would wait for the call that waits for it.
    if (inside.getStore()) return work();
    const enter = () => inside.run(true, work);
    if (isSafe) {
      const result = alone.then(enter);
      keepUntilEnded(together, result);
      return result;
    }
    const result = Promise.all([alone, ...together]).then(enter);
    alone = result.catch(() => {});
    together = new Set();
    return result;
  };
}

function keepUntilEnded(running: Set<Promise<unknown>>, result: Promise<unknown>): void {
  const ended: Promise<unknown> = result.catch(() => {}).then(() => running.delete(ended));
  running.add(ended);
}

/** Renders tools in any format; each schema is adapted only once. */
function createToolRenderer(run: RunCall) {
  const adaptedSchemas = new Map<string, WeakMap<JsonSchema, AdaptedSchema>>();
  return <Name extends FormatName>(
    tools: readonly PresentedTool[],
    { format: wanted, strict = false }: ToolsOptions<Name>,
  ) => {
    const name = wanted ?? ("json" as Name);
    checkFormatName(name);
    const format: ToolFormat = formats[name];
    const key = `${name} ${strict}`;
    const known = adaptedSchemas.get(key) ?? new WeakMap<JsonSchema, AdaptedSchema>();
    adaptedSchemas.set(key, known);
    const adapted = adaptTools(format, tools, (schema) => {
      const earlier = known.get(schema);
      if (earlier !== undefined) return earlier;
      const made = format.adaptSchema?.(schema, { strict }) ?? { schema, isStrict: false };
      known.set(schema, made);
      return made;
    });
    return format.renderTools(adapted, run) as RenderedTools[Name];
  };
}

function adaptTools(
  format: ToolFormat,
  tools: readonly PresentedTool[],
  adapt: (schema: JsonSchema) => AdaptedSchema,
): readonly AdaptedTool[] {
  if (!format.limitsNames && format.adaptSchema === undefined) return tools;
  const { toVendor } = createVendorNames(format.limitsNames ? tools.map(({ name }) => name) : []);
  // Field by field: spreading thousands of tools would take longer than all the rest.
  return tools.map(({ name, description, inputSchema, annotations, metadata }) => {
    const { schema, isStrict } = adapt(inputSchema);
    return { name: toVendor(name), description, inputSchema: schema, annotations, metadata, isStrict };
  });
}
