import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { userConfigFile } from "../../../../kernel/policy/index.ts";
import { readOwnFile, updateOwnFile } from "../../../../machine/locks/index.ts";
import { createHash } from "../../../../shared/crypto.ts";
import { compileSchema } from "../../../../shared/json-schema/compile-schema.ts";
import { relativeInside } from "../../../../shared/relative-inside.ts";
import { ConfigError } from "../config-file.ts";

/** A plugin that the user has added, and exactly which content of it. */
export interface PluginRecord {
  readonly name: string;
  readonly version?: string | undefined;
  /** The origin of the plugin, as the user wrote it. */
  readonly source: string;
  /** The hash of the whole folder. Another content is not loaded. */
  readonly hash: string;
  /** The copy, in the folder of all plugins. */
  readonly folder: string;
  /** The plugin's own folder in the copy; packages that it needs may be beside it. */
  readonly root: string;
  readonly addedAt: string;
}

/** The folder of the user's plugins: beside the user's policy, where no tool can write. */
export function pluginsFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(dirname(userConfigFile(environment)), "plugins");
}

export async function readPluginRecords(folder: string): Promise<readonly PluginRecord[]> {
  return parseRecords(await readOwnFile(recordFile(folder)), folder);
}

/** Changes the list atomically; `change` may run again. */
export async function changePluginRecords(
  folder: string,
  change: (records: readonly PluginRecord[]) => readonly PluginRecord[],
): Promise<void> {
  await updateOwnFile(recordFile(folder), (text) => {
    const plugins = change(parseRecords(text, folder));
    return `${JSON.stringify({ version: 1, plugins }, null, 2)}\n`;
  });
}

function recordFile(folder: string): string {
  return join(folder, "plugins.json");
}

const text = { type: "string" } as const;
const name = { type: "string", pattern: "^[^/]+$" } as const;

const checkFile = compileSchema({
  type: "object",
  properties: {
    version: { const: 1 },
    plugins: {
      type: "array",
      items: {
        type: "object",
        properties: {
          name: text,
          version: text,
          source: text,
          hash: text,
          folder: name,
          root: text,
          addedAt: text,
        },
        required: ["name", "source", "hash", "folder", "root", "addedAt"],
      },
    },
  },
  required: ["version", "plugins"],
});

function parseRecords(text: string | undefined, folder: string): readonly PluginRecord[] {
  if (text === undefined) return [];
  try {
    const validation = checkFile(JSON.parse(text));
    if (validation.ok) return (validation.value as { plugins: readonly PluginRecord[] }).plugins;
  } catch {
    // Text that is not JSON is refused like a file of the wrong form.
  }
  throw new ConfigError(`${recordFile(folder)} is damaged; delete it, then add the plugins again`);
}

/** Makes one hash of all files of a folder: their paths, contents and whether they can be run, and the targets of links. */
export async function hashTree(folder: string): Promise<string> {
  const hash = createHash("sha256");
  let files = 0;
  let bytes = 0;
  const add = async (path: string): Promise<void> => {
    const at = join(folder, path);
    const stats = await lstat(at);
    if (stats.isDirectory()) {
      for (const name of (await readdir(at)).sort()) await add(join(path, name));
      return;
    }
    files += 1;
    bytes += stats.size;
    if (files > maxFiles || bytes > maxBytes)
      throw new ConfigError(
        `${folder} is too large for a plugin: more than ${maxFiles} files or ${maxBytes / 1e6} MB`,
      );
    if (stats.isSymbolicLink()) {
      const target = await readlink(at);
      // The target of the link could change without the hash.
      if (relativeInside(folder, resolve(dirname(at), target)) === undefined)
        throw new ConfigError(`${at} is a link that leads outside the plugin; replace it with a file`);
      hash.update(`link ${JSON.stringify([path, target])}\n`);
      return;
    }
    if (!stats.isFile()) throw new ConfigError(`${at} is neither a file nor a folder; remove it`);
    const content = createHash("sha256")
      .update(await readFile(at))
      .digest("hex");
    hash.update(`file ${JSON.stringify([path, (stats.mode & 0o100) !== 0, content])}\n`);
  };
  await add("");
  return hash.digest("hex");
}

const maxFiles = 20_000;
const maxBytes = 200_000_000;
