import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { ToolError } from "../../../src/tool/tool-error.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const rounds = 1500;

test("no byte from outside is read while a file keeps turning into a link", async () => {
  const { root, outside, files } = await temporaryWorkspace({ target: "inside" });
  await writeFile(join(outside, "secret"), "SECRET");
  await symlink(join(outside, "secret"), join(root, "other"));

  const seen = await whileSwapping(root, () => files.readLines("target", { firstLine: 1, maxLines: 10 }));
  expect(seen.answers.flatMap(({ lines }) => lines)).not.toContain("SECRET");
  expect(seen.answers.length).toBeGreaterThan(0);
  expect(seen.refusals).toBeGreaterThan(0);
});

test("no byte from outside is read while a parent keeps turning into a link", async () => {
  const { root, outside, files } = await temporaryWorkspace({ "target/secret": "inside" });
  await writeFile(join(outside, "secret"), "SECRET");
  await symlink(outside, join(root, "other"));

  const seen = await whileSwapping(root, () =>
    files.readLines("target/secret", { firstLine: 1, maxLines: 10 }),
  );
  expect(seen.answers.flatMap(({ lines }) => lines)).not.toContain("SECRET");
  expect(seen.answers.length).toBeGreaterThan(0);
  expect(seen.refusals).toBeGreaterThan(0);
});

test("no name from outside is listed while a directory keeps turning into a link", async () => {
  const { root, outside, files } = await temporaryWorkspace({ "target/deep/inside": "" });
  await mkdir(join(outside, "deep"));
  await writeFile(join(outside, "deep/secret"), "SECRET");
  await symlink(outside, join(root, "other"));

  const seen = await whileSwapping(root, () => files.list(".", { recursive: true }));
  expect(seen.answers.flatMap(({ entries }) => entries.map(({ name }) => name))).not.toContain("secret");
  expect(seen.answers).toHaveLength(rounds);
});

/** Swaps `target` and `other` all the time, in three renames, while the work is done again and again. */
async function whileSwapping<Answer>(root: string, work: () => Promise<Answer>) {
  const [target, other, spare] = ["target", "other", "spare"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  let busy = true;
  const swap = async () => {
    while (busy) {
      await rename(target, spare);
      await rename(other, target);
      await rename(spare, other);
      // Some reads have to find the same folder from beginning to end.
      for (let turn = Math.random() * 40; turn > 0; turn--) await setImmediate();
    }
  };
  const swapping = swap();
  const answers: Answer[] = [];
  let refusals = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      try {
        answers.push(await work());
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        refusals++;
      }
    }
  } finally {
    busy = false;
    await swapping;
  }
  return { answers, refusals };
}
