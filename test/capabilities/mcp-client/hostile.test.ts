import { expect, test, vi } from "vitest";
import { openTestSession } from "../../support/open-test-session.ts";
import { openWithServers } from "./open-with-servers.ts";
import { type Definition, define, rawServer, sampleServer } from "./sample-servers.ts";

async function openWith(definitions: readonly Definition[] | string) {
  const { options } = await sampleServer(definitions);
  const opened = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { sample: options },
  });
  const names = opened.runtime.tools.list().flatMap(({ name, layer }) => (layer === "mcp" ? name : []));
  const problems = opened.runtime.problems().map(({ subject, message }) => `${subject}: ${message}`);
  return { ...opened, names, problems };
}

const waiting = { timeout: 45_000, interval: 50 };

const schemaOf = (properties: object) => ({ type: "object", properties });

test("names that cannot be written are replaced, each by another, and lead to the very tool", async () => {
  const tricky = [
    "a.b",
    "a/b",
    "x".repeat(200),
    `${"x".repeat(199)}y`,
    "__proto__",
    "constructor",
    "läuft",
    "a__b",
  ];
  const { session, names } = await openWith(tricky.map((name) => define(name)));
  expect(new Set(names).size).toBe(tricky.length);
  for (const name of names) {
    expect(name).toMatch(/^mcp__sample__[A-Za-z0-9_-]+$/);
    expect(name.length).toBeLessThanOrEqual(64);
    expect((await session.call(name, {})).status).toBe("done");
  }
  expect(names).toContain("mcp__sample____proto__");
  expect(names).toContain("mcp__sample__a__b");
});

test("a tool that is listed twice, without a name or with a name of hidden characters is left out, and the others stay", async () => {
  const twice = [define("twice", { description: "first" }), define("twice", { description: "second" })];
  const bad = ["", "x".repeat(300), "a\u202eb", "a\u001b[31mb"].map((name) => define(name));
  const { session, names, problems } = await openWith([...twice, ...bad, define("good")]);
  expect(names).toEqual(["mcp__sample__twice", "mcp__sample__good"]);
  expect(session.tools().find(({ name }) => name === "mcp__sample__twice")?.description).toBe("first");
  expect(problems).toHaveLength(5);
});

test("a tool's name that a shell would run is quoted in commands that may be copied", async () => {
  const name = "x; echo 'owned' $(id)";
  const sample = await sampleServer([define(name), define("rewrite")]);
  const { runtime, session } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers: { sample: sample.options },
  });
  const [tool = ""] = session.tools().flatMap((each) => (each.name.includes("owned") ? each.name : []));
  const definitions = JSON.stringify([define(name, { description: "Another" })]);
  await session.call("mcp__sample__rewrite", { definitions });
  const quoted = String.raw`toolwright approve 'mcp:sample/x; echo '\''owned'\'' $(id)'`;
  await vi.waitFor(async () => {
    expect((await session.call(tool, {})).error?.hint).toContain(quoted);
  }, waiting);
  expect(JSON.stringify(runtime.problems())).toContain(JSON.stringify(quoted).slice(1, -1));
});

test("a tool named * is left out, because that stands for all tools of its server", async () => {
  const { names, problems } = await openWith([define("*"), define("good")]);
  expect(names).toEqual(["mcp__sample__good"]);
  expect(problems).toEqual([expect.stringContaining("reserved for all")]);
});

test("a server cannot take a built-in tool's name", async () => {
  const { session, names } = await openWith([define("file_read"), define("Read")]);
  expect(names).toEqual(["mcp__sample__file_read", "mcp__sample__Read"]);
  const { runtime } = await openTestSession();
  expect(session.tools()).toHaveLength(runtime.tools.list().length + 2);
});

test("descriptions are cut and cleaned of what is hidden", async () => {
  const description = `Reads\u001b]0;owned\u0007 \u202egnihtyreve\u202c\u200b\u{e0041} 👩\u200d💻 ${"ä".repeat(5000)}`;
  const inputSchema = schemaOf({ path: { type: "string", description: "a\u200bb\u001b[1mc" } });
  const { session } = await openWith([define("read", { description, inputSchema })]);
  const tool = session.tools().find(({ name }) => name === "mcp__sample__read");
  expect(tool?.description).toMatch(/^Reads gnihtyreve 👩\u200d💻 ä+… \[cut from \d+ bytes\]$/);
  expect(Buffer.byteLength(tool?.description ?? "")).toBeLessThan(2100);
  expect(tool?.inputSchema.properties?.path).toMatchObject({ description: "abc" });
});

test("expressions in schemas never run", async () => {
  const evil = { type: "string", pattern: "^(a+)+$" };
  const inputSchema = {
    ...schemaOf({ text: evil, pattern: { type: "string" } }),
    patternProperties: { "^(b+)+$": { type: "string" } },
    propertyNames: { pattern: "^(c+)+$" },
    additionalProperties: false,
    $defs: { evil },
  };
  const outputSchema = schemaOf({ answer: evil });
  const { session } = await openWith([define("match", { inputSchema }), define("add", { outputSchema })]);
  const text = `${"a".repeat(50_000)}!`;
  expect((await session.call("mcp__sample__match", { text, pattern: "x", bbb: "y" })).status).toBe("done");
  const tool = session.tools().find(({ name }) => name === "mcp__sample__match");
  expect(JSON.stringify(tool?.inputSchema)).not.toContain("+)+");
});

test.each<[string, object | string, string]>([
  ["one from elsewhere", schemaOf({ a: { $ref: "http://127.0.0.1:1/schema.json" } }), "another document"],
  [
    "a huge one",
    schemaOf({ a: { enum: Array.from({ length: 50_000 }, (_, index) => `v${index}`) } }),
    "characters",
  ],
  ["one with a hidden name", schemaOf({ "a\u200bb": { type: "string" } }), "hidden"],
  ["one with a hidden value", schemaOf({ a: { enum: ["x\u202ey"] } }), "hidden"],
  ["one that refers to itself for ever", { type: "object", $ref: "#" }, "cannot be offered"],
  ["one that is wrong", schemaOf({ a: { type: "strnig" } }), "cannot be offered"],
])("a schema that is not usable is left out with its tool: %s", async (_what, inputSchema, message) => {
  const { names, problems } = await openWith([
    define("bad", { inputSchema: inputSchema as object }),
    define("good"),
  ]);
  expect(names).toEqual(["mcp__sample__good"]);
  expect(problems).toEqual([expect.stringContaining(message)]);
});

test("a schema nested too deeply, or with names that reach into every object, is left out", async () => {
  const nested = `${'{"type":"object","properties":{"a":'.repeat(200)}{}${"}}".repeat(200)}`;
  const polluting = '{"type":"object","properties":{"__proto__":{"type":"string","polluted":true}}}';
  const rest = JSON.stringify(define("good"));
  const { names, problems } = await openWith(
    `[{"name":"deep","inputSchema":${nested}},{"name":"proto","inputSchema":${polluting}},${rest}]`,
  );
  expect(names).toEqual(["mcp__sample__good"]);
  expect(problems).toHaveLength(2);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("a default that does not fit its own schema costs the default, not the tool", async () => {
  const inputSchema = schemaOf({
    a: { type: "string", default: null },
    b: { type: "integer", default: "x" },
  });
  const { session, names } = await openWith([define("sloppy", { inputSchema })]);
  expect(names).toEqual(["mcp__sample__sloppy"]);
  expect((await session.call("mcp__sample__sloppy", { b: 1 })).text).toBe('{"b":1}');
});

test("hidden characters in a result are taken out", async () => {
  const { session } = await openWith([define("controls")]);
  expect((await session.call("mcp__sample__controls", {})).text).toBe("abcd👩\u200d💻");
});

test("images are told by their first bytes", async () => {
  const { session } = await openWith([define("picture")]);
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").toString("base64");
  const shown = await session.call("mcp__sample__picture", { data: png, mimeType: "text/html" });
  expect(shown.content).toEqual([{ type: "image", data: png, mimeType: "image/png" }]);
  const page = Buffer.from("<html><script>").toString("base64");
  const refused = await session.call("mcp__sample__picture", { data: page, mimeType: "image/png" });
  expect(refused.text).toContain("not a valid PNG, JPEG, GIF or WebP");
  const large = Buffer.concat([Buffer.from(png, "base64"), Buffer.alloc(6_000_000)]).toString("base64");
  const tooLarge = await session.call("mcp__sample__picture", { data: large, mimeType: "image/png" });
  expect(tooLarge.text).toMatch(/image left out: [\d,]+ bytes is too large/);
});

test("a result of many parts is cut, and one nested without end is left out", async () => {
  const { session } = await openWith([define("many"), define("deep")]);
  expect((await session.call("mcp__sample__many", {})).text).toMatch(
    /part 199\n\[300 more parts left out\]$/,
  );
  expect((await session.call("mcp__sample__deep", { depth: 300 })).text).toContain("data left out");
  expect((await session.call("mcp__sample__deep", { depth: 3 })).data).toEqual({
    value: { value: { value: {} } },
  });
});

test("an answer that is nested without end, or makes no sense, fails the call that waits for it", async () => {
  const mcpServers = { deep: rawServer("deep"), senseless: rawServer("senseless") };
  const { session } = await openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers,
  });
  expect((await session.call("mcp__deep__ask", {})).error?.message).toContain("is nested too deeply");
  expect((await session.call("mcp__senseless__ask", {})).error?.message).toContain("not a valid message");
});

test("a result that does not match the tool's output schema is a failed call", async () => {
  const outputSchema = { type: "object", properties: { sum: { type: "string" } }, required: ["sum"] };
  const { session } = await openWith([define("add", { outputSchema }), define("echo", { outputSchema })]);
  for (const name of ["add", "echo"]) {
    expect((await session.call(`mcp__sample__${name}`, { a: 1, b: 1 })).error?.code).toBe("invalid-output");
  }
});
