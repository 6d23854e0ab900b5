import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ToolsService, type ToolsServiceOptions } from "../../../src/systems/internal/index.ts";
import { putFiles } from "../../support/open-file-session.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

/** A file as the system's users write it. */
const file = (fields: string) => `module.exports = {
  description: "Acts.",
  inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  ${fields}
};`;

async function openService(files: Record<string, string>, options: Partial<ToolsServiceOptions> = {}) {
  const base = await temporaryFolder();
  const workspace = join(base, "project");
  await putFiles(base, { "project/a.txt": "one\n" });
  await putFiles(join(base, "internal-tools"), files);
  const service = new ToolsService({
    toolsDir: join(base, "internal-tools"),
    ...options,
    toolwright: { workspace, store: "memory:", permissions: { mode: "auto" }, ...options.toolwright },
  });
  onTestFinished(() => service.close());
  return service;
}

test("N13, N14, N15: tools are listed as OpenAI takes them, run by their full names, and an unknown one is told", async () => {
  const service = await openService({
    "mail/find.js": file(
      'name: "find", handler: async ({ query }) => ({ content: [{ type: "text", text: query }] })',
    ),
  });
  const names = (await service.getTools()).map((tool) => tool.function.name);
  expect(names).toEqual(expect.arrayContaining(["internal_mail_find", "internal_file_read"]));
  expect(await service.runTools("internal_mail_find", { query: "x" })).toEqual({
    content: [{ type: "text", text: "x" }],
  });
  expect(await service.groups()).toMatchObject({ mail: ["internal_mail_find"] });
  await expect(service.runTools("internal_mail_lose", {})).rejects.toThrow("未知的工具: internal_mail_lose");
  await expect(service.runTools("internal_mail_find", {})).rejects.toThrow(/^操作失败: /);
});

test("N20: a handler finds the host's services, models and the logger in its context, and the runtime's own beside them", async () => {
  const logged: string[] = [];
  const service = await openService(
    {
      "mail/find.js": file(`handler: async ({ query }, ctx) => {
        ctx.logger.info("searching");
        const found = await ctx.service.search.search(query);
        const users = await ctx.model.User.findAll();
        const { text } = await ctx.files.readText("a.txt");
        return { content: [{ type: "text", text: JSON.stringify([found, users, text, typeof ctx.sessionId]) }] };
      }`),
    },
    {
      ctx: {
        service: { search: { search: async (query: string) => `found ${query}` } },
        model: { User: { findAll: async () => ["Ann"] } },
        // What is there cannot be replaced.
        sessionId: 5,
      },
      toolwright: {
        logger: { debug() {}, info: (line) => logged.push(line), warn() {}, error() {} },
      },
    },
  );
  const { content } = await service.runTools("internal_mail_find", { query: "x" });
  expect(content).toEqual([{ type: "text", text: '["found x",["Ann"],"one\\n","string"]' }]);
  expect(logged).toContain("searching");
  expect(logged).toContain("[InternalToolLoader] 已加载工具: internal_mail_find");
});

test("files in the words of other systems work: parameters and execute, a text as result, undeclared arguments", async () => {
  const files = {
    "mail/count.js": `module.exports = {
      description: "Counts.",
      parameters: { type: "object", properties: {} },
      execute: async (args) => String(Object.keys(args).length),
    };`,
  };
  const strict = await openService(files);
  expect(await strict.runTools("internal_mail_count", {})).toEqual({
    content: [{ type: "text", text: "0" }],
  });
  await expect(strict.runTools("internal_mail_count", { more: 1 })).rejects.toThrow("more");
  const lenient = await openService(files, { acceptsUndeclared: true });
  expect(await lenient.runTools("internal_mail_count", { more: 1 })).toEqual({
    content: [{ type: "text", text: "1" }],
  });
});

test("N12, N18: a file takes the place of a built-in tool only on purpose, and a failure says so once", async () => {
  const files = (more: string) => ({
    "code/search.js": file(`${more} handler: async () => { throw new Error("操作失败: no index"); }`),
  });
  const own = await openService(files("override: true,"));
  await expect(own.runTools("internal_code_search", { query: "x" })).rejects.toThrow(/^操作失败: no index$/);
  expect(await own.groups()).toMatchObject({ code: expect.arrayContaining(["internal_code_search"]) });
  const builtIn = await openService(files(""));
  const { content } = await builtIn.runTools("internal_code_search", { query: "one" });
  expect(JSON.stringify(content)).toContain("a.txt");
});

test("a runtime that cannot be opened is told, and tried again", async () => {
  const service = new ToolsService({
    toolsDir: "x",
    toolwright: { workspace: "/nonexistent/place", store: "memory:" },
  });
  await expect(service.ensureInitialized()).rejects.toThrow();
  await expect(service.getTools()).rejects.toThrow();
  await service.close();
});
