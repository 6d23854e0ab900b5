import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { projectFolder, readText } from "./project-files.ts";

test("docs/options.md is what `node scripts/options.ts` makes of the schema", async () => {
  const made = await promisify(execFile)(process.execPath, ["scripts/options.ts", "--print"], {
    cwd: projectFolder,
  });
  expect(await readText("docs/options.md")).toBe(made.stdout);
});
