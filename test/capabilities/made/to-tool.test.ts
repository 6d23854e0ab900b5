import { expect, test } from "vitest";
import type { GuestPool } from "../../../src/capabilities/made/guest/guest-pool.ts";
import type { ApprovedVersion } from "../../../src/capabilities/made/made-records.ts";
import { hashOf, type MadeTool } from "../../../src/capabilities/made/made-tool.ts";
import { toTool } from "../../../src/capabilities/made/to-tool.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const first: MadeTool = {
  name: "word_count",
  description: "Count words.",
  input: { type: "object", properties: { text: { type: "string" } } },
  language: "javascript",
  code: "first",
  permissions: [],
  examples: [],
};

function approved(change: Partial<MadeTool>, version: number): ApprovedVersion {
  const tool = { ...first, ...change };
  const who = { madeBy: "agent a", madeAt: "", approvedBy: "person b", approvedAt: "" };
  return { tool, hash: hashOf(tool), version, ...who };
}

test("a version approved since the tool was offered runs in its place if it is called alike, and otherwise says so", async () => {
  let current = approved({}, 1);
  const pool = { run: async ({ code }: MadeTool) => code } as unknown as GuestPool;
  const { tool, versionOf } = toTool(approved({}, 1), { pool, recheck: async () => current });
  const { session } = await openTestSession({ tools: [tool], dialect: "canonical" });
  const callAfter = async (change: Partial<MadeTool>) => {
    current = approved({ code: "second", ...change }, 2);
    const { text, error, callId } = await session.call("word_count", { text: "a b" });
    if (error === undefined) expect(versionOf(callId)).toBe(current.hash);
    return error === undefined ? text : `${error.code}: ${error.message}`;
  };
  expect(await callAfter({ code: "first" })).toBe("first");
  expect(await callAfter({ description: "Count the words." })).toBe("second");
  const others: Partial<MadeTool>[] = [
    { input: { type: "object", properties: {} } },
    { permissions: ["files.readText"] },
    { timeoutMs: 100 },
  ];
  for (const change of others)
    expect(await callAfter(change)).toBe("conflict: word_count has just been replaced by version 2");
});
