import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { flagsOf, reading, shareFlyto, shown } from "./share-flyto.ts";

const core = ["Bash", "Read", "Edit", "Write", "Glob", "Grep", "Agent", "ToolSearch"];

const sail = defineTool({
  name: "regatta",
  description: "Plans an afternoon on the water.",
  params: {},
  aliases: ["dinghy_plan"],
  searchHint: "boat wind harbour",
  traits: { readOnly: true },
  run: () => "planned",
});

const flyto = shareFlyto({ tools: [sail] });

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
const sorted = (names: Iterable<string>) => [...names].toSorted();

/** The tools that a new conversation offers, and those that one search adds to them. */
async function searchFor(query: string) {
  const session = await flyto.runtime.openSession();
  const result = await session.call("ToolSearch", { query });
  const added = namesOf(session.activeTools()).filter((name) => !core.includes(name));
  return { session, added, text: result.text };
}

test("F63: ToolSearch takes a query, runs beside other calls, changes nothing and is itself found by its hint", () => {
  expect(flagsOf(flyto.session, "ToolSearch")).toEqual(reading);
  const { metadata, inputSchema } = shown(flyto.session, "ToolSearch");
  expect(metadata.searchHint).toBe("tool search find discover deferred");
  expect(inputSchema.required).toEqual(["query"]);
  expect(Object.keys(inputSchema.properties ?? {})).toEqual(["query"]);
});

test("F64: fifteen tools are all offered; of sixteen, all but the core wait until they are searched for", () => {
  const usable = flyto.session.tools().filter(({ denied }) => denied === undefined);
  const others = namesOf(usable).filter((name) => !core.includes(name));
  const offered = (count: number) =>
    namesOf(flyto.session.activeTools({ only: [...core, ...others].slice(0, count) }));
  expect(offered(15)).toHaveLength(15);
  expect(sorted(offered(16))).toEqual(sorted(core));
});

test("F65: a tool is found by part of its name, a word of its description or hint, or an alias", async () => {
  for (const query of ["regat", "afternoon", "harbour", "dinghy_plan"])
    expect((await searchFor(query)).added, query).toContain("regatta");
  expect((await searchFor("glacier")).added).not.toContain("regatta");
});

test("F66: a tool that a search finds is offered and can be called from then on", async () => {
  const { session } = await searchFor("nothing of the kind, zzz");
  expect(session.isDeferred("regatta")).toBe(true);
  await session.call("ToolSearch", { query: "regatta" });
  expect(session.isDeferred("regatta")).toBe(false);
  expect(namesOf(session.activeTools()).at(-1)).toBe("regatta");
  expect((await session.call("regatta")).text).toBe("planned");
});

test("F67: where no tool waits to be searched for, the answer is that all are active", async () => {
  const { session } = await openTestSession({ dialect: "flyto", deferral: { maxTools: 1000 } });
  const { text } = await session.call("ToolSearch", { query: "web" });
  expect(text).toBe("All tools are already active: use them directly.");
  const usable = session.tools().filter(({ denied }) => denied === undefined);
  expect(session.activeTools()).toEqual(usable);
});

test("F68: the answer counts what was found, gives each a line with its description, and says that it can be used", async () => {
  const { text } = await searchFor("web");
  const lines = text.split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe("Found 2 tool(s) matching 'web':");
  const [fetch, search] = lines.slice(1, 3).toSorted();
  expect(fetch).toMatch(/^- WebFetch: Fetch a web page .*\.\.\.$/);
  expect(search).toMatch(/^- WebSearch: Search the web/);
  expect(lines[3]).toBe("These tools have been activated and are now available for use.");
});

test("F69: Bash, Read, Edit, Write, Glob, Grep, Agent and ToolSearch are always offered", async () => {
  const session = await flyto.runtime.openSession();
  expect(sorted(namesOf(session.activeTools()))).toEqual(sorted(core));
  for (const name of core) expect(session.isDeferred(name)).toBe(false);
});

test("F70: tools beyond fifteen wait for a search, whichever source they have, and a new conversation begins with the core", async () => {
  const say = (name: string) => defineTool({ name, description: "Says so.", params: {}, run: () => name });
  const { runtime, session } = await openTestSession({
    dialect: "flyto",
    plugins: [{ name: "mine", register: (api) => api.registerTool(say("from_plugin")) }],
  });
  await runtime.tools.registerMCPLoader("mine", () => [
    { name: "from_server", inputSchema: { type: "object" }, call: () => "from_server" },
  ]);
  runtime.tools.register(say("from_code"));
  const brought = ["from_plugin", "mcp__mine__from_server", "from_code"];
  expect(namesOf(session.tools())).toEqual(expect.arrayContaining([...brought, "WebFetch"]));
  expect(sorted(namesOf(session.activeTools()))).toEqual(sorted(core));
  await session.call("ToolSearch", { query: `select:${brought.join(",")}` });
  expect(namesOf(session.activeTools()).slice(core.length)).toEqual(brought);
  const next = await runtime.openSession();
  expect(sorted(namesOf(next.activeTools()))).toEqual(sorted(core));
});

test("F71: a program can list what is offered, search, activate, ask what waits and start over", async () => {
  const session = await flyto.runtime.openSession();
  expect(namesOf(await session.searchTools("harbour"))).toEqual(["regatta"]);
  expect(session.isDeferred("regatta")).toBe(true);
  expect(session.activateTool("regatta")).toBe(true);
  expect(session.activateTool("no_such_tool")).toBe(false);
  expect(session.isDeferred("regatta")).toBe(false);
  expect(namesOf(session.activeTools())).toContain("regatta");
  session.resetActivations();
  expect(session.isDeferred("regatta")).toBe(true);
  expect(namesOf(session.activeTools())).not.toContain("regatta");
});
