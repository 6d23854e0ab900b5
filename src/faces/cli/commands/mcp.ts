import { isatty } from "node:tty";
import { defined } from "../../../shared/options/defined.ts";
import type { Command, Invocation } from "../command.ts";
import { asUsage } from "../open/as-usage.ts";
import {
  maxServerFiles,
  reportClientErrors,
  reportServers,
  servingOptions,
  takeStdout,
  whileSurviving,
} from "../open/serving-options.ts";
import { warnOfRisks, withRuntime } from "../open/with-runtime.ts";
import { readToolsFlag } from "../read-values.ts";
import { stopSignal } from "../terminal/stop-signal.ts";

export default {
  usage: "[FILE …]",
  arguments: [0, maxServerFiles],
  flags: ["gateway", "tools"],
  example: "--mode readonly",
  note: "Speaks the Model Context Protocol over stdin and stdout until stdin ends. Without --session, each start opens a new session. With --gateway, each FILE lists MCP servers in the format of .mcp.json.",

  run: (invocation) => whileSurviving(invocation.output, () => serveClient(invocation)),
} satisfies Command;

async function serveClient({
  arguments: files,
  flags,
  output,
  readPackageVersion,
}: Invocation): Promise<undefined> {
  const stdout = takeStdout();
  if (isatty(0))
    await output.tell(
      "Waiting for an MCP client on stdin; usually the client starts this command. Press Ctrl-D to stop.",
    );
  await withRuntime(await servingOptions(flags, files), async (runtime) => {
    await reportServers(runtime, flags, output);
    // Both run in parallel: trying the sandbox takes as long as loading the rest.
    const loading = import("../../mcp-server/stdio/serve-stdio.ts");
    const [{ serveStdio }] = await Promise.all([loading, warnOfRisks(runtime, output)]);
    const version = await readPackageVersion();
    const serve = () =>
      serveStdio(runtime, {
        version,
        ...defined({ tools: readToolsFlag(flags.tools), sessionId: flags.session, dialect: flags.dialect }),
        signal: stopSignal(),
        input: process.stdin,
        output: stdout,
        onError: reportClientErrors(output),
      });
    await asUsage(serve);
  });
}
