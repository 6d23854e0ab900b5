import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { errorCodes } from "../../src/tool/tool-error.ts";
import { projectFolder, readText } from "./project-files.ts";

test("docs/messages.md is what `npm run messages` makes of the error codes", async () => {
  const made = await promisify(execFile)(process.execPath, ["scripts/messages.mjs", "--print"], {
    cwd: projectFolder,
  });
  expect(await readText("docs/messages.md")).toBe(made.stdout);
});

test("every error code is explained, with what to do", async () => {
  const rows = (await readText("docs/messages.md")).matchAll(
    /^\| `([a-z-]+)` \| [a-z-]+ \| (.+) \| (.+) \|$/gm,
  );
  const explained = [...rows].filter(([, , when, next]) => when!.endsWith(".") && next!.endsWith("."));
  expect(explained.map(([, code]) => code)).toEqual([...errorCodes]);
});
