import { posix } from "node:path";
import { expect, test } from "vitest";
import { listProject, readText } from "./project-files.ts";

// Every command starts anew, so what loads with it is paid for each time.

test("a call loads no more of Node than it needs", async () => {
  const loaded = await reach([await chunk("command-line"), await chunk("perform-call")], importsOf);
  const texts = await Promise.all([...loaded].map(readText));
  const fromNode = texts.flatMap((text) => [...text.matchAll(/^import\b[^"\n]*"(node:[^"]+)";/gm)]);
  // Of others, such as node:util and node:fs, an import also loads whatever they would load later.
  expect([...new Set(fromNode.map(([, target]) => target))].sort()).toEqual([
    "node:async_hooks",
    "node:buffer",
    "node:events",
    "node:fs/promises",
    "node:os",
    "node:path",
    "node:sqlite",
    "node:timers/promises",
    "node:tty",
    "node:url",
  ]);
});

test("a command opens a handful of files, and the runtime only where it needs one", async () => {
  const commandLine = await chunk("command-line");
  const help = await reach([commandLine], importsOf);
  const call = await reach([commandLine, await chunk("perform-call")], importsOf);
  const runtime = await chunk("runtime");
  expect(help).not.toContain(runtime);
  expect(call).toContain(runtime);
  expect(call.size).toBeLessThanOrEqual(5);
});

test("the first frame of an interactive session needs neither the runtime nor Markdown", async () => {
  const start = await Promise.all(["command-line", "talk-command", "start-talk", "terminal"].map(chunk));
  const loaded = [...(await reach(start, importsOf))];
  expect(loaded).not.toContain(await chunk("runtime"));
  const bytes = await Promise.all(loaded.map(async (path) => [path, (await readText(path)).length] as const));
  // As much again would be seen: the whole library has half a million.
  expect(bytes.reduce((sum, [, length]) => sum + length, 0)).toBeLessThan(400_000);
  expect(loaded.length).toBeLessThanOrEqual(12);
});

test("the contract for authors of tools is one file", async () => {
  const loaded = await reach(["dist/tool/index.js"], importsOf);
  expect(loaded.size).toBe(2);
});

test("the main entry loads the runtime and nothing that only other entries need, these no more than they need", async () => {
  const runtime = await chunk("runtime");
  const main = await reach(["dist/index.js"], importsOf);
  expect(main).toContain(runtime);
  expect(main.size).toBeLessThanOrEqual(4);
  expect(await reach(["dist/agent/index.js"], importsOf)).not.toContain(runtime);
  expect((await reach(["dist/types.js"], importsOf)).size).toBe(1);
});

/** Everything that is reached from some places, and they themselves. */
async function reach(
  start: readonly string[],
  next: (path: string) => readonly string[] | Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const reached = new Set(start);
  // A set may grow while it is walked.
  for (const path of reached) for (const target of await next(path)) reached.add(target);
  return reached;
}

async function chunk(name: string): Promise<string> {
  const pattern = new RegExp(`^dist/chunks/${name}-[\\w-]{8}\\.js$`);
  const found = (await listProject("dist/chunks")).filter((path) => pattern.test(path));
  expect(found).toHaveLength(1);
  return found[0]!;
}

async function importsOf(path: string): Promise<string[]> {
  const text = await readText(path);
  return [...text.matchAll(/^(?:import|export)\b[^"\n]*"(\.[^"]+)";/gm)].map(([, target]) =>
    posix.join(posix.dirname(path), target!),
  );
}
