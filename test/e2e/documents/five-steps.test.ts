import { afterAll, expect, test } from "vitest";
import { readText } from "../../architecture/project-files.ts";
import { openReader } from "./document-reader.ts";
import { followDocument } from "./follow-document.ts";
import { findBlocks } from "./markdown-blocks.ts";
import { packPackage } from "./pack-package.ts";

const packed = await packPackage();
afterAll(packed.remove);

test("the five steps of the README work in an empty folder, with the packed package and without its optional parts", async () => {
  const text = await readText("README.md");
  expect(text.match(/^\*\*\d\. /gm)).toEqual(["**1. ", "**2. ", "**3. ", "**4. ", "**5. "]);
  expect(text.split("\n").length).toBeLessThan(165);
  const reader = await openReader({ packed });
  try {
    await followDocument({ name: "README.md", blocks: findBlocks(text) }, reader);
  } finally {
    await reader.leave();
  }
});

test("the package holds what it needs to run and to be read, and nothing else", async () => {
  const documents = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "dist/LICENSES.txt",
    "docs/demo.svg",
    "package.json",
  ];
  const expected = /^(?:dist\/.+\.(?:js|d\.ts)|docs\/.+\.md)$/;
  expect(packed.paths.filter((path) => !expected.test(path)).sort()).toEqual(documents);
  const manifest: {
    bin: Record<string, string>;
    exports: Record<string, string | Record<string, string>>;
  } = JSON.parse(await readText("package.json"));
  const entries = [manifest.bin, ...Object.values(manifest.exports)].flatMap((entry) =>
    typeof entry === "string" ? entry : Object.values(entry),
  );
  const missing = entries
    .map((path) => path.replace(/^\.\//, ""))
    .filter((path) => !packed.paths.includes(path));
  expect(missing).toEqual([]);
});
