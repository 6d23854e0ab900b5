import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../../../src/capabilities/agents/index.ts";
import { openTestSession, temporaryFolder } from "../../../../support/open-test-session.ts";

const saying = (text: string) => ({ agents: { model: scriptedModel([{ text }]) } });

test("agent_run is always offered, as Agent with Flyto's parameters", async () => {
  const { session } = await openTestSession();
  const tool = session.tools().find(({ name }) => name === "Agent")!;
  expect(tool.inputSchema).toMatchObject({
    required: ["prompt"],
    properties: {
      prompt: { type: "string" },
      description: { type: "string" },
      model: { type: "string", default: "" },
      mode: { enum: ["sync", "background", "worktree"], default: "sync" },
      branch_name: { type: "string", default: "" },
    },
  });
  expect(session.isDeferred("Agent")).toBe(false);
});

test("the description of agent_run lists the kinds of agents", async () => {
  const { session } = await openTestSession({
    agents: { templates: { explorer: { description: "Finds things in the code." } } },
  });
  const { description } = session.tools().find(({ name }) => name === "Agent")!;
  expect(description).toContain("Kinds:\n- explorer: Finds things in the code.");
});

test("the description of agent_run lists kinds from the workspace's files, from a session's first list of tools on", async () => {
  const workspace = await temporaryFolder();
  const folder = join(workspace, ".toolwright", "agents");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "finder.md"), "---\ndescription: Finds things in files.\n---\nYou find.\n");
  const { session } = await openTestSession({ workspace });
  const { description } = session.tools().find(({ name }) => name === "Agent")!;
  expect(description).toContain("- finder: Finds things in files.");
});

test("an agent that says nothing at its end is told of as such", async () => {
  const { session } = await openTestSession({
    agents: { model: scriptedModel([{ finishReason: "length" }]) },
  });
  const { text } = await session.call("Agent", { prompt: "go" });
  expect(text).toMatch(
    /^\(agent_\w{6}: 1 step, 0 calls, 0 tokens\)\nIt did not finish: its last answer was cut off at the model's output limit\.\n\(No final message\.\)$/,
  );
});

test("a branch without a worktree is refused, and nothing is spawned", async () => {
  const { session } = await openTestSession(saying("never"));
  const result = await session.call("Agent", { prompt: "go", branch_name: "mine" });
  expect(result).toMatchObject({
    status: "failed",
    error: { code: "invalid-input", hint: "Set mode to worktree, or leave branch_name out." },
  });
  expect(session.agents.list()).toEqual([]);
});

test("the mode worktree of agent_run is a change that asks, and the other modes are allowed", async () => {
  const { session } = await openTestSession(saying("never"));
  const decisionOn = async (mode: string) =>
    (await session.explain("Agent", { prompt: "go", mode })).decision;
  expect(await decisionOn("sync")).toBe("allow");
  expect(await decisionOn("background")).toBe("allow");
  expect(await decisionOn("worktree")).toBe("ask");
});

test("a preview of agent_run spawns no agent", async () => {
  const { session } = await openTestSession(saying("never"));
  expect(await session.dryRun("Agent", { prompt: "go" })).toMatchObject({
    status: "failed",
    error: { code: "unsupported" },
  });
  expect(session.agents.list()).toEqual([]);
});

test("an unknown kind is answered with those that there are", async () => {
  const { session } = await openTestSession({
    agents: {
      model: scriptedModel([{ text: "never" }]),
      templates: { explorer: { description: "Finds things." } },
    },
  });
  const result = await session.call("Agent", { prompt: "go", agent_type: "exploder" });
  expect(result).toMatchObject({ status: "failed", error: { code: "not-found" } });
  expect(JSON.stringify(result.error)).toContain("explorer");
});
