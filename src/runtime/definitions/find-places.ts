import { ToolError } from "../../tool/tool-error.ts";
import { readingScope } from "../services/files/reading-scope.ts";
import type { Workspace } from "../services/files/workspace.ts";
import type { CatalogueItem, CatalogueKind, CataloguePlace, CatalogueProblem } from "./catalogue-kind.ts";

export interface Places {
  /** In the order in which they count. */
  readonly places: readonly CataloguePlace[];
  /** Of the folders themselves. */
  readonly problems: readonly CatalogueProblem[];
}

const maxEntries = 10_000;

export async function findPlaces<Item extends CatalogueItem>(
  workspace: Workspace,
  { folders, entryOf }: Pick<CatalogueKind<Item>, "folders" | "entryOf">,
): Promise<Places> {
  const places: CataloguePlace[] = [];
  const problems: CatalogueProblem[] = [];
  for (const folder of folders) {
    try {
      // Mostly there is none, and then nobody wants to be told of names like it.
      const { kind, inside } = await workspace.resolve(folder);
      if (kind === "missing" && inside) continue;
      const files = workspace.files(readingScope(new AbortController().signal));
      const { entries, truncated } = await files.list(folder, { maxEntries });
      for (const entry of entries) {
        const found = entry.name.startsWith(".") ? undefined : entryOf(entry);
        if (found === undefined) continue;
        const { name, file } = found;
        places.push({ name, path: `${folder}/${entry.name}`, file: `${folder}/${file}` });
      }
      if (truncated)
        problems.push({
          path: folder,
          message: `only the first ${maxEntries} entries are read; remove some`,
        });
    } catch (error) {
      if (error instanceof ToolError && error.code === "not-found") continue;
      problems.push({ path: folder, message: (error as Error).message });
    }
  }
  return { places, problems };
}
