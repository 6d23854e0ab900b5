import { relativeInside } from "../../../shared/relative-inside.ts";
import { readGitIndex } from "../../sandbox/protected/git-index.ts";
import { createNameScanner } from "../../sandbox/protected/scan-names.ts";
import type { SandboxStatus } from "../../sandbox/sandbox.ts";
import { sensitiveNames } from "../paths/protected-names.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";

/** How much of a folder's files a command shows: their names, their content, or what git keeps of them. */
export type Shown = "names" | "content" | "history";

interface SecretsParts extends Pick<WorkspacePaths, "root" | "roots" | "publicFiles"> {
  sandbox(): Promise<SandboxStatus>;
}

/** Finds secrets that a command would show because it reads a whole folder; each returns the path of one. */
export function createSecretsInSight({ root, roots, publicFiles, sandbox }: SecretsParts) {
  const scan = createNameScanner({ protectedNames: [], sensitiveNames });
  return async (folder: string, shown: Shown): Promise<string | undefined> => {
    if (shown === "names") return undefined;
    // A sandbox hides files, but no part of what git keeps.
    if (shown === "content" && (await sandbox()).kind !== "none") return undefined;
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

  /** A root is searched as a whole, because that is remembered. */
  function findIn(folder: string) {
    return scan(roots.folders.find((each) => relativeInside(each, folder) !== undefined) ?? folder);
  }
}
