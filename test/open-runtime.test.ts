import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRuntime, type RuntimeOptions } from "../src/index.ts";
import { openTestSession, temporaryFolder } from "./support/open-test-session.ts";
import { echo } from "./support/sample-tools.ts";

test.each<[string, object, string]>([
  ["an unknown option", { workspaces: "." }, "workspaces is not an option; did you mean workspace?"],
  ["an unknown mode", { permissions: { mode: "yolo" } }, "mode must be one of readonly, ask, edit, auto"],
  ["an unknown dialect", { dialect: "klingon" }, "dialect must be one of flyto, internal"],
  ["an unknown store", { store: "mysql://x" }, 'unknown store "mysql://x"'],
  ["a deadline that makes no sense", { timeoutMs: 0 }, "timeoutMs must be a number above 0"],
  ["an unknown kind of approvals", { approvals: "always" }, "approvals must be one of queue"],
  ["a sandbox that must be there", { sandbox: "required", workspace: "/proc" }, "a sandbox is required"],
  ["an unknown key of output", { output: { maxChars: 1 } }, "output.maxChars is not an option"],
  [
    "an output limit below 0",
    { output: { maxCharacters: -1 } },
    "output.maxCharacters must be a whole number",
  ],
  ["an output limit that says nothing", { output: { maxCharacters: 999 } }, "of at least 1000; received 999"],
  ["an output limit in words", { output: { tools: { Read: "1000" } } }, "output.tools.Read must be"],
  ["a limit for no tool", { output: { tools: { Raed: 2000 } } }, 'there is no tool "Raed"'],
  ["MCP servers", { mcpServers: { a: {} } }, 'MCP server a: set either "command"'],
])("%s is refused when the runtime opens", async (_what, options, message) => {
  const workspace = await temporaryFolder();
  await expect(openRuntime({ workspace, store: "memory:", ...options } as RuntimeOptions)).rejects.toThrow(
    message,
  );
});

test("a workspace that is missing or a file is refused, and nothing is made for it", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "file"), "");
  await expect(openRuntime({ workspace: join(folder, "nope") })).rejects.toThrow("nope");
  await expect(openRuntime({ workspace: join(folder, "file") })).rejects.toThrow("file");
});

test("the options of the design are taken as they are written there", async () => {
  const workspace = await temporaryFolder();
  const runtime = await openRuntime({
    workspace,
    store: "memory:",
    dialect: "flyto",
    tools: [],
    plugins: [],
    toolFolders: [],
    mcpServers: {},
    permissions: { mode: "ask", allow: [], ask: [], deny: [] },
    hooks: {},
    budget: {},
    sandbox: "auto",
  });
  await runtime.close();
});

test("tools from every source meet in one catalogue, in groups, and can be added while it runs", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "text"));
  const classic = `module.exports = { name: "shout", description: "Shouts.", inputSchema: { type: "object", properties: {} },
    handler: async () => ({ content: [{ type: "text", text: "HEY" }] }), metadata: { type: "internal" } };`;
  await writeFile(join(folder, "text/shout.cjs"), classic);
  await writeFile(join(folder, "broken.mjs"), "export default {");
  const { runtime, session } = await openTestSession({ toolFolders: [folder], dialect: "internal" });
  runtime.tools.register(echo);
  expect(session.tools().map(({ name }) => name)).toEqual(
    expect.arrayContaining(["internal_file_read", "internal_file_list", "internal_text_shout", "echo"]),
  );
  expect(runtime.tools.groups()).toMatchObject({
    file: expect.arrayContaining(["internal_file_read"]),
    text: ["internal_text_shout"],
  });
  expect((await session.call("internal_text_shout")).error?.code).toBe("approval-needed");
  expect((await session.call("echo", { text: "hi" })).text).toBe("hi");
  expect(runtime.problems()).toMatchObject([{ subject: expect.stringContaining("broken.mjs") }]);
});

test("a tool of the user's own shadows a built-in name of the dialect, and explain tells", async () => {
  const mine = { ...echo, name: "Read", aliases: [] };
  const { runtime, session } = await openTestSession({ tools: [{ tool: mine, override: true }] });
  expect((await session.call("Read", { text: "mine" })).text).toBe("mine");
  expect((await session.call("file_list")).status).toBe("done");
  expect(runtime.tools.explain("Read")).toMatchObject({
    providedBy: { layer: "inline" },
    shadowed: [{ tool: "file_read", layer: "builtin" }],
  });
});

test("a description may depend on the session", async () => {
  const here = {
    ...echo,
    description: ({ mode, workspace }: { mode: string; workspace: string }) => `${mode} in ${workspace}`,
  };
  const { session, workspace } = await openTestSession({ tools: [here] }, { mode: "edit" });
  const shown = session.tools().find(({ name }) => name === "echo");
  expect(shown?.description).toBe(`edit in ${workspace}`);
});

test("the internal dialect speaks its own errors", async () => {
  const { session } = await openTestSession({ dialect: "internal" });
  expect((await session.call("internal_nope")).error?.message).toBe("未知的工具: internal_nope");
  expect((await session.call("internal_file_read", { path: "nope.txt" })).error?.message).toMatch(
    /^操作失败: /,
  );
});
