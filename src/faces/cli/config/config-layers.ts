import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ConfigFile } from "../../../capabilities.ts";
import { isTrusted, policyPlaces, userConfigFile } from "../../../kernel/policy/index.ts";
import { defined } from "../../../shared/options/defined.ts";
import { ConfigError, type ReadConfig, readConfigFile, readFoundConfig } from "./config-file.ts";
import { readAddedPlugins } from "./plugins/added-plugins.ts";

export interface ConfigLayers {
  readonly options: ConfigFile;
  /** Settings that have no effect, and why. */
  readonly notes: readonly string[];
}

/** Reads the configuration of the user and of the user's plugins, and that of the project, or a named file in its place. */
export async function readConfigLayers({
  workspace = ".",
  file,
  environment = process.env,
}: {
  readonly workspace?: string | undefined;
  readonly file?: string | undefined;
  readonly environment?: NodeJS.ProcessEnv;
}): Promise<ConfigLayers> {
  const user = await readWithoutWorkspace(userConfigFile(environment));
  const plugins = await readPlugins(environment);
  const project =
    file === undefined
      ? await readProject(workspace, policyPlaces(environment).trust)
      : { options: await readConfigFile(file), notes: [] };
  return {
    options: mergeConfigs(plugins.options, user?.options ?? {}, project.options),
    notes: [...plugins.notes, ...project.notes],
  };
}

/** Reads the settings that the user's plugins add; the user's own settings count before them. */
async function readPlugins(environment: NodeJS.ProcessEnv): Promise<ConfigLayers> {
  const plugins = await readAddedPlugins(environment);
  return {
    options: mergeConfigs(...plugins.flatMap(({ content }) => content?.options ?? [])),
    notes: plugins.flatMap(({ name, problem, source }) =>
      problem === undefined
        ? []
        : `the plugin ${name} is not used: ${problem}; to look at it and add it again, run \`toolwright plugin add ${source}\``,
    ),
  };
}

async function readProject(workspace: string, trust: string): Promise<ConfigLayers> {
  // A missing workspace is reported when the runtime is opened.
  const root = await realpath(workspace).catch(() => undefined);
  const found = root === undefined ? undefined : await readProjectConfig(root);
  if (found === undefined) return { options: {}, notes: [] };
  const { file, options, hash } = found;
  if (await isTrusted(trust, { root: file, hash })) return withoutApproving(options, file);
  const { deny, ask } = options.permissions ?? {};
  return {
    options: { permissions: defined({ deny, ask }) },
    notes: [
      `${file} can only ask and deny until you trust it; to see its settings and trust them, run \`toolwright trust\``,
    ],
  };
}

/** Reads the configuration of the project that a folder belongs to. */
export async function readProjectConfig(root: string) {
  const file = await findProjectConfig(root);
  const read = file === undefined ? undefined : await readWithoutWorkspace(file);
  return file === undefined || read === undefined ? undefined : { file, ...read };
}

/** The configuration that a project brings, relative to the folder it is for. */
export function projectConfigFile(folder: string): string {
  return join(folder, ".toolwright", "config.json");
}

/**
 * Finds the configuration of the workspace itself or, inside a git repository, of the nearest folder above it up to the
 * repository's root. Outside a repository nothing says which folders above belong to the project.
 */
export async function findProjectConfig(root: string): Promise<string | undefined> {
  const folders = await projectFolders(root);
  const files = await Promise.all(
    folders.map(async (folder) => {
      const file = projectConfigFile(folder);
      return (await isOwnFile(file)) ? file : undefined;
    }),
  );
  return files.find((file) => file !== undefined);
}

/** The workspace's root and the folders above it, up to the root of the repository that it is in. */
async function projectFolders(root: string): Promise<readonly string[]> {
  const folders = [root];
  for (let folder = root; !(await lstat(join(folder, ".git")).catch(() => undefined)); ) {
    const parent = dirname(folder);
    if (parent === folder) return [root];
    folder = parent;
    folders.push(folder);
  }
  return folders;
}

/** Whether a file is the user's or root's: other users could put one into a shared folder, such as /tmp. */
async function isOwnFile(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && [process.geteuid?.(), 0].includes(stats.uid);
}

/** Takes `mayApprove` from a project's hooks: once trusted, they may run, but may not answer for the person. */
function withoutApproving(options: ConfigFile, file: string): ConfigLayers {
  const { PermissionRequest: hooks = [], ...others } = options.hooks ?? {};
  if (!hooks.some(({ mayApprove }) => mayApprove)) return { options, notes: [] };
  const denying = hooks.map(({ mayApprove: _own, ...hook }) => hook);
  return {
    options: { ...options, hooks: { ...others, PermissionRequest: denying } },
    notes: [
      `${file} says mayApprove, which only your own configuration can say; its hooks can deny, and not approve`,
    ],
  };
}

/** Reads a configuration that was found by the workspace, so that it cannot name another workspace. */
async function readWithoutWorkspace(file: string): Promise<ReadConfig | undefined> {
  const read = await readFoundConfig(file);
  if (read?.options.workspace === undefined) return read;
  throw new ConfigError(
    `${file} names a workspace, which only a file given with --config can do; remove "workspace" from it`,
  );
}

/**
 * Merges the options of several files. Lists are joined, groups of options are merged, and of everything else the later one
 * counts as a whole: half of one server's entry and half of another's would send the credentials of one to the other.
 */
function mergeConfigs(...configs: readonly ConfigFile[]): ConfigFile {
  const merged = new Map<string, unknown>();
  for (const config of configs) {
    for (const [name, value] of Object.entries(config)) {
      const isWhole = name === "dialect" || name === "workspace";
      merged.set(name, isWhole ? value : mergeOption(merged.get(name), value));
    }
  }
  return Object.fromEntries(merged);
}

function mergeOption(earlier: unknown, later: unknown): unknown {
  if (!isObject(earlier) || !isObject(later)) return joinLists(earlier, later);
  const merged = new Map(Object.entries(earlier));
  for (const [name, value] of Object.entries(later)) merged.set(name, joinLists(merged.get(name), value));
  return Object.fromEntries(merged);
}

function joinLists(earlier: unknown, later: unknown): unknown {
  return Array.isArray(earlier) && Array.isArray(later) ? [...new Set([...earlier, ...later])] : later;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
