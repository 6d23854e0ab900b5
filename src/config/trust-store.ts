import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { newId } from "../shared/new-id.ts";

/** Projects whose policy file the user has trusted, by the real path of their root. */
export interface TrustedProject {
  readonly root: string;
  /** Of the policy file that was trusted; another one is not. */
  readonly hash: string;
  readonly trustedAt: string;
}

/** Reads the trusted projects. A file that cannot be read trusts nobody. */
export async function readTrust(file: string): Promise<readonly TrustedProject[]> {
  try {
    const { projects } = JSON.parse(await readFile(file, "utf8")) as { projects?: unknown };
    return Array.isArray(projects) ? projects.filter(isProject) : [];
  } catch {
    return [];
  }
}

export async function isTrusted(
  file: string,
  { root, hash }: { root: string; hash: string },
): Promise<boolean> {
  return (await readTrust(file)).some((project) => project.root === root && project.hash === hash);
}

/** Trusts a project's policy file as it is now, instead of any earlier one. */
export async function trustProject(
  file: string,
  { root, hash }: { root: string; hash: string },
): Promise<void> {
  const others = (await readTrust(file)).filter((project) => project.root !== root);
  await writeTrust(file, [...others, { root, hash, trustedAt: new Date().toISOString() }]);
}

/** Returns false if it was not trusted. */
export async function revokeTrust(file: string, root: string): Promise<boolean> {
  const projects = await readTrust(file);
  const others = projects.filter((project) => project.root !== root);
  if (others.length === projects.length) return false;
  await writeTrust(file, others);
  return true;
}

async function writeTrust(file: string, projects: readonly TrustedProject[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${newId("new")}`;
  await writeFile(temporary, `${JSON.stringify({ projects }, null, 2)}\n`, { flag: "wx", mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, file);
}

function isProject(value: unknown): value is TrustedProject {
  const { root, hash, trustedAt } = (value ?? {}) as Partial<TrustedProject>;
  return typeof root === "string" && typeof hash === "string" && typeof trustedAt === "string";
}
