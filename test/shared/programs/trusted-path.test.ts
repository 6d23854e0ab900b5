import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { trustedPath } from "../../../src/shared/programs/trusted-path.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

test("no folder of a PATH is trusted from which a program of the workspace would be started", async () => {
  const [workspace, around] = [await temporaryFolder(), await temporaryFolder()];
  await mkdir(join(workspace, "bin"));
  await writeFile(join(workspace, "bin", "git"), "");
  await symlink(workspace, join(around, "link"));
  await symlink(join(workspace, "bin"), join(around, "programs"));
  for (const name of ["own", "linked"]) await mkdir(join(around, name));
  await symlink(join(workspace, "bin", "git"), join(around, "linked", "git"));
  await writeFile(join(around, "own", "git"), "");
  const folders = {
    "a folder of the workspace": join(workspace, "bin"),
    "by way of another": join(around, "own", "..", "link", "bin"),
    "through a link to the workspace": join(around, "link", "bin"),
    "a link to a folder of the workspace": join(around, "programs"),
    "with a link to a program of the workspace": join(around, "linked"),
    missing: join(around, "missing"),
    relative: "bin",
    "where the program is started": "",
  };
  for (const [what, folder] of Object.entries(folders))
    for (const known of [workspace, join(around, "link")])
      expect(await trustedPath(`${folder}:${join(around, "own")}`, [known], "git"), what).toBe(
        join(around, "own"),
      );
  expect(await trustedPath(join(workspace, "bin"), [workspace], "git")).toBe("/usr/bin:/bin");
});
