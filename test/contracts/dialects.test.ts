import { describe, expect, test } from "vitest";
import type { ResultFields } from "../../src/runtime/dialects/dialect.ts";
import { dialectNames } from "../../src/runtime/dialects/dialect-names.ts";
import { dialects } from "../../src/runtime/dialects/dialects.ts";
import { internal } from "../../src/runtime/dialects/tables/internal.ts";
import { createDialectForm } from "../../src/runtime/dialects/tool-form.ts";
import { compileSchema } from "../../src/shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../src/shared/json-schema/json-schema.ts";
import type { AnyTool } from "../../src/tool/define-tool.ts";
import type { ToolContext } from "../../src/tool/tool-context.ts";
import { builtinTools } from "../../src/tools/index.ts";

const builtins = new Map<string, AnyTool>(builtinTools.map((tool) => [tool.name, tool]));

const acceptedByVendors = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

describe.each(dialects)("the dialect $name", (dialect) => {
  const rows = Object.entries(dialect.tools).map(([canonicalName, row]) => ({ canonicalName, row }));

  test("no two tools share a name, and none takes another tool's canonical name", () => {
    const names = dialectNames(dialect);
    expect(new Set(names.map(([name]) => name)).size).toBe(names.length);
    for (const [name, canonicalName] of names) {
      expect(name).toMatch(acceptedByVendors);
      if (builtins.has(name)) expect(name).toBe(canonicalName);
    }
  });

  describe.each(rows)("$canonicalName", ({ canonicalName, row }) => {
    const tool = builtins.get(canonicalName)!;
    const params = Object.entries(row.params ?? {});

    test("is a built-in tool", () => {
      expect([...builtins.keys()]).toContain(canonicalName);
    });

    test("has every parameter that the row speaks of", () => {
      expect(Object.keys(tool.inputSchema.properties!)).toEqual(
        expect.arrayContaining(params.map(([name]) => name)),
      );
    });

    test("keeps all parameters apart, and names none of them but in its list of properties", () => {
      const shown = Object.keys(tool.inputSchema.properties!)
        .filter((name) => row.params?.[name] !== null && row.params?.[name]?.fixed === undefined)
        .map((name) => row.params?.[name]?.name ?? name)
        .concat(Object.keys(row.ownParams ?? {}));
      expect(new Set(shown).size).toBe(shown.length);
      expect(tool.inputSchema.additionalProperties).toBe(false);
      const combining = ["allOf", "anyOf", "oneOf", "if", "not", "dependentRequired", "dependentSchemas"];
      expect(combining.filter((keyword) => keyword in tool.inputSchema)).toEqual([]);
    });

    test("hides only parameters that may be left out, and converts only numbers", () => {
      for (const [name, param] of params) {
        const property = tool.inputSchema.properties![name] as JsonSchema;
        if (param?.fixed !== undefined)
          expect(compileSchema(property)(param.fixed)).toEqual({ ok: true, value: param.fixed });
        else if (param === null) expect(tool.inputSchema.required ?? []).not.toContain(name);
        else if (param.countsFrom !== undefined || param.unit !== undefined) {
          expect(["integer", "number"]).toContain(property.type);
          expect(property.multipleOf).toBeUndefined();
        }
      }
    });

    test("has defaults that its own schema accepts", () => {
      const { inputSchema } = createDialectForm(tool, row, dialect);
      for (const property of Object.values(inputSchema.properties!)) {
        if (typeof property === "boolean" || property.default === undefined) continue;
        expect(compileSchema(property)(property.default)).toEqual({ ok: true, value: property.default });
      }
    });

    test("gives result fields that the tool has", () => {
      if (row.result === undefined) return;
      const { outputSchema } = createDialectForm(tool, row, dialect);
      expect(unknownFields(outputSchema!, row.result)).toEqual([]);
    });
  });
});

test("a name means the same tool in every dialect that has it", () => {
  const meanings = new Map<string, string>();
  for (const [name, canonicalName] of dialects.flatMap(dialectNames)) {
    expect(meanings.get(name) ?? canonicalName).toBe(canonicalName);
    meanings.set(name, canonicalName);
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

/** A field that was not found in the tool's output shows as a schema that accepts anything. */
function unknownFields(schema: JsonSchema, fields: ResultFields): string[] {
  return Object.entries(fields).flatMap(([field, source]) => {
    const property = schema.properties![field];
    if (typeof property !== "object") return [field];
    if (typeof source === "string" || !("fields" in source)) return [];
    return unknownFields("list" in source ? (property.items as JsonSchema) : property, source.fields);
  });
}
