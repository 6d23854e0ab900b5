import { isAbsolute, relative } from "node:path";

/** The way from a folder to a path inside it, `.` for the folder itself; undefined where the path leads out. */
export function relativeInside(folder: string, path: string): string | undefined {
  const between = relative(folder, path);
  if (between === "") return ".";
  return between === ".." || between.startsWith("../") || isAbsolute(between) ? undefined : between;
}
