import { expect, test } from "vitest";
import { type CellEdit, editNotebook } from "../../../src/shared/notebook/edit-notebook.ts";
import { readJsonEntries } from "../../../src/shared/notebook/json-entries.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { notebookTexts, sources } from "./notebook-texts.ts";

interface Parsed {
  readonly cells: Record<string, unknown>[];
  readonly nbformat_minor: number;
}

/** The text of each cell, and what stands before and after all of them. */
function piecesOf(text: string) {
  const root = readJsonEntries(text, 0);
  const { valueStart } = root.entries.find(({ name }) => name === "cells")!;
  const { start, end, entries } = readJsonEntries(text, valueStart);
  return {
    head: text.slice(0, start),
    cells: entries.map((entry) => text.slice(entry.start, entry.end)),
    tail: text.slice(end),
  };
}

const types = fc.constantFrom(undefined, "code" as const, "markdown" as const);
const numRuns = fuzzRuns({ sample: 300, full: 20_000 });

test("an edit changes one cell of any notebook, and not one character outside", () => {
  fc.assert(
    fc.property(
      notebookTexts,
      fc.constantFrom("replace" as const, "insert" as const, "delete" as const),
      fc.nat(),
      sources,
      types,
      (text, mode, number, source, type) => {
        const before = JSON.parse(text) as Parsed;
        const count = before.cells.length;
        if (count === 0 && mode !== "insert") return;
        const index = count === 0 ? -1 : number % count;
        const edit = toEdit({ mode, index, source, type });
        const outcome = editNotebook(text, edit);
        const after = JSON.parse(outcome.text) as Parsed;
        const [was, is] = [piecesOf(text), piecesOf(outcome.text)];

        expect([is.head, is.tail]).toEqual([was.head, was.tail]);
        expect(is.cells).toEqual(expectedCells(was.cells, is.cells[outcome.index], outcome.index, mode));
        expect({ ...after, cells: [] }).toEqual({ ...before, cells: [] });
        expect(outcome.cells).toBe(after.cells.length);
        if (mode === "insert") expectNew(after, outcome.index, { source, type: type ?? "code" });
        if (mode === "replace") expectReplaced(before.cells[index]!, after.cells[index]!, { source, type });
      },
    ),
    { numRuns },
  );
});

function toEdit({
  mode,
  index,
  source,
  type,
}: {
  mode: CellEdit["mode"];
  index: number;
  source: string;
  type: "code" | "markdown" | undefined;
}): CellEdit {
  const cell = `cell-${index}`;
  if (mode === "delete") return { mode, cell };
  if (mode === "replace") return { mode, cell, source, ...(type !== undefined && { type }) };
  return { mode, source, type: type ?? "code", ...(index >= 0 && index % 2 === 0 && { cell }) };
}

function expectedCells(was: string[], edited: string | undefined, index: number, mode: CellEdit["mode"]) {
  if (mode === "delete") return was.toSpliced(index, 1);
  return mode === "insert" ? was.toSpliced(index, 0, edited!) : was.with(index, edited!);
}

function textOf(source: unknown): string {
  return Array.isArray(source) ? source.join("") : (source as string);
}

function expectNew(
  { cells, nbformat_minor }: Parsed,
  index: number,
  { source, type }: { source: string; type: string },
) {
  const { id, source: written, ...rest } = cells[index]!;
  expect(textOf(written)).toBe(source);
  const ofCode = type === "code" ? { execution_count: null, outputs: [] } : {};
  expect(rest).toEqual({ cell_type: type, metadata: {}, ...ofCode });
  expect(typeof id).toBe(nbformat_minor >= 5 ? "string" : "undefined");
  if (nbformat_minor < 5) return;
  expect(id).toMatch(/^[\w-]{1,64}$/);
  expect(cells.filter((cell) => cell.id === id)).toHaveLength(1);
}

function expectReplaced(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  { source, type = before.cell_type as "code" }: { source: string; type?: "code" | "markdown" | undefined },
) {
  const isSame = source === textOf(before.source) && type === before.cell_type;
  if (isSame) return expect(after).toEqual(before);
  const { execution_count: _count, outputs: _outputs, ...kept } = before;
  const ofCode = type === "code" ? { execution_count: null, outputs: [] } : {};
  expect({ ...after, source: 0 }).toEqual({ ...kept, ...ofCode, cell_type: type, source: 0 });
  expect(textOf(after.source)).toBe(source);
  expect(Array.isArray(after.source)).toBe(Array.isArray(before.source));
}

test("a notebook as Jupyter writes it looks as if Jupyter had written the change", () => {
  const write = (cells: object[]) =>
    `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
  const code = {
    cell_type: "code",
    execution_count: 2,
    id: "a",
    metadata: {},
    outputs: [{ output_type: "stream" }],
    source: ["x\n", "y"],
  };
  const markdown = { cell_type: "markdown", id: "b", metadata: {}, source: [] };
  const text = write([code, markdown]);
  const cleared = { ...code, execution_count: null, outputs: [] };

  const replaced = editNotebook(text, { mode: "replace", cell: "a", source: "1\n2\n" });
  expect(replaced).toMatchObject({ index: 0, id: "a", clearedOutputs: true });
  expect(replaced.text).toBe(write([{ ...cleared, source: ["1\n", "2\n"] }, markdown]));
  expect(editNotebook(text, { mode: "replace", cell: "b", source: "# é" }).text).toBe(
    write([code, { ...markdown, source: ["# é"] }]),
  );
  const inserted = editNotebook(text, { mode: "insert", cell: "1", source: "z", type: "code" });
  const { id } = inserted;
  expect(inserted.text).toBe(write([code, markdown, { ...cleared, id, source: ["z"] }]));
  const empty = editNotebook(write([]), { mode: "insert", source: "z", type: "code" });
  expect(empty.text).toBe(write([{ ...cleared, id: empty.id, source: ["z"] }]));
  expect(editNotebook(empty.text, { mode: "delete", cell: "0" }).text).toBe(write([]));
});

test("an id counts before an index, and one that two cells share names neither", () => {
  const cell = (id: string) => ({ cell_type: "raw", id, metadata: {}, source: id });
  const text = JSON.stringify({ cells: ["x", "0", "d", "d"].map(cell), nbformat: 4, nbformat_minor: 5 });
  const deleting = (name: string) => editNotebook(text, { mode: "delete", cell: name }).index;
  expect([deleting("0"), deleting("cell-0"), deleting("3"), deleting("x")]).toEqual([1, 0, 3, 0]);
  expect(() => deleting("d")).toThrow("2 cells have the id d: 2 and 3");
  for (const name of ["4", "cell-4", "-1", "", "1.0", "X"]) {
    expect(() => deleting(name)).toThrow("the notebook has 4 cells, counted from 0 to 3");
  }
});

test("of members that occur twice, the one that programs read is changed", () => {
  const text = `{"cells":[{"cell_type":"raw","source":"a","source":"b"}],"cells":[{"cell_type":"raw","source":"c"}]}`;
  expect(editNotebook(text, { mode: "replace", cell: "0", source: "x" }).text).toBe(
    text.replace('"c"', '"x"'),
  );
});

test("values of any depth and strings of any length take linear time", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const quotes = JSON.stringify('\\"'.repeat(200_000));
  const text = `{"metadata":${deep},"x":${quotes},"cells":[{"cell_type":"raw","metadata":${deep},"source":"c"}]}`;
  expect(editNotebook(text, { mode: "replace", cell: "0", source: "x" }).text).toBe(
    text.replace('"c"', '"x"'),
  );
});

test("a new cell gets an id that no other cell has, even where the first choice is taken", () => {
  const write = (ids: readonly string[]) => {
    const cells = ids.map((id) => ({ cell_type: "markdown", id, metadata: {}, source: "" }));
    return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
  };
  const insert = (ids: readonly string[]) =>
    editNotebook(write(ids), { mode: "insert", source: "x", type: "code" }).id!;
  const taken: string[] = [];
  for (let count = 0; count < 4; count += 1) taken.push(insert(taken));
  expect(new Set(taken).size).toBe(4);
  expect(insert([])).toBe(taken[0]);
});

test("broken JSON is refused wherever it breaks, and never read without end", () => {
  const breaks = fc.constantFrom("", '"', "\\", "{", "]", ":", ",", "x");
  fc.assert(
    fc.property(notebookTexts, fc.nat(), breaks, fc.boolean(), (text, number, mark, isCut) => {
      const at = number % text.length;
      const broken = text.slice(0, at) + mark + (isCut ? "" : text.slice(at + 1));
      const edit = { mode: "insert", source: "x", type: "code" } as const;
      const isJson = parses(broken);
      // Either it is still a notebook, or the refusal says that it is none.
      try {
        expect(parses(editNotebook(broken, edit).text)).toBe(true);
        expect(isJson).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: "unsupported" });
      }
      try {
        readJsonEntries(broken, 0);
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
      }
    }),
    { numRuns },
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
