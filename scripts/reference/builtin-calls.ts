import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { JsonSchema } from "../../src/shared/json-schema/json-schema.ts";
import { builtinTools } from "../../src/tools/index.ts";

/** The built-in tools' inputs and outputs as TypeScript, made from their schemas. */
export function writeBuiltinCalls(): Promise<string> {
  const members = [...builtinTools]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, inputSchema, outputSchema }) => {
      const input = typeOf(inputSchema, " | undefined");
      return `readonly ${name}: { readonly input: ${input}; readonly output: ${typeOf(outputSchema)} };`;
    });
  return format(`// Made from the tools' schemas by \`node scripts/options.ts\`; do not edit it.

/** What each built-in tool takes, and what is in the data of its result once it is done. */
export interface BuiltinCalls {
${members.join("\n")}
}
`);
}

/** `ifLeftOut` is what the type of an optional property also allows: callers may write `limit: undefined`. */
function typeOf(schema: JsonSchema | boolean | undefined, ifLeftOut = ""): string {
  if (typeof schema !== "object") return "unknown";
  const { enum: choices, anyOf, type } = schema;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  if (Array.isArray(anyOf)) return anyOf.map((each) => typeOf(each, ifLeftOut)).join(" | ");
  if (type === "array") return `readonly (${typeOf(schema.items, ifLeftOut)})[]`;
  if (type === "object") return objectType(schema, ifLeftOut);
  if (type === "integer") return "number";
  return typeof type === "string" ? type : "unknown";
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
  return `{\n${members.join("\n")}\n}`;
}

function commentOf(schema: JsonSchema | boolean): string {
  if (typeof schema !== "object") return "";
  const { description, default: usual } = schema;
  const said = [description, usual !== undefined && `Default: ${JSON.stringify(usual)}`].filter(Boolean);
  if (said.length === 0) return "";
  return `/** ${said.join(". ").replaceAll("*/", "*\\/")}. */\n`;
}

function format(text: string): Promise<string> {
  const project = fileURLToPath(new URL("../..", import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const words = ["format", "--stdin-file-path=src/tools/builtin-calls.ts"];
  const biome = execFile(`${project}node_modules/.bin/biome`, words, { cwd: project }, (error, stdout) =>
    error === null ? resolve(stdout) : reject(error),
  );
  biome.stdin?.end(text);
  return promise;
}
