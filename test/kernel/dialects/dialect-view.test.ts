import { expect, test } from "vitest";
import type { Dialect } from "../../../src/kernel/dialects/dialect.ts";
import { createDialectView } from "../../../src/kernel/dialects/dialect-view.ts";
import { flyto } from "../../../src/kernel/dialects/tables/flyto.ts";
import { internal } from "../../../src/kernel/dialects/tables/internal.ts";
import { createRegistry } from "../../../src/kernel/registry/create-registry.ts";
import { createStaticSource } from "../../../src/kernel/registry/tool-source.ts";
import { emptyTool, fileList, fileRead, registryOf, session } from "./stand-ins.ts";

const builtin = [fileRead, fileList];

const entryFields = { name: "name", path: "path", type: "type", size: "sizeBytes", mtime: "modifiedAt" };
const renamingResults: Dialect = {
  ...internal,
  tools: {
    file_list: {
      name: "internal_file_list",
      result: { path: "path", entries: { list: "entries", fields: entryFields }, truncated: "truncated" },
    },
  },
};

test.each(["Read", "FileRead"])("%s leads to the built-in with the dialect's arguments", async (name) => {
  const resolved = createDialectView(flyto, await registryOf({ builtin })).resolve(name)!;
  expect(resolved.entry.name).toBe("file_read");
  expect(resolved.spokenName).toBe(name);
  expect(resolved.translateInput({ file_path: "/a.ts", offset: 9 })).toEqual({
    ok: true,
    input: { path: "/a.ts", offset: 10, limit: 2000 },
  });
});

test("the canonical name takes canonical arguments, relative paths too", async () => {
  const resolved = createDialectView(flyto, await registryOf({ builtin })).resolve("file_read")!;
  const input = { path: "a.ts", offset: 10 };
  expect(resolved.translateInput(input)).toEqual({ ok: true, input });
});

test("a tool that is spoken to by the dialect's name speaks of arguments as the dialect counts", async () => {
  const view = createDialectView(flyto, await registryOf({ builtin }));
  const spoken = view.resolve("Read")!.wording;
  expect(spoken.argument("offset", 2001)).toBe("offset=2000");
  expect(spoken.argument("path", "/a.ts")).toBe("file_path=/a.ts");
  expect(spoken.tool("file_read")).toBe("Read");
  expect(spoken.tool("file_list")).toBe("file_list");
  expect(view.resolve("file_read")!.wording.argument("offset", 2001)).toBe("offset=2001");
});

test("the canonical form of a dialect that keeps a tool's name is the dialect's", async () => {
  const dialect: Dialect = {
    ...flyto,
    tools: { file_read: { name: "file_read", params: { path: { name: "file" } } } },
  };
  const view = createDialectView(dialect, await registryOf({ builtin }));
  expect(view.resolve("file_read")!.translateInput({ file: "/a" })).toMatchObject({ input: { path: "/a" } });
});

test("a user's own tool takes a name from the dialect, and the built-in stays under its canonical name", async () => {
  const own = emptyTool("Read");
  const view = createDialectView(flyto, await registryOf({ builtin, inline: [own] }));
  expect(view.resolve("Read")!.entry.tool).toBe(own);
  expect(view.resolve("FileRead")!.entry.tool).toBe(fileRead);
  expect(view.nameOf("file_read")).toBe("file_read");
  const listed = view.list(session);
  expect(listed.map(({ name }) => name).sort()).toEqual(["Read", "file_list", "file_read"]);
  expect(listed.find(({ name }) => name === "file_read")!.inputSchema).toBe(fileRead.inputSchema);
});

test("a tool that took a built-in's place is not spoken to in the built-in's dialect", async () => {
  const own = emptyTool("file_read");
  const view = createDialectView(flyto, await registryOf({ builtin, plugin: [own] }));
  expect(view.resolve("Read")).toBeUndefined();
  expect(view.resolve("file_read")!.entry.tool).toBe(own);
  expect(view.list(session).map(({ name }) => name)).toEqual(["file_list", "file_read"]);
});

test("a dialect's name wins over another tool's alias, and an alias is found last", async () => {
  const own = emptyTool("mine", ["Read", "my_tool"]);
  const view = createDialectView(flyto, await registryOf({ builtin, inline: [own] }));
  expect(view.resolve("Read")!.entry.tool).toBe(fileRead);
  expect(view.resolve("my_tool")!.entry.tool).toBe(own);
});

test("a tool from a folder is offered with the prefix and found with and without it", async () => {
  const view = createDialectView(internal, await registryOf({ builtin, folder: [emptyTool("code_format")] }));
  expect(view.nameOf("code_format")).toBe("internal_code_format");
  expect(view.resolve("internal_code_format")!.entry.name).toBe("code_format");
  expect(view.resolve("code_format")!.entry.name).toBe("code_format");
});

test("the prefix belongs to the layer: tools from elsewhere do not answer to it", async () => {
  const view = createDialectView(internal, await registryOf({ inline: [emptyTool("code_format")] }));
  expect(view.nameOf("code_format")).toBe("code_format");
  expect(view.resolve("internal_code_format")).toBeUndefined();
});

test("a prefix is not put twice, nor where the name would become longer than vendors accept", async () => {
  const long = "a".repeat(60);
  const view = createDialectView(
    internal,
    await registryOf({ folder: [emptyTool("internal_x"), emptyTool(long)] }),
  );
  expect(view.nameOf("internal_x")).toBe("internal_x");
  expect(view.nameOf(long)).toBe(long);
});

test("every listed name is offered once and leads back to its tool", async () => {
  const folder = [emptyTool("x"), emptyTool("file_reader")];
  const inline = [emptyTool("internal_x"), emptyTool("internal_file_list")];
  const registry = await registryOf({ builtin, folder, inline });
  const view = createDialectView(internal, registry);
  const names = view.list(session).map(({ name }) => name);
  expect(new Set(names).size).toBe(6);
  expect(names.map((name) => view.resolve(name)!.entry.name)).toEqual(
    registry.list().map(({ name }) => name),
  );
});

test.each(["constructor", "__proto__", "toString", "", "READ", "internal_file_read"])(
  "no tool is found under the name %j",
  async (name) => {
    expect(createDialectView(flyto, await registryOf({ builtin })).resolve(name)).toBeUndefined();
  },
);

test("a tool is presented under the dialect's name and parameters, with its traits", async () => {
  const view = createDialectView(flyto, await registryOf({ builtin }));
  const [read] = view.list(session);
  expect(read).toEqual({
    name: "Read",
    description: "Read a text file.",
    inputSchema: {
      type: "object",
      properties: {
        file_path: { type: "string", format: "path", description: "The absolute path of the file" },
        offset: {
          type: "integer",
          minimum: 0,
          default: 0,
          description: "The line to start at, counted from 0",
        },
        limit: { type: "integer", minimum: 1, default: 2000, description: "How many lines" },
      },
      required: ["file_path"],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
      safetyLevel: 0,
    },
    metadata: {
      aliases: ["FileRead"],
      concurrencySafe: true,
      readOnly: true,
      destructive: false,
      safety: "changes-nothing",
    },
  });
});

test("a description may depend on the session", async () => {
  const registry = await registryOf({ builtin });
  const view = createDialectView(flyto, registry);
  const entry = registry.findExact("file_list")!;
  expect(view.present(entry, session).description).toBe("List a directory of /project.");
  expect(view.present(entry, { ...session, workspace: "/other" }).description).toMatch("/other");
});

test("results keep their shape under a canonical name and get the dialect's under its own", async () => {
  const view = createDialectView(renamingResults, await registryOf({ builtin }));
  const entry = { name: "a", path: "a", type: "file", sizeBytes: 3, modifiedAt: "2026-01-01T00:00:00Z" };
  const data = { path: ".", entries: [entry], truncated: false };
  const parts = { data, text: "a", input: {} };
  expect(view.resolve("file_list")!.encodeResult(parts)).toEqual({ data, text: "a" });
  expect(view.resolve("internal_file_list")!.encodeResult(parts).data).toEqual({
    path: ".",
    entries: [{ name: "a", path: "a", type: "file", size: 3, mtime: "2026-01-01T00:00:00Z" }],
    truncated: false,
  });
});

test("the presented output schema is that of the dialect's result", async () => {
  const view = createDialectView(renamingResults, await registryOf({ builtin }));
  const listed = view.list(session).find(({ name }) => name === "internal_file_list")!;
  const entries = listed.outputSchema!.properties!.entries as { items: { required: string[] } };
  expect(entries.items.required).toEqual(["name", "path", "type", "size", "mtime"]);
});

test("the output limit is the row's, else the tool's own, else the dialect's", async () => {
  const chatty = { ...emptyTool("chatty"), maxOutputCharacters: 50_000 };
  const output = { maxCharacters: 9, headShare: 0.5 };
  const dialect: Dialect = { ...flyto, tools: { file_read: { name: "Read", output } } };
  const view = createDialectView(dialect, await registryOf({ builtin, inline: [chatty] }));
  expect(view.resolve("Read")!.outputLimit).toEqual(output);
  expect(view.resolve("chatty")!.outputLimit).toEqual({ maxCharacters: 50_000, headShare: 0.8 });
  expect(view.resolve("file_list")!.outputLimit).toEqual({ maxCharacters: 30_000, headShare: 0.8 });
});

test("the nearest names are those the dialect speaks, and canonical ones; no tool is suggested twice", async () => {
  const registry = await registryOf({ builtin });
  expect(createDialectView(flyto, registry).nearest("Raed")).toEqual(["Read"]);
  expect(createDialectView(flyto, registry).nearest("file_red")[0]).toBe("file_read");
  expect(createDialectView(internal, registry).nearest("file_read_")).not.toContain("internal_file_read");
  expect(createDialectView(internal, registry).nearest("internal_file_raed")[0]).toBe("internal_file_read");
});

test("a tool added later is seen at once", async () => {
  const registry = await registryOf({ builtin });
  const view = createDialectView(flyto, registry);
  expect(view.nameOf("file_read")).toBe("Read");
  registry.register(emptyTool("Read"));
  expect(view.nameOf("file_read")).toBe("file_read");
});

test("every schema is translated once, however often ten thousand tools are listed", async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => emptyTool(`tool_${index}`));
  const view = createDialectView(internal, await registryOf({ builtin, folder: many }));
  const schemas = view.list(session).map(({ inputSchema }) => inputSchema);
  const again = view.list(session);
  expect(again.every(({ inputSchema }, index) => inputSchema === schemas[index])).toBe(true);
});

test("tools are grouped as their sources or the dialect say, under the names they are offered by", async () => {
  const registry = createRegistry();
  await registry.addSource(
    createStaticSource("built-in", "builtin", [
      { tool: fileRead, group: "file" },
      { tool: emptyTool("shell_run"), group: "shell" },
      { tool: emptyTool("odd"), group: "__proto__" },
      emptyTool("alone"),
    ]),
  );
  await registry.addSource(
    createStaticSource("folder f", "folder", [{ tool: emptyTool("file_touch"), group: "file" }]),
  );
  const groups = createDialectView(internal, registry).groups();
  expect(Object.entries(groups)).toEqual([
    ["file", ["internal_file_read", "internal_file_touch"]],
    ["system", ["internal_system_execute"]],
    ["__proto__", ["odd"]],
  ]);
});
