import { expect, test } from "vitest";
import { readSourceFiles } from "./source-files.ts";

const files = await readSourceFiles();
const table = "capabilities.ts";

/**
 * Who needs to know that there is a service, besides its own room, its tools and its contract. A new one should need
 * no more than the list of capabilities; each further line here is a place that the next one may have to be added to as well.
 */
const known: Record<string, readonly string[]> = {
  agents: [table, "capabilities/agents/host/agent-hosts.ts", "capabilities/agents/host/agent-rights.ts"],
  catalogue: [table, "capabilities/agents/host/agent-hosts.ts"],
  code: [table],
  databases: [table],
  files: [table, "testing/test-call.ts"],
  made: [table],
  notes: [table],
  processes: [table, "session.ts", "runtime-options.ts"],
  questions: [table, "testing/test-call.ts"],
  search: [table, "testing/test-call.ts"],
  skills: [table],
  system: [table],
  tasks: [table, "session.ts"],
  web: [table],
};

test("a service is known to its room, its tools and the table, and to few others", () => {
  const importers = Map.groupBy(
    files.flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) => {
        const room = /^capabilities\/([^/]+)\/[^/]+-service\.ts$/.exec(target)?.[1];
        return room === undefined || path.startsWith(`capabilities/${room}/`) ? [] : { room, path };
      }),
    ),
    ({ room }) => room,
  );
  const found = [...importers].map(([room, naming]) => [
    room,
    [...new Set(naming.map(({ path }) => path))].sort(),
  ]);
  const expected = Object.entries(known).map(([room, paths]) => [room, [...paths].sort()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
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
  // Every error has a code.
  const rest = Object.keys(known).filter((name) => name !== "code");
  const names = new RegExp(`\\.(?:${rest.join("|")}|todos)\\b`, "g");
  const named = inPipeline.flatMap(({ path, code }) =>
    [...code.matchAll(names)].map(([name]) => `${path}: ${name}`),
  );
  // A preview is the files' own: no other service can show what it would do.
  expect(named).toEqual(["kernel/call/execute.ts: .files"]);
});
