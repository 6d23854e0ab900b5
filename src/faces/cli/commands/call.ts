import { defined } from "../../../shared/options/defined.ts";
import type { Command } from "../command.ts";
import { waitForServers } from "../open/wait-for-servers.ts";
import { readJsonArgument, readPositiveInteger } from "../read-values.ts";
import { performCall } from "./perform-call.ts";

export default {
  usage: "<tool> ['<json>' | -]",
  arguments: [1, 2],
  flags: ["timeout", "dry-run"],
  example: `file_list '{"path":"."}'`,

  async run(invocation) {
    const [tool = "", argument] = invocation.arguments;
    const { flags } = invocation;
    const timeoutMs = readPositiveInteger("--timeout", flags.timeout);
    const input = await readJsonArgument(argument);
    return performCall(invocation, async (session, { runtime, options }) => {
      const { signal } = options;
      await waitForServers(runtime, { tool, output: invocation.output, signal, timeoutMs });
      const call = flags["dry-run"] ? session.dryRun : session.call;
      return call(tool, input, { ...options, ...defined({ timeoutMs }) });
    });
  },
} satisfies Command;
