import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RuntimeOptions } from "../../../../../src/index.ts";
import { notebookTexts, sources } from "../../../../shared/notebook/notebook-texts.ts";
import { fc, fuzzRuns } from "../../../../support/fuzz.ts";
import { openFileSession } from "../../../../support/open-file-session.ts";

const code = {
  cell_type: "code",
  execution_count: 1,
  id: "a",
  metadata: {},
  outputs: [{ name: "stdout", output_type: "stream", text: ["1\n"] }],
  source: ["print(1)"],
};
const markdown = { cell_type: "markdown", id: "b", metadata: {}, source: ["# Title"] };
const notebook = (cells: readonly object[] = [code, markdown]) =>
  `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;

async function open(text: string | Uint8Array = notebook(), options: RuntimeOptions = {}) {
  const opened = await openFileSession({ "a.ipynb": text }, options);
  const edit = (input: object) => opened.session.call("file_notebook", { path: "a.ipynb", ...input });
  const content = () => readFile(join(opened.workspace, "a.ipynb"), "utf8");
  return { ...opened, edit, content };
}

test("file_notebook replaces the source of a cell and clears its outputs, and says so", async () => {
  const { session, edit, content } = await open();
  await session.call("file_read", { path: "a.ipynb" });
  const result = await edit({ cell_id: "a", new_source: "print(2)\nprint(3)" });
  expect(await content()).toBe(
    notebook([{ ...code, execution_count: null, outputs: [], source: ["print(2)\n", "print(3)"] }, markdown]),
  );
  expect(result).toMatchObject({
    status: "done",
    data: { mode: "replace", changed: true, index: 0, id: "a", type: "code", cells: 2, clearedOutputs: true },
    receipt: { effects: { writes: ["a.ipynb"] } },
  });
  expect(result.text).toMatch(
    /^Replaced cell 0 \(code, id a\) of a\.ipynb, which now has 2 cells\. Its outputs/,
  );
  expect(result.text).toContain('-    "print(1)"\n');
});

test("file_notebook inserts and deletes cells, and changes their type", async () => {
  const { edit, content } = await open();
  const inserted = await edit({ edit_mode: "insert", cell_id: "a", new_source: "x", cell_type: "markdown" });
  const { id } = inserted.data as { id: string };
  const added = { cell_type: "markdown", id, metadata: {}, source: ["x"] };
  expect(await content()).toBe(notebook([code, added, markdown]));
  expect((await edit({ edit_mode: "delete", cell_id: "0" })).text).toContain("Deleted cell 0 (code, id a)");
  expect(await content()).toBe(notebook([added, markdown]));
  await edit({ cell_id: id, new_source: "y", cell_type: "code" });
  expect(JSON.parse(await content()).cells[0]).toEqual({
    ...added,
    cell_type: "code",
    source: ["y"],
    execution_count: null,
    outputs: [],
  });
  await edit({ edit_mode: "insert", new_source: "first", cell_type: "code" });
  expect(JSON.parse(await content()).cells[0].source).toEqual(["first"]);
});

test("file_notebook leaves a cell that already has the source as it is, outputs included", async () => {
  const { edit, content } = await open();
  const result = await edit({ cell_id: "a", new_source: "print(1)" });
  expect(result).toMatchObject({ status: "done", data: { changed: false, clearedOutputs: false } });
  expect(result.text).toBe("a.ipynb stays as it is: cell 0 (code, id a) already has this source.");
  expect(await content()).toBe(notebook());
});

test("undo brings back every byte, and a dry run changes none, whatever the notebook", async () => {
  const { session, workspace, edit } = await open();
  const path = join(workspace, "a.ipynb");
  await fc.assert(
    fc.asyncProperty(notebookTexts, sources, fc.boolean(), async (text, source, hasMark) => {
      const bytes = Buffer.from((hasMark ? "\ufeff" : "") + text);
      await writeFile(path, bytes);
      await session.call("file_read", { path: "a.ipynb" });
      const input = { edit_mode: "insert", new_source: source, cell_type: "code" } as const;
      const planned = await session.dryRun("file_notebook", { path: "a.ipynb", ...input });
      expect(planned.status).toBe("done");
      expect(await readFile(path)).toEqual(bytes);
      const { callId, status } = await edit(input);
      expect(status).toBe("done");
      const after = await readFile(path);
      expect(after.subarray(0, 3).equals(bytes.subarray(0, 3))).toBe(true);
      expect(JSON.parse(after.toString().replace(/^\ufeff/, "")).cells).toHaveLength(
        JSON.parse(text).cells.length + 1,
      );
      await session.undo(callId);
      expect(await readFile(path)).toEqual(bytes);
    }),
    { numRuns: fuzzRuns({ sample: 12, full: 500 }) },
  );
});

test("file_notebook refuses a notebook that changed since it was read", async () => {
  const { session, workspace, edit } = await open();
  await session.call("file_read", { path: "a.ipynb" });
  await writeFile(join(workspace, "a.ipynb"), notebook([markdown]));
  expect(await edit({ cell_id: "0", new_source: "x" })).toMatchObject({
    status: "failed",
    error: { code: "stale-file" },
  });
});

test.each(["NotebookEdit(*.ipynb)", "Edit(*.ipynb)", "Read(*.ipynb)", "@write(*.ipynb)"])(
  "a rule against %s binds it, its preview, and the other tools alike",
  async (rule) => {
    const { session, edit, content } = await open(notebook(), { permissions: { deny: [rule] } });
    const input = { path: "a.ipynb", cell_id: "a", new_source: "x" };
    expect((await edit(input)).status).toBe("denied");
    expect((await session.dryRun("file_notebook", input)).status).toBe("denied");
    const textual = { path: "a.ipynb", old_string: "Title", new_string: "x" };
    expect((await session.call("file_edit", textual)).status).toBe("denied");
    expect(await content()).toBe(notebook());
  },
);

test("file_notebook has its names and parameters in every dialect", async () => {
  const { session, workspace, content } = await open(notebook(), { dialect: "flyto" });
  const notebook_path = join(workspace, "a.ipynb");
  const edited = await session.call("NotebookEdit", { notebook_path, cell_id: "b", new_source: "x" });
  expect(edited).toMatchObject({
    status: "done",
    receipt: { tool: "file_notebook", calledAs: "NotebookEdit" },
  });
  expect(await content()).toBe(notebook([code, { ...markdown, source: ["x"] }]));
  const other = await open(notebook(), { dialect: "internal" });
  const input = { path: "a.ipynb", cell_id: "b", edit_mode: "delete" };
  expect((await other.session.call("internal_file_notebook", input)).status).toBe("done");
  expect(await other.content()).toBe(notebook([code]));
});

describe("file_notebook refuses, without a change,", () => {
  test.each([
    [{ new_source: "x" }, "$.cell_id is required to replace a cell"],
    [{ cell_id: "a" }, "$.new_source is required to replace a cell"],
    [{ edit_mode: "delete" }, "$.cell_id is required to delete a cell"],
    [{ edit_mode: "insert", new_source: "x" }, "$.cell_type is required to insert a cell"],
    [
      { cell_id: "nope", new_source: "x" },
      "there is no cell nope; the notebook has 2 cells, counted from 0 to 1",
    ],
  ])("the input %j", async (input, message) => {
    const { edit, content } = await open();
    const result = await edit(input);
    expect(result.status).toBe("failed");
    expect(result.text).toContain(message);
    expect(await content()).toBe(notebook());
  });

  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  test.each([
    ["", "it is empty"],
    ["<<<<<<< HEAD\n{}", "it is not JSON: Unexpected token '<'"],
    ['{"cells": [NaN]}', "it is not JSON"],
    ["[]", "its JSON is a list, not an object"],
    [deep, "its JSON is a list, not an object"],
    ["{}", "it has no cells"],
    ['{"worksheets": []}', "it has worksheets, as in version 3 of the format, and no cells"],
    ['{"cells": {}}', "its cells are an object, not a list"],
    [`{"cells": [${deep}]}`, "cell 0 is a list, not an object"],
    ['{"cells": [{"source": ""}]}', "cell 0 has no cell_type"],
    [
      '{"cells": [{"cell_type": "code", "source": [1]}]}',
      "the source of cell 0 is neither a text nor a list of lines",
    ],
  ])("a file that is not a notebook, and says how to read it: %#", async (text, why) => {
    const { session, edit, content } = await open(text);
    const answers = [
      await edit({ cell_id: "0", new_source: "x" }),
      await session.call("file_read", { path: "a.ipynb" }),
    ];
    for (const { error, text: told } of answers) {
      expect(error).toMatchObject({ code: "unsupported" });
      expect(told).toContain(`a.ipynb cannot be read as a notebook: ${why}`);
      expect(told).toContain("Read it as the text it is, with Read, raw=true.");
    }
    expect(await content()).toBe(text);
    expect((await session.call("file_read", { path: "a.ipynb", raw: true })).status).toBe("done");
  });

  test("a notebook of more than 8 MB, which can still be read as text", async () => {
    const { session, edit } = await open(`{"cells":[]}\n${" ".repeat(9 * 2 ** 20)}`);
    for (const result of [
      await session.call("file_read", { path: "a.ipynb" }),
      await edit({ edit_mode: "insert", new_source: "", cell_type: "code" }),
    ]) {
      expect(result.error).toMatchObject({ code: "too-large" });
      expect(result.text).toContain("raw=true");
    }
    const raw = await session.call("file_read", { path: "a.ipynb", raw: true, limit: 1 });
    expect(raw.text).toContain('{"cells":[]}');
  });
});

describe("an edit of the text of a notebook", () => {
  const breaking = { path: "a.ipynb", old_string: '"# Title"', new_string: "# Title" };
  const patch = (path: string) =>
    `*** Begin Patch\n*** Update File: ${path}\n@@\n-    "# Title"\n+    # Title\n*** End Patch\n`;

  test.each([
    ["file_edit", breaking],
    ["file_multi_edit", { edits: [{ path: "b.txt", old_string: "b", new_string: "c" }, breaking] }],
    ["file_patch", { patch: patch("a.ipynb") }],
  ])(
    "is refused by %s where it would break the JSON, and the tool for cells is named",
    async (tool, input) => {
      const { session, workspace, content } = await open();
      await writeFile(join(workspace, "b.txt"), "b");
      const result = await session.call(tool, input);
      expect(result).toMatchObject({ status: "failed", error: { code: "conflict" } });
      expect(result.text).toContain("a.ipynb would no longer be valid JSON");
      expect(result.text).toContain("Edit the cell with NotebookEdit, which keeps the JSON valid.");
      expect(await content()).toBe(notebook());
      expect(await readFile(join(workspace, "b.txt"), "utf8")).toBe("b");
    },
  );

  test("is made where the JSON stays valid, or was broken before", async () => {
    const { session, content } = await open();
    await session.call("file_edit", { path: "a.ipynb", old_string: "# Title", new_string: "# Other" });
    expect(await content()).toBe(notebook([code, { ...markdown, source: ["# Other"] }]));
    const broken = await open(`<<<<<<< HEAD\n${notebook()}`);
    const half = { path: "a.ipynb", old_string: "HEAD", new_string: "MAIN" };
    expect((await broken.session.call("file_edit", half)).status).toBe("done");
  });
});
