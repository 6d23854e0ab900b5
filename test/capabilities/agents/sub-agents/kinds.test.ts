import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeOptions } from "../../../../src/index.ts";
import { openTestSession, temporaryFolder } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

const sendExplorer = calling("Agent", { prompt: "CHILD, look", agent_type: "explorer" });

/** What an explorer's model is asked first, and what became of the first call it made. */
async function spawnAgent(
  templates: NonNullable<NonNullable<RuntimeOptions["agents"]>["templates"]>,
  { call = calling("Read", { file_path: "/nowhere" }), ...options }: RuntimeOptions & { call?: object } = {},
) {
  const { model, requests } = familyModel({
    CHILD: [call, { text: "Done." }],
    PARENT: [sendExplorer, { text: "Good." }],
  });
  const { runtime, session } = await openTestSession({
    tools: [echo],
    ...options,
    agents: { ...options.agents, templates },
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  const [child] = session.agents.list();
  const [receipt] = child === undefined ? [] : await runtime.receipts({ sessionId: child.sessionId });
  return { child, receipt, asked: requests.CHILD?.[0], parent: requests.PARENT! };
}

const toolsOf = (request: { tools?: readonly { name: string }[] } | undefined) =>
  request?.tools?.map(({ name }) => name) ?? [];

test("a kind has its own instructions and only its own tools", async () => {
  const { asked, child } = await spawnAgent({
    explorer: { description: "Finds.", system: "You find things.", tools: ["Read", "search_*", "Elsewhere"] },
  });
  expect(asked!.prompt[0]).toMatchObject({
    role: "system",
    content: expect.stringMatching(/^You find things\./),
  });
  expect(toolsOf(asked).sort()).toEqual(["Glob", "Grep", "Read"]);
  expect(child).toMatchObject({ kind: "explorer", status: "done" });
});

test("tools that a kind may not use are refused, also where they are offered", async () => {
  const { asked, receipt } = await spawnAgent(
    { explorer: { description: "Finds.", disallowedTools: ["Bash"] } },
    { call: calling("Bash", { command: "true" }) },
  );
  expect(toolsOf(asked)).toContain("Bash");
  expect(receipt).toMatchObject({ status: "failed", code: "unknown-tool" });
});

test("a kind is never given more than its parent has", async () => {
  const { model, requests } = familyModel({
    CHILD: [calling("Bash", { command: "true" }), { text: "Done." }],
    PARENT: [sendExplorer, { text: "Good." }],
  });
  const { runtime, session } = await openTestSession({
    permissions: { mode: "auto" },
    agents: { templates: { explorer: { description: "Finds.", tools: ["Read", "Bash"], mode: "auto" } } },
  });
  await runtime.agent({ model, session, tools: ["Read", "Agent"] }).run("PARENT, go");
  expect(toolsOf(requests.CHILD![0])).toEqual(["Read"]);
  const [child] = session.agents.list();
  const [receipt] = await runtime.receipts({ sessionId: child!.sessionId });
  expect(receipt).toMatchObject({ status: "failed", code: "unknown-tool" });
});

test.each([
  { own: "readonly", parents: "edit", decision: "denied" },
  { own: "auto", parents: "readonly", decision: "denied" },
] as const)(
  "a kind of mode $own under a parent in mode $parents may not write",
  async ({ own, parents, decision }) => {
    const workspace = await temporaryFolder();
    const { receipt } = await spawnAgent(
      { explorer: { description: "Finds.", mode: own } },
      {
        workspace,
        permissions: { mode: parents },
        call: calling("Write", { file_path: join(workspace, "a.txt"), content: "x" }),
      },
    );
    expect(receipt).toMatchObject({ tool: "file_write", status: decision });
  },
);

test("a kind that may not use a part of a tool may not use it at all", async () => {
  const { receipt } = await spawnAgent(
    { explorer: { description: "Finds.", disallowedTools: ["Bash(rm:*)"] } },
    { permissions: { mode: "auto" }, call: calling("Bash", { command: "true" }) },
  );
  expect(receipt).toMatchObject({ status: "failed", code: "unknown-tool" });
});

test("a kind of no tools is spawned with none", async () => {
  const { asked, child } = await spawnAgent({ explorer: { description: "Thinks.", tools: [] } });
  expect(toolsOf(asked)).toEqual([]);
  expect(child).toMatchObject({ status: "done" });
});

test("a kind from a file takes no more steps than any, and one from code as many as it says", async () => {
  const workspace = await temporaryFolder();
  const folder = join(workspace, ".toolwright", "agents");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "explorer.md"), "---\ndescription: Finds.\nmaxSteps: 9\n---\n");
  const fromFile = await spawnAgent({}, { workspace, agents: { maxSteps: 1 } });
  expect(fromFile.child).toMatchObject({ report: { reason: "max-steps", steps: 1 } });
  const fromCode = await spawnAgent(
    { explorer: { description: "Finds.", maxSteps: 9 } },
    { agents: { maxSteps: 1 } },
  );
  expect(fromCode.child).toMatchObject({ report: { reason: "done", steps: 2 } });
});

test("a kind that names only tools that are not here is not spawned", async () => {
  const { child, parent } = await spawnAgent({ explorer: { description: "Finds.", tools: ["Elsewhere"] } });
  expect(child).toBeUndefined();
  expect(JSON.stringify(parent[1]!.prompt.at(-1))).toContain(
    "agents of kind explorer need tools that are not available here: Elsewhere",
  );
});

test("a kind may spawn only the kinds it names", async () => {
  const { model, requests } = familyModel({
    CHILD: [
      calling("Agent", { prompt: "SMALL", agent_type: "explorer" }),
      calling("Agent", { prompt: "SMALL", agent_type: "tester" }),
      { text: "Done." },
    ],
    SMALL: [{ text: "Tested." }],
    PARENT: [sendExplorer, { text: "Good." }],
  });
  const { runtime, session } = await openTestSession({
    agents: {
      maxDepth: 3,
      templates: {
        explorer: { description: "Finds.", agents: { allowed: ["tester"], maxDepth: 1 } },
        tester: { description: "Tests." },
      },
    },
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  const asked = JSON.stringify(requests.CHILD!.at(-1)!.prompt);
  expect(asked).toMatch(/agents of kind .+explorer.+ may not be spawned here/);
  expect(asked).toContain("Tested.");
});

test("a kind is told only of the kinds that it may spawn", async () => {
  const { model, requests } = familyModel({
    SMALL: [{ text: "Small." }],
    CHILD: [calling("Agent", { prompt: "SMALL" }), { text: "Done." }],
    PARENT: [sendExplorer, { text: "Good." }],
  });
  const { runtime, session } = await openTestSession({
    agents: {
      maxDepth: 3,
      templates: {
        explorer: { description: "Finds.", agents: { allowed: ["tester"] } },
        tester: { description: "Tests." },
        writer: { description: "Writes." },
      },
    },
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  const kinds = { PARENT: ["explorer", "tester", "writer"], CHILD: ["tester"], SMALL: ["tester"] };
  for (const [who, names] of Object.entries(kinds))
    expect([who, kindsTold(requests[who]![0]!)]).toEqual([who, names]);
});

function kindsTold({ tools = [] }: { tools?: readonly object[] }): string[] {
  const agent = tools.find((tool) => "name" in tool && tool.name === "Agent");
  const description = agent !== undefined && "description" in agent ? String(agent.description) : "";
  return [...description.matchAll(/^- (\w+):/gm)].map(([, name = ""]) => name);
}

test("a kind from a file of the workspace works, as it stands there now", async () => {
  const workspace = await temporaryFolder();
  const folder = join(workspace, ".toolwright", "agents");
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "explorer.md"),
    "---\nname: explorer\ndescription: Finds.\ntools: Read, Grep\n---\nYou are from a file.\n",
  );
  const { asked } = await spawnAgent({}, { workspace });
  expect(asked!.prompt[0]).toMatchObject({ content: expect.stringContaining("You are from a file.") });
  expect(toolsOf(asked)).toEqual(["Read", "Grep"]);
});
