import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readFileCommands } from "../../../src/cli/talk/slash/file-commands.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

test("a plugin's commands come after the project's own, and say where they are from", async () => {
  const folder = await temporaryFolder();
  const files = {
    "project/.toolwright/commands/report.md": "Our report on $1.",
    "plugin/commands/report.md": "Their report.",
    "plugin/commands/tidy.md": "---\ndescription: Tidy up\n---\nTidy $ARGUMENTS.",
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const ofPlugin = { path: join(folder, "plugin/commands"), from: "plugin acme" };
  const commands = await readFileCommands(join(folder, "project"), [ofPlugin]);
  expect(commands.get("report")?.message("sales")).toBe("Our report on sales.");
  expect(commands.get("tidy")?.about).toBe("Tidy up (plugin acme)");
  expect(commands.get("tidy")?.message("the attic")).toBe("Tidy the attic.");
});
