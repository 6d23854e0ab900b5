import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AnyTool, defineTool, openRuntime, type RuntimeOptions } from "../../../src/index.ts";
import { dialectNames } from "../../../src/kernel/dialects/dialect.ts";
import { flyto } from "../../../src/kernel/dialects/tables/flyto.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";

function newcomer(name: string, aliases: readonly string[] = []): AnyTool {
  return defineTool({ name, aliases, description: "Takes a name.", params: {}, run: () => "newcomer" });
}

/** Every name that a built-in tool has in the default dialect, and its canonical name. */
const names = new Map(
  [...dialectNames(flyto)].flatMap(([name, tool]) => [[name, tool] as const, [tool, tool] as const]),
);
const someNames = ["Bash", "Read", "file_read", "shell_run"];

/** Each way in which a tool can come, with or without `override`. */
const ways: Record<string, (tool: AnyTool, override: boolean) => RuntimeOptions> = {
  tools: (tool, override) => ({ tools: [override ? { tool, override } : tool] }),
  "a plugin": (tool, override) => ({
    plugins: [
      override
        ? { name: "p", register: (api) => api.registerTool(tool, { override }) }
        : { name: "p", tools: [tool] },
    ],
  }),
};

test("a name that a built-in tool has in another dialect is free, and a rule on it binds both", async () => {
  const permissions = { mode: "auto", deny: ["grep"] } as const;
  const { session } = await openTestSession({ tools: [newcomer("grep"), newcomer("replace")], permissions });
  expect((await session.call("replace", {})).text).toBe("newcomer");
  expect((await session.call("grep", {})).status).toBe("denied");
  expect((await session.call("Grep", { pattern: "x" })).status).toBe("denied");
  expect((await session.call("search_grep", { pattern: "x" })).status).toBe("denied");
});

test("no tool can be registered under a name that a built-in tool has in the runtime's dialect", async () => {
  const { runtime } = await openTestSession();
  for (const name of names.keys()) {
    expect(() => runtime.tools.register(newcomer(name)), name).toThrow(/is the name of|reserved prefix/);
    expect(() => runtime.tools.register(newcomer(name), { layer: "builtin" }), name).toThrow();
    expect(() => runtime.tools.register(newcomer("other", [name])), name).toThrow("is the name of");
  }
  expect(runtime.tools.list().every(({ layer }) => layer === "builtin")).toBe(true);
});

test.each(someNames)("no tool called %s can come in the options or from a plugin either", async (name) => {
  const workspace = await temporaryFolder();
  const opening = openRuntime({ workspace, store: "memory:", tools: [newcomer(name)] });
  await expect(opening).rejects.toThrow(`${name} is the name of`);
  const { runtime, session } = await openTestSession({ ...ways["a plugin"]!(newcomer(name), false) });
  expect(runtime.problems()).toMatchObject([{ source: "plugin p", subject: name }]);
  expect(session.tools().filter((tool) => tool.description === "Takes a name.")).toEqual([]);
});

test.each(Object.keys(ways).flatMap((way) => someNames.map((name) => [way, name] as const)))(
  "with override, a tool from %s called %s is bound by what is denied by any of its names, and so is the tool it hides",
  async (way, name) => {
    const canonical = names.get(name)!;
    const alike = [...names].filter(([, tool]) => tool === canonical).map(([each]) => each);
    for (const denied of [...alike, `${alike[0]!.slice(0, -1)}*`]) {
      const { runtime, session } = await openTestSession({
        ...ways[way]!(newcomer(name), true),
        permissions: { mode: "auto", deny: [denied] },
      });
      expect(runtime.problems()).toEqual([]);
      const input = { file_read: { path: "a" }, shell_run: { command: "true" } }[canonical];
      expect((await session.explain(name)).decision, `${name} by ${denied}`).toBe("deny");
      if (name !== canonical)
        expect((await session.explain(canonical, input)).decision, `${canonical} by ${denied}`).toBe("deny");
      expect(runtime.tools.explain(name)).toMatchObject({
        providedBy: { tool: name },
        shadowed: [{ tool: canonical, layer: "builtin" }],
      });
    }
  },
);

test("a tool that is registered later, and overrides, is bound by the rules that were there before", async () => {
  const { runtime, session } = await openTestSession({ permissions: { mode: "auto", deny: ["Bash"] } });
  runtime.tools.register(newcomer("Bash"), { override: true });
  expect((await session.call("Bash")).status).toBe("denied");
  expect((await session.call("shell_run", { command: "true" })).status).toBe("denied");
});

test("a rule that allows a name that was taken allows only the tool that has it", async () => {
  const { session } = await openTestSession({
    tools: [{ tool: newcomer("Bash"), override: true }],
    permissions: { allow: ["Bash"] },
  });
  expect((await session.explain("Bash")).decision).toBe("allow");
  expect((await session.explain("shell_run", { command: "touch x" })).decision).toBe("ask");
});

test("a tool cannot be registered where it would be hidden at once", async () => {
  const { runtime, session } = await openTestSession({ tools: [newcomer("mine")] });
  for (const override of [false, true])
    expect(() => runtime.tools.register(newcomer("mine"), { override })).toThrow(
      "mine is already provided by options.tools, which comes first",
    );
  expect((await session.explain("mine")).decision).toBe("ask");
});

test("a folder's file that a dialect's name would hide is reported, and can override it", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "code"));
  const file = join(folder, "code", "search.js");
  const text = `export default { description: "Mine", inputSchema: { type: "object" }, handler: () => ({ content: [{ type: "text", text: "mine" }] }) };`;
  await writeFile(file, text);
  const open = () =>
    openTestSession({ dialect: "internal", toolFolders: [folder], permissions: { mode: "auto" } });
  const before = await open();
  expect(before.runtime.problems()).toMatchObject([
    {
      subject: "code_search",
      message: expect.stringContaining(
        "code_search would be offered as internal_code_search, which is the name of the built-in tool search_grep",
      ),
    },
  ]);
  await writeFile(file, `${text}\nexport const override = true;`);
  const { runtime, session } = await open();
  expect(runtime.problems()).toEqual([]);
  expect((await session.call("internal_code_search")).text).toBe("mine");
  expect(session.tools().filter(({ name }) => name === "internal_code_search")).toMatchObject([
    { description: "Mine" },
  ]);
  const denied = await openTestSession({
    dialect: "internal",
    toolFolders: [folder],
    permissions: { mode: "auto", deny: ["internal_code_search"] },
  });
  expect((await denied.session.explain("internal_code_search")).decision).toBe("deny");
  expect((await denied.session.explain("search_grep", { pattern: "a" })).decision).toBe("deny");
});

test("in a dialect without such names, the same file is a tool like any other", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "code"));
  await writeFile(
    join(folder, "code", "search.js"),
    `export default { description: "Mine", inputSchema: { type: "object" }, handler: () => ({ content: [{ type: "text", text: "mine" }] }) };`,
  );
  const { runtime, session } = await openTestSession({
    toolFolders: [folder],
    permissions: { mode: "auto" },
  });
  expect(runtime.problems()).toEqual([]);
  expect((await session.call("code_search")).text).toBe("mine");
});
