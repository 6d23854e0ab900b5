import { createSearch, type SearchOptions } from "../../../../src/runtime/services/search/search.ts";
import { temporaryWorkspace } from "../files/temporary-workspace.ts";

/** A workspace with these files and a search that shows all of them. */
export async function temporarySearch(
  contents: Record<string, string | Uint8Array> = {},
  options: Partial<Omit<SearchOptions, "workspace">> = {},
) {
  const place = await temporaryWorkspace(contents);
  const { signal } = new AbortController();
  const search = createSearch({ workspace: place.workspace, signal, mayShow: () => true, ...options });
  return { ...place, search };
}
