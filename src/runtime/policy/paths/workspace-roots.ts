import { sep } from "node:path";

/** Where the boundaries run. Paths are canonical and compared segment by segment, exactly: `/work-evil` is not in `/work`. */
export interface Roots {
  readonly root: string;
  contains(canonical: string): boolean;
  mayRead(canonical: string): boolean;
  /** Whether it lies in one of the folders that may be read though they are none to work in. */
  inReadableRoot(canonical: string): boolean;
  /** Whether the path is a root, or one lies beneath it: such a folder stays where it is. */
  holdsRoot(canonical: string): boolean;
  relative(canonical: string): string | undefined;
  /** The names from the root that holds the path down to it; none where no root does. */
  namesBeneath(canonical: string): readonly string[];
}

export function createRoots({
  root,
  extraRoots,
  readableRoots,
}: {
  root: string;
  extraRoots: readonly string[];
  readableRoots: readonly string[];
}): Roots {
  const inside = [root, ...extraRoots];
  const readable = [...inside, ...readableRoots];
  return {
    root,
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
