import { execFile } from "node:child_process";
import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { openLives, type ProcessLives } from "../../../../machine/locks/index.ts";
import { ownRows } from "../../../../shared/text/mark-rows.ts";
import { confirmShown } from "../../ask/confirm.ts";
import { type ExitCode, exitCodes, type Invocation, UsageError } from "../../command.ts";
import {
  changePluginRecords,
  hashTree,
  type PluginRecord,
  pluginsFolder,
  readPluginRecords,
} from "../../config/plugins/plugin-records.ts";
import { readPlugin } from "../../config/plugins/read-plugin.ts";
import { describePlugin, formatPlugin } from "./describe-plugin.ts";

/** Adds a plugin as it is now. Before the person agrees, none of its code runs and no file is changed. */
export async function addPlugin({
  arguments: [source, ...more],
  flags,
  output,
}: Invocation): Promise<ExitCode> {
  if (source === undefined || more.length > 0)
    throw new UsageError("give one folder, .tgz file or npm package; usage: toolwright plugin add <source>");
  const plugins = pluginsFolder();
  const fetched = await fetchPlugin(source, plugins);
  try {
    const root = join(fetched.folder, fetched.root);
    const content = await readPlugin(root);
    const hash = await hashTree(fetched.folder);
    const { name, version } = content;
    const record: PluginRecord = {
      name,
      version,
      source: fetched.source,
      hash,
      folder: `${name.replace("/", "+")}-${hash.slice(0, 16)}`,
      root: fetched.root,
      addedAt: new Date().toISOString(),
    };
    const before = (await readPluginRecords(plugins)).find((each) => each.name === name);
    const isOther = before !== undefined && before.hash !== hash;
    const format = (columns: number) => {
      const rows = formatPlugin(record, { content, root, columns });
      if (isOther) rows.push(...ownRows(`It takes the place of ${describePlugin(before)}.`, columns));
      return rows;
    };
    const isWanted = await confirmShown(format, question, { flags, output });
    if (isWanted) {
      await keep(record, { folder: fetched.folder, plugins });
      if (before !== undefined && before.folder !== record.folder)
        await rm(join(plugins, before.folder), { recursive: true, force: true });
    }
    if (flags.json) await output.writeJson({ ...record, added: isWanted });
    else if (isWanted) await output.write("Added. It counts from the next command on.\n");
    else await output.tell("Not added. To add it, answer y at a terminal, or add --yes.");
    return isWanted ? exitCodes.done : exitCodes.denied;
  } finally {
    await fetched.discard();
  }
}

const question = "Its code runs as you, outside the sandbox. Add exactly this?";

async function keep(
  record: PluginRecord,
  { folder, plugins }: { readonly folder: string; readonly plugins: string },
): Promise<void> {
  const copy = join(plugins, record.folder);
  // The list of plugins was removed, or the copy has changed since it was added.
  await rm(copy, { recursive: true, force: true });
  await rename(folder, copy);
  await changePluginRecords(plugins, (records) => [
    ...records.filter(({ name }) => name !== record.name),
    record,
  ]);
}

/**
 * Copies a folder, or lets npm fetch a package or archive with its dependencies. None of its code runs. Returns the folder
 * of the copy, in it the root of the plugin, and its source in words that mean the same in any folder.
 */
async function fetchPlugin(source: string, plugins: string) {
  await mkdir(plugins, { recursive: true, mode: 0o700 });
  const lives = openLives(plugins);
  // The person may take hours to agree, so the name of the copy tells which process it belongs to.
  const folder = join(plugins, `${newBeginning}${lives.own}`);
  const discard = async () => {
    await rm(folder, { recursive: true, force: true });
    lives.close();
  };
  try {
    await removeLeftCopies(plugins, lives);
    const stats = await stat(source).catch(() => undefined);
    const root = stats?.isDirectory() ? await copyFolder(source, folder) : await install(source, folder);
    return { folder, root, source: stats === undefined ? source : resolve(source), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Copies a folder under its own name, because that is the plugin's name if the plugin gives no other. */
async function copyFolder(source: string, folder: string): Promise<string> {
  const root = basename(resolve(source));
  const filter = (path: string) => basename(path) !== ".git";
  await cp(resolve(source), join(folder, root), { recursive: true, verbatimSymlinks: true, filter });
  return root;
}

async function install(source: string, folder: string): Promise<string> {
  const isArchive = /\.(?:tgz|tar\.gz)$/.test(source);
  const isFound = isArchive
    ? (await stat(source).catch(() => undefined))?.isFile()
    : packagePattern.test(source);
  if (!isFound)
    throw new UsageError(
      `there is no plugin ${JSON.stringify(source)}; give a folder, a .tgz file, or an npm package such as name@1.2.0`,
    );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  // Peer dependencies are left out: the plugin expects its host to have them, and the host is this package.
  const words = "install --ignore-scripts --legacy-peer-deps --omit=dev --save-exact --no-audit --no-fund";
  const wanted = isArchive ? resolve(source) : source;
  try {
    const all = [...words.split(" "), "--no-update-notifier", wanted];
    await promisify(execFile)("npm", all, { cwd: folder });
  } catch (cause) {
    const { stderr = "", message } = cause as { stderr?: string; message: string };
    const why = stderr.split("\n").find((line) => /^npm (?:error|ERR!) (?!code|A complete log)/.test(line));
    throw new UsageError(`npm could not fetch ${source}: ${why?.replace(/^npm \S+ /, "") ?? message}`, {
      cause,
    });
  }
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return join("node_modules", Object.keys(dependencies)[0] ?? "");
}

const packagePattern = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?:@[\w.^~-]+)?$/i;

const newBeginning = "new_";

/** Removes the copies that no list names and no process is about to add: their processes were killed. */
async function removeLeftCopies(plugins: string, { isAlive }: Pick<ProcessLives, "isAlive">) {
  const listed = new Set((await readPluginRecords(plugins)).map(({ folder }) => folder));
  for (const name of (await readdir(plugins)).filter((each) => !listed.has(each))) {
    const copy = join(plugins, name);
    const found = await lstat(copy).catch(() => undefined);
    if (!found?.isDirectory()) continue;
    const isNeeded = name.startsWith(newBeginning)
      ? isAlive(name.slice(newBeginning.length))
      : found.ctimeMs > Date.now() - sparedMs;
    if (!isNeeded) await rm(copy, { recursive: true, force: true });
  }
}

// The time from the last name of a copy to its place in the list is much shorter.
const sparedMs = 60 * 60 * 1000;
