import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fuzzRuns, seededRandom } from "../../../support/fuzz.ts";
import { pass } from "../../../support/pass.ts";
import { startChild } from "../../store/child.ts";
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
