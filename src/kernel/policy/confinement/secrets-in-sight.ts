import { lstat } from "node:fs/promises";
import type { Shown } from "../../../machine/command-reading/read-command.ts";
import { createNameScanner, readGitIndex, type SandboxStatus } from "../../../machine/sandbox/index.ts";
import { isFulfilled } from "../../../shared/maybe-promise.ts";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { sensitiveNames } from "../paths/protected-names.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";

/** What a command does with a folder; one that is moved is at another path for the next command. */
export type FolderUse = Shown | "moved";

export interface FoundSecret {
  readonly path: string;
  /** A record of Toolwright, a file that may hold secrets, or a folder that holds too much to look for them. */
  readonly kind: "record" | "secret" | "unknown";
}

interface SecretsParts extends Pick<WorkspacePaths, "root" | "roots" | "own" | "publicFiles"> {
  sandbox(): Promise<SandboxStatus>;
}

/** Finds secrets that a command would show or move because it acts on a whole folder. */
export function createSecretsInSight({ root, roots, own, publicFiles, sandbox }: SecretsParts) {
  const scan = createNameScanner({ protectedNames: [], sensitiveNames });
  return async (folder: string, use: FolderUse): Promise<FoundSecret | undefined> => {
    if (use === "names") return undefined;
    // A sandbox hides files where they are, but no part of what git keeps.
    const mayBeHidden = use === "copies" || use === "content";
    if (mayBeHidden && (await sandbox()).kind !== "none") return undefined;
    const ours = use === "history" ? undefined : await findOwn(folder);
    if (ours !== undefined) return { path: ours, kind: "record" };
    if (use === "copies") return undefined;
    const { sensitivePaths, isComplete } = await (use === "moved" ? scan(folder) : findIn(folder));
    const inFolder = sensitivePaths.filter((path) => relativeInside(folder, path) !== undefined);
    if (inFolder.length > 0) {
      const known = await publicFiles.list();
      const secrets = inFolder.filter((path) => !known.has(path));
      const index = use === "history" ? await readGitIndex(root) : undefined;
      const isMeant = (path: string) => index === undefined || index.tracks(path) || index.mayTrackIn(path);
      const path = secrets.find(isMeant);
      if (path !== undefined) return { path, kind: "secret" };
    }
    return isComplete || use === "history" ? undefined : { path: folder, kind: "unknown" };
  };

  /** Finds a record of Toolwright beneath a folder such as the home folder. */
  async function findOwn(folder: string): Promise<string | undefined> {
    for (const path of own) {
      if (relativeInside(folder, path) === undefined) continue;
      if (await isFulfilled(lstat(path))) return path;
    }
    return undefined;
  }

  /** A root is searched as a whole, because that is remembered. */
  function findIn(folder: string) {
    return scan(roots.folders.find((each) => relativeInside(each, folder) !== undefined) ?? folder);
  }
}
