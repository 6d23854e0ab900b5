import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { readSmallFile } from "../../../shared/files/read-small-file.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { hookEvents } from "../../call/index.ts";
import { configFileOf } from "../../options/index.ts";
import { asToolFolder } from "../../registry/index.ts";
import type { RuntimeOptions } from "../runtime-options.ts";

/**
 * Files and folders that this process or git runs later without asking again: tool folders, plugin files, the options'
 * own file, the programs of MCP servers and of hooks, and configured folders of git hooks. As given and where they really are; absolute.
 */
export async function findCodePaths(options: RuntimeOptions, root: string): Promise<readonly string[]> {
  const { toolFolders = [], plugins = [], mcpServers = {}, hooks = {}, secretSources = {} } = options;
  const files = plugins.flatMap((plugin) => (typeof plugin === "string" ? (pathOf(plugin) ?? []) : []));
  const folders = toolFolders.map((folder) => asToolFolder(folder).path);
  const file = configFileOf(options);
  const servers = [...Object.values(mcpServers), ...(await readProjectServers(root))];
  const given = [
    ...[...folders, ...files, file].flatMap((path) => (path === undefined ? [] : resolve(path))),
    ...servers.flatMap((server) => filesOfServer(server, root)),
    ...hookEvents.flatMap((event) =>
      (hooks[event] ?? []).flatMap(({ command }) => filesOfCommand(command, root)),
    ),
    ...Object.values(secretSources).flatMap(({ command = [] }) => filesOfCommand(command, root)),
    ...(await findHookFolders(root)),
  ];
  return [...new Set([...given, ...(await Promise.all(given.map(realFolder)))])];
}

/** Packages are looked up by name, in folders that hold much more than them. */
function pathOf(plugin: string): string | undefined {
  if (plugin.startsWith("file:")) return decodeURIComponent(new URL(plugin).pathname);
  return plugin.startsWith(".") || isAbsolute(plugin) ? plugin : undefined;
}

/** A server's command, and those of its arguments that look like the path of a file. */
function filesOfServer(server: object, root: string): string[] {
  const { command, args, cwd } = server as Readonly<Record<string, unknown>>;
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  return filesOfCommand(words, resolve(root, typeof cwd === "string" ? cwd : "."));
}

/** A folder among the arguments is usually the one that the program works on. */
function filesOfCommand([program = "", ...args]: readonly string[], folder: string): string[] {
  const looksLikeFile = (word: string) => /\.[a-z]+$|^\.{1,2}\/./i.test(word);
  // Such as `--import=./first.mjs`.
  const values = args.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
  const files = [program, ...values].filter(looksLikeFile);
  return [...(isAbsolute(program) ? [program] : []), ...files].map((word) => resolve(folder, word));
}

/** Reads the servers that the project lists or imports; each runs once a person has approved it. */
async function readProjectServers(root: string): Promise<Readonly<Record<string, unknown>>[]> {
  const own = await readJson(join(root, ".toolwright", "mcp.json"));
  const imported = Array.isArray(own.import) ? own.import.filter((path) => typeof path === "string") : [];
  const files = [
    own,
    ...(await Promise.all(imported.slice(0, maxImports).map((path) => readJson(resolve(root, path))))),
  ];
  return files.flatMap((found) => {
    const servers = found.mcpServers ?? found.servers ?? found;
    return isPlainObject(servers) ? Object.values(servers).filter(isPlainObject) : [];
  });
}

/** As many as are read to start them, from files that are as large and may be links. */
const maxImports = 10;
const asToStart = { maxBytes: 1024 * 1024, followsLink: true } as const;

async function readJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const found: unknown = JSON.parse(await readSmallFile(file, asToStart));
    return isPlainObject(found) ? found : {};
  } catch {
    return {};
  }
}

/** Folders that git's settings name for hooks; several settings may, and the last to be read counts. */
async function findHookFolders(root: string): Promise<string[]> {
  const home = homedir();
  const settings = [".git/config", ".git/config.worktree"].map((name) => join(root, name));
  const own = [".gitconfig", ".config/git/config"].map((name) => join(home, name));
  const texts = await Promise.all([...settings, ...own].map((file) => readSmallFile(file)));
  // Line by line: an expression for the whole file could be made to take very long by its content.
  const paths = texts.flatMap((text) => text.split("\n")).flatMap(readHooksPath);
  return paths.map((path) => (path.startsWith("~/") ? join(home, path.slice(2)) : resolve(root, path)));
}

function readHooksPath(line: string): string[] {
  const [, value = ""] = /^[^#;]*\bhookspath\s*=([^#;]*)/i.exec(line) ?? [];
  const [path = ""] = value.trim().replace(/^"/, "").split('"', 1);
  return path.trim() === "" ? [] : [path.trim()];
}

/** The real path of a folder or file that may not exist yet. */
export async function realFolder(folder: string): Promise<string> {
  const parent = dirname(folder);
  if (parent === folder) return folder;
  return realpath(folder).catch(async () => join(await realFolder(parent), basename(folder)));
}
