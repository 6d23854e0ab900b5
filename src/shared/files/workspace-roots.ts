import { sep } from "node:path";

/** The workspace boundaries. Paths are canonical and compared by whole segments: `/work-evil` is not in `/work`. */
export interface Roots {
  readonly root: string;
  /** The root and the extra roots. */
  readonly folders: readonly string[];
  contains(canonical: string): boolean;
  mayRead(canonical: string): boolean;
  /** Whether the path is in a folder that may be read but is not part of the workspace. */
  inReadableRoot(canonical: string): boolean;
  /** Whether the path is a root or contains one; such a folder must not be moved or deleted. */
  holdsRoot(canonical: string): boolean;
  relative(canonical: string): string | undefined;
  /** The names between the path's root and the path; empty if no root contains it. */
  namesBeneath(canonical: string): readonly string[];
  /** Gives these roots with one more folder that may be read. */
  withReadable(folder: string): Roots;
}

interface RootFolders {
  readonly root: string;
  readonly extraRoots: readonly string[];
  readonly readableRoots: readonly string[];
}

export function createRoots({ root, extraRoots, readableRoots }: RootFolders): Roots {
  const inside = [root, ...extraRoots];
  const readable = [...inside, ...readableRoots];
  return {
    root,
    folders: inside,
    contains: (canonical) => inside.some((one) => isBeneath(canonical, one)),
    mayRead: (canonical) => readable.some((one) => isBeneath(canonical, one)),
    inReadableRoot: (canonical) => readableRoots.some((one) => isBeneath(canonical, one)),
    holdsRoot: (canonical) => readable.some((one) => isBeneath(one, canonical)),
    relative: (canonical) => {
      if (!isBeneath(canonical, root)) return undefined;
      return segmentsBeneath(canonical, root).join("/") || ".";
    },
    namesBeneath: (canonical) => {
      const holder = readable.find((one) => isBeneath(canonical, one));
      return holder === undefined ? [] : segmentsBeneath(canonical, holder);
    },
    withReadable: (folder) => createRoots({ root, extraRoots, readableRoots: [...readableRoots, folder] }),
  };
}

function isBeneath(canonical: string, root: string): boolean {
  return canonical === root || canonical.startsWith(root.endsWith(sep) ? root : root + sep);
}

function segmentsBeneath(canonical: string, root: string): string[] {
  return canonical
    .slice(root.length)
    .split(sep)
    .filter((segment) => segment !== "");
}
