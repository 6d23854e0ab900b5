import { dirname } from "node:path";
import {
  chmodNow,
  mkdirNow,
  readFileNow,
  renameNow,
  rmNow,
  writeFileNow,
} from "../runtime/locks/files-now.ts";
import { withUserLock } from "../runtime/locks/user-lock.ts";
import { newId } from "../shared/new-id.ts";
import { parseTrust, type TrustedProject } from "./read-trust.ts";

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

/** Returns false if none of them was trusted. */
export async function revokeTrust(file: string, roots: readonly string[]): Promise<boolean> {
  let wasTrusted = false;
  await updateTrust(file, (projects) => {
    const others = projects.filter((project) => !roots.includes(project.root));
    wasTrusted = others.length < projects.length;
    return wasTrusted ? others : projects;
  });
  return wasTrusted;
}

/** No other process changes the file meanwhile. The file is not written if `change` returns what it was given. */
async function updateTrust(
  file: string,
  change: (projects: readonly TrustedProject[]) => readonly TrustedProject[],
): Promise<void> {
  await withUserLock("trust", () => {
    const known = readTrustNow(file);
    const projects = change(known);
    if (projects !== known) writeTrust(file, projects);
  });
}

function writeTrust(file: string, projects: readonly TrustedProject[]): void {
  mkdirNow(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${newId("new")}`;
  try {
    writeFileNow(temporary, `${JSON.stringify({ projects }, null, 2)}\n`, { flag: "wx", mode: 0o600 });
    chmodNow(temporary, 0o600);
    renameNow(temporary, file);
  } finally {
    rmNow(temporary, { force: true });
  }
}

function readTrustNow(file: string): readonly TrustedProject[] {
  try {
    return parseTrust(readFileNow(file, "utf8"));
  } catch {
    return [];
  }
}
