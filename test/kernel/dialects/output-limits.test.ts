import { expect, test } from "vitest";
import { defineTool, type RuntimeOptions } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const chatty = defineTool({
  name: "chatty",
  description: "Says a lot.",
  params: {},
  traits: { readOnly: true },
  maxOutputCharacters: 8000,
  run: () => "x".repeat(300_000),
});

async function lengthsWith(output: NonNullable<RuntimeOptions["output"]>) {
  const { session } = await openTestSession({
    tools: [chatty],
    permissions: { mode: "auto" },
    sandbox: "off",
    output,
  });
  const lengthOf = async (name: string, input: object = {}) => (await session.call(name, input)).text.length;
  const command = "seq 1 50000";
  return {
    bash: await lengthOf("Bash", { command }),
    shellRun: await lengthOf("shell_run", { command }),
    chatty: await lengthOf("chatty"),
  };
}

test("a limit for all tools counts more than that of the dialect and the tool", async () => {
  const { bash, shellRun, chatty: own } = await lengthsWith({ maxCharacters: 4000 });
  for (const length of [bash, shellRun, own]) {
    expect(length).toBeLessThanOrEqual(4000);
    expect(length).toBeGreaterThan(2000);
  }
});

test("a tool's own limit is given under any of its names, and may be higher than all others", async () => {
  const {
    bash,
    shellRun,
    chatty: own,
  } = await lengthsWith({
    maxCharacters: 4000,
    tools: { Bash: 20_000, chatty: 100_000 },
  });
  expect([bash, shellRun].every((length) => length > 15_000 && length <= 20_000)).toBe(true);
  expect(own).toBeGreaterThan(90_000);
});

test("a tool that a server may have later can be named", async () => {
  await openTestSession({ output: { tools: { mcp__github__search: 5000 } } });
});
