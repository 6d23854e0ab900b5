// Writes down what the package exports, so that a change of it shows in review.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readEntries } from "./api/entries.ts";
import { fileName, reportFolder, writeReport } from "./api/write-report.ts";

const project = fileURLToPath(new URL("..", import.meta.url));
const { entries } = await readEntries(project);
await mkdir(join(project, reportFolder), { recursive: true });
for (const [index, entry] of entries.entries()) {
  const file = join(project, reportFolder, fileName(entry.name));
  await writeFile(file, writeReport(entry, entries.slice(0, index)));
}
