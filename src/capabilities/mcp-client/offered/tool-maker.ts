import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Progress, Tool } from "@modelcontextprotocol/client";
import { createStarMatcher } from "../../../shared/glob/name-pieces.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { compileSchema } from "../../../shared/json-schema/compile-schema.ts";
import { type JsonSchema, SchemaError } from "../../../shared/json-schema/json-schema.ts";
import { defined } from "../../../shared/options/defined.ts";
import { cleanText } from "../../../shared/text/clean-text.ts";
import { quoteWord } from "../../../shared/text/quote-controls.ts";
import { type AnyTool, defineTool } from "../../../tool/define-tool.ts";
import type { PermissionRequest } from "../../../tool/permission-request.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { isPartsResult, type ToolReturn } from "../../../tool/tool-result.ts";
import { describeSubject, type PinSubject, type PinVerdict } from "../approval/pins.ts";
import { askForServer } from "../call/answer-elicitation.ts";
import { isCatalogueTool, readResourceTool, requestFor } from "../catalogue/catalogue-tools.ts";
import type { ServerLink } from "../connection/server-link.ts";
import { offeredName, shortNames } from "../server-names.ts";
import { isStdio, type McpServerOptions } from "../server-options.ts";
import { withoutDefaults } from "./clean-schema.ts";
import type { ServerTool } from "./server-tool.ts";

export type ToolMaker = (name: string, tool: ServerTool, definition: Tool) => AnyTool;

/** Wraps a server's tools as ours; a call goes to the server over the link. */
export function createToolMaker(
  server: string,
  { started, link }: { started: () => McpServerOptions; link: () => ServerLink | undefined },
): ToolMaker {
  return (name, { description, inputSchema, outputSchema, name: ownName }, definition) => {
    const options = started();
    const { timeoutMs } = options;
    const checkOutput = outputSchema && tryCompile(outputSchema);
    const pathsOf = pathArguments(options, ownName);
    const filesOf = (input: unknown) =>
      definition === readResourceTool ? fileOfAddress(options, input) : [];
    const request = requestFor(definition);
    const access = permissionOf(options, { server, tool: ownName });
    const define = (input: JsonSchema) =>
      defineTool({
        name,
        description,
        input,
        aliases: shortNames(server, ownName),
        // A server's own claims about its tools, such as that they only read, grant nothing.
        traits: {
          openWorld: true,
          deferrable: true,
          needs: [access.action],
          // An application shows a resource again and again; that is not a loop of a model.
          polls: isCatalogueTool(definition),
          ...defined({ timeoutMs }),
        },
        permission: (input) => [access, ...pathsOf(input), ...filesOf(input)],
        async run(arguments_, context) {
          const current = link();
          if (current === undefined)
            throw new ToolError("unavailable", `the MCP server ${server} is not running`);
          const use = {
            signal: context.signal,
            onProgress: progressTo(context),
            ask: askForServer(server, context),
          };
          const result = await request(current, arguments_ as Record<string, unknown>, use);
          checkOutput?.(result);
          return result;
        },
      });
    const tool = defineUsable(inputSchema, define);
    return outputSchema !== undefined && checkOutput !== undefined ? { ...tool, outputSchema } : tool;
  };
}

/** Replaces a tool that may not be called as it is now, and shows nothing of the server's description. */
export function disabledTool(server: string, name: string, verdict: PinVerdict): AnyTool {
  const { why, id } = describeDisabled({ server, tool: name }, verdict);
  return defineTool({
    name: offeredName(server, name),
    description: `Disabled: ${why}.`,
    input: { type: "object", additionalProperties: true },
    aliases: shortNames(server, name),
    traits: { openWorld: true, deferrable: true },
    permission: touchesNothing,
    run() {
      throw new ToolError("unavailable", `${name} of the MCP server ${server} is disabled: ${why}`, {
        hint: `A person can review it with \`toolwright approvals\` and allow it with \`toolwright approve ${id}\`.`,
      });
    },
  });
}

/** Why a tool is disabled, and its id for a shell. */
export function describeDisabled(subject: PinSubject, verdict: PinVerdict): { why: string; id: string } {
  const why = verdict === "denied" ? "it was denied" : "its definition has changed and is not approved yet";
  return { why, id: quoteWord(describeSubject(subject)) };
}

/** The tool while its server is unavailable: still listed, and refused without asking for approval. */
export function unavailableTool(
  tool: AnyTool,
  { reason, refuse }: { reason: string; refuse: () => ToolError },
): AnyTool {
  return {
    ...tool,
    description: `[Currently unavailable: ${reason}]\n${tool.description}`,
    permission: touchesNothing,
    // Never the tool's own `run`, which would act without approval once the server is back.
    run() {
      throw refuse();
    },
  };
}

function touchesNothing(): PermissionRequest {
  return { action: "read" };
}

function permissionOf(
  options: McpServerOptions,
  { server, tool }: { server: string; tool: string },
): PermissionRequest {
  if (isStdio(options)) return { action: "execute", target: `mcp:${server}/${tool}` };
  const url = URL.parse(options.url);
  return { action: "network", target: url?.host ?? options.url, isEncrypted: url?.protocol === "https:" };
}

function progressTo(context: ToolContext): (progress: Progress) => void {
  return ({ progress, total, message }) =>
    context.progress({ progress, ...defined({ total, message: message && cleanText(message) }) });
}

/** Servers' schemas are seldom checked by their authors: one with an invalid default is used without its defaults. */
function defineUsable(schema: JsonSchema, define: (schema: JsonSchema) => AnyTool): AnyTool {
  try {
    return define(schema);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return define(withoutDefaults(schema));
  }
}

function tryCompile(schema: JsonSchema): ((result: ToolReturn) => void) | undefined {
  let check: ReturnType<typeof compileSchema>;
  try {
    check = compileSchema(schema, { fillsDefaults: false });
  } catch (error) {
    if (error instanceof SchemaError) return undefined;
    throw error;
  }
  return (result) => {
    const validation = check(isPartsResult(result) ? result.data : result);
    if (validation.ok) return;
    const problems = validation.issues.map(({ message }) => message).join("; ");
    throw new ToolError("invalid-output", `the result does not match the tool's output schema: ${problems}`);
  };
}

type PathUse = NonNullable<McpServerOptions["paths"]>[string][string];

/**
 * The paths that a call of a server's tool touches, as far as the server's options name its arguments. They are judged
 * besides the call itself: naming them never allows more.
 */
function pathArguments(
  options: McpServerOptions,
  tool: string,
): (input: unknown) => readonly PermissionRequest[] {
  const folder = isStdio(options) ? (options.cwd ?? "") : "";
  const uses = Object.entries(options.paths ?? {})
    .filter(([pattern]) => createStarMatcher(pattern)(tool))
    .flatMap(([, names]) => Object.entries(names));
  if (uses.length === 0) return () => [];
  return (input) => {
    const given = isPlainObject(input) ? input : {};
    return uses.flatMap(([name, use]) =>
      pathsIn(given[name], name).flatMap((path) => requestsFor(toLocal(path, folder), use)),
    );
  };
}

/** The file that an address names to a program on this machine, so that rules on paths bind it even where none are declared. */
export function fileOfAddress(options: McpServerOptions, input: unknown): readonly PermissionRequest[] {
  const uri = isPlainObject(input) ? input.uri : undefined;
  if (!isStdio(options) || typeof uri !== "string") return [];
  const address = URL.parse(bounded(uri));
  return address?.protocol === "file:" ? requestsFor(fileURLToPath(address), "read") : [];
}

function pathsIn(value: unknown, name: string): readonly string[] {
  if (value === undefined || value === null) return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.every((each) => typeof each === "string")) return values;
  throw new TypeError(`${name} is declared to be a path, but is neither a text nor a list of texts`);
}

/** Servers take addresses of files and `~/` as well. */
function toLocal(path: string, folder: string): string {
  if (path.startsWith("file:")) return fileURLToPath(bounded(path));
  if (path === "~" || path.startsWith("~/")) return join(homedir(), path.slice(1));
  return path.startsWith("/") || folder === "" ? path : join(folder, path);
}

/** A longer address takes long to be read, and names a file only by going up and down. */
function bounded(address: string): string {
  if (address.length <= maxAddressCharacters) return address;
  throw new TypeError(`an address has more than ${maxAddressCharacters} characters`);
}

/** The length of an address of a path of 4,096 bytes, each of them escaped. */
const maxAddressCharacters = 3 * 4096 + 100;

function requestsFor(target: string, use: PathUse): PermissionRequest[] {
  const actions = use === "read-write" ? (["read", "write"] as const) : [use];
  // The entries of a folder count too, because the server may go through it.
  return actions.map((action) => ({ action, target, treesOf: [target], byProgram: true }));
}
