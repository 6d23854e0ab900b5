import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unifiedDiff } from "../../../src/shared/diff/text-diff.ts";
import { editText } from "../../support/edit-text.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { gitEnvironment } from "../../support/git-environment.ts";
import { needs } from "../../support/needs.ts";

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "toolwright-preview-"));
});

afterAll(() => rm(folder, { recursive: true }));

/** The program's result of applying the diff to the old text. */
async function applied(
  program: "git" | "patch",
  name: string,
  { before, diff }: { before: string; diff: string },
) {
  const file = join(folder, name);
  const patch = join(folder, "change.patch");
  await writeFile(file, before);
  await writeFile(patch, diff);
  const args =
    program === "git"
      ? ["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", patch]
      : ["--binary", "--silent", "-p1", "-i", patch];
  await run(program, args, { cwd: folder, env: { ...gitEnvironment, GIT_CEILING_DIRECTORIES: tmpdir() } });
  return readFile(file, "utf8");
}

test("a diff shows what changed with lines around it", async () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  expect(await unifiedDiff("src/a.txt", before, before.replace("5", "five"))).toEqual({
    diff: [
      "--- a/src/a.txt",
      "+++ b/src/a.txt",
      "@@ -2,7 +2,7 @@",
      " 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8",
      "",
    ].join("\n"),
    added: 1,
    removed: 1,
    omittedLines: 0,
  });
});

test("a diff is empty where nothing changed", async () => {
  expect((await unifiedDiff("a", "same", "same")).diff).toBe("");
});

test("a long diff is cut, and says by how much", async () => {
  const before = "x\n".repeat(100);
  const { diff, ...counts } = await unifiedDiff("a", before, "y\n".repeat(100), { maxLines: 10 });
  expect(diff.split("\n")).toHaveLength(12);
  expect(diff).toMatch(/\n\.\.\. 193 more lines of the diff\n$/);
  expect(counts).toEqual({ added: 100, removed: 100, omittedLines: 193 });
});

const line = fc.constantFrom("a", "b", "c", "", "- a", "+++ b", "\\ x", "é", "  d  ");
const text = fc
  .tuple(
    fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\r\n")), { maxLength: 25 }),
    fc.constantFrom("", "end"),
  )
  .map(([lines, last]) => lines.map((parts) => parts.join("")).join("") + last);

const testWithPatch = await needs("patch");

test("git applies the diff of any two texts", () => expectApplied("git"));
testWithPatch("patch applies the diff of any two texts", () => expectApplied("patch"));

async function expectApplied(program: "git" | "patch"): Promise<void> {
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      // These programs treat an empty file as missing.
      fc.pre(before !== after && before !== "" && after !== "");
      const { diff } = await unifiedDiff(`${program}.txt`, before, after);
      expect(await applied(program, `${program}.txt`, { before, diff })).toBe(after);
    }),
    { numRuns: fuzzRuns({ sample: 25, full: 1_000 }) },
  );
}

test("the diff of known changes is one that can be applied, too", async () => {
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.constantFrom("a", "b\n", "c", "d"),
      fc.constantFrom("", "X", "X\nY\n"),
      async (before, oldText, newText) => {
        fc.pre(before.includes(oldText));
        const { text: after, changes } = editText(before, { oldText, newText, replaceAll: true });
        fc.pre(after !== "");
        const { diff } = await unifiedDiff("known.txt", before, after, { changes });
        expect(await applied("git", "known.txt", { before, diff })).toBe(after);
      },
    ),
    { numRuns: fuzzRuns({ sample: 40, full: 1_000 }) },
  );
});

const oddNames = ["with space.txt", 'with "quotes".txt', "umläut.txt", "back\\slash.txt", "tab\there.txt"];

test.each(oddNames)("git patches a file named %j", async (name) => {
  const { diff } = await unifiedDiff(name, "a\n", "b\n");
  expect(await applied("git", name, { before: "a\n", diff })).toBe("b\n");
});

testWithPatch.each(oddNames)("patch patches a file named %j", async (name) => {
  const { diff } = await unifiedDiff(name, "a\n", "b\n");
  expect(await applied("patch", name, { before: "a\n", diff })).toBe("b\n");
});

test("a name in any script can be read", async () => {
  expect((await unifiedDiff("文件.txt", "a\n", "b\n")).diff).toMatch(
    /^--- a\/文件\.txt\n\+\+\+ b\/文件\.txt\n@@/,
  );
});

test("texts too different to compare are shown as removed and added, and can still be applied", async () => {
  const lines = (word: string) => Array.from({ length: 4_000 }, (_, index) => `${word} ${index}\n`).join("");
  const before = `head\n${lines("old")}tail\n`;
  const after = `head\n${lines("new")}tail\n`;
  const { diff, added, removed } = await unifiedDiff("large.txt", before, after);
  expect({ added, removed }).toEqual({ added: 4_000, removed: 4_000 });
  expect(diff).toContain("@@ -1,4002 +1,4002 @@\n head\n-old 0\n");
  expect(await applied("git", "large.txt", { before, diff })).toBe(after);
});
