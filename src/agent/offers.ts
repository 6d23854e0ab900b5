import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { toCommonSchema } from "../faces/interop/schemas/common-schema.ts";
import { createVendorNames } from "../faces/interop/vendors/vendor-names.ts";
import type { PresentedTool } from "../kernel/dialects/dialect-view.ts";
import type { JsonSchema } from "../shared/json-schema/json-schema.ts";
import type { AgentHost } from "./agent-host.ts";
import type { AgentOptions } from "./agent-options.ts";
import { measure } from "./context/measure.ts";
import type { ProjectNote } from "./context/project-notes.ts";
import { systemPromptOf } from "./system-prompt.ts";

/** The tools and the system prompt that a model is given in one step. */
export interface Offer {
  readonly tools: LanguageModelV4FunctionTool[];
  /** Ends with the tools' manuals. */
  readonly system: string;
  /** Characters that this adds to every prompt. */
  readonly size: number;
  /** The runtime's name of the tool that the model calls `toolName`. */
  nameOf(toolName: string): string;
}

/** Returns the current offer: the same object for as long as no tool changes. */
export function createOffers(
  options: Pick<AgentOptions, "system">,
  host: AgentHost,
  notes: readonly ProjectNote[],
): () => Offer {
  const adapt = createSchemaAdapter();
  let last: { readonly presented: readonly PresentedTool[]; readonly offer: Offer } | undefined;
  return () => {
    const presented = host.activeTools();
    if (last !== undefined && isSameList(last.presented, presented)) return last.offer;
    const names = createVendorNames(presented.map(({ name }) => name));
    const tools = presented.map(({ name, description, inputSchema }): LanguageModelV4FunctionTool => {
      // Their type allows no list that is read-only.
      const schema = adapt(inputSchema) as unknown as LanguageModelV4FunctionTool["inputSchema"];
      return { type: "function", name: names.toVendor(name), description, inputSchema: schema };
    });
    const system = systemPromptOf(options, host, notes);
    const offer = { tools, system, size: system.length + measure(tools), nameOf: names.fromVendor };
    last = { presented, offer };
    return offer;
  };
}

/** Adapts each schema only once. */
function createSchemaAdapter(): (schema: JsonSchema) => JsonSchema {
  const schemas = new WeakMap<JsonSchema, JsonSchema>();
  return (schema) => {
    const known = schemas.get(schema) ?? toCommonSchema(schema);
    schemas.set(schema, known);
    return known;
  };
}

function isSameList(one: readonly PresentedTool[], other: readonly PresentedTool[]): boolean {
  if (one.length !== other.length) return false;
  return one.every((tool, place) => {
    const { name, description, inputSchema } = other[place]!;
    return tool.name === name && tool.description === description && tool.inputSchema === inputSchema;
  });
}
