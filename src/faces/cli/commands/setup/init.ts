import { mkdir, realpath, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { trustProject } from "../../../../kernel/policy/scopes/change-trust.ts";
import { policyPlaces } from "../../../../kernel/policy/scopes/policy-places.ts";
import { writeAside } from "../../../../shared/files/write-aside.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import type { Command } from "../../command.ts";
import { configSchema, readFoundConfig } from "../../config/config-file.ts";
import { configTemplate } from "../../config/config-template.ts";
import { projectConfigFile } from "../../config/find-project-config.ts";
import { wrapText } from "../../display/format-columns.ts";
import { exitCodes } from "../../exit-code.ts";
import { UsageError } from "../../usage-error.ts";

export default {
  usage: "",
  minArguments: 0,
  maxArguments: 0,
  flags: ["force"],
  example: "",
  isForPerson: true,
  note: `Writes .toolwright/config.json, which every command in this folder reads from then on, and beside it the schema that
editors complete and check it by. It sets only defaults, and shows every other option in a comment.`,

  async run({ flags, output }) {
    const root = await findFolder(flags.workspace ?? ".");
    const config = projectConfigFile(root);
    if (!flags.force && (await exists(config)))
      throw new UsageError(`${config} exists already; --force replaces it`);
    const schema = join(dirname(config), "config.schema.json");
    await mkdir(dirname(config), { recursive: true });
    await writeAside(schema, `${JSON.stringify(configSchema, null, 2)}\n`, { mode: 0o666 });
    await writeAside(config, configTemplate("./config.schema.json"), { mode: 0o666 });
    const read = await readFoundConfig(config);
    if (read !== undefined) await trustProject(policyPlaces().trust, { root: config, hash: read.hash });
    if (flags.json) await output.write(`${JSON.stringify({ config, schema })}\n`);
    else
      await output.write(
        await wrapText(`Wrote ${escapeLine(relative(process.cwd(), config))}, and beside it the schema for editors.
It sets only defaults so far. After a change, \`toolwright trust\` lets it count, and \`toolwright doctor\` checks it.
`),
      );
    return exitCodes.done;
  },
} satisfies Command;

async function findFolder(workspace: string): Promise<string> {
  try {
    return await realpath(workspace);
  } catch (cause) {
    throw new UsageError(`the workspace folder ${workspace} cannot be opened: ${(cause as Error).message}`, {
      cause,
    });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
