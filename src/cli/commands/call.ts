import type { Command } from "../command.ts";
import { performCall } from "../perform-call.ts";
import { readJsonArgument } from "../read-json-argument.ts";
import { readPositiveInteger } from "../read-positive-integer.ts";
import { waitForServers } from "../wait-for-servers.ts";

export default {
  usage: "<tool> ['<json>' | -]",
  minArguments: 1,
  maxArguments: 2,
  flags: ["timeout", "dry-run"],
  example: `file_list '{"path":"."}'`,

  async run(invocation) {
    const [tool = "", argument] = invocation.arguments;
    const { flags } = invocation;
    const timeoutMs = readPositiveInteger("--timeout", flags.timeout);
    const input = await readJsonArgument(argument);
    const perform: Parameters<typeof performCall>[1] = async (session, { runtime, options }) => {
      const { signal } = options;
      await waitForServers(runtime, { tool, output: invocation.output, signal, timeoutMs });
      const call = flags["dry-run"] ? session.dryRun : session.call;
      return call(tool, input, { ...options, ...(timeoutMs !== undefined && { timeoutMs }) });
    };
    // Other servers than its own are not waited for; any other tool may be one that looks through all that there are.
    return performCall(invocation, perform, tool.startsWith("mcp_") ? { mcpWaitMs: 0 } : {});
  },
} satisfies Command;
