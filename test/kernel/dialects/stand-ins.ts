import { createRegistry } from "../../../src/kernel/registry/create-registry.ts";
import type { Registry } from "../../../src/kernel/registry/registry.ts";
import { createStaticSource, type Layer } from "../../../src/kernel/registry/tool-source.ts";
import { type AnyTool, defineTool } from "../../../src/tool/define-tool.ts";

export const session = { id: "s1", workspace: "/project", dialect: "flyto", mode: "ask" };

export const fileRead = defineTool({
  name: "file_read",
  description: "Read a text file.",
  params: {
    path: { type: "string", format: "path", description: "Path of the file" },
    offset: { type: "integer", minimum: 1, default: 1, description: "First line" },
    limit: { type: "integer", minimum: 1, default: 2000, description: "How many lines" },
  },
  traits: { readOnly: true, idempotent: true, concurrencySafe: true },
  run: ({ path, offset, limit }) => ({ path, offset, limit, truncated: false, content: "" }),
});

export const fileList = defineTool({
  name: "file_list",
  description: ({ workspace }) => `List a directory of ${workspace}.`,
  params: {
    path: { type: "string", format: "path", default: "." },
    recursive: { type: "boolean", default: false },
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string" },
      entries: { type: "array", items: { $ref: "#/$defs/Entry" } },
      truncated: { type: "boolean" },
    },
    required: ["path", "entries", "truncated"],
    $defs: {
      Entry: {
        type: "object",
        properties: {
          name: { type: "string" },
          path: { type: "string" },
          type: { enum: ["file", "directory", "link", "other"] },
          sizeBytes: { type: "integer" },
          modifiedAt: { type: "string" },
          linkTarget: { type: "string" },
        },
        required: ["name", "path", "type", "sizeBytes", "modifiedAt"],
      },
    },
  },
  traits: { readOnly: true },
  run: ({ path }) => ({ path, entries: [], truncated: false }),
});

export const webFetch = defineTool({
  name: "web_fetch",
  description: "Fetch a page.",
  params: {
    url: { type: "string" },
    timeoutMs: { type: "integer", minimum: 1, maximum: 120_000, default: 30_000, description: "Time limit" },
    waitMs: { type: "number", minimum: 0, default: 1500, enum: [0, 1500, 1001] },
    debug: { type: "boolean", default: false },
  },
  traits: { openWorld: true, destructive: true },
  run: () => "",
});

export function emptyTool(name: string, aliases: readonly string[] = []): AnyTool {
  return defineTool({ name, aliases, description: `The tool ${name}`, params: {}, run: () => name });
}

/** A registry with these tools; whose name wins is decided by layers alone. */
export async function registryOf(layers: Partial<Record<Layer, readonly AnyTool[]>>): Promise<Registry> {
  const registry = createRegistry();
  for (const [layer, tools] of Object.entries(layers)) {
    const provided = tools.map((tool) => ({ tool, override: true }));
    await registry.addSource(createStaticSource(layer, layer as Layer, provided));
  }
  return registry;
}
