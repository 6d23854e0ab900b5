import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startChild } from "../../kernel/store/child.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { pass } from "../../support/pass.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const rounds = fuzzRuns({ sample: 6, full: 400 });

test("a writer killed at any instant leaves the old content or the new, whole", async () => {
  const { root } = await temporaryWorkspace();
  const random = seededRandom();
  await Promise.all(["a.txt", "b.txt", "c.txt"].map((name) => killWriters(root, name, random)));
}, 900_000);

async function killWriters(root: string, name: string, random: () => number): Promise<void> {
  for (let round = 0; round < rounds / 3; round++) {
    const writer = startChild(new URL("./child-write-until-killed.ts", import.meta.url), [root, name]);
    const firstLines = 1 + (round % 3);
    for (let line = 0; line < firstLines; line++) await writer.nextLine();
    await pass(random() * 4);
    await writer.kill();
    const lines = (await readFile(join(root, name), "utf8")).split("\n");
    expect(lines).toHaveLength(3001);
    expect(new Set(lines.slice(0, -1)).size).toBe(1);
    expect(lines.at(-1)).toBe("");
  }
}

const copies = fuzzRuns({ sample: 3, full: 200 });

test("a folder that is being copied onto another has all of the old content or all of the new, or lies aside whole", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}.txt`);
  const contents = ["a", "b"].flatMap((folder) => names.map((name) => [join(folder, name), folder]));
  const { root } = await temporaryWorkspace(Object.fromEntries(contents));
  const random = seededRandom();
  for (let round = 0; round < copies; round++) {
    const copier = startChild(new URL("./child-copy-until-killed.ts", import.meta.url), [root]);
    await copier.nextLine();
    await pass(random() * 150);
    await copier.kill();
    const entries = await readdir(root);
    // Between two renames, the old folder has its temporary name alone.
    const top = entries.includes("to") ? "to" : entries.find((name) => name.startsWith(".toolwright-aside-"));
    const found = await Promise.all(names.map((name) => readFile(join(root, top!, name), "utf8")));
    expect(new Set(found).size).toBe(1);
    expect(await readdir(join(root, top!))).toHaveLength(names.length);
    for (const name of entries) if (name.startsWith(".")) await rm(join(root, name), { recursive: true });
  }
}, 900_000);
