import { sha256 } from "../crypto.ts";
import { defined } from "../options/defined.ts";
import { linesOf } from "../text/lines-of.ts";
import { escapeUnit } from "../text/quote-controls.ts";
import { findMember, type JsonEntries, readJsonEntries, skipSpace } from "./json-entries.ts";
import { findCell, type Notebook, type NotebookCell, parseNotebook } from "./parse-notebook.ts";

/** `cell` is the id or index of the cell to change; a new one comes after it, or first if none is named. */
export type CellEdit =
  | { readonly mode: "replace"; readonly cell: string; readonly source: string; readonly type?: CellType }
  | { readonly mode: "insert"; readonly cell?: string; readonly source: string; readonly type: CellType }
  | { readonly mode: "delete"; readonly cell: string };

type CellType = "code" | "markdown";

export interface CellEditOutcome {
  readonly text: string;
  /** Where the cell is, or was before it was deleted. */
  readonly index: number;
  readonly id?: string;
  readonly type: string;
  /** How many there are now. */
  readonly cells: number;
  readonly clearedOutputs: boolean;
}

/** Edits one cell in the text of a notebook. Every character outside that cell stays as it is. */
export function editNotebook(text: string, edit: CellEdit): CellEditOutcome {
  const notebook = parseNotebook(text);
  const root = readJsonEntries(text, skipSpace(text, 0));
  const cells = readJsonEntries(text, findMember(root, "cells")!.valueStart);
  const editing: Editing = { text, notebook, cells, layout: jsonLayoutOf(text, root) };
  if (edit.mode === "insert") {
    const after = edit.cell === undefined ? undefined : findCell(notebook, edit.cell);
    return insertCell(editing, after, edit);
  }
  const cell = findCell(notebook, edit.cell);
  return edit.mode === "delete" ? deleteCell(editing, cell) : replaceCell(editing, cell, edit);
}

interface Editing {
  readonly text: string;
  readonly notebook: Notebook;
  readonly cells: JsonEntries;
  readonly layout: JsonLayout;
}

function insertCell(
  { text, notebook, cells, layout }: Editing,
  after: NotebookCell | undefined,
  { source, type }: Extract<CellEdit, { mode: "insert" }>,
): CellEditOutcome {
  const index = after === undefined ? 0 : after.index + 1;
  const neighbour = after ?? notebook.cells[0];
  const id = notebook.hasIds ? freeId(notebook, `${index}\n${source}`) : undefined;
  const isCode = type === "code";
  // In the order in which Jupyter writes them.
  const cell = {
    cell_type: type,
    ...defined({ execution_count: isCode ? null : undefined, id }),
    metadata: {},
    ...defined({ outputs: isCode ? [] : undefined }),
    source: neighbour?.isList === false ? source : linesOf(source),
  };
  const list = openBrackets(text, cells);
  const [first, second] = list.pieces;
  const [start, separator] = [layout.lineStart(2), layout.separator(2)];
  const piece = {
    before: index === 0 ? (first?.before ?? start) : (second?.before ?? separator),
    text: writeJson(cell, layout, 2),
    after: "",
  };
  const moved = index > 0 || first === undefined ? [] : [{ ...first, before: second?.before ?? separator }];
  const pieces = list.pieces.toSpliced(index, moved.length, piece, ...moved);
  const tail = first === undefined ? layout.lineStart(1) : list.tail;
  return {
    text: replaceBrackets(text, cells, { pieces, tail }),
    index,
    ...defined({ id }),
    type,
    cells: pieces.length,
    clearedOutputs: false,
  };
}

function deleteCell({ text, cells }: Editing, { index, id, type }: NotebookCell): CellEditOutcome {
  const { pieces, tail } = openBrackets(text, cells);
  const left = pieces.toSpliced(index, 1);
  if (index === 0 && left[0] !== undefined) left[0] = { ...left[0], before: pieces[0]!.before };
  return {
    text: replaceBrackets(text, cells, { pieces: left, tail }),
    index,
    ...defined({ id }),
    type,
    cells: left.length,
    clearedOutputs: false,
  };
}

function replaceCell(
  editing: Editing,
  cell: NotebookCell,
  edit: Extract<CellEdit, { mode: "replace" }>,
): CellEditOutcome {
  const { text, notebook, cells, layout } = editing;
  const { index, id, type: oldType } = cell;
  const type = edit.type ?? oldType;
  const about = { index, ...defined({ id }), type, cells: notebook.cells.length };
  if (edit.source === cell.source && type === oldType) return { ...about, text, clearedOutputs: false };

  const entries = readJsonEntries(text, cells.entries[index]!.valueStart);
  const isOnOneLine = !entries.entries.some(({ before }) => before.includes("\n"));
  const inside = isOnOneLine ? onOneLine(layout) : layout;
  const members = openMembers(text, entries, inside);
  if (edit.source !== cell.source) members.set("source", writeSource(editing, cell, edit.source, inside));
  if (type !== oldType) members.set("cell_type", JSON.stringify(type));
  if (type === "code") {
    members.set("execution_count", "null");
    members.set("outputs", "[]");
    if (type !== oldType) members.remove("attachments");
  } else if (type !== oldType) {
    members.remove("execution_count");
    members.remove("outputs");
  }
  return {
    ...about,
    text: replaceBrackets(text, entries, members.close()),
    clearedOutputs: cell.outputs.length > 0,
  };
}

/** A list of lines stays one, and a list that stands on one line stays on it. */
function writeSource(
  { text, cells }: Editing,
  { index, isList }: NotebookCell,
  source: string,
  layout: JsonLayout,
): string {
  if (!isList) return layout.quote(source);
  const cell = readJsonEntries(text, cells.entries[index]!.valueStart);
  const { entries } = readJsonEntries(text, findMember(cell, "source")!.valueStart);
  const isOnOneLine = entries.length > 0 && !entries.some(({ before }) => before.includes("\n"));
  return writeJson(linesOf(source), isOnOneLine ? onOneLine(layout) : layout, 3);
}

/** Eight hexadecimal digits, as Jupyter's own: the same edit of the same notebook gives the same id. */
function freeId({ cells }: Notebook, seed: string): string {
  const taken = new Set(cells.map(({ id }) => id));
  let id = sha256(seed).slice(0, 8);
  while (taken.has(id)) id = sha256(id).slice(0, 8);
  return id;
}

interface Brackets {
  readonly pieces: readonly Piece[];
  /** Whitespace before the closing bracket. */
  readonly tail: string;
}

interface Piece {
  readonly name?: string | undefined;
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

function openBrackets(text: string, { entries }: JsonEntries): Brackets {
  const pieces = entries.map(({ name, before, after, start, end }, index) => ({
    name,
    before,
    text: text.slice(start, end),
    after: index === entries.length - 1 ? "" : after,
  }));
  return { pieces, tail: entries.at(-1)?.after ?? "" };
}

function replaceBrackets(text: string, { start, end }: JsonEntries, { pieces, tail }: Brackets): string {
  const inside = pieces.map(({ before, text: piece, after }) => before + piece + after).join(",");
  return text.slice(0, start + 1) + (pieces.length === 0 ? "" : inside + tail) + text.slice(end - 1);
}

/** The members of a cell, to change some of them. */
function openMembers(text: string, object: JsonEntries, layout: JsonLayout) {
  const { pieces: old, tail } = openBrackets(text, object);
  const first = old[0]!.before;
  let pieces = old;
  return {
    set(name: string, json: string): void {
      const index = pieces.findLastIndex((piece) => piece.name === name);
      const before = old.at(-1)!.before;
      const added = { name, before, text: `"${name}"${layout.colon}${json}`, after: "" };
      if (index === -1) {
        pieces = [...pieces, added];
        return;
      }
      const { start, valueStart } = findMember(object, name)!;
      pieces = pieces.with(index, { ...pieces[index]!, text: text.slice(start, valueStart) + json });
    },
    remove(name: string): void {
      pieces = pieces.filter((piece) => piece.name !== name);
    },
    close: (): Brackets => ({ pieces: pieces.with(0, { ...pieces[0]!, before: first }), tail }),
  };
}

type JsonLayout = ReturnType<typeof jsonLayoutOf>;

/** How a JSON text is laid out, by the members of its root, to write more in the same way. */
function jsonLayoutOf(text: string, { entries: [first, second] }: JsonEntries) {
  // Real notebooks do not indent further; a hostile one could, so that every new line takes a megabyte.
  const [, newline, indent = ""] = /(\r?\n)([ \t]{0,16})[ \t]*$/.exec(first?.before ?? "") ?? [];
  /** A line end and the indentation of a level; empty in a text on one line. */
  const lineStart = (level: number) => (newline === undefined ? "" : newline + indent.repeat(level));
  const space = (second?.before ?? "") === "" ? "" : " ";
  // A writer that escapes everything beyond ASCII, such as Python's by default, would do so again.
  const isEscaped = /\\u[0-9a-f]{4}/i.test(text) && !/[^\x00-\x7f]/.test(text);
  return {
    /** Between a name and its value. */
    colon: first === undefined || first.colon.length > maxColonCharacters ? ": " : first.colon,
    lineStart,
    /** Between a comma and the next entry. */
    separator: (level: number) => (newline === undefined ? space : lineStart(level)),
    quote: (words: string) => {
      const json = JSON.stringify(words);
      return isEscaped ? json.replace(/[^\x00-\x7f]/g, escapeUnit) : json;
    },
  };
}

const maxColonCharacters = 8;

function onOneLine(layout: JsonLayout): JsonLayout {
  const space = layout.colon.endsWith(" ") ? " " : "";
  return { ...layout, lineStart: () => "", separator: () => space };
}

/** A value as JSON, whose first line stands at a level of indentation. */
function writeJson(value: unknown, layout: JsonLayout, level: number): string {
  if (typeof value === "string") return layout.quote(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const write = (inner: unknown) => writeJson(inner, layout, level + 1);
  const pieces = Array.isArray(value)
    ? value.map(write)
    : Object.entries(value).map(([name, inner]) => layout.quote(name) + layout.colon + write(inner));
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (pieces.length === 0) return `${open}${close}`;
  const inside = pieces.join(`,${layout.separator(level + 1)}`);
  return `${open}${layout.lineStart(level + 1)}${inside}${layout.lineStart(level)}${close}`;
}
