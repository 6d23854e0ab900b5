import { mkdir, realpath, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { declaredOptions } from "../../../../capabilities.ts";
import { policyPlaces, trustProject } from "../../../../kernel/policy/index.ts";
import { writeAside } from "../../../../shared/files/write-aside.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { type Command, failUsage, UsageError } from "../../command.ts";
import { configSchema, readFoundConfig } from "../../config/config-file.ts";
import { projectConfigFile } from "../../config/config-layers.ts";
import { wrapText } from "../../display/format-columns.ts";

export default {
  flags: ["force"],
  isForPerson: true,
  note: `Writes .toolwright/config.json, which every command in this folder reads from then on, and beside it the schema that
editors complete and check it by. It sets only defaults, and shows every other option in a comment.`,

  async run({ flags, output }) {
    const { workspace = "." } = flags;
    const root = await realpath(workspace).catch((cause) =>
      failUsage(`the workspace folder ${workspace} cannot be opened`, cause),
    );
    const config = projectConfigFile(root);
    if (!flags.force && (await stat(config).catch(() => undefined)))
      throw new UsageError(`${config} exists already; --force replaces it`);
    const schema = join(dirname(config), "config.schema.json");
    await mkdir(dirname(config), { recursive: true });
    await writeAside(schema, `${JSON.stringify(configSchema, null, 2)}\n`, { mode: 0o666 });
    await writeAside(config, configTemplate("./config.schema.json"), { mode: 0o666 });
    const read = await readFoundConfig(config);
    if (read !== undefined) await trustProject(policyPlaces().trust, { root: config, hash: read.hash });
    if (flags.json) await output.writeJson({ config, schema });
    else
      await output.write(
        await wrapText(`Wrote ${escapeLine(relative(process.cwd(), config))}, and beside it the schema for editors.
It sets only defaults so far. After a change, \`toolwright trust\` lets it count, and \`toolwright doctor\` checks it.
`),
      );
  },
} satisfies Command;

/** A configuration that changes nothing yet and shows everything that it could. */
export function configTemplate(schemaFile: string): string {
  const parts = [...declaredOptions.all].flatMap(([name, { file }]) => {
    const shown = file?.initial ?? file?.example;
    if (file === undefined || shown === undefined) return [];
    const mark = file.initial === undefined ? "// " : "";
    const lines = `${JSON.stringify(name)}: ${writeValue(shown)},`.split("\n");
    return `  // ${file.schema.description}.\n${lines.map((line) => `  ${mark}${line}`).join("\n")}\n`;
  });
  return `// Options of Toolwright for this project. Paths are relative to this file.
// After a change, \`toolwright trust\` shows the file's settings and lets them count.
{
  "$schema": ${JSON.stringify(schemaFile)},

${parts.join("\n")}}
`;
}

/** Writes a value on one line if it fits. */
function writeValue(value: unknown): string {
  const short = JSON.stringify(value, null, 1).replace(/\n\s*/g, " ");
  return short.length <= 80 ? short : JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");
}
