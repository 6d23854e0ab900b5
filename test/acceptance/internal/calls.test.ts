import { expect, test } from "vitest";
import { define, sampleServer } from "../../capabilities/mcp-client/sample-servers.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { until } from "../../support/until.ts";
import { openToolFolder, openTools, toolFile } from "./open-tool-folder.ts";

const allowed = { mode: "auto", allow: ["@execute", "@network"] } as const;

/** A tool of somebody's own MCP client. */
const remote = {
  name: "do_it",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  execute: ({ text }: { text: string }) => ({ content: [{ type: "text", text: `remote ${text}` }] }),
};

test("N13: the calls in a model's message go to internal tools or to the right MCP server, and each answer to its call", async () => {
  const { session, runtime } = await openToolFolder(
    { "mail/send.js": toolFile("", "sent") },
    { permissions: allowed },
  );
  await runtime.tools.registerMCPLoader("my", () => [
    { ...remote, name: "server_do_it", execute: () => "wrong" },
  ]);
  await runtime.tools.registerMCPLoader("my_server", () => [remote]);
  const asked = (id: string, name: string, args: object) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  });
  const answers = await session.handle({
    role: "assistant",
    content: null,
    tool_calls: [
      asked("one", "internal_mail_send", {}),
      asked("two", "mcp__my_server__do_it", { text: "hi" }),
      asked("three", "internal_file_read", { path: "nowhere.txt" }),
    ],
  });
  expect(answers).toEqual([
    { role: "tool", tool_call_id: "one", content: "sent" },
    { role: "tool", tool_call_id: "two", content: "remote hi" },
    { role: "tool", tool_call_id: "three", content: expect.stringMatching(/^操作失败: /) },
  ]);
});

test("N13: a server whose name has an underscore is found by the name with single underscores", async () => {
  const { session, runtime } = await openTestSession({ dialect: "internal", permissions: allowed });
  await runtime.tools.registerMCPLoader("my_server", () => [remote]);
  expect(session.tools().map(({ name }) => name)).toContain("mcp_my_server_do_it");
  const { text, receipt } = await session.call("mcp_my_server_do_it", { text: "hi" });
  expect(text).toBe("remote hi");
  expect(receipt.tool).toBe("mcp__my_server__do_it");
});

test("N14: an unknown name is an error in the document's words", async () => {
  const tools = await openTools({});
  for (const name of ["internal_file_reed", "mcp_nobody_does", "something"])
    await expect(tools.runTools(name, {})).rejects.toThrow(new Error(`未知的工具: ${name}`));
});

test("N15: the tools in OpenAI's format are the internal ones, the folder's and those of servers that are on and running", async () => {
  const { options } = await sampleServer([define("do_it")]);
  const tools = await openTools(
    { "mail/send.js": toolFile() },
    {
      toolwright: {
        permissions: allowed,
        mcpServers: {
          on: options,
          off: { ...options, enabled: false },
          broken: { command: "/nonexistent/server" },
        },
      },
    },
  );
  const session = await tools.session();
  await until(async () => session.tools().some(({ name }) => name === "mcp_on_do_it"));
  const listed = await tools.getTools();
  const names = listed.map((tool) => tool.function.name);
  expect(names).toEqual(expect.arrayContaining(["internal_file_read", "internal_mail_send", "mcp_on_do_it"]));
  expect(names.filter((name) => /^mcp_+(off|broken)/.test(name))).toEqual([]);
  expect(listed.find((tool) => tool.function.name === "mcp_on_do_it")).toMatchObject({
    type: "function",
    function: { description: "The tool do_it", parameters: { type: "object" } },
  });
});

test("N16: the tools of a folder are loaded once, when the runtime opens, for all its sessions", async () => {
  const counting = "globalThis.timesLoaded = (globalThis.timesLoaded ?? 0) + 1;\n";
  const { session, runtime } = await openToolFolder({ "mail/send.js": counting + toolFile("", "sent") });
  const other = await runtime.openSession();
  for (const each of [session, other, session])
    expect((await each.call("internal_mail_send")).text).toBe("sent");
  expect((globalThis as { timesLoaded?: number }).timesLoaded).toBe(1);
});
