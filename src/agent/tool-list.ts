import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { toObjectRoot } from "../interop/object-root.ts";
import { createVendorNames } from "../interop/vendor-names.ts";
import type { PresentedTool } from "../runtime/dialects/dialect-view.ts";
import type { JsonSchema } from "../shared/json-schema/json-schema.ts";

/** The tools of one step, as a model takes them. */
export interface ToolList {
  readonly tools: LanguageModelV4FunctionTool[];
  /** What the runtime knows a tool by that the model calls so. */
  nameOf(toolName: string): string;
}

/** Makes the lists; each schema is adapted once, so that an unchanged list is the same from step to step. */
export function createToolLister(): (offered: readonly PresentedTool[]) => ToolList {
  const schemas = new WeakMap<JsonSchema, JsonSchema>();
  const adapt = (schema: JsonSchema): JsonSchema => {
    const known = schemas.get(schema) ?? toObjectRoot(schema);
    schemas.set(schema, known);
    return known;
  };
  return (offered) => {
    const names = createVendorNames(offered.map(({ name }) => name));
    const tools = offered.map(({ name, description, inputSchema }): LanguageModelV4FunctionTool => {
      const schema = adapt(inputSchema) as LanguageModelV4FunctionTool["inputSchema"];
      return { type: "function", name: names.toVendor(name), description, inputSchema: schema };
    });
    return { tools, nameOf: names.fromVendor };
  };
}
