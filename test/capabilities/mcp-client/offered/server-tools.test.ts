import { join } from "node:path";
import { expect, test } from "vitest";
import { openPins } from "../../../../src/capabilities/mcp-client/approval/pins.ts";
import { createServerTools } from "../../../../src/capabilities/mcp-client/offered/server-tools.ts";
import { createToolMaker } from "../../../../src/capabilities/mcp-client/offered/tool-maker.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

const started = { command: "unused" };

async function openTools(maxRememberedCharacters: number) {
  const pins = await openPins(join(await temporaryFolder(), "pins.json"));
  const makeTool = createToolMaker("sample", { started: () => started, link: () => undefined });
  const tools = createServerTools("sample", {}, { pins, makeTool, maxRememberedCharacters });
  const names = () => tools.list().map(({ tool }) => tool.name);
  return { ...tools, names, pins };
}

const define = (name: string, description = "x".repeat(500)) => ({
  name,
  description,
  inputSchema: { type: "object" as const },
});

test("a server that makes up new tools without end is not remembered without end", async () => {
  const { update, names, problems, pins } = await openTools(10_000);
  for (let round = 0; round < 20; round++) {
    const fresh = Array.from({ length: 10 }, (_, index) => define(`made_up_${round}_${index}`));
    await update([define("first"), ...fresh]);
  }
  expect(pins.list().length).toBeLessThan(30);
  // What was there before is offered on, and still compared with what it was.
  expect(names()).toEqual(["mcp__sample__first"]);
  expect(problems()[0]?.message).toContain("too many different tools");
  await update([define("first", "Another")]);
  expect(problems()[0]?.message).toContain("has changed and is not approved yet");
});
