import { expect, test } from "vitest";
import { builtinTools } from "../../../src/capabilities.ts";
import { defineTool, type RuntimeOptions } from "../../../src/index.ts";
import { openTestAgent } from "../../capabilities/agents/open-agent.ts";
import { connectClient, serveForTest } from "../../faces/mcp-server/serve-for-test.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const unknownEffects = defineTool({
  name: "mystery",
  description: "Declares nothing.",
  params: {},
  run: () => "done",
});

async function namesUnder(permissions: RuntimeOptions["permissions"]) {
  const { session } = await openTestSession({
    tools: [unknownEffects],
    databases: { main: { sqlite: "main.db", writable: true } },
    deferral: { maxTools: 1000 },
    permissions: permissions!,
  });
  const listed = session.tools();
  return {
    session,
    offered: session.activeTools().map(({ name }) => name),
    denied: listed.filter(({ denied }) => denied !== undefined).map(({ name }) => name),
    reasonOf: (wanted: string) => listed.find(({ name }) => name === wanted)?.denied,
  };
}

test("a denied tool is left out of offers and vendor formats, and listed with the reason", async () => {
  const { session, offered, denied, reasonOf } = await namesUnder({ mode: "auto", deny: ["Bash"] });
  expect(denied).toEqual(["Bash"]);
  expect(offered).not.toContain("Bash");
  expect(offered).toContain("Write");
  expect(reasonOf("Bash")).toBe("rule Bash denies every call");
  const vendors = session.tools({ format: "openai" });
  expect(JSON.stringify(vendors)).not.toContain('"name":"Bash"');
  expect(vendors).toHaveLength(session.tools().length - 1);
});

test("MCP clients are not told of a denied tool, and a call of it is still refused as denied", async () => {
  const client = await connectClient(
    await serveForTest({ options: { permissions: { mode: "auto", deny: ["Bash"] } } }),
  );
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("Write");
  expect(names).not.toContain("Bash");
  const result = await client.callTool({ name: "Bash", arguments: { command: "true" } });
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result.content)).toContain("rule Bash denies it");
});

test("an agent is not offered a denied tool, nor one limited to a few tools", async () => {
  for (const limit of [{}, { tools: ["Bash", "Read"] }]) {
    const { agent, requests } = await openTestAgent([{ text: "done" }], {
      runtime: { permissions: { mode: "auto", deny: ["Bash"] } },
      ...limit,
    });
    await agent.run("go");
    const names = requests[0]!.tools!.map(({ name }) => name);
    expect(names).toContain("Read");
    expect(names).not.toContain("Bash");
  }
});

test("rules that ask or allow, and rules about paths, commands or hosts, leave every tool offered", async () => {
  for (const rules of [
    { ask: ["Bash", "Edit", "@write"] },
    { allow: ["Read", "Bash(ls *)"] },
    { deny: ["Edit(docs/**)", "Read(**)", "Bash(rm *)", "@write(docs/**)", "@network(domain:example.com)"] },
  ])
    expect((await namesUnder({ mode: "ask", ...rules })).denied).toEqual([]);
});

test("a deny rule for a class takes away the tools that need the class with every call, and no others", async () => {
  const { denied, reasonOf } = await namesUnder({ mode: "auto", deny: ["@write"] });
  expect(denied).toEqual(expect.arrayContaining(["Write", "Edit", "network_download"]));
  for (const name of ["Bash", "Gitignore", "mystery", "Read"]) expect(denied).not.toContain(name);
  expect(reasonOf("Write")).toBe("rule @write denies every call");
});

test("mode readonly takes away tools that can only act, and tools that may do anything", async () => {
  const { denied, offered, reasonOf } = await namesUnder({ mode: "readonly" });
  expect(denied).toEqual(expect.arrayContaining(["Write", "network_request", "WebFetch", "mystery"]));
  expect(offered).toEqual(expect.arrayContaining(["Read", "Bash", "Gitignore", "todo_write"]));
  expect(reasonOf("mystery")).toBe("mode readonly denies every call, because each needs the class execute");
});

test("in mode readonly, a tool that a rule allows for some paths is offered", async () => {
  const { denied } = await namesUnder({ mode: "readonly", allow: ["file_write(tmp/**)"] });
  expect(denied).not.toContain("Write");
  expect(denied).toContain("WebFetch");
});

test("a built-in tool declares in every call what it says that every call needs", () => {
  for (const { name, traits, permission } of builtinTools) {
    if (traits.needs === undefined) continue;
    const declared = permission!(sampleInput as never);
    const actions = [declared].flat().map(({ action }) => action);
    expect(actions, name).toEqual(expect.arrayContaining([...traits.needs]));
  }
});

const sampleInput = {
  path: "a.txt",
  paths: ["a.txt"],
  database: "main",
  source: "a.txt",
  destination: "b.txt",
  url: "https://example.com/a",
  method: "GET",
  edits: [{ path: "a.txt" }],
  references: [],
  patch: "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n",
};
