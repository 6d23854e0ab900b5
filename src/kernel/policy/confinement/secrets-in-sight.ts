import { lstat } from "node:fs/promises";
import { readGitIndex } from "../../../machine/sandbox/protected/git-index.ts";
import { createNameScanner } from "../../../machine/sandbox/protected/scan-names.ts";
import type { SandboxStatus } from "../../../machine/sandbox/sandbox.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { sensitiveNames } from "../paths/protected-names.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";

/**
 * How much of a folder's files a command shows: their names, their content, or what git keeps of them. Copies keep the name
 * that makes a file a secret, but not the place that makes it one of our own.
 */
export type Shown = "names" | "copies" | "content" | "history";

interface SecretsParts extends Pick<WorkspacePaths, "root" | "roots" | "own" | "publicFiles"> {
  sandbox(): Promise<SandboxStatus>;
}

/** Finds secrets that a command would show because it reads a whole folder; each returns the path of one. */
export function createSecretsInSight({ root, roots, own, publicFiles, sandbox }: SecretsParts) {
  const scan = createNameScanner({ protectedNames: [], sensitiveNames });
  return async (folder: string, shown: Shown): Promise<string | undefined> => {
    if (shown === "names") return undefined;
    // A sandbox hides files, but no part of what git keeps.
    if (shown !== "history" && (await sandbox()).kind !== "none") return undefined;
    const ours = shown === "history" ? undefined : await findOwn(folder);
    if (ours !== undefined || shown === "copies") return ours;
    const { sensitivePaths, isComplete } = await findIn(folder);
    const inFolder = sensitivePaths.filter((path) => relativeInside(folder, path) !== undefined);
    if (inFolder.length > 0) {
      const known = await publicFiles.list();
      const secrets = inFolder.filter((path) => !known.has(path));
      if (shown === "content" && secrets[0] !== undefined) return secrets[0];
      const index = await readGitIndex(root);
      const kept = secrets.find((path) => index.tracks(path) || index.mayTrackIn(path));
      if (kept !== undefined) return kept;
    }
    return isComplete || shown === "history" ? undefined : folder;
  };

  /** Our own records may be beneath a folder such as the home folder. */
  async function findOwn(folder: string): Promise<string | undefined> {
    for (const path of own) {
      if (relativeInside(folder, path) === undefined) continue;
      const isThere = await lstat(path).then(
        () => true,
        () => false,
      );
      if (isThere) return path;
    }
    return undefined;
  }

  /** A root is searched as a whole, because that is remembered. */
  function findIn(folder: string) {
    return scan(roots.folders.find((each) => relativeInside(each, folder) !== undefined) ?? folder);
  }
}
