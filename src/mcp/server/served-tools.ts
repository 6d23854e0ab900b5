import type { ListToolsResult } from "@modelcontextprotocol/server";
import { toMcpTool } from "../../interop/vendors/to-mcp-tool.ts";
import type { Session } from "../../session.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import type { ServerSdk } from "./load-server-sdk.ts";
import { pageOf } from "./page-of.ts";

/** The session's catalogue in MCP's form, without the tools whose every call is denied. */
export interface ServedTools {
  list(cursor: string | undefined): ListToolsResult;
  /** The schema of a tool's structured content. */
  outputSchemaOf(name: string): JsonSchema | undefined;
}

export interface ServedToolsOptions {
  readonly sdk: ServerSdk;
  readonly onChange: (listener: () => void) => () => void;
  readonly pageSize?: number;
}

export function createServedTools(
  session: Pick<Session, "tools" | "closed">,
  { sdk, onChange, pageSize = toolsPerPage }: ServedToolsOptions,
): ServedTools {
  let outputSchemas: Map<string, JsonSchema | undefined> | undefined;
  const forget = onChange(() => {
    outputSchemas = undefined;
  });
  session.closed.then(forget);
  return {
    list(cursor) {
      const offered = session.tools().filter(({ denied }) => denied === undefined);
      const { items, nextCursor } = pageOf(offered, { cursor, pageSize, sdk });
      return { tools: items.map(toMcpTool), ...(nextCursor !== undefined && { nextCursor }) };
    },
    outputSchemaOf(name) {
      outputSchemas ??= new Map(session.tools().map((tool) => [tool.name, tool.outputSchema]));
      return outputSchemas.get(name);
    },
  };
}

// More than a usual catalogue has, for clients that do not support pages.
const toolsPerPage = 1000;
