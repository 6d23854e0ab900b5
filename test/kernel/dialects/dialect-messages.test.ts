import { expect, test } from "vitest";
import { createDialectMessages } from "../../../src/kernel/dialects/dialect-view.ts";
import { flyto } from "../../../src/kernel/dialects/tables/flyto.ts";
import { internal } from "../../../src/kernel/dialects/tables/internal.ts";

test("a failure is told in the dialect's sentence", () => {
  const { encodeError } = createDialectMessages(internal);
  expect(encodeError({ code: "not-found", message: "a.ts is not there" })).toBe(
    "操作失败: a.ts is not there",
  );
});

test("a failure whose tool says the dialect's sentence itself is told once", () => {
  const { encodeError } = createDialectMessages(internal);
  const message = "操作失败: a.ts is not there";
  expect(encodeError({ code: "tool-failed", message })).toBe(message);
});

test("a failure stays as it is where the dialect has no sentence of its own", () => {
  const { encodeError } = createDialectMessages(flyto);
  expect(encodeError({ code: "not-found", message: "a.ts is not there" })).toBe("a.ts is not there");
});

test("an unknown tool is told in the dialect's sentence, and not as a failure on top", () => {
  const { encodeError, unknownTool } = createDialectMessages(internal);
  const message = unknownTool("internal_file_raed", ["internal_file_read"]);
  expect(message).toBe("未知的工具: internal_file_raed");
  expect(encodeError({ code: "unknown-tool", message })).toBe(message);
});

test("an unknown tool comes with the nearest names where the dialect has no sentence of its own", () => {
  const { unknownTool } = createDialectMessages(flyto);
  expect(unknownTool("Raed", ["Read", "Grep"])).toBe(
    'there is no tool named "Raed"; did you mean Read or Grep?',
  );
  expect(unknownTool("xyz", [])).toBe('there is no tool named "xyz"');
});

test("a name or message that looks like a template stays text", () => {
  const { encodeError, unknownTool } = createDialectMessages(internal);
  expect(unknownTool("{name}$&", [])).toBe("未知的工具: {name}$&");
  expect(encodeError({ code: "tool-failed", message: "{message} $1" })).toBe("操作失败: {message} $1");
});

test("a name as long as a file is cut", () => {
  const { unknownTool } = createDialectMessages(internal);
  expect(unknownTool("x".repeat(1_000_000), []).length).toBeLessThan(200);
});

test("log lines about a loaded folder are in the dialect's words, or in those of the runtime", () => {
  const loaded = { files: 3, tools: ["internal_file_read", "internal_{count}"] };
  expect(createDialectMessages(internal).describeLoading(loaded)).toEqual([
    "[InternalToolLoader] 发现 3 个工具文件",
    "[InternalToolLoader] 已加载工具: internal_file_read",
    "[InternalToolLoader] 已加载工具: internal_{count}",
    "[InternalToolLoader] 成功加载 2 个内部工具",
  ]);
  expect(createDialectMessages(flyto).describeLoading({ files: 1, tools: ["x"] })).toEqual([
    "tool files found: 1",
    "tool loaded: x",
    "tools loaded: 1",
  ]);
});
