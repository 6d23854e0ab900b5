import { expect, test } from "vitest";
import { snapshot } from "./snapshot.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const edits = (newText: string) => [{ oldText: "old", newText }];

test("edits of several files are taken back when one fails", async () => {
  const { root, files, changes } = await temporaryWorkspace({ "a.txt": "old", "b.txt": "other" });
  const before = await snapshot(root);
  const both = [
    { path: "a.txt", edits: edits("new") },
    { path: "b.txt", edits: edits("new") },
  ];
  await expect(files.editTexts(both)).rejects.toMatchObject({ code: "no-match" });
  expect(await snapshot(root)).toEqual(before);
  expect(changes.length % 2).toBe(0);
});

test("edits of several files are taken back when the call is given up between them", async () => {
  const { root, workspace, scope, changes } = await temporaryWorkspace({ "a.txt": "old", "b.txt": "old" });
  const before = await snapshot(root);
  const over = new AbortController();
  const onChange = (change: (typeof changes)[0]) => {
    changes.push(change);
    over.abort(new Error("over"));
  };
  const files = workspace.files({ ...scope, signal: over.signal, onChange });
  const both = [
    { path: "a.txt", edits: edits("new") },
    { path: "b.txt", edits: edits("new") },
  ];
  await expect(files.editTexts(both)).rejects.toThrow("over");
  expect(await snapshot(root)).toEqual(before);
});
