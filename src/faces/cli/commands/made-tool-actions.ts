import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { markRows } from "../../../shared/text/mark-rows.ts";
import type { MadeToolStatus } from "../../../tool/services/made.ts";
import { type Invocation, UsageError } from "../command.ts";
import { formatColumns, stdoutColumns } from "../display/format-columns.ts";
import { asUsage } from "../open/as-usage.ts";
import { withApprovals } from "../open/with-runtime.ts";
import { refuseToModels } from "../started-by-session.ts";
import type { CommandOutput } from "../terminal/command-output.ts";

/** Runs `toolwright tools --made`: lists the tools of agents, shows one, takes an approval back or prints a tool. */
export async function manageMadeTools(invocation: Invocation): Promise<undefined> {
  const [first, second, ...others] = invocation.arguments;
  if (second === undefined) await showMade(first, invocation);
  else if (first === "revoke") await revoke(second, others[0], invocation);
  else if (first === "export" && others.length === 0) await exportMade(second, invocation);
  else throw new UsageError('--made takes a tool, revoke <tool> ["<reason>"], or export <tool>');
}

/** Shows all tools of a name in full; without a name, a line for each tool. */
async function showMade(name: string | undefined, { flags, output }: Invocation): Promise<void> {
  const made = await withApprovals(flags, ({ madeTools }) => madeTools.list());
  const shown = name === undefined ? made : namedIn(made, name);
  if (flags.json) await output.writeJsonLines(shown);
  else if (shown.length === 0) await output.tell("no agent has made a tool for this project");
  else if (name === undefined) await output.write(await formatRows(shown, output));
  // An agent wrote the text: no part of it may act on a terminal, or pass for a line of ours.
  else
    for (const each of shown)
      await output.write(
        `${await formatRows([each], output)}${markRows(each.text.trimEnd(), stdoutColumns()).join("\n")}\n`,
      );
}

async function formatRows(made: readonly MadeToolStatus[], output: CommandOutput): Promise<string> {
  const rows = made.map(({ id, status, version, madeBy, by, why, description }) => [
    output.style("bold", escapeLine(id)),
    escapeLine(by === undefined ? status : `${status}, by ${by}`),
    `version ${version}`,
    escapeLine(`made by ${madeBy}`),
    escapeLine(why ?? description.split("\n")[0] ?? ""),
  ]);
  return `${await formatColumns(rows)}\n`;
}

async function revoke(name: string, why: string | undefined, { flags, output }: Invocation): Promise<void> {
  await refuseToModels("tools --made revoke");
  const { id } = await asUsage(() =>
    withApprovals(flags, async ({ madeTools }) => {
      const approved = approvedIn(await madeTools.list(), name);
      await madeTools.revoke(approved.id, why);
      return approved;
    }),
  );
  if (flags.json) await output.writeJson({ id, decision: "revoked" });
  else await output.tell(`${escapeLine(id)} is revoked`);
}

async function exportMade(name: string, { flags, output }: Invocation): Promise<void> {
  const made = await withApprovals(flags, ({ madeTools }) => madeTools.list());
  // The text is the approved one, even if the project's file has changed.
  await output.write(approvedIn(made, name).text);
}

function approvedIn(made: readonly MadeToolStatus[], name: string): MadeToolStatus {
  const approved = namedIn(made, name).find(({ status }) => status === "active" || status === "inactive");
  if (approved === undefined) throw new UsageError(`${escapeLine(name)} is not approved`);
  return approved;
}

/** Finds tools by their name alone, or by the id that the list shows. */
function namedIn(made: readonly MadeToolStatus[], name: string): readonly MadeToolStatus[] {
  const named = made.filter((each) => each.name === name || each.id === name);
  if (named.length === 0) throw new UsageError(`no agent has made a tool named ${JSON.stringify(name)}`);
  return named;
}
