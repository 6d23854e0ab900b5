import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { notHeld, systems } from "../acceptance/statements.ts";
import { projectFolder, readText } from "./project-files.ts";

const page = await readText("docs/COVERAGE.md");

test("docs/COVERAGE.md is what `npm run statements` makes of the tests' titles", async () => {
  const made = await promisify(execFile)(process.execPath, ["scripts/statements.ts", "--print"], {
    cwd: projectFolder,
  });
  expect(page).toBe(made.stdout);
});

test("every statement of the five systems is held by a test, or it is said why not", () => {
  const numbers = systems.flatMap(({ statements }) => [...statements]);
  const listed = new Set([...page.matchAll(/^\| ([A-Z]\d+[a-z]?) \|/gm)].map(([, number]) => number!));
  expect(numbers.filter((number) => !listed.has(number))).toEqual([]);
  expect(Object.keys(notHeld).filter((number) => !numbers.includes(number))).toEqual([]);
});
