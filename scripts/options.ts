// Writes the pages of reference, docs/options.md from the schema of configuration files, docs/context.md and
// docs/events.md and docs/licenses.md: `node scripts/options.ts`, with --print as JSON to stdout.
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { configSchema } from "../src/faces/cli/config/config-file.ts";
import type { JsonSchema } from "../src/shared/json-schema/json-schema.ts";
import { contextPage } from "./reference/context-page.ts";
import { eventsPage } from "./reference/events-page.ts";
import { licensesPage } from "./reference/licenses-page.ts";

const optionsPage = `# Options of a configuration file

Where these files are, and which of them count, is described in [Configuration](configuration.md). This page is made from
the schema that they are checked by.

| option | value | meaning |
|---|---|---|
${rowsOf(configSchema.properties).join("\n")}
`;

function rowsOf(properties: Readonly<Record<string, JsonSchema | boolean>>, prefix = ""): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema === "boolean") return [];
    const path = `${prefix}${name}`;
    const row = `| \`${path}\` | ${describeValue(schema)} | ${schema.description ?? ""} |`;
    return [row, ...rowsOf(schema.properties ?? {}, `${path}.`)];
  });
}

function describeValue(schema: JsonSchema): string {
  const { enum: choices, anyOf, type, items, properties } = schema;
  if (choices !== undefined) return choices.map((choice) => `\`${JSON.stringify(choice)}\``).join(", ");
  if ("const" in schema) return `\`${JSON.stringify(schema.const)}\``;
  if (Array.isArray(anyOf)) return anyOf.filter(isSchema).map(describeValue).join(" or ");
  if (type === "array") return isSchema(items) ? `list of ${describeValue(items)}s` : "list";
  if (type === "object" && properties !== undefined) return `\`{ ${Object.keys(properties).join(", ")} }\``;
  return type === "string" ? "text" : String(type);
}

function isSchema(schema: JsonSchema | boolean | undefined): schema is JsonSchema {
  return typeof schema === "object";
}

const files = {
  "docs/options.md": optionsPage,
  "docs/context.md": await contextPage(),
  "docs/events.md": eventsPage(),
  "docs/licenses.md": await licensesPage(),
};
if (process.argv.includes("--print")) process.stdout.write(JSON.stringify(files));
else
  for (const [path, text] of Object.entries(files))
    await writeFile(fileURLToPath(new URL(`../${path}`, import.meta.url)), text);
