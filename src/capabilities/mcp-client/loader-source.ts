import type { ProvidedTool, SourceProblem, ToolSource } from "../../kernel/registry/index.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { capText, cleanText } from "../../shared/text/clean-text.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { type AnyTool, defineTool } from "../../tool/define-tool.ts";
import type { ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { toToolReturn } from "./call/to-tool-return.ts";
import { cleanSchema } from "./offered/clean-schema.ts";
import { checkServerName, offeredName, shortNames, toolPrefix } from "./server-names.ts";

/** Returns the tools of another MCP client: objects with a name, a description, a schema and a function. */
export type McpLoader = () => Promise<readonly unknown[]> | readonly unknown[];

/** A source of a loader's tools. The loader is called in every process, so resumed sessions find the same names. */
export function createLoaderSource(name: string, loader: McpLoader): ToolSource {
  checkServerName(name);
  const id = `mcp loader ${name}`;
  let tools: ProvidedTool[] = [];
  let problems: SourceProblem[] = [];
  return {
    id,
    layer: "mcp",
    tools: () => tools,
    problems: () => problems,
    async start() {
      const loaded = await loadAll(name, loader);
      [tools, problems] = [[], []];
      for (const [index, value] of loaded.entries()) {
        try {
          tools.push({ tool: adaptTool(name, value), group: name });
        } catch (error) {
          problems.push({ source: id, subject: `tool ${index + 1}`, message: describeThrown(error) });
        }
      }
    },
  };
}

async function loadAll(name: string, loader: McpLoader): Promise<readonly unknown[]> {
  let loaded: unknown;
  try {
    loaded = await loader();
  } catch (cause) {
    const message = `the loader of ${name} failed: ${describeThrown(cause)}`;
    throw new ToolError("unavailable", message, { cause });
  }
  if (!Array.isArray(loaded)) throw new TypeError(`the loader of ${name} must return an array of tools`);
  return loaded;
}

function adaptTool(server: string, value: unknown): AnyTool {
  if (typeof value !== "object" || value === null) throw new TypeError("a tool must be an object");
  const { name, description } = value as { name?: unknown; description?: unknown };
  if (typeof name !== "string" || name === "") throw new TypeError("a tool needs a name");
  const run = findFunction(value);
  if (run === undefined)
    throw new TypeError(`${name} has no function; expected one of ${functionNames.join(", ")}`);
  const isPrefixed = name.startsWith(toolPrefix(server));
  const ownName = isPrefixed ? name.slice(toolPrefix(server).length) : name;
  const text = typeof description === "string" ? cleanText(description).trim() : "";
  return defineTool({
    name: offeredName(server, ownName),
    description: text === "" ? `The tool ${ownName}.` : capText(text, maxDescriptionBytes),
    input: findSchema(value),
    aliases: shortNames(server, ownName),
    traits: { openWorld: true, deferrable: true, needs: ["execute"] },
    permission: () => ({ action: "execute", target: `mcp:${server}/${ownName}` }),
    run: async (input, context) => adaptResult(await run(input, context)),
  });
}

const maxDescriptionBytes = 2048;

// The names that common MCP clients use.
const functionNames = ["exec", "execute", "handler", "invoke", "call", "run"] as const;
const schemaNames = ["input_schema", "inputSchema", "parameters", "schema"] as const;

type Run = (input: unknown, context: ToolContext) => unknown;

function findFunction(value: object): Run | undefined {
  const fields = value as Record<string, unknown>;
  const name = functionNames.find((each) => typeof fields[each] === "function");
  return name && ((input, context) => (fields[name] as Run).call(value, input, context));
}

function findSchema(value: object): JsonSchema {
  const fields = value as Record<string, unknown>;
  const name = schemaNames.find((each) => isPlainObject(fields[each]));
  if (name === undefined) return { type: "object", additionalProperties: true };
  return { ...cleanSchema(fields[name]), type: "object" };
}

/** Converts results in MCP's form; any other value is returned as it is. */
function adaptResult(result: unknown): unknown {
  if (!isPlainObject(result) || !Array.isArray(result.content)) return result;
  return toToolReturn(result as Parameters<typeof toToolReturn>[0]);
}
