import { updateOwnFile } from "../../../machine/locks/index.ts";
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
