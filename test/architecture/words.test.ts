import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listProject, projectFolder, readText } from "./project-files.ts";
import { titlesWithoutSubject } from "./test-titles.ts";

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

/** Words that readers have to read twice: say who does it, or name the thing. */
const puzzles = {
  nobody: /\bnobody\b(?!-to-ask)/gi,
  whoever: /\bwhoever\b/gi,
  somebody: /\bsomebody\b/gi,
  "of its own": /\bof (?:its|their|our|your|his|her) own\b/gi,
  "what is": /\bwhat (?:is|are|was|were|has|had|the|it|they|others)\b/gi,
  // "There is no such file" is plain; "it is no file" and "a number that is none" are not.
  "is no": /(?<!\bthere )\b(?:is|are|was|were) (?:none|no (?!longer\b|more\b))/gi,
} as const;

const puzzlesFile = "test/architecture/words.json";

/** Counted beside them: titles of tests that do not begin with their subject. */
const titles = "title without subject";
const counted = [...(Object.keys(puzzles) as (keyof typeof puzzles)[]), titles] as const;

type Puzzle = (typeof counted)[number];
/** How often each stands in the texts of each folder. */
type PuzzleCounts = Record<Puzzle, Record<string, number>>;

test("words: puzzles such as nobody, whoever and what is become fewer in the source and the documents", async () => {
  const known = JSON.parse(await readText(puzzlesFile)) as PuzzleCounts;
  const measured = await countPuzzles();
  const totalOf = (counts: PuzzleCounts, puzzle: Puzzle) =>
    Object.values(counts[puzzle] ?? { all: Number.POSITIVE_INFINITY }).reduce((sum, count) => sum + count, 0);
  for (const puzzle of counted) {
    const total = totalOf(measured, puzzle);
    expect(total, `"${puzzle}" in all`).toBeLessThanOrEqual(totalOf(known, puzzle));
    if (process.env.TOOLWRIGHT_SIZE === "update") continue;
    const advice = "TOOLWRIGHT_SIZE=update npx vitest run test/architecture/words.test.ts";
    // Text may move from one folder to another, as long as there is no more of it in all.
    const grown = Object.entries(measured[puzzle]).filter(([name, n]) => n > (known[puzzle][name] ?? 0));
    expect(Object.fromEntries(grown), `folders with more "${puzzle}"; if it moved: ${advice}`).toEqual({});
    expect(
      total,
      `"${puzzle}" in all, which is much less than written down: ${advice}`,
    ).toBeGreaterThanOrEqual(totalOf(known, puzzle) * 0.9 - 5);
  }
  if (process.env.TOOLWRIGHT_SIZE === "update")
    await writeFile(join(projectFolder, puzzlesFile), `${JSON.stringify(measured, undefined, 2)}\n`);
});

async function countPuzzles(): Promise<PuzzleCounts> {
  const counts = Object.fromEntries(counted.map((puzzle) => [puzzle, {}])) as PuzzleCounts;
  // `docs/api` repeats the comments of the source.
  const paths = (await listProject()).filter(
    (path) => /^(src\/.*\.ts|docs\/.*\.md)$/.test(path) && !path.startsWith("docs/api/"),
  );
  for (const path of paths.toSorted()) {
    const folder = path.split("/").slice(0, -1).slice(0, 2).join("/");
    // A comment as one line, so that words are found over its line ends.
    const text = (await readText(path)).replace(/\n\s*(?:\*|\/\/)?\s*/g, " ");
    for (const [puzzle, pattern] of Object.entries(puzzles) as [Puzzle, RegExp][]) {
      const found = text.match(pattern)?.length ?? 0;
      if (found > 0) counts[puzzle][folder] = (counts[puzzle][folder] ?? 0) + found;
    }
  }
  const tests = (await listProject("test")).filter((path) => /\.(?:test|limits)\.ts$/.test(path));
  for (const path of tests.toSorted()) {
    const found = titlesWithoutSubject(path, await readText(path)).length;
    const folder = path.split("/").slice(0, -1).slice(0, 2).join("/");
    if (found > 0) counts[titles][folder] = (counts[titles][folder] ?? 0) + found;
  }
  return counts;
}

/** Words of other systems, in files that speak to these. */
const theirWords: readonly { readonly path: string; readonly words: RegExp }[] = [
  // Eko's messages name who sends them.
  { path: "src/capabilities/interop/", words: /^sender$/i },
  { path: "docs/api/toolwright-interop.md", words: /^sender$/i },
  { path: "test/capabilities/interop/events/", words: /^sender$/i },
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
