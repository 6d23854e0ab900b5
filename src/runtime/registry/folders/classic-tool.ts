import { isPlainObject } from "../../../shared/json.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { type ContentPart, isContentPart } from "../../../tool/content-part.ts";
import { type AnyTool, defineTool } from "../../../tool/define-tool.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Traits } from "../../../tool/traits.ts";

/** A tool as a plain object whose handler returns an MCP result, or throws. */
interface ClassicTool {
  readonly name?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  handler(input: unknown, context: ToolContext): unknown;
  /** MCP's hints about what the tool does. */
  readonly annotations?: Readonly<Record<string, unknown>>;
  /** Says where the tool comes from, which is known here already. */
  readonly metadata?: { readonly type?: string; readonly source?: string };
}

export function adaptClassicTool(value: object, name: string): AnyTool {
  const classic = parseClassicTool(value);
  return defineTool({
    name,
    description: classic.description,
    input: classic.inputSchema,
    traits: traitsOf(classic.annotations ?? {}),
    run: async (input, context) => fromMcpResult(await classic.handler(input, context)),
  });
}

/** The file is code of the workspace's owner, so its hints count as a definition's traits do. */
function traitsOf(annotations: Readonly<Record<string, unknown>>): Partial<Traits<unknown>> {
  const hinted = Object.entries(hintedTraits).filter(([hint]) => typeof annotations[hint] === "boolean");
  return Object.fromEntries(hinted.map(([hint, trait]) => [trait, annotations[hint]]));
}

const hintedTraits = {
  readOnlyHint: "readOnly",
  destructiveHint: "destructive",
  idempotentHint: "idempotent",
  openWorldHint: "openWorld",
} as const satisfies Record<string, keyof Traits>;

function parseClassicTool(value: object): ClassicTool {
  const { description, inputSchema, handler, annotations } = value as Partial<ClassicTool>;
  if (typeof handler !== "function") {
    throw new TypeError(
      "no tool found: export one made with defineTool, or an object with description, inputSchema and handler",
    );
  }
  if (typeof description !== "string") throw new TypeError("the description must be a string");
  if (!isPlainObject(inputSchema)) throw new TypeError("inputSchema must be a JSON Schema object");
  if (annotations !== undefined && !isPlainObject(annotations))
    throw new TypeError("annotations must be an object of hints");
  return value as ClassicTool;
}

function fromMcpResult(result: unknown): unknown {
  if (!isPlainObject(result) || !Array.isArray(result.content)) {
    throw new ToolError("invalid-output", "the handler did not return an MCP result", {
      hint: 'Return { content: [{ type: "text", text: … }] }.',
    });
  }
  const content = result.content.map(toContentPart);
  if (result.isError === true) throw new ToolError("tool-failed", textOf(content));
  const data = result.structuredContent;
  if (content.length === 0) return data;
  return { content, ...(data !== undefined && { data }) };
}

function toContentPart(part: unknown): ContentPart {
  const own = isPlainObject(part) ? toOwnPart(part) : part;
  return isContentPart(own) && own.type !== "structured" ? own : { type: "structured", data: part };
}

/** The part in our own form, if its type is known; the caller must check that it is complete. */
function toOwnPart(part: Record<string, unknown>): unknown {
  const { type, text, data, mimeType, resource } = part;
  switch (type) {
    case "text":
      return { type, text };
    case "image":
    case "audio":
      return { type, data, mimeType };
    case "resource":
      return isPlainObject(resource)
        ? { type, ...pick(resource, ["uri", "mimeType", "text", "blob"]) }
        : part;
    case "resource_link":
      return { type: "link", ...pick(part, ["uri", "name", "description", "mimeType"]) };
    default:
      return part;
  }
}

function pick(fields: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}

function textOf(content: readonly ContentPart[]): string {
  const texts = content.filter((part) => part.type === "text").map(({ text }) => text);
  return texts.join("\n") || "the tool reported an error without a message";
}
