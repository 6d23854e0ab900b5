import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { type BlankedSource, blankLiterals } from "./blank-literals.ts";
import { findImports, type Import } from "./find-imports.ts";
import { projectFolder } from "./project-files.ts";

export interface SourceFile extends BlankedSource {
  /** Inside src, with forward slashes. */
  readonly path: string;
  readonly folder: string;
  readonly imports: readonly Import[];
}

export async function readSourceFiles(): Promise<SourceFile[]> {
  const folder = join(projectFolder, "src");
  const entries = await readdir(folder, { recursive: true });
  const paths = entries.filter((entry) => entry.endsWith(".ts")).map((entry) => entry.split(sep).join("/"));
  return Promise.all(
    paths.sort().map(async (path) => {
      const source = blankLiterals(await readFile(join(folder, path), "utf8"));
      return { path, folder: folderOf(path), ...source, imports: findImports(path, source) };
    }),
  );
}

/**
 * The row of the table a file belongs to: what holds rooms counts by its inner folders, the rest by the outer one. The
 * tools of all capabilities are one row, because the same holds for all of them.
 */
export function folderOf(path: string): string {
  const [outer, inner, innermost] = path.split("/");
  if (outer === "capabilities" && innermost === "tools") return "tools";
  if (inner === undefined) return "src";
  const isRoom = inner !== path.split("/").at(-1);
  return ["kernel", "capabilities", "machine", "faces"].includes(outer!) && isRoom
    ? `${outer}/${inner}`
    : outer!;
}

/** Unlike in that table, the tools of a capability are in its room. */
export function roomOf(path: string): string {
  const folder = folderOf(path);
  return folder === "tools" ? path.split("/").slice(0, 2).join("/") : folder;
}
