import { expect, test } from "vitest";
import { builtinTools } from "../../src/capabilities.ts";
import { checkDialect } from "../../src/kernel/dialects/check/check-dialect.ts";
import { dialects } from "../../src/kernel/dialects/dialects.ts";
import { internal } from "../../src/kernel/dialects/tables/internal.ts";
import { createDialectForm } from "../../src/kernel/dialects/tool-form.ts";
import type { AnyTool } from "../../src/tool/define-tool.ts";
import type { ToolContext } from "../../src/tool/tool-context.ts";

const builtins = new Map<string, AnyTool>(builtinTools.map((tool) => [tool.name, tool]));

test.each(dialects)("the dialect $name passes the check of a user's own", (dialect) => {
  expect(checkDialect(dialect, { tools: builtins, others: dialects })).toEqual(dialect);
});

test("a built-in tool declares its parameters only as properties, where a dialect can rename them", () => {
  const combining = ["allOf", "anyOf", "oneOf", "if", "not", "dependentRequired", "dependentSchemas"];
  for (const { name, inputSchema } of builtins.values()) {
    expect(inputSchema.additionalProperties, name).toBe(false);
    expect(combining.filter((keyword) => keyword in inputSchema)).toEqual([]);
  }
});

test("every built-in tool has its internal name", () => {
  const ownNames = new Map([
    ["search_glob", "internal_file_glob"],
    ["search_grep", "internal_code_search"],
    ["shell_run", "internal_system_execute"],
    ["shell_output", "internal_system_output"],
    ["shell_kill", "internal_system_kill"],
    ["web_fetch", "internal_network_fetch"],
    ["web_search", "internal_network_search"],
  ]);
  for (const name of builtins.keys())
    expect(internal.tools[name]?.name).toBe(ownNames.get(name) ?? `internal_${name}`);
});

test("a listing under its internal name tells name, path, type, size and mtime of every entry", async () => {
  const tool = builtins.get("file_list")!;
  const entry = { name: "a", path: "src/a", type: "file" };
  const modifiedAt = "2026-01-01T00:00:00.000Z";
  const list = async () => ({
    path: "src",
    entries: [{ ...entry, sizeBytes: 3, modifiedAt }],
    truncated: false,
  });
  const data = await tool.run({ path: "src", recursive: false, offset: 0 }, {
    files: { list },
    maxOutputCharacters: 1000,
  } as unknown as ToolContext);
  const form = createDialectForm(tool, internal.tools.file_list!, internal);
  expect(form.encodeResult({ data, text: "", input: {} }).data).toEqual({
    path: "src",
    entries: [{ ...entry, size: 3, mtime: modifiedAt }],
    total: 1,
    truncated: false,
  });
});
