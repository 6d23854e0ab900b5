import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryWorkspace } from "./temporary-workspace.ts";
import { whileSwapping } from "./while-swapping.ts";

const rounds = 1500;
const often = { rounds, maxTurns: 40 };

test("no byte from outside is read while a file keeps turning into a link", async () => {
  const { root, outside, files } = await temporaryWorkspace({ target: "inside" });
  await writeFile(join(outside, "secret"), "SECRET");
  await symlink(join(outside, "secret"), join(root, "other"));

  const seen = await whileSwapping(root, often, () =>
    files.readLines("target", { firstLine: 1, maxLines: 10 }),
  );
  expect(seen.answers.flatMap(({ lines }) => lines)).not.toContain("SECRET");
  expect(seen.answers.length).toBeGreaterThan(0);
  expect(seen.refusals).toBeGreaterThan(0);
});

test("no byte from outside is read while a parent keeps turning into a link", async () => {
  const { root, outside, files } = await temporaryWorkspace({ "target/secret": "inside" });
  await writeFile(join(outside, "secret"), "SECRET");
  await symlink(outside, join(root, "other"));

  const seen = await whileSwapping(root, often, () =>
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

  const seen = await whileSwapping(root, often, () => files.list(".", { recursive: true }));
  expect(seen.answers.flatMap(({ entries }) => entries.map(({ name }) => name))).not.toContain("secret");
  expect(seen.answers).toHaveLength(rounds);
});
