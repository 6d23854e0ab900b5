import { sharedPlaceholders } from "../protected/placeholders.ts";
import { createNameScanner } from "../protected/scan-names.ts";
import { createBubblewrap } from "./bubblewrap.ts";
import { readSystemEntries } from "./system-entries.ts";

/** Bubblewrap without a workspace: nothing but the system, and these files. */
export async function createBareBubblewrap(
  { file, shell }: Pick<Parameters<typeof createBubblewrap>[0], "file" | "shell">,
  {
    strays = [],
    readable = [],
  }: Partial<Pick<Parameters<typeof createBubblewrap>[0], "strays" | "readable">> = {},
): Promise<ReturnType<typeof createBubblewrap>> {
  return createBubblewrap({
    file,
    shell,
    strays,
    system: await readSystemEntries(),
    programs: { shown: [], masked: [] },
    home: "/",
    roots: [],
    readable,
    hidden: [],
    protectedNames: [],
    homeNames: [],
    codePaths: [],
    placeholders: sharedPlaceholders(),
    findNames: createNameScanner({ protectedNames: [], sensitiveNames: [] }),
    findPublic: async () => new Set(),
  });
}
