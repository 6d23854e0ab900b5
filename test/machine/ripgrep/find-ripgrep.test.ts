import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRipgrep } from "../../../src/machine/ripgrep/find-ripgrep.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

const missing = () => Promise.reject(new Error("Could not find @vscode/ripgrep-linux-x64"));

test("without the package's own ripgrep, the system's is used", async () => {
  const [empty, folder] = [await temporaryFolder(), await temporaryFolder()];
  const path = join(folder, "rg");
  await writeFile(path, "#!/bin/sh\n");
  await chmod(path, 0o755);
  expect(await findRipgrep({ loadPackaged: missing, folders: [empty, folder] })).toBe(path);
  await chmod(path, 0o644);
  await expect(findRipgrep({ loadPackaged: missing, folders: [empty, folder] })).rejects.toMatchObject({
    code: "unavailable",
    hint: expect.stringContaining("Install ripgrep"),
  });
});

test("the package's own ripgrep comes first", async () => {
  expect(await findRipgrep({ folders: [] })).toMatch(/node_modules\/.*\/rg$/);
});
