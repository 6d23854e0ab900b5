import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { projectFolder, readText } from "./project-files.ts";

test("the pages of options, context and events are what `node scripts/options.ts` makes", async () => {
  const made = await promisify(execFile)(process.execPath, ["scripts/options.ts", "--print"], {
    cwd: projectFolder,
  });
  const pages: Record<string, string> = JSON.parse(made.stdout);
  expect(Object.keys(pages)).toEqual(["options.md", "context.md", "events.md"]);
  for (const [name, page] of Object.entries(pages))
    expect(await readText(join("docs", name)), name).toBe(page);
});
