import { builtinTools } from "../../src/capabilities.ts";
import type { JsonSchema } from "../../src/shared/json-schema/json-schema.ts";

/** The built-in tools' inputs and outputs as TypeScript, made from their schemas. */
export function writeBuiltinCalls(): string {
  const members = [...builtinTools]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, inputSchema, outputSchema }) => {
      const input = `readonly input: ${typeOf(inputSchema, " | undefined")};`;
      return `readonly ${name}: ${block([input, `readonly output: ${typeOf(outputSchema)};`])};`;
    });
  return `// Made from the tools' schemas by the build.

/** What each built-in tool takes, and what is in the data of its result once it is done. */
export interface BuiltinCalls ${block(members)}
`;
}

/** `ifLeftOut` is what the type of an optional property also allows: callers may write `limit: undefined`. */
function typeOf(schema: JsonSchema | boolean | undefined, ifLeftOut = ""): string {
  if (typeof schema !== "object") return "unknown";
  const { enum: choices, anyOf, type } = schema;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeOf(each, ifLeftOut)).join(" | ");
  if (type === "array") return arrayType(schema, ifLeftOut);
  if (type === "object") return objectType(schema, ifLeftOut);
  if (type === "integer") return "number";
  return typeof type === "string" ? type : "unknown";
}

function arrayType({ items }: JsonSchema, ifLeftOut: string): string {
  const item = typeOf(items, ifLeftOut);
  const isWhole = /^\w+$/.test(item) || (typeof items === "object" && items.type === "object");
  return `readonly ${isWhole ? item : `(${item})`}[]`;
}

function objectType(schema: JsonSchema, ifLeftOut: string): string {
  const { properties, required = [], additionalProperties } = schema;
  const entries = Object.entries(properties ?? {});
  if (entries.length === 0) {
    // No properties at all may mean any, or none.
    if (properties !== undefined && additionalProperties === false) return "Record<string, never>";
    return `Readonly<Record<string, ${typeOf(additionalProperties, ifLeftOut)}>>`;
  }
  const members = entries.map(([name, value]) => {
    const [mark, more] = required.includes(name) ? ["", ""] : ["?", ifLeftOut];
    return `${commentOf(value)}readonly ${name}${mark}: ${typeOf(value, ifLeftOut)}${more};`;
  });
  return block(members);
}

function commentOf(schema: JsonSchema | boolean): string {
  if (typeof schema !== "object") return "";
  const { description, default: usual } = schema;
  const said = [description, usual !== undefined && `Default: ${JSON.stringify(usual)}`].filter(Boolean);
  if (said.length === 0) return "";
  return `/** ${said.join(". ").replaceAll("*/", "*\\/")}. */\n`;
}

function block(members: readonly string[]): string {
  return `{\n${members.join("\n").replaceAll(/^/gm, "    ")}\n}`;
}
