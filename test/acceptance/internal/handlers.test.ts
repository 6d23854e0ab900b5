import { expect, test } from "vitest";
import { openToolFolder, openTools } from "./open-tool-folder.ts";

/** A file whose handler has this body; the input must have a text. */
const handling = (body: string, fields = "") => `module.exports = {
  name: "act",
  description: "Acts.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  handler: async (args, ctx) => { ${body} },
  ${fields}
};`;

const answer = 'return { content: [{ type: "text", text: args.text }] };';

test("N10: a tool is an object with description, schema and handler, and may have metadata and annotations", async () => {
  const metadata = 'metadata: { type: "internal", source: "act.js" },';
  const { session, runtime } = await openToolFolder(
    {
      "group/act.js": handling(answer, metadata),
      "group/look.js": handling(answer, "annotations: { readOnlyHint: true }").replace('"act"', '"look"'),
      "group/no_handler.js": 'module.exports = { description: "x", inputSchema: { type: "object" } };',
      "group/no_schema.js": 'module.exports = { description: "x", handler() {} };',
    },
    { permissions: { mode: "readonly" } },
  );
  const tools = new Map(session.tools().map((tool) => [tool.name, tool]));
  expect(tools.get("internal_group_act")).toMatchObject({
    description: "Acts.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    annotations: { readOnlyHint: false },
  });
  expect(tools.get("internal_group_look")?.annotations.readOnlyHint).toBe(true);
  expect((await session.call("internal_group_look", { text: "hi" })).text).toBe("hi");
  expect((await session.call("internal_group_act", { text: "hi" })).status).toBe("denied");
  expect(runtime.problems().map(({ subject }) => subject)).toEqual([
    "group/no_handler.js",
    "group/no_schema.js",
  ]);
});

test("N11: a result must be in the form of MCP, with its content as a list of parts; a text alone is taken for one", async () => {
  const { session } = await openToolFolder({
    "group/act.js": handling(answer),
    "group/text.js": handling("return args.text;").replace('"act"', '"text"'),
    "group/list.js": handling("return [args.text];").replace('"act"', '"list"'),
  });
  expect(await session.call("internal_group_act", { text: "hi" })).toMatchObject({
    status: "done",
    content: [{ type: "text", text: "hi" }],
  });
  expect(await session.call("internal_group_text", { text: "hi" })).toMatchObject({
    status: "done",
    text: "hi",
  });
  expect((await session.call("internal_group_list", { text: "hi" })).error).toMatchObject({
    code: "invalid-output",
    message: "操作失败: the handler did not return an MCP result",
  });
});

test("N12: a failure is an error that begins with the document's words exactly once, whether the handler writes them or not", async () => {
  const tools = await openTools({
    "group/plain.js": handling('throw new Error("no such file");').replace('"act"', '"plain"'),
    "group/worded.js": handling('throw new Error("操作失败: no such file");').replace('"act"', '"worded"'),
    "group/marked.js": handling(
      'return { content: [{ type: "text", text: "操作失败: no such file" }], isError: true };',
    ).replace('"act"', '"marked"'),
  });
  for (const name of ["plain", "worded", "marked"])
    await expect(tools.runTools(`internal_group_${name}`, { text: "x" })).rejects.toThrow(
      new Error("操作失败: no such file"),
    );
  await expect(tools.runTools("internal_file_read", { path: "nowhere.txt" })).rejects.toThrow(
    /^操作失败: (?!操作失败)/,
  );
});

test("N20: a handler's context has the service, the models and a logger", async () => {
  const logged: unknown[] = [];
  const log = (message: string, data: unknown) => logged.push([message, data]);
  const service = { search: { search: async (query: string) => [`found ${query}`] } };
  const model = { User: { findAll: async () => ["Ada"] } };
  const tools = await openTools(
    {
      "group/act.js": handling(`
        const results = await ctx.service.search.search(args.text);
        ctx.logger.info("at work", { text: args.text });
        const users = await ctx.model.User.findAll();
        return { content: [{ type: "text", text: JSON.stringify([results, users]) }] };`),
    },
    {
      ctx: { service, model, logger: "not this one" },
      toolwright: { logger: { debug: log, info: log, warn: log, error: log } },
    },
  );
  expect(await tools.runTools("internal_group_act", { text: "hi" })).toEqual({
    content: [{ type: "text", text: '[["found hi"],["Ada"]]' }],
  });
  expect(logged.at(-1)).toEqual(["at work", { text: "hi" }]);
});

test("N22: a tool runs in this process, after its arguments were checked, and what it throws or opens is kept in bounds", async () => {
  const { session } = await openToolFolder({
    "group/act.js": handling('return { content: [{ type: "text", text: String(process.pid) }] };'),
    "group/open.js": handling("return ctx.files.readText(args.text);").replace('"act"', '"open"'),
  });
  expect((await session.call("internal_group_act", { text: "" })).text).toBe(String(process.pid));
  expect((await session.call("internal_group_act", {})).error).toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining("$.text"),
  });
  expect((await session.call("internal_group_open", { text: "../outside.txt" })).status).toBe("denied");
  expect((await session.call("internal_group_open", { text: "nowhere.txt" })).status).toBe("failed");
  const outside = await session.call("internal_system_execute", { command: "true", cwd: "/" });
  expect(outside.status).not.toBe("done");
});
