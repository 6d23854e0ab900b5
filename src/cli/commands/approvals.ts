import type { McpApproval } from "../../mcp/client/approval/mcp-approvals.ts";
import { escapeControls, escapeLine } from "../../shared/text/escape-controls.ts";
import { quoteWord } from "../../shared/text/quote-word.ts";
import type { Command } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { withMcpApprovals } from "../open/with-mcp-approvals.ts";

export default {
  usage: "",
  minArguments: 0,
  maxArguments: 0,
  flags: [],
  example: "--json",
  note: "Lists the workspace's MCP servers that are not approved yet, and servers and tools that changed since they were approved. --json prints one object per line.",

  async run({ flags, output }) {
    const waiting = await withMcpApprovals(flags, (mcp) => mcp.approvals());
    if (flags.json) await output.write(waiting.map((each) => `${JSON.stringify(each)}\n`).join(""));
    else if (waiting.length === 0) await output.tell("nothing needs approval");
    else await output.write(waiting.map(describe).join("\n"));
    return exitCodes.done;
  },
} satisfies Command;

/** The server's author wrote these texts: escape them, so that they cannot act on a terminal or a shell or mislead. */
function describe({ id, kind, text, diff }: McpApproval): string {
  const shown = escapeControls(diff ?? text).trimEnd();
  return `${quoteWord(escapeLine(id))} (${kind})\n${shown}\n`;
}
