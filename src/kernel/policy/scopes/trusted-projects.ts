import { readFile } from "node:fs/promises";
import { updateOwnFile } from "../../../machine/locks/own-file.ts";

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

function parseTrust(text: string): readonly TrustedProject[] {
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

/** Trusts a project's file as it is now, instead of any earlier one. */
export async function trustProject(
  file: string,
  { root, hash }: { root: string; hash: string },
): Promise<void> {
  await updateTrust(file, (projects) => [
    ...projects.filter((project) => project.root !== root),
    { root, hash, trustedAt: new Date().toISOString() },
  ]);
}

/** Ends the trust in the files of some roots. Returns false if no file of theirs was trusted. */
export async function revokeTrust(file: string, roots: readonly string[]): Promise<boolean> {
  let wasTrusted = false;
  await updateTrust(file, (projects) => {
    const others = projects.filter((project) => !roots.includes(project.root));
    wasTrusted = others.length < projects.length;
    return wasTrusted ? others : projects;
  });
  return wasTrusted;
}

/** The file is not written if `change`, which may run again, returns its argument. */
async function updateTrust(
  file: string,
  change: (projects: readonly TrustedProject[]) => readonly TrustedProject[],
): Promise<void> {
  await updateOwnFile(file, (text = "") => {
    const known = parseTrust(text);
    const projects = change(known);
    return projects === known ? undefined : `${JSON.stringify({ projects }, null, 2)}\n`;
  });
}
