import type { ListToolsResult, Tool } from "@modelcontextprotocol/server";
import { toMcpTool } from "../../formats/vendors/to-mcp-tool.ts";
import type { Session } from "../../kernel/runtime/session.ts";
import type { ServerSdk } from "./load-server-sdk.ts";
import { createOutputPromise, type OutputPromise } from "./output-promise.ts";
import { pageOf } from "./page-of.ts";

/** The session's catalogue in MCP's form, without the tools whose every call is denied. */
export interface ServedTools {
  list(cursor: string | undefined): ListToolsResult;
  /** Undefined for a tool without an output schema. */
  promiseOf(name: string): OutputPromise | undefined;
}

type ListedTool = Parameters<typeof toMcpTool>[0];

export interface ServedToolsOptions {
  readonly sdk: ServerSdk;
  readonly onChange: (listener: () => void) => () => void;
  readonly pageSize?: number;
}

export function createServedTools(
  session: Pick<Session, "tools" | "closed" | "hasHooks">,
  { sdk, onChange, pageSize = toolsPerPage }: ServedToolsOptions,
): ServedTools {
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
  const render = (tool: ListedTool): Tool => {
    const schema = promiseOf(tool)?.schema;
    return {
      ...toMcpTool(tool),
      ...(schema && { outputSchema: schema as NonNullable<Tool["outputSchema"]> }),
    };
  };
  return {
    list(cursor) {
      const offered = session.tools().filter(({ denied }) => denied === undefined);
      const { items, nextCursor } = pageOf(offered, { cursor, pageSize, sdk });
      return { tools: items.map(render), ...(nextCursor !== undefined && { nextCursor }) };
    },
    promiseOf(name) {
      if (promises.has(name)) return promises.get(name);
      const tool = session.tools().find((each) => each.name === name);
      return tool && promiseOf(tool);
    },
  };
}

// More than a usual catalogue has, for clients that do not support pages.
const toolsPerPage = 1000;
