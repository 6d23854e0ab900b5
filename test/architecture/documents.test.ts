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
