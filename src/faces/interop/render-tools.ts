import type { PresentedTool } from "../../kernel/dialects/dialect-view.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { type FormatName, formats, type RenderedTools } from "./formats.ts";
import type { AdaptedSchema, AdaptedTool, RenderOptions, RunCall, ToolFormat } from "./tool-format.ts";
import { createVendorNames } from "./vendors/vendor-names.ts";

export type RenderTools = <Name extends FormatName>(
  name: Name,
  tools: readonly PresentedTool[],
  options: RenderOptions & { readonly run: RunCall },
) => RenderedTools[Name];

/** Renders tools in any format; each schema is adapted only once. */
export function createToolRenderer(): RenderTools {
  const adaptedSchemas = new Map<string, WeakMap<JsonSchema, AdaptedSchema>>();
  return (name, tools, { strict, run }) => {
    const format: ToolFormat = formats[name];
    const key = `${name} ${strict}`;
    const known = adaptedSchemas.get(key) ?? new WeakMap<JsonSchema, AdaptedSchema>();
    adaptedSchemas.set(key, known);
    const adapted = adaptTools(format, tools, (schema) => {
      const earlier = known.get(schema);
      if (earlier !== undefined) return earlier;
      const made = format.adaptSchema?.(schema, { strict }) ?? { schema, isStrict: false };
      known.set(schema, made);
      return made;
    });
    return format.renderTools(adapted, run) as RenderedTools[typeof name];
  };
}

function adaptTools(
  format: ToolFormat,
  tools: readonly PresentedTool[],
  adapt: (schema: JsonSchema) => AdaptedSchema,
): readonly AdaptedTool[] {
  if (!format.limitsNames && format.adaptSchema === undefined) return tools;
  const { toVendor } = createVendorNames(format.limitsNames ? tools.map(({ name }) => name) : []);
  // Field by field: spreading thousands of tools would take longer than all the rest.
  return tools.map(({ name, description, inputSchema, annotations, metadata }) => {
    const { schema, isStrict } = adapt(inputSchema);
    return { name: toVendor(name), description, inputSchema: schema, annotations, metadata, isStrict };
  });
}
