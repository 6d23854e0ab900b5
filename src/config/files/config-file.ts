import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type HookCommands, hookCommandKeys } from "../../kernel/call/hooks/commands/hook-command.ts";
import { asToolFolder } from "../../kernel/registry/folders/tool-folder.ts";
import { runtimeKeyTable } from "../../runtime-options.ts";
import { closeSchema } from "../../shared/json-schema/close-schema.ts";
import { compileSchema } from "../../shared/json-schema/compile-schema.ts";
import { knownKeys, value } from "../../shared/options/known-keys.ts";
import { parseCommentedJson } from "../../shared/options/parse-commented-json.ts";
import { findUnknownKey } from "../../shared/options/refuse-unknown-keys.ts";
import { sha256 } from "../../shared/sha256.ts";
import { absoluteStore } from "../absolute-store.ts";
import type { ConfigFile, WrittenConfig } from "./config-options.ts";
import { configProperties } from "./config-schema.ts";

const { workspace, store, durability, dialect, permissions, toolFolders, mcpServers, ...others } =
  runtimeKeyTable;
const {
  budget,
  prices,
  loops,
  timeoutMs,
  secrets,
  secretSources,
  sandbox,
  shell,
  deferral,
  agents,
  strictInput,
  web,
  system,
  databases,
  diagnostics,
  output,
  retention,
} = others;

export const configKeys = knownKeys<WrittenConfig>({
  $schema: value,
  workspace,
  store,
  durability,
  dialect,
  permissions,
  toolFolders,
  plugins: value,
  hooks: knownKeys<HookCommands>(hookCommandKeys),
  mcpServers,
  budget,
  prices,
  loops,
  timeoutMs,
  secrets,
  secretSources,
  sandbox,
  shell,
  deferral,
  agents,
  strictInput,
  web,
  system,
  databases,
  diagnostics,
  output,
  retention,
});

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export interface ReadConfig {
  readonly options: ConfigFile;
  /** Of the whole text: trust is given to exactly this. */
  readonly hash: string;
}

/** Reads options from a JSON file, which may have comments. Paths in it are relative to the file. */
export async function readConfigFile(file: string): Promise<ConfigFile> {
  return (await checkConfig(await read(file), file)).options;
}

const maxBytes = 1024 * 1024;

/** Reads a file that was found by its default name; undefined if there is no such file. */
export async function readFoundConfig(file: string): Promise<ReadConfig | undefined> {
  const stats = await stat(file).catch(() => undefined);
  if (stats === undefined) return undefined;
  // A pipe would block for ever.
  if (!stats.isFile()) throw invalid(file, "it is not a regular file");
  if (stats.size > maxBytes) throw invalid(file, "it is larger than 1 MB");
  return checkConfig(await read(file), file);
}

async function checkConfig(text: string, file: string): Promise<ReadConfig> {
  const given = await parse(text, file);
  const unknown = findUnknownKey(given, configKeys);
  if (unknown !== undefined) throw invalid(file, unknown);
  const validation = compileSchema(closeSchema({ type: "object", properties: configProperties }))(given);
  if (!validation.ok) throw invalid(file, validation.issues.map(({ message }) => message).join("; "));
  const { $schema: _, ...options } = validation.value as WrittenConfig;
  return { options: resolvePaths(options, dirname(resolve(file))), hash: sha256(text) };
}

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

async function parse(text: string, file: string): Promise<unknown> {
  try {
    return await parseCommentedJson(text);
  } catch (cause) {
    throw new ConfigError(`the configuration ${file} is not valid JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function resolvePaths(config: ConfigFile, folder: string): ConfigFile {
  const { workspace, store, toolFolders, plugins, hooks, mcpServers, databases, secretSources, diagnostics } =
    config;
  return {
    ...config,
    ...(workspace !== undefined && { workspace: resolveRoots(workspace, folder) }),
    ...(store !== undefined && { store: absoluteStore(store, folder) }),
    ...(toolFolders && { toolFolders: toolFolders.map((each) => resolve(folder, asToolFolder(each).path)) }),
    ...(plugins && { plugins: plugins.map((each) => resolvePlugin(each, folder)) }),
    ...(hooks && { hooks: resolveHooks(hooks, folder) }),
    ...(mcpServers && { mcpServers: resolveServers(mcpServers, folder) }),
    ...(secretSources && { secretSources: resolveSources(secretSources, folder) }),
    ...(diagnostics && {
      diagnostics: diagnostics.map((each) => ({ ...each, command: resolveProgram(each.command, folder) })),
    }),
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

/** A program that is named by a path; one without a slash is looked up in the PATH. */
function resolveHooks(hooks: HookCommands, folder: string): HookCommands {
  return Object.fromEntries(
    Object.entries(hooks).map(([event, commands]) => [
      event,
      commands.map((hook) => ({ ...hook, command: resolveProgram(hook.command, folder) })),
    ]),
  );
}

function resolveProgram([program = "", ...args]: readonly string[], folder: string): string[] {
  return [program.includes("/") ? resolve(folder, program) : program, ...args];
}

type Sources = NonNullable<ConfigFile["secretSources"]>;

function resolveSources(sources: Sources, folder: string): Sources {
  return Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [
      name,
      {
        ...source,
        ...(source.file !== undefined && { file: resolve(folder, source.file) }),
        ...(source.command && { command: resolveProgram(source.command, folder) }),
      },
    ]),
  );
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
