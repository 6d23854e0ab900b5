import { findSensitiveName, type Gate, isSensitiveName } from "../../kernel/policy/index.ts";
import type { SearchPlace } from "./search-place.ts";
import type { SearchRoot } from "./search-root.ts";

interface VisibilityOptions {
  /** Absolute paths of Toolwright's own files. */
  readonly own: readonly string[];
  readonly look: ReturnType<Gate["visibility"]>;
  /** Absolute paths of files with sensitive names that are not secrets. */
  readonly publicFiles: ReadonlySet<string>;
}

/**
 * Decides which of the found files a search may show. Paths need no resolving: a search follows no links below its
 * root.
 */
export function createVisibility(
  root: SearchRoot,
  { own, look, publicFiles }: VisibilityOptions,
): SearchPlace["visibilityOf"] {
  // The gate has already decided on a file that was requested itself.
  if (root.onlyName !== undefined) return () => "shown";
  const start = root.absoluteOf("");
  const hidden = own.flatMap((path) => (path.startsWith(start) ? path.slice(start.length) : []));
  const findSensitive = createSensitivity(root.relativeOf("") ?? "");
  return (found) => {
    if (hidden.some((path) => found === path || found.startsWith(`${path}/`))) return "hidden";
    const absolute = root.absoluteOf(found);
    const sensitive = findSensitive(found);
    const seen = { absolute, relative: root.relativeOf(found), isInside: root.isInside };
    if (sensitive === undefined || publicFiles.has(absolute)) return look(seen);
    const reason = `${JSON.stringify(sensitive)} may hold secrets`;
    return look({ ...seen, floor: { decision: "ask", reason } });
  };
}

/** The first name in a path that may hold secrets. */
function createSensitivity(folder: string): (path: string) => string | undefined {
  // Otherwise the gate has decided on the folder that is searched.
  const start = folder.split("/").filter((name) => name === "node_modules");
  // Caches the last folder, because files of one folder mostly come in a row.
  let lastFolder: string | undefined;
  let names: readonly string[] = [];
  let lastFound: string | undefined;
  return (path) => {
    const end = path.lastIndexOf("/") + 1;
    if (lastFolder === undefined || end !== lastFolder.length || !path.startsWith(lastFolder)) {
      lastFolder = path.slice(0, end);
      names = [...start, ...lastFolder.split("/")];
      lastFound = findSensitiveName(names);
    }
    if (lastFound !== undefined) return lastFound;
    const name = path.slice(end);
    // Most names are plain, and looking at one is much cheaper than looking at all of its path.
    return isSensitiveName(name) ? findSensitiveName([...names, name]) : undefined;
  };
}
