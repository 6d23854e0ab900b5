import { readdir } from "node:fs/promises";

/**
 * Every path that a shell pattern may match now, and possibly a few more; undefined if there are too many. A pattern that
 * matches nothing stands for itself, as in bash.
 */
export async function expandGlob(pattern: string, { maxPaths = 1000 } = {}): Promise<string[] | undefined> {
  let paths = ["/"];
  for (const segment of pattern.split("/").filter((part) => part !== "")) {
    if (!special.test(segment)) {
      paths = paths.map((path) => below(path, segment));
      continue;
    }
    const found: string[] = [];
    for (const path of paths) {
      for (const name of await namesIn(path)) if (mayMatch(segment, name)) found.push(below(path, name));
      if (found.length > maxPaths) return undefined;
    }
    paths = found;
  }
  return paths.length === 0 ? [pattern] : paths;
}

/** Keeps `..` unresolved: after a link it does not lead back. Walking the path resolves it correctly. */
function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

const special = /[*?[\\]/;

/** Compares only the literal head and tail of the pattern: may match more names than bash would, never fewer. */
function mayMatch(pattern: string, name: string): boolean {
  const head = pattern.slice(0, pattern.search(special));
  const tail = pattern.slice(pattern.search(/[^*?[\]\\]*$/));
  // As in bash, wildcards do not match a leading dot.
  if (name.startsWith(".") && !/^[.[\\]/.test(pattern)) return false;
  return name.startsWith(head) && name.endsWith(tail);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
