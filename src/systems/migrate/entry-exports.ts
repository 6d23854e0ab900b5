import { readFile } from "node:fs/promises";
import { packageFile } from "../../shared/entry-file.ts";
import type { SystemName } from "./moves/system-names.ts";

/** What an entry point exports, and whether it is there at run time. */
export interface EntryExports {
  readonly names: Readonly<Record<string, "value" | "type">>;
}

/** The text of an entry point, of which its exports are read: as it is built, for its types are nowhere else. */
export async function readEntry(system: SystemName): Promise<{ path: string; text: string } | undefined> {
  const path = packageFile(import.meta.url, {
    source: `../${system}/index.ts`,
    built: `systems/${system}/index.d.ts`,
  });
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : { path, text };
}
