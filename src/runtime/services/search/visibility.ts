import type { Gate } from "../../policy/gate.ts";
import { isSensitiveName } from "../../policy/paths/judge-path.ts";
import type { SearchPlace } from "./search-place.ts";
import type { SearchRoot } from "./search-root.ts";

export interface VisibilityOptions {
  /** Absolute; what is of Toolwright itself. */
  readonly own: readonly string[];
  readonly look: ReturnType<Gate["visibility"]>;
}

/**
 * Decides which of the found files a search may show. Paths need no resolving: a search follows no links below its
 * root.
 */
export function createVisibility(
  root: SearchRoot,
  { own, look }: VisibilityOptions,
): SearchPlace["visibilityOf"] {
  // The gate has already decided on a file that was requested itself.
  if (root.onlyName !== undefined) return () => "shown";
  const start = root.absoluteOf("");
  const hidden = own.flatMap((path) => (path.startsWith(start) ? path.slice(start.length) : []));
  const findSensitive = createSensitivity();
  return (found) => {
    if (hidden.some((path) => found === path || found.startsWith(`${path}/`))) return "hidden";
    const absolute = root.absoluteOf(found);
    const sensitive = findSensitive(found);
    return look({
      absolute,
      relative: root.relativeOf(found),
      isInside: root.isInside,
      ...(sensitive !== undefined && {
        floor: { decision: "ask", reason: `${JSON.stringify(sensitive)} may hold secrets` },
      }),
    });
  };
}

/** The first name in a path that may hold secrets. */
function createSensitivity(): (path: string) => string | undefined {
  // Caches the last folder, because files of one folder mostly come in a row.
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
