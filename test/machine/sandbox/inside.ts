import { type ChildProcess, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isSensitivePath } from "../../../src/kernel/policy/paths/judge-path.ts";
import {
  homeNames,
  protectedNames,
  sensitiveNames,
} from "../../../src/kernel/policy/paths/protected-names.ts";
import { createCommittedFiles } from "../../../src/machine/git/committed-files.ts";
import { openSandbox, type SandboxOptions } from "../../../src/machine/sandbox/open-sandbox.ts";
import type { PlantedEntry } from "../../../src/machine/sandbox/planted/planted-entry.ts";
import type { Sandbox, SandboxBounds, StartableProgram } from "../../../src/machine/sandbox/sandbox.ts";
import { needs } from "../../support/needs.ts";
import { onDisk, temporaryFolder } from "../../support/temporary-folder.ts";

/** For a test that needs bubblewrap. */
export const testInside = await needs("bubblewrap");

export async function makeFolder(name = "toolwright sandbox-"): Promise<string> {
  return temporaryFolder(name, onDisk);
}

/** A workspace beside other things, all in one temporary folder. */
export async function makeWorkspace(options: Partial<SandboxOptions> = {}) {
  const around = await makeFolder();
  const root = join(around, "work space");
  const home = join(around, "home");
  await mkdir(root);
  await mkdir(home);
  return { around, root, home, sandbox: await openFor(root, { home, ...options }) };
}

export function openFor(root: string, options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  return openSandbox({
    mode: "required",
    roots: { root, extraRoots: [] },
    hidden: [],
    protectedNames,
    homeNames,
    sensitiveNames,
    userPath: "/usr/bin:/bin",
    findPublic: createCommittedFiles(root, isSensitivePath).list,
    ...options,
  });
}

export interface Ended {
  /** What the command has left for other programs to run. */
  readonly planted?: readonly PlantedEntry[] | undefined;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in bash to its end, as whoever starts commands does. */
export async function run(
  sandbox: Sandbox,
  command: string,
  box: SandboxBounds & { environment?: StartableProgram["environment"] },
): Promise<Ended> {
  const started = await start(sandbox, command, box);
  const ended = await started.ended;
  return { ...ended, planted: await started.finish() };
}

export async function start(
  sandbox: Sandbox,
  command: string,
  {
    environment = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
    ...box
  }: SandboxBounds & { environment?: StartableProgram["environment"] },
): Promise<{
  child: ChildProcess;
  ended: Promise<Ended>;
  finish: () => Promise<readonly PlantedEntry[] | undefined>;
}> {
  const wrapped = await sandbox.wrap(
    { file: "/bin/bash", args: ["--norc", "--noprofile", "-c", command], environment },
    box,
  );
  const child = spawn(wrapped.file, wrapped.args, {
    env: { ...wrapped.environment },
    cwd: box.directory,
    stdio: ["ignore", "pipe", "pipe", "ignore", ...wrapped.descriptors],
    detached: true,
  });
  const ended = whenEnded(child);
  await wrapped.release();
  return { child, ended, finish: async () => wrapped.finish?.() };
}

function whenEnded(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}
