import type { Gate } from "../../policy/gate.ts";
import { isSensitiveName } from "../../policy/paths/judge-path.ts";
import type { SearchPlace } from "./search-place.ts";
import type { SearchRoot } from "./search-root.ts";

export interface VisibilityOptions {
  readonly stateFolder: string | undefined;
  readonly mayShow: ReturnType<Gate["visibility"]>;
}

/**
 * Which of the files that a search comes upon it may tell of. No path is resolved here: beneath the root a search follows
 * no links, so that every path is what it seems.
 */
export function createVisibility(
  root: SearchRoot,
  { stateFolder, mayShow }: VisibilityOptions,
): SearchPlace["mayShow"] {
  // What was named itself has been decided on.
  if (root.onlyName !== undefined) return () => true;
  const start = root.absoluteOf("");
  const hidden = stateFolder?.startsWith(start) ? `${stateFolder.slice(start.length)}/` : undefined;
  const findSensitive = createSensitivity();
  return (found) => {
    if (hidden !== undefined && found.startsWith(hidden)) return false;
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
