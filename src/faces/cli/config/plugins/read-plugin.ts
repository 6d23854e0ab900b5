import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { McpServerOptions } from "../../../../capabilities/mcp-client/index.ts";
import type { ConfigFile } from "../../../../capabilities.ts";
import { asToolFolder, type ToolFolder } from "../../../../kernel/registry/index.ts";
import { readSmallFile } from "../../../../shared/files/read-small-file.ts";
import { isPlainObject } from "../../../../shared/json.ts";
import { relativeInside } from "../../../../shared/relative-inside.ts";
import { ConfigError, readFoundConfig } from "../config-file.ts";

/** The contents of a plugin, as far as they can be told without running its code. */
export type PluginContent = Awaited<ReturnType<typeof readPlugin>>;

interface PluginOptions extends Pick<ConfigFile, "toolFolders" | "plugins" | "hooks"> {
  readonly mcpServers?: Readonly<Record<string, McpServerOptions>>;
}

const allowedKeys = ["toolFolders", "plugins", "hooks", "mcpServers"];

/** Reads a plugin. Its `toolwright.json` is a configuration file that can only add tools, hooks and servers. */
export async function readPlugin(root: string) {
  const manifest = join(root, "toolwright.json");
  const read = await readFoundConfig(manifest);
  if (read === undefined) throw new ConfigError(`${root} is not a plugin: it has no toolwright.json`);
  const other = Object.keys(read.options).find((key) => !allowedKeys.includes(key));
  if (other !== undefined)
    throw new ConfigError(
      `${manifest} sets ${other}; a plugin can only have ${allowedKeys.join(", ")}, and a folder of commands`,
    );
  const options: PluginOptions = read.options;
  const { plugins = [], toolFolders = [] } = options;
  const folders = toolFolders.map((folder): ToolFolder => ({ ...asToolFolder(folder), watch: false }));
  const paths = [...folders.map(({ path }) => path), ...plugins];
  const foreign = paths.find((path) => relativeInside(root, resolve(root, path)) === undefined);
  if (foreign !== undefined)
    throw new ConfigError(`${manifest} names ${foreign}, which is outside the plugin`);
  const named = plugins.find((path) => !path.startsWith("/"));
  if (named !== undefined)
    throw new ConfigError(
      `${manifest} names the package ${named}; a plugin names its own modules, as ./${named}`,
    );
  return {
    ...(await readIdentity(root)),
    /** The settings that it adds to the user's configuration. */
    options: folders.length > 0 ? { ...options, toolFolders: folders } : options,
    /** Names of the tools in its folders. */
    tools: await listTools(folders),
    /** Modules that may add any tools and hooks when they are loaded, relative to the plugin. */
    modules: plugins.map((path) => relativeInside(root, path) ?? path),
    /** Names of its slash commands. */
    commands: await listCommands(commandFolder(root)),
  };
}

/** The folder in which a plugin keeps its slash commands. */
export function commandFolder(root: string): string {
  return join(root, "commands");
}

async function readIdentity(root: string): Promise<{ name: string; version?: string }> {
  const text = await readSmallFile(join(root, "package.json"));
  const { name = basename(root), version } = text === "" ? {} : parsePackage(text, root);
  if (typeof name !== "string" || !/^(?:@[\w.-]+\/)?[\w][\w.-]{0,100}$/.test(name))
    throw new ConfigError(
      `the name of a plugin is made of letters, digits, and any of . _ -; received ${JSON.stringify(name)}`,
    );
  return typeof version === "string" ? { name, version } : { name };
}

function parsePackage(text: string, root: string): { readonly name?: unknown; readonly version?: unknown } {
  try {
    const read: unknown = JSON.parse(text);
    if (isPlainObject(read)) return read;
  } catch {
    // The error below also tells of text that is not JSON.
  }
  throw new ConfigError(`${join(root, "package.json")} is not valid JSON`);
}

async function listTools(folders: readonly ToolFolder[]): Promise<readonly string[]> {
  if (folders.length === 0) return [];
  const { scanToolFolder } = await import("../../../../kernel/registry/folders/scan-tool-folder.ts");
  const scans = await Promise.all(folders.map(({ path }) => scanToolFolder(path)));
  return scans.flatMap(({ files }) => files.map(({ name }) => name)).sort();
}

async function listCommands(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.slice(0, -".md".length))
    .sort();
}
