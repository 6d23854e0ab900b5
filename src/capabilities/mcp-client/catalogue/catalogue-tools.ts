import type { ContentBlock, Tool } from "@modelcontextprotocol/client";
import { defined } from "../../../shared/options/defined.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { isBeyondText } from "../../../tool/content-part.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type ContentPart, isPartsResult, type ToolReturn } from "../../../tool/tool-result.ts";
import { toToolReturn } from "../call/to-tool-return.ts";
import type { CallUse, PromptUse, ServerOffers } from "../connection/open-connection.ts";
import type { ServerLink } from "../connection/server-link.ts";
import {
  cleanPrompts,
  cleanResources,
  cleanTemplates,
  isPassable,
  type McpPrompt,
  type McpResource,
  type McpResourceTemplate,
} from "./clean-entries.ts";

/**
 * Our tools for a server's resources and prompts, so that reading a resource takes the same path as any call. They are
 * pinned like the server's own tools: another wording here would ask every user for approval again.
 */
export const readResourceTool: Tool = {
  name: "read_mcp_resource",
  description: "Read a resource of this MCP server. Without a uri, list its resources and templates of URIs.",
  inputSchema: {
    type: "object",
    properties: {
      uri: { type: "string", description: "URI of the resource", minLength: 1, maxLength: 8192 },
    },
    additionalProperties: false,
  },
};

export const getPromptTool: Tool = {
  name: "get_mcp_prompt",
  description: "Get a prompt of this MCP server, filled in. Without a name, list its prompts.",
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "Name of the prompt", minLength: 1, maxLength: 256 },
      arguments: {
        type: "object",
        description: "What to fill in",
        maxProperties: 100,
        additionalProperties: { type: "string" },
      },
    },
    additionalProperties: false,
  },
};

export function catalogueTools({ resources, prompts }: ServerOffers): Tool[] {
  return [...(resources ? [readResourceTool] : []), ...(prompts ? [getPromptTool] : [])];
}

/** Compares by identity, because a server may give its own tool the same name, and even the same description. */
export function isCatalogueTool(definition: Tool): boolean {
  return definition === readResourceTool || definition === getPromptTool;
}

/** Returns the function that makes a call to a tool of this definition. */
export function requestFor(
  definition: Tool,
): (link: ServerLink, input: Record<string, unknown>, use: CallUse) => Promise<ToolReturn> {
  if (definition === readResourceTool) {
    return (link, { uri }, use) =>
      typeof uri === "string" ? readResource(link, uri, use) : listResources(link);
  }
  if (definition === getPromptTool) {
    return (link, input, use) =>
      typeof input.name === "string" ? getPrompt(link, input as never, use) : listPrompts(link);
  }
  return async (link, input, use) => toToolReturn(await link.callTool(definition, input, use));
}

/**
 * The data of a result: its parts in their order. A text is whole here, with secrets masked, even where the text for a model
 * is cut; `null` stands for the next part of the content that is more than text.
 */
interface PassedOn {
  readonly description?: string;
  readonly parts: readonly { readonly role?: string; readonly part: ContentPart | null }[];
}

async function readResource(link: ServerLink, uri: string, use: CallUse): Promise<ToolReturn> {
  if (!isPassable(uri))
    throw new ToolError("invalid-input", "a URI has no spaces, hidden characters or control characters");
  const { contents } = await link.readResource(uri, use);
  return passOn(contents.map((resource) => ({ type: "resource", resource })));
}

async function getPrompt(link: ServerLink, prompt: PromptUse, use: CallUse): Promise<ToolReturn> {
  const { messages, description } = await link.getPrompt(prompt, use);
  const [about] = description === undefined ? [] : textsOf([{ type: "text", text: description }]);
  return passOn(
    messages.map(({ content }) => content),
    { roles: messages.map(({ role }) => role), description: about },
  );
}

function passOn(
  blocks: ContentBlock[],
  { roles, description }: { roles?: readonly string[]; description?: string | undefined } = {},
): ToolReturn {
  const content = partsOf(blocks);
  const parts = content.map((part, index) => ({
    ...defined({ role: roles && (roles[index] ?? "user") }),
    part: isBeyondText(part) ? null : part,
  }));
  const data: PassedOn = { ...defined({ description }), parts };
  return { content: content.length > 0 ? content : [{ type: "text", text: "[nothing]" }], data };
}

/** The parts, cleaned and bounded like those of any result. */
function partsOf(content: ContentBlock[]): readonly ContentPart[] {
  const result = toToolReturn({ content });
  return isPartsResult(result) ? result.content : [];
}

function textsOf(content: ContentBlock[]): string[] {
  return partsOf(content).flatMap((part) => (part.type === "text" ? part.text : []));
}

async function listResources(link: ServerLink): Promise<ToolReturn> {
  const [resources, templates] = await Promise.all([link.list("resources"), link.list("templates")]);
  const lines = [
    ...cleanResources(resources).map((each) => lineOf(each.uri, each)),
    ...cleanTemplates(templates).map((each) => lineOf(each.uriTemplate, each)),
  ];
  return lines.length === 0 ? "The server lists no resources." : lines.join("\n");
}

async function listPrompts(link: ServerLink): Promise<ToolReturn> {
  const lines = cleanPrompts(await link.list("prompts")).map((prompt) => {
    const names = prompt.arguments.map(({ name, required }) => (required === true ? name : `${name}?`));
    return lineOf(`${prompt.name}(${names.join(", ")})`, prompt);
  });
  return lines.length === 0 ? "The server lists no prompts." : lines.join("\n");
}

function lineOf(
  what: string,
  { name, title, description }: McpResource | McpResourceTemplate | McpPrompt,
): string {
  const about = [title ?? name, description].filter((each) => each !== undefined).join(": ");
  return `${quoteControls(what)}  ${about.replace(/\s+/g, " ")}`;
}
