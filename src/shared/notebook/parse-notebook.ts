import { isPlainObject } from "../json.ts";
import { findJsonExcess, notebookLimits } from "../json-rpc/find-json-excess.ts";
import { countOf } from "../text/count-of.ts";
import { listOf } from "../text/list-of.ts";
import { oneLine } from "../text/one-line.ts";

export type Notebook = ReturnType<typeof parseNotebook>;

export type NotebookCell = ReturnType<typeof readCell>;

/** A fault of a notebook, or of the cell that the caller named. */
export class NotebookError extends Error {
  override readonly name = "NotebookError";
  readonly code: "unsupported" | "not-found" | "ambiguous-match";
  readonly hint: string | undefined;

  constructor(code: NotebookError["code"], message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Whether a file is a notebook, by its name. */
export function isNotebookPath(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

export function parseNotebook(text: string) {
  const root = parseJson(text);
  if (!isPlainObject(root)) throw malformed(`its JSON is ${kindOf(root)}, not an object`);
  const { cells, nbformat, nbformat_minor: minor } = root;
  if (cells === undefined && "worksheets" in root)
    throw malformed("it has worksheets, as in version 3 of the format, and no cells");
  if (cells === undefined) throw malformed("it has no cells");
  if (!Array.isArray(cells)) throw malformed(`its cells are ${kindOf(cells)}, not a list`);
  const isSince5 = nbformat === 4 && typeof minor === "number" && minor >= 5;
  return {
    cells: cells.map(readCell),
    /** Whether its version of the format gives every cell an id: 4.5 and later. */
    hasIds: isSince5 || (typeof nbformat === "number" && nbformat > 4),
  };
}

/** Finds a cell by its id, or by its index: `3` or `cell-3`. An id counts first. */
export function findCell({ cells }: Notebook, reference: string): NotebookCell {
  const named = cells.filter(({ id }) => id === reference);
  const [first] = named;
  if (named.length > 1) {
    throw new NotebookError(
      "ambiguous-match",
      `${countOf(named.length, "cell")} have the id ${oneLine(reference, 80)}: ${listOf(named.map(({ index }) => index))}`,
      `Name the cell by its index, such as cell-${first!.index}.`,
    );
  }
  const [, digits] = /^(?:cell-)?(\d{1,9})$/.exec(reference) ?? [];
  const found = first ?? (digits === undefined ? undefined : cells[Number(digits)]);
  if (found !== undefined) return found;
  const range = cells.length === 0 ? "" : `, counted from 0 to ${cells.length - 1}`;
  throw new NotebookError(
    "not-found",
    `there is no cell ${oneLine(reference, 80)}; the notebook has ${countOf(cells.length, "cell")}${range}`,
    "Read the notebook to see the ids and indexes of its cells.",
  );
}

/** Text as notebooks have it: one string, or a list of lines with their line ends. */
export function textOfValue(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const isLines = Array.isArray(value) && value.every((line) => typeof line === "string");
  return isLines ? value.join("") : undefined;
}

function parseJson(text: string): unknown {
  const excess = findJsonExcess(text, notebookLimits);
  if (excess !== undefined) throw malformed(excess);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(
      text.trim() === "" ? "it is empty" : `it is not JSON: ${oneLine((error as Error).message, 200)}`,
    );
  }
}

function readCell(cell: unknown, index: number) {
  if (!isPlainObject(cell)) throw malformed(`cell ${index} is ${kindOf(cell)}, not an object`);
  const { id, cell_type: type, source, execution_count: executionCount, outputs } = cell;
  const text = textOfValue(source);
  if (typeof type !== "string") throw malformed(`cell ${index} has no cell_type`);
  if (text === undefined)
    throw malformed(`the source of cell ${index} is neither a text nor a list of lines`);
  return {
    /** Counted from 0. */
    index,
    id: typeof id === "string" ? id : undefined,
    /** `code`, `markdown`, `raw`, or any other text of the file. */
    type,
    source: text,
    /** Whether the file has the source as a list of lines. */
    isList: Array.isArray(source),
    executionCount: typeof executionCount === "number" ? executionCount : undefined,
    outputs: (Array.isArray(outputs) ? outputs : []) as readonly unknown[],
  };
}

function malformed(why: string): NotebookError {
  return new NotebookError("unsupported", why);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
