import type { Finding } from "../../../../kernel/runtime/index.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { type Command, exitCodes } from "../../command.ts";
import { formatColumns } from "../../display/format-columns.ts";
import { optionsFromFlags } from "../../open/options-from-flags.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";
import { findProblems } from "./find-problems.ts";

export default {
  async run({ flags, output, readPackageVersion }) {
    const broken: Finding[] = [];
    const options = await optionsFromFlags(flags, {
      onBroken: (found) =>
        broken.push({
          check: "configuration",
          mark: "fail",
          found,
          advice: "nothing runs here until this is fixed; below, the file is left out",
        }),
    });
    const packageVersion = await readPackageVersion();
    const findings = [...broken, ...(await findProblems(options, { packageVersion, output }))];
    await output.write(
      flags.json
        ? `${JSON.stringify(findings)}\n`
        : `${await formatColumns(findings.map((finding) => toRow(finding, output)))}\n`,
    );
    return findings.some(({ mark }) => mark === "fail") ? exitCodes.failed : exitCodes.done;
  },
} satisfies Command;

const colours = { ok: "green", warn: "yellow", fail: "red" } as const;

function toRow({ mark, check, found, advice }: Finding, { style }: CommandOutput): string[] {
  return [
    style(colours[mark], mark),
    escapeLine(check),
    escapeLine(advice === undefined ? found : `${found}; ${advice}`),
  ];
}
