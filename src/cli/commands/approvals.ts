import type { McpApproval } from "../../mcp/client/approval/mcp-approvals.ts";
import type { ApprovalRequest } from "../../runtime/policy/approvals/approvals.ts";
import { formatApproval } from "../../runtime/policy/approvals/format-approval.ts";
import { escapeControls, escapeLine } from "../../shared/text/escape-controls.ts";
import { quoteWord } from "../../shared/text/quote-word.ts";
import { screenColumns } from "../ask/screen-columns.ts";
import type { Command } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { callPrefix, withApprovals } from "../open/with-approvals.ts";

export default {
  usage: "",
  minArguments: 0,
  maxArguments: 0,
  flags: [],
  example: "--json",
  note: "Lists the calls that wait for a decision, in whichever process, the workspace's MCP servers that are not approved yet, and servers and tools that changed since they were approved. --json prints one object per line.",

  async run({ flags, output }) {
    const { calls, servers } = await withApprovals(flags, async ({ approvals, mcp }) => ({
      calls: (await approvals.list()).map((call) => ({
        ...call,
        id: `${callPrefix}${call.id}`,
        kind: "call",
      })),
      servers: await mcp.approvals(),
    }));
    const waiting = [...calls, ...servers];
    if (flags.json) await output.write(waiting.map((each) => `${JSON.stringify(each)}\n`).join(""));
    else if (waiting.length === 0) await output.tell("nothing needs approval");
    else await output.write([...calls.map(describeCall), ...servers.map(describe)].join("\n"));
    return exitCodes.done;
  },
} satisfies Command;

function describeCall(request: ApprovalRequest): string {
  const { id, sessionId } = request;
  const shown = formatApproval(request, { columns: screenColumns() }).trim();
  return `${escapeLine(id)} (call in session ${escapeLine(sessionId)})\n${shown}\n`;
}

/** The server's author wrote these texts: escape them, so that they cannot act on a terminal or a shell or mislead. */
function describe({ id, kind, text, diff }: McpApproval): string {
  const shown = escapeControls(diff ?? text).trimEnd();
  return `${quoteWord(escapeLine(id))} (${kind})\n${shown}\n`;
}
