import {
  type CellEdit,
  type CellEditOutcome,
  editNotebook,
} from "../../../../shared/notebook/edit-notebook.ts";
import { defined } from "../../../../shared/options/defined.ts";
import { oneLine } from "../../../../shared/text/one-line.ts";
import { quoteControls } from "../../../../shared/text/quote-controls.ts";
import { declareTool } from "../../../../tool/define-tool.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { describeWritten } from "../describe-edit.ts";
import { editedNotebook } from "../file-outputs.ts";
import { onNotebook } from "../read-notebook.ts";
import { readAndWrite } from "../text-params.ts";

export default declareTool({
  name: "file_notebook",
  description:
    "Replace, insert or delete one cell of a Jupyter notebook (.ipynb). Everything outside the cell stays as it is. Replacing the source of a code cell clears its outputs and its execution count, because they no longer belong to it; nothing is run.",
  params: {
    path: { type: "string", format: "path", description: "Path of the notebook, relative to the workspace" },
    cell_id: {
      type: "string",
      minLength: 1,
      required: false,
      description:
        "The id of the cell, or its index counted from 0, such as 3 or cell-3. A new cell is inserted after it, or first if it is left out",
    },
    new_source: {
      type: "string",
      required: false,
      description: "The whole new source of the cell; not needed to delete one",
    },
    cell_type: {
      type: "string",
      enum: ["code", "markdown"],
      required: false,
      description:
        "The type of the cell: required to insert one; when replacing, the default is its current type",
    },
    edit_mode: {
      type: "string",
      enum: ["replace", "insert", "delete"],
      default: "replace",
      description: "What to do",
    },
  },
  prompt: `Read the notebook first: it shows each cell with its index and its id. Prefer the id, since indexes shift when cells are inserted or deleted.
Give the whole source of the cell, without the marks in front of its lines.`,
  traits: { changesFilesOnly: true, needs: ["write"] },
  output: editedNotebook,
  searchHint: "jupyter ipynb cell change insert delete",
  permission: ({ path }) => readAndWrite(path),
  async run({ path, ...input }, { files, wording }) {
    const edit = toEdit(input);
    let outcome: CellEditOutcome | undefined;
    const { before, diff, ...written } = await files.updateText(path, (current) => {
      outcome = onNotebook(current, wording, (text) => editNotebook(text, edit));
      return outcome.text;
    });
    const { text: _text, ...cell } = outcome!;
    return {
      ...written,
      mode: edit.mode,
      changed: written.hash !== before.hash,
      ...cell,
      ...defined({ diff: diff && cutLongLines(diff) }),
    };
  },
  toText({ path, mode, changed, index, id, type, cells, clearedOutputs, hash, wasUnread, diff }) {
    const cell = `cell ${index} (${oneLine(type, 40)}${id === undefined ? "" : `, id ${oneLine(id, 80)}`})`;
    if (!changed) return `${quoteControls(path)} stays as it is: ${cell} already has this source.`;
    const parts = [
      `${verbs[mode]} ${cell} of ${quoteControls(path)}, which now has ${cells === 1 ? "1 cell" : `${cells} cells`}.`,
    ];
    if (clearedOutputs) parts.push("Its outputs were cleared.");
    return describeWritten(parts, { wasUnread, hash, diff });
  },
});

const verbs = { replace: "Replaced", insert: "Inserted", delete: "Deleted" } as const;

interface NotebookInput {
  readonly cell_id?: string | undefined;
  readonly new_source?: string | undefined;
  readonly cell_type?: "code" | "markdown" | undefined;
  readonly edit_mode: CellEdit["mode"];
}

function toEdit({
  cell_id: cell,
  new_source: source,
  cell_type: type,
  edit_mode: mode,
}: NotebookInput): CellEdit {
  if (mode === "delete") return { mode, cell: required("cell_id", cell, mode) };
  const text = required("new_source", source, mode);
  if (mode === "insert")
    return { mode, source: text, type: required("cell_type", type, mode), ...defined({ cell }) };
  return { mode, source: text, cell: required("cell_id", cell, mode), ...defined({ type }) };
}

function required<Value>(name: string, value: Value | undefined, mode: string): Value {
  if (value !== undefined) return value;
  throw new ToolError("invalid-input", `$.${name} is required to ${mode} a cell`, {
    hint: `Add ${name} and call again.`,
  });
}

/** An image in a notebook is one line of a megabyte. */
function cutLongLines(diff: string): string {
  const lines = diff.split("\n");
  const cut = (line: string) => `${line.slice(0, maxDiffLine).replace(/[\ud800-\udbff]$/, "")}…`;
  return lines.map((line) => (line.length <= maxDiffLine ? line : cut(line))).join("\n");
}

const maxDiffLine = 500;
