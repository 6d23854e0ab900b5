import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findMissing, listProject, readText } from "./project-files.ts";

test("every link between the documents leads to a file that is there", async () => {
  const documents = (await listProject()).filter((path) => path.endsWith(".md"));
  const links = await Promise.all(
    documents.map(async (path) =>
      [...(await readText(path)).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) =>
        join(dirname(path), target!),
      ),
    ),
  );
  expect(await findMissing(links.flat())).toEqual([]);
});

test("every file that the life of a call names is there", async () => {
  const [, life = ""] = (await readText("docs/ARCHITECTURE.md")).split("## The life of a call");
  const stages = life.split("\n").filter((line) => /^\| \d+ \|/.test(line));
  expect(stages).toHaveLength(10);
  const files = stages.flatMap((line) =>
    [
      ...line
        .split("|")
        .at(-2)!
        .matchAll(/`([^`]+\.ts)`/g),
    ].map(([, name]) => join("src/kernel/call", name!)),
  );
  expect(files.length).toBeGreaterThanOrEqual(stages.length);
  expect(await findMissing(files)).toEqual([]);
});

test("the index of decisions lists every record once, by its title, and files are named after titles", async () => {
  const folder = "docs/decisions/";
  const records = (await listProject()).filter((path) => /^docs\/decisions\/\d{4}-.*\.md$/.test(path));
  const expected = await Promise.all(
    records.map(async (path) => {
      const [, number, title = ""] = /^# (\d{4}): (.*)$/m.exec(await readText(path)) ?? [];
      const name = title
        .toLowerCase()
        .replace(/[`']/g, "")
        .replaceAll(/[^a-z0-9]+/g, "-");
      expect(path).toBe(`${folder}${number}-${name}.md`);
      return `- ${number} [${title}](${number}-${name}.md)`;
    }),
  );
  const index = (await readText(`${folder}README.md`)).split("\n").filter((line) => line.startsWith("- "));
  expect(index.toSorted()).toEqual(expected.toSorted());
});
