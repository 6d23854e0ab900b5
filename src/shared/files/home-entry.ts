import { foldName } from "../glob/fold-name.ts";
import { relativeInside } from "../relative-inside.ts";

/**
 * The entry of the home folder that a path is or lies below, if its name begins with a dot: programs, shells and the
 * desktop obey their content without being told. Only where the home folder is part of the workspace; a separate root
 * below such an entry is a workspace like any other. All paths are absolute and contain no links.
 */
export function findHomeEntry(
  path: string,
  { home, roots }: { readonly home: string | undefined; readonly roots: readonly string[] },
): string | undefined {
  if (home === undefined) return undefined;
  const [name = ""] = relativeInside(home, path)?.split("/") ?? [];
  if (name === "." || !foldName(name).startsWith(".")) return undefined;
  const around = roots.filter((root) => relativeInside(root, path) !== undefined);
  const isOpen = around.length > 0 && around.every((root) => relativeInside(root, home) !== undefined);
  return isOpen ? name : undefined;
}
