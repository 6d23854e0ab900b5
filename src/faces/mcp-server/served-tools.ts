import type { ListToolsResult, Tool } from "@modelcontextprotocol/server";
import {
  moveReferences,
  toMcpTool,
  toObjectSchema,
  toStructuredContent,
  withStandardFormats,
} from "../../formats/index.ts";
import type { CallResult } from "../../kernel/call/index.ts";
import type { Session } from "../../kernel/runtime/index.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { once } from "../../shared/once.ts";
import type { ServerSdk } from "./load-server-sdk.ts";
import { pageOf } from "./page-of.ts";

type ListedTool = Parameters<typeof toMcpTool>[0];

export interface ServedToolsOptions {
  readonly sdk: ServerSdk;
  readonly onChange: (listener: () => void) => () => void;
  readonly pageSize?: number | undefined;
}

/** The session's catalogue in MCP's form, without the tools whose every call is denied. */
export function createServedTools(
  session: Pick<Session, "tools" | "closed" | "hasHooks">,
  { sdk, onChange, pageSize = toolsPerPage }: ServedToolsOptions,
) {
  let promises = new Map<string, OutputPromise | undefined>();
  const forget = onChange(() => {
    promises = new Map();
  });
  session.closed.then(forget);
  const promiseOf = ({ name, outputSchema }: ListedTool) => {
    if (promises.has(name)) return promises.get(name);
    const promise = outputSchema && createOutputPromise(outputSchema, session);
    promises.set(name, promise);
    return promise;
  };
  const render = (tool: ListedTool): Tool => ({
    ...toMcpTool(tool),
    outputSchema: promiseOf(tool)?.schema as Tool["outputSchema"],
  });
  return {
    list(cursor: string | undefined): ListToolsResult {
      const offered = session.tools().filter(({ denied }) => denied === undefined);
      const { items, nextCursor } = pageOf(offered, { cursor, pageSize, sdk });
      return { tools: items.map(render), nextCursor };
    },
    /** Undefined for a tool without an output schema. */
    promiseOf(name: string): OutputPromise | undefined {
      if (promises.has(name)) return promises.get(name);
      const tool = session.tools().find((each) => each.name === name);
      return tool && promiseOf(tool);
    },
  };
}

// More than a usual catalogue has, for clients that do not support pages.
const toolsPerPage = 1000;

/** The promise to clients about a tool's structured content. They refuse a result that does not keep to it. */
export interface OutputPromise {
  readonly schema: JsonSchema;
  contentOf(result: Pick<CallResult, "data" | "text">): Record<string, unknown>;
}

/** With hooks, a result may be another than the tool's: the promise then says so. */
function createOutputPromise(outputSchema: JsonSchema, { hasHooks }: { hasHooks: boolean }): OutputPromise {
  const own = (data: unknown) => toStructuredContent(data, outputSchema);
  const schema = withStandardFormats(toObjectSchema(outputSchema));
  if (!hasHooks) return { schema, contentOf: (result) => own(answerOf(result)) };
  const check = once(() => compileSchema(outputSchema, { fillsDefaults: false }));
  return {
    schema: { type: "object", anyOf: [moveReferences(schema, "#/anyOf/0"), answeredByHook] },
    contentOf: (result) => {
      const value = answerOf(result);
      return check()(value).ok ? own(value) : { result: value };
    },
  };
}

function answerOf({ data, text }: Pick<CallResult, "data" | "text">): unknown {
  return data === undefined ? text : data;
}

const answeredByHook: JsonSchema = {
  type: "object",
  description: "What a hook answered in the tool's place",
  properties: { result: {} },
  required: ["result"],
};
