import { expect, test } from "vitest";
import { capabilities } from "../../src/capabilities.ts";
import { readSourceFiles } from "./source-files.ts";

const files = await readSourceFiles();

/**
 * Files of capabilities that others import although they are not the door (`<name>-capability.ts`, and `index.ts` of those
 * that are entries of the package): by room, how many there are. There may only be fewer.
 */
const besideDoors: Readonly<Record<string, number>> = {
  agents: 5,
  code: 1,
  files: 2,
  interop: 1,
  "mcp-client": 1,
  questions: 1,
  search: 1,
};

test("a capability is known by its door, and by few files beside it", () => {
  const roomOf = (path: string) => /^capabilities\/([^/]+)\//.exec(path)?.[1];
  const found = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    for (const { isOwn, target } of imports) {
      const room = isOwn ? roomOf(target) : undefined;
      if (room === undefined || room === roomOf(path) || /(?:-capability|\/index)\.ts$/.test(target))
        continue;
      found.set(room, (found.get(room) ?? new Set()).add(target));
    }
  }
  const counts = Object.fromEntries([...found].map(([room, targets]) => [room, targets.size]).sort());
  expect(counts).toEqual(besideDoors);
});

test("doors of capabilities are imported by their list alone", () => {
  const importers = files.filter(({ imports }) =>
    imports.some(({ target }) => target.startsWith("capabilities/") && target.endsWith("-capability.ts")),
  );
  expect(importers.map(({ path }) => path)).toEqual(["capabilities.ts"]);
});

test("kernel: it imports no capability, and the path of a call names no service", () => {
  const inPipeline = files.filter(({ folder }) => folder === "kernel/call");
  const inKernel = files.filter(({ folder }) => folder.startsWith("kernel/"));
  const rooms = inKernel.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => /^capabilities\/[^/]+\//.test(target))
      .map(({ target }) => `${path} → ${target}`),
  );
  expect(rooms).toEqual([]);
  // Every error has a code, and isolated is a trait.
  const others = ["code", "isolated"];
  const rest = capabilities.map(({ name }): string => name).filter((name) => !others.includes(name));
  const names = new RegExp(`\\.(?:${rest.join("|")}|todos)\\b`, "g");
  const named = inPipeline.flatMap(({ path, code }) =>
    [...code.matchAll(names)].map(([name]) => `${path}: ${name}`),
  );
  // A preview is the files' own: no other service can show what it would do.
  expect(named).toEqual(["kernel/call/execute.ts: .files"]);
});
