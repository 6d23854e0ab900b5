import type { JsonSchema } from "../../../shared/json-schema/json-schema.ts";
import { type Layer, layers } from "../../registry/index.ts";
import type {
  DialectDefinition,
  DialectParam,
  DialectTool,
  MessageTemplates,
  OutputLimit,
  OwnParam,
} from "../dialect.ts";
import { leastOutputCharacters } from "../output-limits.ts";
import { withRequired } from "../translate-schema.ts";

const text: JsonSchema = { type: "string", minLength: 1 };
/** The form of names that every model vendor accepts. */
const toolName: JsonSchema = { type: "string", pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$" };
const paramName: JsonSchema = { type: "string", pattern: "^[A-Za-z0-9_.-]{1,64}$" };
const flag: JsonSchema = { type: "boolean" };
const words: JsonSchema = { type: "object", additionalProperties: text };
const textForm: JsonSchema = { enum: ["json", "words"] };
const fields: JsonSchema = { $ref: "#/$defs/fields" };
const source: JsonSchema = { $ref: "#/$defs/source" };
const output: JsonSchema = closed<OutputLimit>(
  {
    maxCharacters: { type: "integer", minimum: leastOutputCharacters },
    headShare: { type: "number", minimum: 0, maximum: 1 },
  },
  ["maxCharacters", "headShare"],
);
const argument: JsonSchema = { anyOf: [{ type: "string" }, closed({ input: text }, ["input"])] };

/** The form of a dialect, without regard to the tools that it names. */
export const dialectSchema: JsonSchema = {
  ...closed<DialectDefinition>(
    {
      name: toolName,
      pathPolicy: { enum: ["absolute", "any"] },
      tools: {
        type: "object",
        additionalProperties: closed<DialectTool>(
          {
            name: toolName,
            aliases: { type: "array", items: toolName },
            group: text,
            description: text,
            params: { $ref: "#/$defs/params" },
            ownParams: {
              type: "object",
              propertyNames: paramName,
              additionalProperties: closed<OwnParam>(
                { schema: { type: "object", additionalProperties: true }, isRequired: flag, appendsTo: text },
                ["schema"],
              ),
            },
            output,
            text: textForm,
            result: fields,
            metadata: { type: "object", additionalProperties: true },
          },
          ["name"],
        ),
      },
      prefixes: closed<Record<Layer, string>>(byLayer(toolName)),
      offersAliasOf: { type: "array", items: { enum: layers } },
      output,
      text: textForm,
      maxConcurrentCalls: { type: "integer", minimum: 1 },
      failure: fields,
      messages: closed<MessageTemplates>({
        failed: template("message"),
        unknownTool: template("name"),
        filesFound: template("count"),
        toolLoaded: template("name"),
        toolsLoaded: template("count"),
      }),
    },
    ["name", "tools"],
  ),
  $defs: {
    params: {
      type: "object",
      additionalProperties: { anyOf: [{ type: "null" }, { $ref: "#/$defs/param" }] },
    },
    param: closed<DialectParam>({
      name: paramName,
      otherNames: { type: "array", items: paramName },
      description: text,
      default: true,
      fixed: true,
      countsFrom: { enum: [0, 1] },
      unit: { enum: ["seconds", "milliseconds"] },
      words,
      isNegated: { const: true },
      items: { $ref: "#/$defs/params" },
    }),
    fields: { type: "object", additionalProperties: source },
    source: {
      anyOf: [
        { type: "string" },
        closed({ value: true }, ["value"]),
        closed({ input: text }, ["input"]),
        closed({ lengthOf: argument }, ["lengthOf"]),
        closed({ linesOf: argument }, ["linesOf"]),
        closed({ text: { const: true } }, ["text"]),
        closed({ from: text, words, otherwise: text }, ["from", "words"]),
        closed({ entries: { type: "array", items: source } }, ["entries"]),
        closed({ list: { type: "string" }, fields }, ["list", "fields"]),
        closed({ list: { type: "string" }, item: source }, ["list", "item"]),
        closed({ fields }, ["fields"]),
      ],
    },
  },
};

function byLayer(schema: JsonSchema): Record<Layer, JsonSchema> {
  return Object.fromEntries(layers.map((layer) => [layer, schema])) as Record<Layer, JsonSchema>;
}

/** A message must name its subject, so the template must have the placeholder. */
function template(placeholder: string): JsonSchema {
  return { type: "string", pattern: `\\{${placeholder}\\}` };
}

/** TypeScript refuses a list of properties that lacks one of the type's, or has another. */
function closed<Described extends object>(
  properties: Readonly<Record<keyof Described, JsonSchema | boolean>>,
  required: readonly (keyof Described & string)[] = [],
): JsonSchema {
  const schema: JsonSchema = {
    type: "object",
    properties: properties as JsonSchema["properties"] & object,
    additionalProperties: false,
  };
  return withRequired(schema, required);
}
