import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Its path in the project, without `.ts`. */
export type Program = string;

export const programsFolder = "TOOLWRIGHT_TEST_PROGRAMS";
const projectFolder = join(import.meta.dirname, "../../..");

/** What to start for a `child-*.ts` beside a test: the source, or what a whole run has bundled it into. */
export function programFile(source: URL): string {
  const path = fileURLToPath(source);
  const folder = process.env[programsFolder];
  if (folder === undefined) return path;
  return join(folder, `${relative(projectFolder, path).slice(0, -".ts".length)}.js`);
}
