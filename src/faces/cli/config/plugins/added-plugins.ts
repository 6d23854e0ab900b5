import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { asToolFolder } from "../../../../kernel/registry/index.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { ConfigError } from "../config-file.ts";
import { hashTree, type PluginRecord, pluginsFolder, readPluginRecords } from "./plugin-records.ts";
import { commandFolder, type PluginContent, readPlugin } from "./read-plugin.ts";

/** A plugin that was added, as it is now: with its content, or with the reason why it is not used. */
export type AddedPlugin = PluginRecord & { readonly root: string } & (
    | { readonly content: PluginContent; readonly problem?: never }
    | { readonly problem: string; readonly content?: never }
  );

/** Reads the added plugins. A plugin that differs from the content that the user agreed to is not used. */
export async function readAddedPlugins(environment?: NodeJS.ProcessEnv): Promise<readonly AddedPlugin[]> {
  const folder = pluginsFolder(environment);
  const records = await readPluginRecords(folder);
  return Promise.all(
    records.map(async (record) => {
      const copy = join(folder, record.folder);
      const root = join(copy, record.root);
      try {
        if ((await hashTree(copy)) !== record.hash) return { ...record, root, problem: changed };
        return { ...record, root, content: withVersion(await readPlugin(root), record.hash) };
      } catch (error) {
        return { ...record, root, problem: error instanceof ConfigError ? error.message : missing };
      }
    }),
  );
}

/** Gives a plugin's tools its hash as their version, so that receipts name the copy that was approved. */
function withVersion(content: PluginContent, hash: string): PluginContent {
  const { toolFolders, plugins, ...others } = content.options;
  const versioned = defined({
    toolFolders: toolFolders?.map((folder) => ({ ...asToolFolder(folder), toolVersion: hash })),
    plugins: plugins?.map((path) => `${pathToFileURL(path).href}#${hash}`),
  });
  return { ...content, options: { ...others, ...versioned } };
}

const changed = "its files have changed since you added it";
const missing = "its files are gone or cannot be read";

/** The folders with slash commands of the plugins that are used. */
export async function pluginCommandFolders(): Promise<readonly { path: string; from: string }[]> {
  const plugins = await readAddedPlugins();
  return plugins.flatMap(({ name, content, root }) =>
    content === undefined ? [] : { path: commandFolder(root), from: `plugin ${name}` },
  );
}
