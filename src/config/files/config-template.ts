import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { configProperties } from "./config-schema.ts";

/** Options that are set from the start, so that the file shows how they are written. */
const set: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["permissions", { mode: "ask", allow: [], ask: [], deny: [] }],
  ["sandbox", "auto"],
]);

/** An example of each of the others, which counts once its comment marks are removed. */
const examples: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["store", "sqlite:records.sqlite"],
  ["durability", "power-loss"],
  ["dialect", "claude-code"],
  ["toolFolders", ["tools"]],
  ["plugins", ["./plugin.mjs"]],
  ["mcpServers", { files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] } }],
  ["budget", { calls: 200, wallTimeMs: 3_600_000 }],
  ["prices", { "anthropic/claude-sonnet-4-5": { input: 3, output: 15, cachedInput: 0.3 } }],
  ["loops", { warnAt: 3, askAt: 5 }],
  ["hooks", { PreToolUse: [{ matcher: "Bash|Write", command: ["./check-call"] }] }],
  ["retention", { sessionDays: 90 }],
  ["timeoutMs", 60_000],
  ["secrets", ["a value that must not be shown"]],
  [
    "secretSources",
    { SHOP_KEY: { env: "SHOP_KEY", tools: ["network_request"], hosts: ["shop.example.com"] } },
  ],
  ["shell", { passEnvironment: ["JAVA_HOME"], backgroundAfterMs: 30_000 }],
  ["web", { origins: ["http://localhost:3000"] }],
  ["system", { variables: ["NODE_ENV"] }],
  ["databases", { shop: { sqlite: "../shop.sqlite" } }],
  ["diagnostics", [{ files: "**/*.ts", command: ["npx", "tsc", "--noEmit"], format: "tsc" }]],
  ["agents", { model: "anthropic/claude-sonnet-4-5", maxRunning: 4 }],
  ["strictInput", true],
  ["output", { maxCharacters: 30_000 }],
  ["deferral", { maxTools: 40 }],
]);

/** A configuration that changes nothing yet and shows everything that it could. */
export function configTemplate(schemaFile: string): string {
  const options = Object.entries(configProperties).filter(
    ([name]) => set.has(name) || examples.has(name),
  ) as [string, JsonSchema][];
  const parts = options.map(([name, { description = "" }]) => {
    const isSet = set.has(name);
    const written = `${JSON.stringify(name)}: ${writeValue(isSet ? set.get(name) : examples.get(name))},`;
    const lines = written.split("\n").map((line) => `  ${isSet ? "" : "// "}${line}`);
    return `  // ${description}.\n${lines.join("\n")}\n`;
  });
  return `// Options of Toolwright for this project. Paths are relative to this file.
// After a change, \`toolwright trust\` shows what the file sets and lets it count.
{
  "$schema": ${JSON.stringify(schemaFile)},

${parts.join("\n")}}
`;
}

/** On one line if there is room for it. */
function writeValue(value: unknown): string {
  const short = JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  return short.length <= 80 ? short : JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");
}
