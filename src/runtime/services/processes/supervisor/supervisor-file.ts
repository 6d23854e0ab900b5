import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** The supervisor's program: beside this file in the source, an entry of its own in the package. */
export function supervisorFile(here = import.meta.url): string {
  if (here.endsWith(".ts")) return fileURLToPath(new URL("supervisor-main.ts", here));
  // A bundle does not say which of its folders this code went to, but it knows its package.
  const manifest = createRequire(here).resolve("toolwright/package.json");
  return fileURLToPath(new URL("dist/supervisor.js", `file://${manifest}`));
}
