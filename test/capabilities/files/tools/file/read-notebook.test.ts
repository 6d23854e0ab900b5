import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import fileRead from "../../../../../src/capabilities/files/tools/file/read.ts";
import { runTool } from "../../../../../src/testing/run-tool.ts";
import { dotImage, notebookTexts } from "../../../../shared/notebook/notebook-texts.ts";
import { fc, fuzzRuns } from "../../../../support/fuzz.ts";
import { openFileSession } from "../../../../support/open-file-session.ts";
import { temporaryFolder } from "../../../../support/open-test-session.ts";

const cells = [
  { cell_type: "markdown", id: "m1", metadata: {}, source: ["# Title\n", "words"] },
  {
    cell_type: "code",
    execution_count: 7,
    metadata: {},
    source: "print(1)\n",
    outputs: [
      { output_type: "stream", name: "stdout", text: ["10 %\r100 %\n", "done\n"] },
      {
        output_type: "execute_result",
        data: { "text/plain": "<Figure>", "image/png": "iVBORw0KGgo=", "application/json": { a: 1 } },
      },
      {
        output_type: "error",
        ename: "E",
        evalue: "no",
        traceback: ["\u001b[0;31mE\u001b[0m: no", "[9] code"],
      },
      { output_type: "display_data", data: { "text/html": "<b>x</b>" } },
    ],
  },
  { cell_type: "raw", source: [] },
];
const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });

test("file_read_notebook shows the cells of a notebook in order, with their outputs as text", async () => {
  const { session } = await openFileSession({ "a.ipynb": notebook });
  const { text, data, truncated } = await session.call("file_read", { path: "a.ipynb" });
  expect(text.split("\n").map((line) => line.trim())).toEqual([
    "1\t[0] markdown, id m1",
    "2\t| # Title",
    "3\t| words",
    "4\t[1] code, run 7",
    "5\t| print(1)",
    "6\t|",
    "7\t[1] output (stdout)",
    "8\t> 100 %",
    "9\t> done",
    "10\t[1] output (text/plain; image/png; not shown: application/json)",
    "11\t> <Figure>",
    "12\t[1] output (error)",
    "13\t> E: no",
    "14\t> [9] code",
    "15\t[1] output (not shown: text/html of 8 characters)",
    "16\t[2] raw",
    "(A notebook: cells 0-2 of 3, counted from 0; raw=true shows its JSON.)",
    "(1 image not shown: large, damaged, or after the first 4 of a page.)",
  ]);
  expect(data).toMatchObject({
    kind: "notebook",
    lines: 16,
    totalLines: 16,
    cells: 3,
    firstCell: 0,
    lastCell: 2,
  });
  expect(truncated).toBe(true);
});

test("file_read_notebook shows images of outputs beside the text: whole ones, and the first four of a page", async () => {
  const image = (base64: string) => ({ output_type: "display_data", data: { "image/png": base64 } });
  const plotting = (...images: string[]) => ({
    cell_type: "code",
    source: "plot()",
    outputs: images.map(image),
  });
  const text = JSON.stringify({
    cells: [plotting(`${dotImage}\n`, "iVBORw0KGgo="), plotting(dotImage, dotImage, dotImage)],
  });
  const { session } = await openFileSession({ "a.ipynb": text });
  const whole = await session.call("file_read", { path: "a.ipynb" });
  const notes = whole.text.split("\n").filter((line) => line.startsWith("("));
  expect(notes.slice(1)).toEqual([
    "(Images below: of cell 0, 1x1; of cell 1, 1x1; of cell 1, 1x1.)",
    "(2 images not shown: large, damaged, or after the first 4 of a page.)",
  ]);
  const shown = { type: "image", data: dotImage, mimeType: "image/png" };
  expect(whole.content.slice(1)).toEqual([shown, shown, shown]);
  expect(whole).toMatchObject({ truncated: true, data: { images: 5, shownImages: [{ cell: 0 }, {}, {}] } });
  const last = await session.call("file_read", { path: "a.ipynb", offset: 9 });
  expect(last.text).toBe(
    `     9\t[1] output (image/png)
(A notebook: cell 1 of 2, counted from 0; raw=true shows its JSON.)
(Images below: of cell 1, 1x1.)
[image image/png, 70 bytes]`,
  );
  expect(last.truncated).toBeUndefined();
});

test("file_read_notebook shows the JSON where that is asked for, and says nothing of cells", async () => {
  const { session } = await openFileSession({ "a.ipynb": notebook });
  const { text, data } = await session.call("file_read", { path: "a.ipynb", raw: true });
  expect(text).toBe(`     1\t${notebook}`);
  expect(data).toMatchObject({ kind: "text" });
});

test("a notebook without cells says so, and an offset beyond the end how many lines there are", async () => {
  const { session } = await openFileSession({ "a.ipynb": '{"cells":[]}', "b.ipynb": notebook });
  const empty = await session.call("file_read", { path: "a.ipynb" });
  expect(empty.text).toBe("(a.ipynb is a notebook without cells; raw=true shows its JSON.)");
  const beyond = await session.call("file_read", { path: "b.ipynb", offset: 99 });
  expect(beyond.text).toBe("(b.ipynb has 16 lines, so there is nothing at offset=99.)");
});

test("an output of many lines is cut, and the line in its place says how many are missing", async () => {
  const text = Array.from({ length: 500 }, (_, index) => `${index}\n`);
  const outputs = [{ output_type: "stream", name: "stdout", text }];
  const long = JSON.stringify({ cells: [{ cell_type: "code", source: "x", outputs }, cells[0]] });
  const { session } = await openFileSession({ "a.ipynb": long });
  const result = await session.call("file_read", { path: "a.ipynb" });
  expect(result.text).toContain(
    "   203\t> 199\n   204\t[0] output (not shown: 300 more lines)\n   205\t[1] markdown",
  );
  expect(result.truncated).toBe(true);
  expect((await session.call("file_read", { path: "a.ipynb", offset: 205 })).truncated).toBeUndefined();
});

test("a read of the cells counts as a read of the file", async () => {
  const { session } = await openFileSession({ "a.ipynb": notebook });
  await session.call("file_read", { path: "a.ipynb" });
  const input = { path: "a.ipynb", cell_id: "m1", new_source: "x" };
  expect((await session.call("file_notebook", input)).data).toMatchObject({ wasUnread: false });
});

test("sources read page by page are whole, whatever the notebook and the limits", async () => {
  const workspace = await temporaryFolder();
  const path = "a.ipynb";
  await fc.assert(
    fc.asyncProperty(
      fc.array(notebookTexts, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1000, max: 3000 }),
      fc.integer({ min: 1, max: 30 }),
      async (texts, maxOutputCharacters, limit) => {
        const all = texts.flatMap((text) => JSON.parse(text).cells as { source: string | string[] }[]);
        await writeFile(join(workspace, path), JSON.stringify({ cells: all }));
        const shown: string[] = [];
        for (let offset: number | undefined = 1; offset !== undefined; ) {
          const use = { workspace, maxOutputCharacters };
          const { text } = await runTool(fileRead, { path, offset, limit }, use);
          expect(text.length).toBeLessThanOrEqual(maxOutputCharacters);
          const numbered = text.split("\n").filter((line) => /^ *\d+\t/.test(line));
          shown.push(...numbered.map((line) => line.replace(/^ *\d+\t/, "")));
          const [, next] = /^\(Showing .*Continue with offset=(\d+)\.\)$/m.exec(text) ?? [];
          if (next !== undefined) expect(Number(next)).toBe(shown.length + 1);
          offset = next === undefined ? undefined : Number(next);
        }
        const sourceLines = shown.filter((line) => line.startsWith("| ")).map((line) => line.slice(2));
        const expected = all
          .map(({ source }) => (Array.isArray(source) ? source.join("") : source))
          .flatMap((source) => (source === "" ? [] : source.split(/\r?\n/)));
        expect(sourceLines).toEqual(expected);
        expect(shown.filter((line) => /^\[\d+\] (?!output)/.test(line))).toHaveLength(all.length);
      },
    ),
    { numRuns: fuzzRuns({ sample: 10, full: 500 }) },
  );
});
