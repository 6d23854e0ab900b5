import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSandbox } from "../../../src/machine/sandbox/find-sandbox.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

test("a sandbox that could not be opened is looked for again, one that could is not", async () => {
  const root = join(await temporaryFolder(), "later");
  const options = { mode: "auto", hidden: [], protectedNames: [], sensitiveNames: [] } as const;
  const sandbox = findSandbox(
    { ...options, roots: { root, extraRoots: [] } },
    { logger: { warn: () => {} } },
  );
  await expect(sandbox()).rejects.toThrow("ENOENT");
  await mkdir(root);
  const found = await sandbox();
  expect(await sandbox()).toBe(found);
});
