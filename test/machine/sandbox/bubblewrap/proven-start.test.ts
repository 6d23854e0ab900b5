import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { needs } from "../../../support/needs.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const testApart = await needs("linux", "unshare");

testApart(
  "a sandbox that was killed is no longer watched, even if no process waits for its processes",
  async () => {
    const bubblewrap = join(temporaryFolder(), "bubblewrap");
    // Killed while what it has begun inside still mounts.
    await writeFile(
      bubblewrap,
      `#!/bin/bash
    sleep 1000 &
    printf '{ "child-pid": %s }' $! >&$2
    kill -KILL $$`,
      { mode: 0o700 },
    );
    const child = join(import.meta.dirname, "child-first-process.ts");
    const words = ["--pid", "--fork", "--mount-proc", "--kill-child", process.execPath, child, bubblewrap];
    await expect(promisify(execFile)("unshare", words, { timeout: 30_000 })).resolves.toBeDefined();
  },
);
