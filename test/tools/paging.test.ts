import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import fileList from "../../src/capabilities/files/tools/file/list.ts";
import fileRead from "../../src/capabilities/files/tools/file/read.ts";
import searchGlob from "../../src/capabilities/search/tools/search/glob.ts";
import searchGrep from "../../src/capabilities/search/tools/search/grep.ts";
import { runTool } from "../../src/testing/run-tool.ts";
import type { AnyTool } from "../../src/tool/define-tool.ts";
import { fc, fuzzRuns } from "../support/fuzz.ts";

let workspace: string;
beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), "toolwright-test-"));
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const numRuns = fuzzRuns({ sample: 3, full: 300 });
const maxOutputCharacters = fc.integer({ min: 1000, max: 6000 });

/** Lines as they are in files: empty, short, in any script, and much longer than a page. */
const line = fc.oneof(
  fc.constant(""),
  fc.string({ unit: "binary-ascii", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc
    .tuple(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), fc.integer({ min: 50, max: 300 }))
    .map(([piece, times]) => piece.repeat(times)),
);
const lineEnd = fc.constantFrom("\n", "\r\n");
const file = fc
  .record({
    lines: fc.array(fc.tuple(line.map(withoutBreaks), lineEnd), {
      minLength: 1,
      maxLength: 120,
      size: "max",
    }),
    hasLastEnd: fc.boolean(),
  })
  .map(({ lines, hasLastEnd }) => {
    const text = lines.map(([words, end]) => words + end).join("");
    // At the start of a file this character is a byte order mark.
    return (hasLastEnd ? text : text.replace(/\r?\n$/, "")).replace(/^\ufeff+/, "");
  });

function withoutBreaks(text: string): string {
  return text.replace(/[\0\r\n]/g, "");
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Follows what each answer says to continue with, to the last page. */
async function readPages(tool: AnyTool, input: object, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: object | undefined = {}; next !== undefined; ) {
    const { text } = await runTool(tool, { ...input, ...next }, { workspace, maxOutputCharacters: limit });
    expect(text.length).toBeLessThanOrEqual(limit);
    const lines = text.split("\n");
    const offset = /^\(Showing .*\. Continue with offset=(\d+)\.\)$/.exec(lines.at(-1)!)?.[1];
    pages.push(offset === undefined ? lines : lines.slice(0, -1));
    next = offset === undefined ? undefined : { offset: Number(offset) };
  }
  return pages;
}

test("a file read page by page is the whole file, whatever its lines and the limits", async () => {
  const path = "a.txt";
  await fc.assert(
    fc.asyncProperty(
      file,
      maxOutputCharacters,
      fc.integer({ min: 1, max: 200 }),
      async (text, limit, maxLines) => {
        await writeFile(join(workspace, path), text);
        const shown = (await readPages(fileRead, { path, limit: maxLines }, limit)).flat();
        if (text === "") return;
        const read: string[] = [];
        for (const numbered of shown) {
          const [, number, words] = /^ *(\d+)\t(.*)$/s.exec(numbered)!;
          expect(Number(number)).toBe(read.length + 1);
          read.push(await readRest(words!, path, limit));
        }
        expect(read).toEqual(linesOf(text));
      },
    ),
    { numRuns },
  );
});

/** Follows a line that was cut to its end, as its mark says. */
async function readRest(shown: string, path: string, limit: number): Promise<string> {
  let [words, more] = takeCutMark(shown);
  while (more !== undefined) {
    const input = { path, limit: 1, ...more };
    const { text } = await runTool(fileRead, input, { workspace, maxOutputCharacters: limit });
    expect(text.length).toBeLessThanOrEqual(limit);
    const [, before, part] = /^ *\d+\t\(after ([\d,]+) characters?\) …(.*?)(?:\n\(Showing .*\))?$/s.exec(
      text,
    )!;
    expect(Number(before!.replace(",", ""))).toBe(words.length);
    const [next, rest] = takeCutMark(part!);
    expect(next.length).toBeGreaterThan(0);
    words += next;
    more = rest;
  }
  return words;
}

function takeCutMark(shown: string): [string, { offset: number; column: number } | undefined] {
  const mark = /^(.*)… \([\d,]+ more characters? in this line: offset=(\d+), column=(\d+)\)$/s.exec(shown);
  return mark === null
    ? [shown, undefined]
    : [mark[1]!, { offset: Number(mark[2]), column: Number(mark[3]) }];
}

const grepLine = fc
  .tuple(line.map(withoutBreaks), fc.constantFrom("", "a", "a line with a match"))
  .map((parts) => parts.join(""));

test("matches read page by page are those of one long answer, whatever is asked and the limits", async () => {
  const folder = join(workspace, "grep");
  // Sorted by names, by whole paths or by bytes, these come in another order.
  const names = ["a/b", "a-b", "a", "é", "\ue000", "😀"].map((name) => `${name}.`);
  const query = fc.record({
    output_mode: fc.constantFrom("content", "files_with_matches", "count"),
    context: fc.integer({ min: 0, max: 3 }),
    head_limit: fc.constantFrom(0, 3, 40, 250),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(grepLine, { maxLength: 40, size: "max" }), {
        minLength: 1,
        maxLength: 6,
        size: "max",
      }),
      query,
      maxOutputCharacters,
      async (files, asked, limit) => {
        await rm(folder, { recursive: true, force: true });
        await mkdir(join(folder, "a"), { recursive: true });
        for (const [index, lines] of files.entries())
          await writeFile(join(folder, names[index % names.length]! + index), lines.join("\n"));
        const input = { ...asked, path: "grep", pattern: "a" };
        const pages = (await readPages(searchGrep, input, limit)).map(withoutTotal);
        const whole = await runTool(searchGrep, { ...input, head_limit: 0 }, { workspace });
        // Between pages no `--` is needed.
        expect(pages.flat().filter(isEntry)).toEqual(withoutTotal(whole.text.split("\n")).filter(isEntry));
      },
    ),
    { numRuns },
  );
});

function withoutTotal(lines: readonly string[]): string[] {
  return lines.filter((shown) => !shown.startsWith("Total: "));
}

function isEntry(shown: string): boolean {
  return shown !== "--";
}

test("files and entries read page by page are all of them, each once", async () => {
  const folder = join(workspace, "many");
  await mkdir(folder);
  const names = Array.from({ length: 120 }, (_, index) => `${index}-${"n".repeat(index % 150)}`);
  for (const name of names) await writeFile(join(folder, name), "");
  await fc.assert(
    fc.asyncProperty(maxOutputCharacters, async (limit) => {
      for (const [tool, input] of [
        [searchGlob, { pattern: "many/*" }],
        [fileList, { path: "many" }],
      ] as const) {
        const shown = (await readPages(tool, input, limit)).flat();
        const found = shown.map((entry) => entry.replace(/^many\//, "").replace(/ {2}\(.*$/, ""));
        expect(found.toSorted()).toEqual(names.toSorted());
      }
    }),
    { numRuns: fuzzRuns({ sample: 3, full: 100 }) },
  );
});
