import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { availableParallelism, freemem, release, totalmem } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SystemInfo } from "../../tool/services/system.ts";
import type { SystemParts } from "./system-parts.ts";

export async function describeSystem({ workspace, sandbox }: SystemParts): Promise<SystemInfo> {
  const [{ kind, reason }, programs, shell] = await Promise.all([
    sandbox(),
    findPrograms(),
    findTrusted("bash"),
  ]);
  return {
    platform: process.platform,
    release: release(),
    arch: process.arch,
    cpus: availableParallelism(),
    memory: { totalBytes: totalmem(), freeBytes: freemem() },
    node: process.versions.node,
    ...(shell !== undefined && { shell }),
    sandbox: { kind, ...(reason !== undefined && { reason }) },
    workspace: workspace.root,
    programs,
  };
}

/** Only programs in the system's own folders are started: one in the workspace or in a user's PATH may be anybody's. */
const trustedFolders = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"];

/** Asked for their version, and nothing else. */
const programNames = ["bash", "git", "python3", "gcc", "make", "docker", "go", "rustc", "java"];

async function findPrograms(): Promise<Record<string, string>> {
  const found = await Promise.all(programNames.map(async (name) => [name, await versionOf(name)] as const));
  return Object.fromEntries(
    found.flatMap(([name, version]) => (version === undefined ? [] : [[name, version]])),
  );
}

async function findTrusted(name: string): Promise<string | undefined> {
  for (const folder of trustedFolders) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

async function versionOf(name: string): Promise<string | undefined> {
  const path = await findTrusted(name);
  if (path === undefined) return undefined;
  const argument = name === "go" ? "version" : "--version";
  try {
    const { stdout } = await run(path, [argument], { ...limits, env: {}, cwd: "/" });
    return /(?<!\d)\d+(?:\.\d+)+\S*/.exec(stdout)?.[0] ?? "unknown version";
  } catch {
    // The program is there and does not answer; its version is not worth an error.
    return "unknown version";
  }
}

const run = promisify(execFile);
const limits = { timeout: 2000, killSignal: "SIGKILL", maxBuffer: 64 * 1024, encoding: "utf8" } as const;
