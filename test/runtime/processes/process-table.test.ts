import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readVariable } from "../../../src/runtime/processes/process-table.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

test("a process is known by its environment at every moment, also while it becomes another program", async () => {
  const program = join(await temporaryFolder(), "again");
  await writeFile(program, '#!/bin/sh\nexec "$0"\n', { mode: 0o755 });
  const child = spawn(program, { env: { PATH: "/usr/bin:/bin", MARK: "ours" }, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  for (let look = 0; look < 500; look++) expect(await readVariable(child.pid!, "MARK")).toBe("ours");
  expect(await readVariable(child.pid!, "OTHER")).toBeUndefined();
});
