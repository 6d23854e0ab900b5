import { expect, test } from "vitest";
import { waitForServers } from "../../../../src/faces/cli/open/wait-for-servers.ts";
import { createCommandOutput } from "../../../../src/faces/cli/terminal/command-output.ts";
import { rawServer } from "../../../capabilities/mcp-client/sample-servers.ts";
import { openTestSession } from "../../../support/open-test-session.ts";

test.each([
  ["no server", {}],
  ["one that cannot be started", { gone: rawServer("complaining") }],
])(
  "signals end the process as before once the waiting for servers is over, with %s",
  async (_what, mcpServers) => {
    const { runtime } = await openTestSession({ mcpServers, mcpStart: "when-needed" });
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    const countListeners = () => signals.map((signal) => process.listenerCount(signal));
    const before = countListeners();
    await waitForServers(runtime, { output: createCommandOutput() });
    expect(countListeners()).toEqual(before);
  },
);
