import type { McpLoader } from "../../capabilities/mcp-client/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { defined } from "../../shared/options/defined.ts";
import { type AnyTool, defineTool } from "../../tool/define-tool.ts";
import { type ParamDefinitions, paramsToJsonSchema } from "../../tool/params.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { createKodeFilePool, createKodeSandbox } from "./kode-sandbox.ts";
import type {
  KodeAttributes,
  KodeFilePool,
  KodeSandbox,
  KodeSimpleTool,
  KodeToolContext,
  KodeToolInstance,
} from "./kode-types.ts";

/** KODE's `defineTool`: from parameters, or from a JSON Schema. */
export function defineKodeTool<const Params extends ParamDefinitions>(
  definition: KodeSimpleTool<Params>,
): KodeToolInstance {
  const { name, params, input_schema } = definition;
  return {
    ...definition,
    input_schema: params === undefined ? input_schema : paramsToJsonSchema(params),
    toDescriptor: () => ({ source: "registered", name, registryId: name }),
  } as KodeToolInstance;
}

/** KODE's `defineTools`: several at once. */
export function defineKodeTools(definitions: readonly KodeSimpleTool[]): KodeToolInstance[] {
  return definitions.map((definition) => defineKodeTool(definition));
}

export interface KodeToolOptions {
  /** What tools find as `services`. */
  readonly services?: Readonly<Record<string, unknown>>;
  /** The tools' own hooks are among the runtime's, by `kodeHooks`. */
  readonly hasHooks?: boolean;
}

/** Tools written for KODE, as tools of this runtime. */
export function kodeTools(instances: readonly KodeToolInstance[], options: KodeToolOptions = {}): AnyTool[] {
  return instances.map((instance) => kodeTool(instance, options));
}

function kodeTool(instance: KodeToolInstance, options: KodeToolOptions): AnyTool {
  const { name, description, input_schema, prompt } = instance;
  if (typeof instance.exec !== "function") throw new TypeError(`${name}: exec must be a function`);
  // A tool whose own hook is never asked would do the very thing that the hook forbids.
  if (instance.hooks !== undefined && !options.hasHooks)
    throw new TypeError(
      `${name} has hooks of its own: give the runtime hooks: kodeHooks([${name}]), and kodeTools hasHooks: true`,
    );
  const { readonly: readOnly = false, noEffect: idempotent = false } = attributesOf(instance);
  return defineTool({
    name,
    description: description || name,
    input: (input_schema ?? { type: "object", properties: {} }) as JsonSchema,
    ...defined({ prompt: typeof prompt === "string" ? prompt : undefined }),
    traits: { readOnly, idempotent, concurrencySafe: readOnly, ...timeOf(instance) },
    run: async (input: unknown, context: ToolContext) =>
      fromKodeResult(await instance.exec(input, createKodeContext(context, { ...options, toolName: name }))),
  });
}

function timeOf({ metadata = {} }: KodeToolInstance): { timeoutMs?: number } {
  const { timeout } = metadata;
  return typeof timeout === "number" && timeout > 0 ? { timeoutMs: timeout } : {};
}

/** The tool's attributes; older tools declare them in `metadata`, under other names. */
function attributesOf({ attributes, metadata = {} }: KodeToolInstance): KodeAttributes {
  const { readonly, access, mutates, noEffect, safe } = metadata;
  return {
    readonly: attributes?.readonly ?? (readonly === true || (access === "read" && mutates !== true)),
    noEffect: attributes?.noEffect ?? (noEffect === true || safe === true),
  };
}

/** The tools of a loader, whose results say in KODE's way that they failed. */
export function failingLikeKode(loader: McpLoader): McpLoader {
  return async () => (await loader()).map(withKodeResults);
}

/** A stand-in, not a copy: the tool may be an instance of a class, and its methods need the instance itself. */
function withKodeResults(tool: unknown): unknown {
  if (typeof tool !== "object" || tool === null) return tool;
  return new Proxy(tool, {
    get(target, field) {
      const value: unknown = Reflect.get(target, field);
      if (typeof value !== "function") return value;
      return async (...given: unknown[]) => fromKodeResult(await value.apply(target, given));
    },
  });
}

/** `{ ok: false }` is how KODE's tools say that they failed. */
function fromKodeResult(result: unknown): unknown {
  if (!isPlainObject(result) || result.ok !== false) return result;
  const { ok: _ok, error, retryable, recommendations, ...partial } = result;
  const hint = Array.isArray(recommendations) ? recommendations.join(" ") : "";
  const message = typeof error === "string" && error !== "" ? error : "the tool reported an error";
  throw new ToolError("tool-failed", message, {
    ...defined({ hint: hint || undefined }),
    retryable: retryable === true,
    partial: Object.keys(partial).length > 0 ? partial : undefined,
  });
}

/** The context that KODE's tools expect, made of ours. Most tools use little of it, so each part is made when it is used. */
function createKodeContext(
  context: ToolContext,
  { toolName, services = {} }: KodeToolOptions & { readonly toolName: string },
): KodeToolContext {
  const { sessionId } = context;
  const emit = (eventType: string, data?: unknown) => context.emit(eventType, data);
  let sandbox: KodeSandbox | undefined;
  let filePool: KodeFilePool | undefined;
  const getSandbox = () => {
    sandbox ??= createKodeSandbox(context);
    return sandbox;
  };
  return {
    agentId: sessionId,
    get signal() {
      return context.signal;
    },
    emit,
    get agent() {
      const emitMonitor = ({ type, eventType = type, data, ...fields }: Record<string, unknown>) =>
        emit(String(eventType ?? toolName), data ?? fields);
      return { id: sessionId, events: { emitMonitor } };
    },
    services,
    get sandbox() {
      return getSandbox();
    },
    get filePool() {
      filePool ??= createKodeFilePool(context, getSandbox());
      return filePool;
    },
    get variables() {
      return context.variables;
    },
    toolwright: context,
  };
}
