import { readFile } from "node:fs/promises";

/** The files that the user has trusted. */
export interface TrustedProject {
  /** Real path of the root of the project whose policy file is trusted, or path of a configuration file. */
  readonly root: string;
  /** The hash of the file that was trusted; a file with another hash is not trusted. */
  readonly hash: string;
  readonly trustedAt: string;
}

/** Reads the list of trusted projects; it is empty if the file cannot be read. */
export async function readTrust(file: string): Promise<readonly TrustedProject[]> {
  return parseTrust(await readFile(file, "utf8").catch(() => ""));
}

export function parseTrust(text: string): readonly TrustedProject[] {
  try {
    const { projects } = JSON.parse(text) as { projects?: unknown };
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

function isProject(value: unknown): value is TrustedProject {
  const { root, hash, trustedAt } = (value ?? {}) as Partial<TrustedProject>;
  return typeof root === "string" && typeof hash === "string" && typeof trustedAt === "string";
}
