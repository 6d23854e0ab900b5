import { isAbsolute, relative } from "node:path";

/** The relative path from a folder to a path inside it, `.` for the folder itself; undefined for a path outside. */
export function relativeInside(folder: string, path: string): string | undefined {
  const between = relative(folder, path);
  if (between === "") return ".";
  return between === ".." || between.startsWith("../") || isAbsolute(between) ? undefined : between;
}
