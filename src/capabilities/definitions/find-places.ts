import { ToolError } from "../../tool/tool-error.ts";
import { readingScope } from "../files/reading-scope.ts";
import type { Workspace } from "../files/workspace.ts";
import type { Definition, DefinitionKind, DefinitionPlace, DefinitionProblem } from "./definition-kind.ts";

export interface FoundPlaces {
  /** In order of precedence. */
  readonly places: readonly DefinitionPlace[];
  /** Problems with the folders themselves. */
  readonly problems: readonly DefinitionProblem[];
}

const maxEntries = 10_000;

export async function findPlaces<Item extends Definition>(
  workspace: Workspace,
  { folders, entryOf }: Pick<DefinitionKind<Item>, "folders" | "entryOf">,
): Promise<FoundPlaces> {
  const places: DefinitionPlace[] = [];
  const problems: DefinitionProblem[] = [];
  for (const folder of folders) {
    try {
      // Usually the folder does not exist; checking first avoids searching for similar names.
      const { kind, inside } = await workspace.resolve(folder);
      if (kind === "missing" && inside) continue;
      const files = workspace.files(readingScope(workspace));
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
