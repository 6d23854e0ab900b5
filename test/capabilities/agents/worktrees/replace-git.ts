import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished, vi } from "vitest";

/**
 * Puts a shell script before git, until the test has ended, to have something happen at a certain moment. In it, `$git` is
 * git itself, which runs unless the script has ended before.
 */
export async function replaceGit(around: string, script: string): Promise<void> {
  const { stdout } = await promisify(execFile)("sh", ["-c", "command -v git"]);
  const folder = join(around, "programs");
  await mkdir(folder);
  const lines = ["#!/bin/sh", `git='${stdout.trim()}'`, script, 'exec "$git" "$@"', ""];
  await writeFile(join(folder, "git"), lines.join("\n"), { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}
