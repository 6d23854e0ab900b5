import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { projectFolder } from "../architecture/project-files.ts";
import { type Contents, putFiles, temporaryFolder } from "./temporary-folder.ts";

const at = (path: string) => JSON.stringify(join(projectFolder, path));

const configuration = `import { SkipSummary } from ${at("test/support/skip-summary.ts")};
export default {
  test: {
    include: ["*.test.ts"],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: ["default", new SkipSummary()],
  },
};`;

const declared = `import { needs } from ${at("test/support/needs.ts")};
const missing = await needs(() => undefined, async () => "there is no moon");
missing("one", () => { throw new Error("ran"); });
missing.each([1, 2])("two of %i", { timeout: 1 }, () => { throw new Error("ran"); });
const alsoMissing = await needs(() => "it is day");
alsoMissing("three", () => { throw new Error("ran"); });
const there = await needs(() => undefined);
there("four", () => {});
`;

async function runTests(contents: Contents): Promise<{ exitCode: number; stdout: string }> {
  const folder = temporaryFolder();
  putFiles(folder, { "vitest.config.ts": configuration, ...contents });
  const words = [join(projectFolder, "node_modules/vitest/vitest.mjs"), "run", "--root", folder];
  const { code = 0, stdout } = await promisify(execFile)(process.execPath, words).catch((error) => error);
  return { exitCode: code, stdout: stripVTControlCharacters(stdout) };
}

test("a run says how many tests were left out, by their reasons, and runs those whose needs are met", async () => {
  const { exitCode, stdout } = await runTests({ "a.test.ts": declared });
  expect(stdout).toMatch(/Tests +1 passed \| 4 skipped/);
  expect(stdout).toMatch(/\n\n +3 skipped: there is no moon\n +1 skipped: it is day\n/);
  expect(exitCode).toBe(0);
});

test("a test that is left out without a reason fails the run", async () => {
  const silent = `import { test } from ${at("node_modules/vitest/dist/index.js")};
test.skip("five", () => {});
test("six", ({ skip }) => skip("because"));
test("seven", () => {});`;
  const { exitCode, stdout } = await runTests({ "a.test.ts": silent });
  expect(stdout).toMatch(/Tests +1 passed \| 2 skipped/);
  expect(stdout).toMatch(/ 2 skipped: no reason was given/);
  expect(exitCode).toBe(1);
});
