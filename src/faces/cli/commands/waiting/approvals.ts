import type { WaitingEntry, WaitingItem } from "../../../../kernel/people/index.ts";
import { markRows, ownRows } from "../../../../shared/text/mark-rows.ts";
import { quoteWord } from "../../../../shared/text/quote-controls.ts";
import { showLookAlikes } from "../../../../shared/text/show-look-alikes.ts";
import type { Command } from "../../command.ts";
import { screenColumns, stdoutColumns } from "../../display/format-columns.ts";
import { withApprovals } from "../../open/with-runtime.ts";

export default {
  example: "--json",
  note: "Lists the calls that wait for a decision and the questions that wait for an answer, in whichever process, the workspace's MCP servers that are not approved yet, and servers and tools that changed since they were approved. --json prints one object per line.",

  async run({ flags, output }) {
    const columns = screenColumns();
    const waiting = await withApprovals(flags, ({ approvals }) => approvals.list({ columns }));
    if (flags.json) await output.writeJsonLines(waiting.map(detailsOf));
    else if (waiting.length === 0) await output.tell("nothing needs approval");
    else await output.write(waiting.map((item) => describeWaiting(item, columns)).join("\n"));
  },
} satisfies Command;

/** Everything that is known of an entry, for programs. */
function detailsOf({ id, kind, takes: _takes, call, question, mcp, ...about }: WaitingItem): object {
  return mcp ?? { ...(call ?? question ?? about), id, kind };
}

/** Describes an entry. Others choose the ids of servers, which must not act in a terminal or a shell that they are copied to. */
export function describeWaiting({ id, title, text, call }: WaitingEntry, columns: number): string {
  const rules = call?.rules ?? [];
  const lasting =
    rules.length === 0
      ? []
      : ["for good with --always:", ...rules.flatMap((rule) => markRows(rule, columns))];
  // The name of a server's tool is part of an id, and could go on at the left edge.
  const short = showLookAlikes(`${id} (${title})`);
  const isShort = short.length <= stdoutColumns();
  const heading =
    plainId.test(id) && id.length <= columns
      ? isShort
        ? [short]
        : [id, ...ownRows(`  (${title})`, stdoutColumns())]
      : [`(${title})`, ...markRows(quoteWord(id), columns)];
  return `${[...heading, text, ...lasting].join("\n")}\n`;
}

const plainId = /^[\w:/@.-]+$/;
