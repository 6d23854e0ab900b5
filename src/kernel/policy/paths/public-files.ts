import { once } from "../../../shared/once.ts";
import { isSensitivePath } from "./judge-path.ts";

/** Files that may be read although their names are sensitive, because every person with the repository has them. */
export interface PublicFiles {
  /** Absolute paths. */
  list(): Promise<ReadonlySet<string>>;
  /** The same files in a copy of the workspace. */
  in(root: string): PublicFiles;
}

export const noPublicFiles: PublicFiles = { list: async () => new Set(), in: () => noPublicFiles };

/** The files with sensitive names that are exactly as committed. Git is loaded with the first of them that is met. */
export function committedFiles(root: string): PublicFiles {
  return onDemand(async () => {
    const { createCommittedFiles } = await import("../../../machine/git/committed-files.ts");
    return createCommittedFiles(root, isSensitivePath);
  });
}

function onDemand(load: () => Promise<PublicFiles>): PublicFiles {
  const loaded = once(load);
  return {
    list: async () => (await loaded()).list(),
    in: (copy) => onDemand(async () => (await loaded()).in(copy)),
  };
}
