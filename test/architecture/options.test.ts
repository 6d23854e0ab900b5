import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { projectFolder, readText } from "./project-files.ts";

test("the pages of reference are what `node scripts/options.ts` makes", async () => {
  const made = await promisify(execFile)(process.execPath, ["scripts/options.ts", "--print"], {
    cwd: projectFolder,
  });
  const files: Record<string, string> = JSON.parse(made.stdout);
  expect(Object.keys(files)).toContain("docs/options.md");
  for (const [path, text] of Object.entries(files)) expect(await readText(path), path).toBe(text);
});
