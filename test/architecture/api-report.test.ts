import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEntries } from "../../scripts/api/entries.ts";
import { fileName, reportFolder, writeReport } from "../../scripts/api/write-report.ts";
import { projectFolder, readText } from "./project-files.ts";

const { entries } = await readEntries(projectFolder);

test.each(entries)("the report on $name tells what is emitted", async (entry) => {
  const path = join(reportFolder, fileName(entry.name));
  const kept = await readText(path).catch(() => "");
  const now = writeReport(entry, entries.slice(0, entries.indexOf(entry)));
  const changed = findChanges(sectionsOf(kept), sectionsOf(now));
  expect(changed, `${path} is not what ${entry.name} exports: if the change is meant, npm run api`).toEqual(
    [],
  );
  expect(now).toBe(kept);
});

test("there is a report for each entry and no other", async () => {
  const reports = await readdir(join(projectFolder, reportFolder));
  expect(reports.sort()).toEqual(entries.map(({ name }) => fileName(name)).sort());
});

function findChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === is) return [];
    if (was === undefined) return [`${name} is new`];
    if (is === undefined) return [`${name} is gone`];
    return [`${name} has changed from:\n${was}\nto:\n${is}`];
  });
}

/** What stands under each heading, and the names in lists. */
function sectionsOf(report: string): Map<string, string> {
  const [opening = "", ...sections] = report.split(/^## /m);
  const listed = [...opening.matchAll(/^- (\w+)$/gm)].map(([, name]): [string, string] => [name!, ""]);
  return new Map([
    ...listed,
    ...sections.map((section): [string, string] => {
      const [name = "", ...lines] = section.split("\n");
      return [name, lines.join("\n").trim()];
    }),
  ]);
}
