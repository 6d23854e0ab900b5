import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { McpServerOptions } from "../mcp/client/server-options.ts";
import { leastOutputCharacters } from "../runtime/dialects/output-limits.ts";
import { modes } from "../runtime/policy/decide.ts";
import { asToolFolder } from "../runtime/registry/folders/tool-folder.ts";
import { type RuntimeOptions, runtimeKeyTable } from "../runtime-options.ts";
import { closeSchema } from "../shared/json-schema/close-schema.ts";
import { compileSchema } from "../shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../shared/json-schema/json-schema.ts";
import { findRepeatedKey } from "../shared/options/find-repeated-key.ts";
import { knownKeys, value } from "../shared/options/known-keys.ts";
import { findUnknownKey } from "../shared/options/refuse-unknown-keys.ts";
import { absoluteStore } from "./absolute-store.ts";

/** The runtime options that a file can give: those that are plain data. */
export type ConfigFile = Pick<
  RuntimeOptions,
  | "workspace"
  | "store"
  | "durability"
  | "dialect"
  | "permissions"
  | "toolFolders"
  | "budget"
  | "timeoutMs"
  | "secrets"
  | "sandbox"
  | "shell"
  | "web"
  | "system"
  | "databases"
  | "deferral"
  | "output"
  | "strictInput"
> & {
  readonly agents?: Omit<NonNullable<RuntimeOptions["agents"]>, "model"> & { readonly model?: string };
  readonly plugins?: readonly string[];
  readonly mcpServers?: Readonly<Record<string, McpServerOptions>>;
};

const { workspace, store, durability, dialect, permissions, toolFolders, mcpServers, ...others } =
  runtimeKeyTable;
const {
  budget,
  timeoutMs,
  secrets,
  sandbox,
  shell,
  deferral,
  agents,
  strictInput,
  web,
  system,
  databases,
  output,
} = others;

export const configKeys = knownKeys<ConfigFile>({
  workspace,
  store,
  durability,
  dialect,
  permissions,
  toolFolders,
  plugins: value,
  mcpServers,
  budget,
  timeoutMs,
  secrets,
  sandbox,
  shell,
  deferral,
  agents,
  strictInput,
  web,
  system,
  databases,
  output,
});

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads options from a JSON file. Paths in it are relative to the file, wherever the process was started. */
export async function readConfigFile(file: string): Promise<ConfigFile> {
  const given = parse(await read(file), file);
  const unknown = findUnknownKey(given, configKeys);
  if (unknown !== undefined) throw invalid(file, unknown);
  const validation = compileSchema(closeSchema({ type: "object", properties: configProperties }))(given);
  if (!validation.ok) throw invalid(file, validation.issues.map(({ message }) => message).join("; "));
  return resolvePaths(validation.value as ConfigFile, dirname(resolve(file)));
}

const texts: JsonSchema = { type: "array", items: { type: "string", minLength: 1 } };
const path: JsonSchema = { type: "string", minLength: 1 };
const limit: JsonSchema = { type: "number", minimum: 0 };

const characters: JsonSchema = { type: "integer", minimum: leastOutputCharacters };

const configProperties = {
  workspace: {
    anyOf: [path, { type: "object", properties: { root: path, extraRoots: texts }, required: ["root"] }],
  },
  store: { type: "string", minLength: 1 },
  durability: { enum: ["process-crash", "power-loss"] },
  // A definition is checked when the runtime opens, like one given in code.
  dialect: {
    anyOf: [
      { type: "string", minLength: 1 },
      { type: "object", additionalProperties: true },
    ],
  },
  permissions: {
    type: "object",
    properties: { mode: { enum: modes }, allow: texts, ask: texts, deny: texts },
  },
  toolFolders: texts,
  plugins: texts,
  // Each server is checked when the runtime opens, like one given in code.
  mcpServers: { type: "object", additionalProperties: { type: "object", additionalProperties: true } },
  budget: { type: "object", properties: { calls: limit, wallTimeMs: limit, outputBytes: limit } },
  timeoutMs: { type: "number", exclusiveMinimum: 0 },
  secrets: texts,
  sandbox: { enum: ["auto", "required", "off"] },
  shell: {
    type: "object",
    properties: {
      environment: { type: "object", additionalProperties: { type: "string" } },
      passEnvironment: texts,
      backgroundAfterMs: { type: "integer", minimum: 1 },
      maxOutputFileBytes: { type: "integer", minimum: 0 },
    },
  },
  web: {
    type: "object",
    properties: {
      origins: texts,
      proxy: { anyOf: [{ type: "string", minLength: 1 }, { const: false }] },
      proxyResolves: { type: "boolean" },
      robots: { type: "boolean" },
      ca: { anyOf: [{ type: "string", minLength: 1 }, texts] },
      search: {
        type: "object",
        properties: { provider: path, url: path, keyEnv: path, engine: path },
        required: ["provider"],
      },
    },
  },
  system: { type: "object", properties: { variables: texts } },
  // Each is checked when the runtime opens.
  databases: { type: "object", additionalProperties: { type: "object", additionalProperties: true } },
  agents: {
    type: "object",
    properties: {
      model: { type: "string", minLength: 1 },
      baseUrl: { type: "string", minLength: 1 },
      maxDepth: { type: "integer", minimum: 0 },
      maxRunning: { type: "integer", minimum: 1 },
      maxSteps: { type: "integer", minimum: 1 },
      // Each template is checked when the runtime opens, like the servers.
      templates: { type: "object", additionalProperties: { type: "object", additionalProperties: true } },
    },
  },
  strictInput: { type: "boolean" },
  output: {
    type: "object",
    properties: { maxCharacters: characters, tools: { type: "object", additionalProperties: characters } },
  },
  deferral: {
    type: "object",
    properties: { maxTools: limit, maxContextShare: limit, contextTokens: limit },
  },
} satisfies Record<keyof ConfigFile, JsonSchema>;

function invalid(file: string, problem: string): ConfigError {
  return new ConfigError(`the configuration ${file} is invalid: ${problem}`);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new ConfigError(`the configuration ${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function parse(text: string, file: string): unknown {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new ConfigError(`the configuration ${file} is not valid JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
  const repeated = findRepeatedKey(text);
  if (repeated === undefined) return content;
  throw invalid(
    file,
    `${JSON.stringify(repeated.key)} is there twice, the second time in line ${repeated.line}`,
  );
}

function resolvePaths(config: ConfigFile, folder: string): ConfigFile {
  const { workspace, store, toolFolders, plugins, mcpServers, databases } = config;
  return {
    ...config,
    ...(workspace !== undefined && { workspace: resolveRoots(workspace, folder) }),
    ...(store !== undefined && { store: absoluteStore(store, folder) }),
    ...(toolFolders && { toolFolders: toolFolders.map((each) => resolve(folder, asToolFolder(each).path)) }),
    ...(plugins && { plugins: plugins.map((each) => resolvePlugin(each, folder)) }),
    ...(mcpServers && { mcpServers: resolveServers(mcpServers, folder) }),
    ...(databases && { databases: resolveDatabases(databases, folder) }),
  };
}

type Roots = NonNullable<ConfigFile["workspace"]>;

function resolveRoots(workspace: Roots, folder: string): Roots {
  if (typeof workspace === "string") return resolve(folder, workspace);
  const { root, extraRoots = [] } = workspace;
  return { root: resolve(folder, root), extraRoots: extraRoots.map((each) => resolve(folder, each)) };
}

/** Resolves paths only; package names are left to the plugin loader. */
function resolvePlugin(specifier: string, folder: string): string {
  return specifier.startsWith(".") ? resolve(folder, specifier) : specifier;
}

type DatabaseTable = NonNullable<ConfigFile["databases"]>;

function resolveDatabases(databases: DatabaseTable, folder: string): DatabaseTable {
  return Object.fromEntries(
    Object.entries(databases).map(([name, database]) => {
      const hasFile = "sqlite" in database && typeof database.sqlite === "string";
      return [name, hasFile ? { ...database, sqlite: resolve(folder, database.sqlite) } : database];
    }),
  );
}

type Servers = NonNullable<ConfigFile["mcpServers"]>;

function resolveServers(servers: Servers, folder: string): Servers {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      const hasFolder = "cwd" in server && typeof server.cwd === "string";
      return [name, hasFolder ? { ...server, cwd: resolve(folder, server.cwd) } : server];
    }),
  );
}
