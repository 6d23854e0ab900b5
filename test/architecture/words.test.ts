import { expect, test } from "vitest";
import { listProject, readText } from "./project-files.ts";

const words = await readGlossary();

test("the glossary explains some forty words, each once", () => {
  expect(words.length).toBeGreaterThan(40);
  const named = words.flatMap(({ word }) => word);
  expect(named.filter((word, index) => named.indexOf(word) !== index)).toEqual([]);
});

test("no text of ours uses a word that the glossary has retired", async () => {
  const retired = words.flatMap(({ instead }) => instead);
  expect(retired.length).toBeGreaterThan(10);
  const pattern = new RegExp(`(?<![\\w./-])(?:${retired.map(spellings).join("|")})(?![\\w-])`, "gi");
  const paths = (await listProject()).filter((path) => isOurs(path));
  expect(paths.length).toBeGreaterThan(1000);
  const found = await Promise.all(
    paths.map(async (path) => {
      const text = splitNames(await readText(path));
      return [...text.matchAll(pattern)]
        .filter(
          ([word]) => !theirWords.some((known) => path.startsWith(known.path) && known.words.test(word)),
        )
        .map(({ 0: word, index }) => `${path}:${text.slice(0, index).split("\n").length}: ${word}`);
    }),
  );
  expect(found.flat()).toEqual([]);
});

/** Words of other systems, in files that speak to these. */
const theirWords: readonly { readonly path: string; readonly words: RegExp }[] = [
  // Eko's messages name who sends them.
  { path: "src/faces/interop/", words: /^sender$/i },
  { path: "docs/api/toolwright-interop.md", words: /^sender$/i },
  { path: "test/faces/interop/events/", words: /^sender$/i },
  { path: "test/tool/define-tool.test.ts", words: /^sender$/i },
];

function isOurs(path: string): boolean {
  return (
    /^(src|test|docs|examples|scripts|bench)\/.*\.(ts|mjs|md)$|^[A-Z]+\.md$/.test(path) &&
    // The two that list them.
    path !== "docs/GLOSSARY.md" &&
    path !== "test/architecture/words.test.ts"
  );
}

/** `takeCensus` as "take Census", so that a word is found inside a name as well; lines stay where they are. */
function splitNames(text: string): string {
  return text.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}

/** "sent off" also over the end of a line in a comment. */
function spellings(word: string): string {
  return `${word.split(" ").join("(?:\\s|\\*|//)+")}s?`;
}

interface Entry {
  readonly word: readonly string[];
  readonly instead: readonly string[];
}

async function readGlossary(): Promise<Entry[]> {
  const rows = (await readText("docs/GLOSSARY.md"))
    .split("\n")
    .filter((line) => /^\| (?!word )[^-]/.test(line));
  return rows.map((row) => {
    const [, word = "", , instead = ""] = row.split("|").map((cell) => cell.trim());
    const listed = (text: string) => text.split(/, /).filter((item) => item !== "");
    return { word: listed(word.replace(" *", "")), instead: listed(instead) };
  });
}
