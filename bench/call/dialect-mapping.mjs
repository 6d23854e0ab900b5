// Not published, so imported from the source, which Node can run directly.

import { builtinTools } from "../../src/capabilities.ts";
import { createDialectView } from "../../src/kernel/dialects/dialect-view.ts";
import { findDialect } from "../../src/kernel/dialects/dialects.ts";
import { createRegistry } from "../../src/kernel/registry/create-registry.ts";
import { createStaticSource } from "../../src/kernel/registry/tool-source.ts";

const own = { dialect: "canonical", name: "file_read", input: { path: "a.txt", offset: 1, limit: 20 } };
const spoken = [
  { dialect: "flyto", name: "Read", input: { file_path: "/project/a.txt", offset: 0, limit: 20 } },
  { dialect: "kode", name: "fs_read", input: { path: "a.txt", offset: 1, limit: 20 } },
  { dialect: "pulse", name: "read", input: { filePath: "a.txt", offset: 0, limit: 20 } },
  { dialect: "gemini-cli", name: "read_file", input: { file_path: "a.txt", offset: 0, limit: 20 } },
];
const data = { path: "a.txt", content: "one\ntwo", totalLines: 2, truncated: false, sizeBytes: 8 };
const callsPerRun = 100;

/** What a dialect adds to a call: finding the tool, translating and checking the input, and encoding the result. */
export async function openDialectMapping() {
  const registry = createRegistry();
  await registry.addSource(createStaticSource("built-in", "builtin", builtinTools));
  return [own, ...spoken].map(({ dialect, name, input }) => {
    const view = createDialectView(findDialect(dialect), registry);
    const map = () => {
      const { entry, translateInput, encodeResult } = view.resolve(name);
      const { value } = entry.tool.validateInput(translateInput(input).input);
      return encodeResult({ data, text: data.content, input: value });
    };
    if (map().data === undefined) throw new Error(`${name} is not translated`);
    return {
      name: mappingName(dialect, name),
      operations: callsPerRun,
      run: () => {
        for (let count = 0; count < callsPerRun; count++) map();
      },
    };
  });
}

/** How many microseconds the slowest of the dialects adds. */
export function addedByMapping(times) {
  const floor = times.get(mappingName(own.dialect, own.name)).best;
  return Math.max(...spoken.map(({ dialect, name }) => times.get(mappingName(dialect, name)).best - floor));
}

function mappingName(dialect, name) {
  return `${name}, in the dialect ${dialect}`;
}
