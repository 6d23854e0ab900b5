import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ownRows } from "../../../../shared/text/mark-rows.ts";
import { confirmShown } from "../../ask/confirm-shown.ts";
import type { Invocation } from "../../command.ts";
import { hashTree } from "../../config/plugins/hash-tree.ts";
import {
  changePluginRecords,
  type PluginRecord,
  pluginsFolder,
  readPluginRecords,
} from "../../config/plugins/plugin-records.ts";
import { readPlugin } from "../../config/plugins/read-plugin.ts";
import { type ExitCode, exitCodes } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";
import { describePlugin, formatPlugin } from "./describe-plugin.ts";
import { fetchPlugin } from "./fetch-plugin.ts";

/** Adds a plugin as it is now. Before a yes, nothing of it is run and nothing is changed. */
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
      ...(version !== undefined && { version }),
      source: fetched.source,
      hash,
      folder: `${name.replace("/", "+")}-${hash.slice(0, 16)}`,
      root: fetched.root,
      addedAt: new Date().toISOString(),
    };
    const before = (await readPluginRecords(plugins)).find((each) => each.name === name);
    const isOther = before !== undefined && before.hash !== hash;
    const format = (columns: number) => [
      ...formatPlugin(record, { content, root, columns }),
      ...(isOther ? ownRows(`It takes the place of ${describePlugin(before)}.`, columns) : []),
    ];
    const isWanted = await confirmShown(format, question, {
      output,
      isAgreed: flags.yes === true,
      isForProgram: flags.json === true,
    });
    if (isWanted) {
      await keep(record, { folder: fetched.folder, plugins });
      if (before !== undefined && before.folder !== record.folder)
        await rm(join(plugins, before.folder), { recursive: true, force: true });
    }
    if (flags.json) await output.write(`${JSON.stringify({ ...record, added: isWanted })}\n`);
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
