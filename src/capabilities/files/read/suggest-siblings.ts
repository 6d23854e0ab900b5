import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { openContained } from "../../../machine/paths/open-contained.ts";
import type { Roots } from "../../../shared/files/workspace-roots.ts";
import { nearestNames } from "../../../shared/text/nearest-names.ts";

/** Suggests names similar to a path's first missing part, from the folder where that part should be. */
export async function suggestSiblings(
  canonical: string,
  {
    roots,
    isListed,
    nameOf,
  }: {
    roots: Roots;
    isListed: (canonical: string) => boolean;
    nameOf: (canonical: string) => string;
  },
): Promise<readonly string[]> {
  let missing = canonical;
  for (let parent = dirname(missing); roots.mayRead(parent); parent = dirname(missing)) {
    const names = await namesIn(parent, roots);
    if (names !== undefined) {
      const listed = names.filter((name) => isListed(join(parent, name)));
      const nearest = nearestNames(basename(missing), listed);
      return nearest.map((name) => nameOf(join(parent, name)));
    }
    missing = parent;
  }
  return [];
}

async function namesIn(folder: string, { mayRead }: Roots): Promise<readonly string[] | undefined> {
  try {
    const opened = await openContained(folder, { kind: "directory", shownPath: folder, mayOpen: mayRead });
    return await readdir(opened.location).finally(() => opened.handle.close());
  } catch {
    // Suggestions are optional: whatever is wrong with this folder, the error stays "not found".
    return undefined;
  }
}
