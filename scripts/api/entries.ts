import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Declarations, openDeclarations } from "./declarations.ts";
import type { Declaration } from "./parse-module.ts";

/** One of the names that the package is imported by. */
export interface Entry {
  readonly name: string;
  readonly exported: ReadonlyMap<string, Declaration>;
}

/** Everything the package offers under the names that are asked for, as its manifest and the emitted declarations say it. */
export async function readEntries(
  project: string,
  isAsked: (name: string) => boolean = () => true,
): Promise<{ readonly entries: readonly Entry[]; readonly declarations: Declarations }> {
  const manifest: Manifest = JSON.parse(await readFile(join(project, "package.json"), "utf8"));
  const declarations = openDeclarations(join(project, "dist"));
  const paths = Object.entries(manifest.exports).flatMap(([path, target]) => {
    const name = manifest.name + path.slice(1);
    return typeof target === "object" && isAsked(name) ? [{ name, types: target.types }] : [];
  });
  const entries = await Promise.all(
    paths.map(async ({ name, types }) => ({
      name,
      exported: await declarations.exportsOf(types.replace(/^\.\/dist\//, "")),
    })),
  );
  return { entries, declarations };
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}
