import { execFile } from "node:child_process";
import { availableParallelism, freemem, release, totalmem } from "node:os";
import { promisify } from "node:util";
import { createSecretTest } from "../../machine/child/index.ts";
import type { SandboxStatus } from "../../machine/sandbox/index.ts";
import { defined } from "../../shared/options/defined.ts";
import { findInstalled } from "../../shared/programs/find-installed.ts";
import type { SystemInfo, SystemVariables } from "../../tool/services/system.ts";
import type { SystemOptions } from "./system-options.ts";

export async function describeSystem({ workspace, sandbox }: SystemParts): Promise<SystemInfo> {
  const [{ kind, reason }, programs, shell] = await Promise.all([
    sandbox(),
    findPrograms(),
    findInstalled("bash", trustedFolders),
  ]);
  return {
    platform: process.platform,
    release: release(),
    arch: process.arch,
    cpus: availableParallelism(),
    memory: { totalBytes: totalmem(), freeBytes: freemem() },
    node: process.versions.node,
    ...defined({ shell }),
    sandbox: { kind, ...defined({ reason }) },
    workspace: workspace.root,
    programs,
  };
}

/** Programs are started from the system's folders alone: one in the workspace or in a user's PATH may be a stranger's. */
const trustedFolders = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"];

/** The programs that are started, each to print its version and nothing else. */
const programNames = ["bash", "git", "python3", "gcc", "make", "docker", "go", "rustc", "java"];

async function findPrograms(): Promise<Record<string, string>> {
  const found = await Promise.all(programNames.map(async (name) => [name, await versionOf(name)] as const));
  return defined(Object.fromEntries(found)) as Record<string, string>;
}

async function versionOf(name: string): Promise<string | undefined> {
  const path = await findInstalled(name, trustedFolders);
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

export interface SystemParts {
  readonly workspace: { readonly root: string };
  readonly sandbox: () => Promise<SandboxStatus>;
  readonly systemOptions?: SystemOptions | undefined;
}

/** Sorts names into what may be shown and what may not, and never shows a value that looks like a secret. */
export function readVariables(
  names: readonly string[] | undefined,
  { environment, added }: { environment: NodeJS.ProcessEnv; added: readonly string[] },
): SystemVariables {
  const listed = new Set([...openNames, ...added]);
  const isSecret = createSecretTest(environment);
  const currentOf = (name: string) => (Object.hasOwn(environment, name) ? environment[name] : undefined);
  const asked = [...new Set(names ?? [...listed].filter((name) => currentOf(name) !== undefined))];
  const values: [string, string][] = [];
  const others = { unset: [] as string[], withheld: [] as string[], notListed: [] as string[] };
  for (const name of asked) {
    const value = currentOf(name);
    // The answer must not even tell whether a variable that is not listed is set.
    if (!listed.has(name)) others.notListed.push(name);
    else if (value === undefined) others.unset.push(name);
    else if (isSecret(name, value)) others.withheld.push(name);
    else values.push([name, value]);
  }
  return { values: Object.fromEntries(values), ...others };
}

/** Variables that say how programs run here, and nothing about the person who runs them. */
const openNames = ["PATH", "SHELL", "LANG", "LC_ALL", "TZ", "TERM", "TMPDIR", "CI"];
