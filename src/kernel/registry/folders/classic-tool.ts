import { isPlainObject } from "../../../shared/json.ts";
import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { defined } from "../../../shared/options/defined.ts";
import { type ContentPart, isContentPart } from "../../../tool/content-part.ts";
import { type AnyTool, defineTool } from "../../../tool/define-tool.ts";
import type { ToolContext } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { Traits } from "../../../tool/traits.ts";
import type { ToolFolder } from "./tool-folder.ts";

/** A tool as a plain object whose handler returns an MCP result, or throws. */
interface ClassicTool {
  readonly description: string;
  readonly inputSchema: JsonSchema;
  handler(input: unknown, context: ToolContext): unknown;
  /** MCP's hints about the effects of the tool. */
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/** The names of other systems that some authors use for the same. */
interface OtherNames {
  readonly parameters: JsonSchema;
  readonly execute: ClassicTool["handler"];
}

export function adaptClassicTool(
  value: object,
  name: string,
  { context: added = {}, acceptsUndeclared = false }: Omit<ToolFolder, "path"> = {},
): AnyTool {
  const { description, inputSchema, handler, annotations = {} } = parseClassicTool(value);
  return defineTool({
    name,
    description,
    input: acceptsUndeclared ? { ...inputSchema, additionalProperties: true } : inputSchema,
    traits: traitsOf(annotations),
    run: async (input, context) => fromMcpResult(await handler.call(value, input, addTo(context, added))),
  });
}

/** The context with the host's additions; existing properties stay, so that none can be replaced. */
function addTo(context: ToolContext, added: Readonly<Record<string, unknown>>): ToolContext {
  if (Object.keys(added).length === 0) return context;
  return new Proxy(context, {
    get: (target, key) => {
      const isAdded = !(key in target) && Object.hasOwn(added, key);
      return isAdded ? added[key as string] : Reflect.get(target, key, target);
    },
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
  const { description, annotations, ...given } = value as Partial<ClassicTool & OtherNames>;
  const { inputSchema = given.parameters, handler = given.execute } = given;
  if (typeof handler !== "function") {
    throw new TypeError(
      "no tool found: export one made with defineTool, or an object with description, inputSchema and handler",
    );
  }
  if (typeof description !== "string") throw new TypeError("the description must be a string");
  if (!isPlainObject(inputSchema)) throw new TypeError("inputSchema must be a JSON Schema object");
  if (annotations !== undefined && !isPlainObject(annotations))
    throw new TypeError("annotations must be an object of hints");
  return { description, inputSchema, handler, annotations };
}

/** A text alone is taken for a result of one text. */
function fromMcpResult(result: unknown): unknown {
  if (typeof result === "string") return result;
  if (!isPlainObject(result) || !Array.isArray(result.content)) {
    throw new ToolError("invalid-output", "the handler did not return an MCP result", {
      hint: 'Return { content: [{ type: "text", text: … }] }.',
    });
  }
  const content = result.content.map(toContentPart);
  if (result.isError === true) throw new ToolError("tool-failed", textOf(content));
  const data = result.structuredContent;
  if (content.length === 0) return data;
  return data === undefined ? { content } : { content, data };
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
  return defined(Object.fromEntries(names.map((name) => [name, fields[name]])));
}

function textOf(content: readonly ContentPart[]): string {
  const texts = content.filter((part) => part.type === "text").map(({ text }) => text);
  return texts.join("\n") || "the tool reported an error without a message";
}
