import { rm } from "node:fs/promises";
import { join } from "node:path";
import { orMeant } from "../../../../shared/text/did-you-mean.ts";
import { nearestNames } from "../../../../shared/text/nearest-names.ts";
import { type Command, type Invocation, runAction, UsageError } from "../../command.ts";
import { readAddedPlugins } from "../../config/plugins/added-plugins.ts";
import {
  changePluginRecords,
  pluginsFolder,
  readPluginRecords,
} from "../../config/plugins/plugin-records.ts";
import { stdoutColumns } from "../../display/format-columns.ts";
import { describePlugin, formatPlugin } from "./describe-plugin.ts";

const actions = new Map<string, Command["run"]>([
  ["add", async (invocation) => (await import("./add-plugin.ts")).addPlugin(invocation)],
  ["list", listPlugins],
  ["remove", removePlugin],
]);

export default {
  usage: "add <source> | list | remove <name>",
  arguments: [1, 2],
  words: [...actions.keys()],
  flags: ["yes"],
  example: "add ./my-plugin",
  isForPerson: true,
  note: `add     copies a folder, a .tgz file or an npm package, shows its contents, and asks before any of its code runs
list    shows the plugins that were added, and what each brings
remove  removes one

A plugin counts in every folder, for you alone. What you agreed to is exactly that content: a copy that has changed is
not used, and another version is asked about again.`,

  run: (invocation) => runAction("plugin", actions, invocation),
} satisfies Command;

async function listPlugins({ flags, output }: Invocation): Promise<undefined> {
  const plugins = await readAddedPlugins();
  if (flags.json) await output.writeJson(plugins);
  else if (plugins.length === 0) await output.tell("no plugin was added");
  for (const plugin of flags.json ? [] : plugins) {
    const { content, root, problem } = plugin;
    const rows =
      content === undefined
        ? [describePlugin(plugin), `  not used: ${problem}`]
        : formatPlugin(plugin, { content, root, columns: stdoutColumns() });
    await output.write(`${rows.join("\n")}\n`);
  }
}

async function removePlugin({ arguments: [name], flags, output }: Invocation): Promise<undefined> {
  if (name === undefined) throw new UsageError("which one? usage: toolwright plugin remove <name>");
  const plugins = pluginsFolder();
  const records = await readPluginRecords(plugins);
  const record = records.find((each) => each.name === name);
  if (record === undefined) {
    const names = records.map((each) => each.name);
    const rest = orMeant(nearestNames(name, names), "see toolwright plugin list");
    throw new UsageError(`there is no plugin ${JSON.stringify(name)}${rest}`);
  }
  await changePluginRecords(plugins, (all) => all.filter((each) => each.name !== name));
  await rm(join(plugins, record.folder), { recursive: true, force: true });
  if (flags.json) await output.writeJson({ name, removed: true });
  else await output.write(`Removed ${describePlugin(record)}.\n`);
}
