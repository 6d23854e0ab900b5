import type { Search } from "../../../tool/services/search.ts";
import { isSensitiveName, type PathFloor } from "../../policy/paths/judge-path.ts";
import type { Workspace } from "../files/workspace.ts";
import { globFiles } from "./glob-files.ts";
import { grepCounts } from "./grep/grep-counts.ts";
import { grepFiles } from "./grep/grep-files.ts";
import { grepLines } from "./grep/grep-lines.ts";
import type { SearchPlace } from "./search-place.ts";
import { openSearchRoot, type SearchRoot } from "./search-root.ts";
import type { StatThread } from "./stat-thread.ts";

/** A file that a search came upon: it decides by this whether to tell of it. */
export interface SeenFile {
  readonly absolute: string;
  readonly relative: string | undefined;
  readonly isInside: boolean;
  readonly floor?: PathFloor;
}

export interface SearchOptions {
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Makes finding thousands of files faster. */
  readonly statThread?: StatThread;
  /** Folders whose files are never told of, unless the search begins inside. */
  readonly hiddenFolders?: readonly string[];
  mayShow(file: SeenFile): boolean;
  /** Refuses, by throwing, to search in or read what was opened, by where it really is. */
  readonly admit?: ((canonical: string) => Promise<void>) | undefined;
}

/** The searches of one call: each opens the folder it begins in, and ends with the call's signal. */
export function createSearch(options: SearchOptions): Search {
  const { workspace, signal, statThread } = options;
  const inPlace =
    <Query extends { readonly path: string }, Found>(
      find: (query: Query, place: SearchPlace) => Promise<Found>,
    ) =>
    async (query: Query): Promise<Found> => {
      const root = await openSearchRoot(query.path, workspace);
      try {
        await options.admit?.(root.canonical);
        return await find(query, { root, signal, statThread, mayShow: createVisibility(root, options) });
      } finally {
        await root.close();
      }
    };
  return {
    glob: inPlace(globFiles),
    grep: inPlace(grepLines),
    grepFiles: inPlace(grepFiles),
    grepCounts: inPlace(grepCounts),
  };
}

/** No path is resolved here: beneath the root a search follows no links, so that every path is what it seems. */
function createVisibility(
  root: SearchRoot,
  { hiddenFolders = [], mayShow }: SearchOptions,
): SearchPlace["mayShow"] {
  // What was named itself has been decided on.
  if (root.onlyName !== undefined) return () => true;
  const start = root.absoluteOf("");
  const hidden = hiddenFolders
    .filter((folder) => folder.startsWith(start))
    .map((folder) => `${folder.slice(start.length)}/`);
  const findSensitive = createSensitivity();
  return (found) => {
    if (hidden.some((folder) => found.startsWith(folder))) return false;
    const absolute = root.absoluteOf(found);
    const name = root.nameOf(found);
    const sensitive = findSensitive(found);
    return mayShow({
      absolute,
      relative: name === absolute ? undefined : name,
      isInside: root.isInside,
      ...(sensitive !== undefined && {
        floor: { decision: "ask", reason: `${JSON.stringify(sensitive)} may hold secrets` },
      }),
    });
  };
}

/** The first name in a path that may hold secrets. */
function createSensitivity(): (path: string) => string | undefined {
  // Files of one folder mostly come one after the other.
  let lastFolder = "";
  let lastFound: string | undefined;
  return (path) => {
    const end = path.lastIndexOf("/") + 1;
    if (end !== lastFolder.length || !path.startsWith(lastFolder)) {
      lastFolder = path.slice(0, end);
      lastFound = lastFolder.split("/").find(isSensitiveName);
    }
    if (lastFound !== undefined) return lastFound;
    const name = path.slice(end);
    return isSensitiveName(name) ? name : undefined;
  };
}
