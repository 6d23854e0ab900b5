import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const cleaner = defineTool({
  name: "clean_up",
  description: "Runs a command on the side.",
  params: { command: { type: "string" } },
  run: async ({ command }, { processes }) => (await processes.run(command)).stdout,
});

test("a rule that denies or asks about a command binds the commands that other tools run", async () => {
  const { session } = await openTestSession({
    tools: [cleaner],
    sandbox: "off",
    permissions: { mode: "auto", deny: ["Bash(touch *)"], ask: ["Bash(uname *)"] },
  });
  const run = async (command: string) => (await session.call("clean_up", { command })).status;
  expect(await run("echo fine")).toBe("done");
  expect(await run("touch a")).toBe("denied");
  expect(await run("true && timeout 5 touch a")).toBe("denied");
  expect(await run("uname -a")).toBe("denied");
});
