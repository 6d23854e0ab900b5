import { readdir } from "node:fs/promises";

/**
 * All paths that a shell's pattern may stand for now, and perhaps some more; undefined where they are too many to look
 * through. A pattern that matches nothing stands for itself, as in bash.
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

/** `..` stays as it is: after a link it does not lead back, and whoever walks the path knows. */
function below(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}

const special = /[*?[\\]/;

/** By the plain text before the first and behind the last special character: more names than bash takes, never fewer. */
function mayMatch(pattern: string, name: string): boolean {
  const head = pattern.slice(0, pattern.search(special));
  const tail = pattern.slice(pattern.search(/[^*?[\]\\]*$/));
  // A leading dot has to be written out.
  if (name.startsWith(".") && !/^[.[\\]/.test(pattern)) return false;
  return name.startsWith(head) && name.endsWith(tail);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
