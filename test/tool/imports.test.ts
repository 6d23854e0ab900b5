import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";

const source = resolve(import.meta.dirname, "../../src");

test("the contract for tool authors imports nothing of Node, and of ours only what is shared", async () => {
  const { files, packages } = await importGraph(resolve(source, "tool/index.ts"));
  expect(files.length).toBeGreaterThan(10);
  expect(
    files.filter((file) => !file.startsWith(`${source}/tool/`) && !file.startsWith(`${source}/shared/`)),
  ).toEqual([]);
  // Its types only: nothing of it is left once compiled.
  expect(packages).toEqual(["@standard-schema/spec"]);
});

async function importGraph(entry: string): Promise<{ files: string[]; packages: string[] }> {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    const text = await readFile(file, "utf8");
    for (const [, specifier] of text.matchAll(/(?<!")(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
      if (specifier!.startsWith(".")) files.add(resolve(dirname(file), specifier!));
      else packages.add(specifier!);
    }
  }
  return { files: [...files], packages: [...packages] };
}
