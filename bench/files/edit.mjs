import { copyFile, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { bar } from "../support/bar.mjs";
import { lineBytes, writeLargeFile } from "./large-file.mjs";
import { measureInTurns } from "./measure-in-turns.mjs";
import { openFilesSession } from "./open-files-session.mjs";
import { toRows } from "./to-rows.mjs";

const rounds = 12;
const sizes = { full: { fileBytes: 50_000_000 }, smallest: { fileBytes: 1000 } };
const floor = "by hand, as text";

/** Changes one line in the middle of 50 MB. Every edit is different, so that caches do not help. */
export async function measureEdit({ size, folder, pi }) {
  const { fileBytes } = sizes[size];
  const middle = fileBytes / lineBytes / 2;
  const original = join(folder, "original.txt");
  await writeLargeFile(original, fileBytes);
  const session = await openFilesSession(folder);
  const editors = new Map([
    [floor, editByHand],
    ["by hand, as bytes", editBytesByHand],
    ["file_edit", (path, oldText, newText) => editThroughSession(session, { path, oldText, newText })],
  ]);
  if (pi) {
    editors.set("pi's edit", (path, oldText, newText) => pi.edit({ path, edits: [{ oldText, newText }] }));
  }
  const candidates = [];
  for (const [name, edit] of editors) {
    const path = join(folder, `${candidates.length}.txt`);
    await copyFile(original, path);
    candidates.push({ name, run: createEditing(path, { edit, line: middle }) });
  }
  const times = await measureInTurns(candidates, { size, rounds });
  await session.close();
  const value = times.get("file_edit").best / times.get(floor).best;
  return {
    tables: [{ title: "One edit in 50 MB", rows: toRows(times, { floor }) }],
    bars: [bar("file_edit in 50 MB, over doing it by hand", { value, limit: 1.5 })],
  };
}

function createEditing(path, { edit, line }) {
  let oldText = `line ${String(line).padStart(9, "0")} the`;
  let count = 0;
  return async () => {
    count += 1;
    const newText = `edit ${String(count).padStart(9, "0")} the`;
    await edit(path, oldText, newText);
    oldText = newText;
  };
}

async function editThroughSession(session, { path, oldText, newText }) {
  const input = { path, old_string: oldText, new_string: newText };
  const { replacements } = await session.call("file_edit", input);
  if (replacements !== 1) throw new Error(`file_edit made ${replacements} replacements`);
}

async function editByHand(path, oldText, newText) {
  const text = await readFile(path, "utf8");
  const at = text.indexOf(oldText);
  if (at === -1) throw new Error(`${oldText} is not there`);
  await replaceFile(path, [text.slice(0, at) + newText + text.slice(at + oldText.length)]);
}

async function editBytesByHand(path, oldText, newText) {
  const bytes = await readFile(path);
  const at = bytes.indexOf(oldText);
  if (at === -1) throw new Error(`${oldText} is not there`);
  await replaceFile(path, [bytes.subarray(0, at), newText, bytes.subarray(at + oldText.length)]);
}

async function replaceFile(path, pieces) {
  const handle = await open(`${path}.new`, "w");
  for (const piece of pieces) await handle.writeFile(piece);
  await handle.sync();
  await handle.close();
  await rename(`${path}.new`, path);
}
