import { expect, test } from "vitest";
import { adaptClassicTool } from "../../../../src/kernel/registry/folders/classic-tool.ts";
import type { ToolContext } from "../../../../src/tool/tool-context.ts";
import { normalizeResult } from "../../../../src/tool/tool-result.ts";

const context = { sessionId: "s1" } as ToolContext;

function classic(handler: (input: unknown, context: ToolContext) => unknown) {
  return adaptClassicTool(
    {
      name: "read",
      description: "Reads",
      inputSchema: {
        type: "object",
        properties: { path: { type: "string" }, limit: { type: "number", default: 10 } },
        required: ["path"],
      },
      handler,
      metadata: { type: "internal", source: "file" },
    },
    "file_read",
  );
}

test("a classic tool becomes a tool like any other, under the name it is given", async () => {
  const tool = classic((input) => ({ content: [{ type: "text", text: JSON.stringify(input) }] }));
  expect(tool).toMatchObject({ name: "file_read", description: "Reads", traits: { readOnly: false } });
  expect(await tool.validateInput({ path: "a" })).toEqual({ ok: true, value: { path: "a", limit: 10 } });
  expect(await tool.validateInput({})).toMatchObject({ ok: false });
  expect(normalizeResult(await tool.run({ path: "a" }, context)).text).toBe('{"path":"a"}');
});

test("the handler gets the context, and its own object as this", async () => {
  const object = {
    greeting: "hello",
    description: "Greets",
    inputSchema: { type: "object", properties: {} },
    handler(this: { greeting: string }, _input: unknown, { sessionId }: ToolContext) {
      return { content: [{ type: "text", text: `${this.greeting} ${sessionId}` }] };
    },
  };
  expect(normalizeResult(await adaptClassicTool(object, "greet").run({}, context)).text).toBe("hello s1");
});

test("the hints of a classic tool are its traits, and a hint that is neither true nor false counts for nothing", () => {
  const withHints = (annotations: unknown) =>
    adaptClassicTool(
      {
        description: "Looks",
        inputSchema: { type: "object", properties: {} },
        handler: () => ({ content: [] }),
        annotations,
      },
      "look",
    ).traits;
  expect(
    withHints({ readOnlyHint: true, idempotentHint: true, openWorldHint: true, title: "Look" }),
  ).toMatchObject({ readOnly: true, destructive: false, idempotent: true, openWorld: true });
  expect(withHints({ readOnlyHint: "yes", destructiveHint: true })).toMatchObject({
    readOnly: false,
    destructive: true,
  });
  expect(() => withHints("readOnlyHint")).toThrow("annotations must be an object of hints");
});

test("parts of a classic tool's answer stay as they are, and structured content is kept", async () => {
  const annotations = { audience: ["user"] };
  const tool = classic(() => ({
    content: [
      { type: "text", text: "see", annotations },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", text: "a" } },
      { type: "resource", resource: { uri: "file:///b", mimeType: "application/pdf", blob: "aGk=" } },
      { type: "resource_link", uri: "file:///c", name: "c", size: 5, annotations },
    ],
    structuredContent: { count: 2 },
  }));
  expect(await tool.run({}, context)).toEqual({
    content: [
      { type: "text", text: "see" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", uri: "file:///a", text: "a" },
      { type: "resource", uri: "file:///b", mimeType: "application/pdf", blob: "aGk=" },
      { type: "link", uri: "file:///c", name: "c" },
    ],
    data: { count: 2 },
  });
});

test.each([
  ["of no known kind", { type: "video", data: "aGk=" }],
  ["without an address", { type: "resource", resource: { text: "a" } }],
  ["without what it holds", { type: "resource", resource: { uri: "file:///a" } }],
  ["without a name", { type: "resource_link", uri: "file:///c" }],
  ["that is no object", "text"],
  ["that is nothing", null],
])("a part %s becomes data", async (_what, part) => {
  const tool = classic(() => ({ content: [part] }));
  expect(await tool.run({}, context)).toEqual({ content: [{ type: "structured", data: part }] });
});

test("an empty answer is an empty result", async () => {
  expect(normalizeResult(await classic(() => ({ content: [] })).run({}, context)).text).toBe("");
});

test("an error that the handler throws goes on as it is", async () => {
  const failure = new Error("操作失败: no such file");
  const tool = classic(async () => {
    throw failure;
  });
  await expect(tool.run({}, context)).rejects.toBe(failure);
});

test("an answer marked as an error fails the call with its text", async () => {
  const tool = classic(() => ({ content: [{ type: "text", text: "no such file" }], isError: true }));
  await expect(tool.run({}, context)).rejects.toMatchObject({ code: "tool-failed", message: "no such file" });
});

test.each([[5], [undefined], [{ text: "x" }], [{ content: "x" }]])(
  "an answer in another format is refused: %j",
  async (answer) => {
    await expect(classic(() => answer).run({}, context)).rejects.toMatchObject({ code: "invalid-output" });
  },
);
