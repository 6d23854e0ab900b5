import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSyntax } from "../../../src/machine/shell-syntax/bash-oracle.ts";

test.each<[string, string]>([
  ["ls -la | wc", "ok"],
  ["", "ok"],
  ["-x", "ok"],
  ["cat <<E\nhello\nE", "ok"],
  ["echo größe 😀", "ok"],
  ["ls && ", "error"],
  ["echo 'a", "error"],
  ["echo $((1+", "error"],
  ["echo *(e:x:)", "error"],
  ["cat =(ls)", "error"],
  ["cat <<E\nnever ends", "error"],
  ["a\0b", "unknown"],
  [`echo ${"a".repeat(200_000)}`, "unknown"],
])("bash says of %.30j: %s", async (text, verdict) => {
  expect(await checkSyntax(text)).toBe(verdict);
});

test("the syntax check runs nothing, not even what our own environment tells bash to", async () => {
  const folder = await mkdtemp(join(tmpdir(), "oracle-"));
  const mark = join(folder, "mark");
  process.env.BASH_ENV = `$(touch ${mark})`;
  try {
    await checkSyntax(`touch ${mark}; $(touch ${mark}); : > ${mark}; cat <<E\n$(touch ${mark})\nE`);
    expect(await readdir(folder)).toEqual([]);
  } finally {
    delete process.env.BASH_ENV;
    await rm(folder, { recursive: true });
  }
});

test("forty questions at once are all answered", async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => checkSyntax(index % 2 ? "ls" : "ls (")),
  );
  expect(answers.filter((each) => each === "ok")).toHaveLength(20);
  expect(answers.filter((each) => each === "error")).toHaveLength(20);
});

test("a timeout does not count as a syntax error", async () => {
  expect(await checkSyntax("ls", { deadlineMs: 0 })).not.toBe("error");
});
