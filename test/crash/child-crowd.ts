/**
 * One of several processes that change the same files until they are killed: `<workspace> <store> <name> <seed>`. Adds lines to a
 * shared file, by any of its names and any tool, and counts up in two files at once; prints each change that it was told is done.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openRuntime } from "../../src/open-runtime.ts";

const [workspace = "", store = "", name = "", seed = ""] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store, permissions: { mode: "auto" } });
const session = await runtime.openSession();

async function textOf(path: string): Promise<string> {
  await session.call("file_read", { path });
  return readFile(join(workspace, path), "utf8").catch(() => "");
}

async function isDone(tool: string, input: unknown): Promise<boolean> {
  const { status, error } = await session.call(tool, input);
  // Anything else would be a change that was neither made nor refused for a reason that one can act on.
  const expected = ["stale-file", "not-found", "no-match", "already-exists", "conflict", "invalid-input"];
  if (status !== "done" && !expected.includes(error?.code ?? ""))
    console.log(`odd ${tool} ${JSON.stringify(error)}`);
  return status === "done";
}

type AddLine = (path: string, text: string, line: string) => Promise<boolean>;

const replacing = (text: string, line: string) => {
  const [last = ""] = text.trimEnd().split("\n").slice(-1);
  return { last, old_string: `${last}\n`, new_string: `${last}\n${line}\n` };
};

const away = `shared-${name}.txt`;

/** Every way to add a line to what was read. */
const ways: readonly AddLine[] = [
  (path, text, line) => isDone("file_edit", { path, ...without(replacing(text, line)) }),
  (path, text, line) => isDone("file_write", { path, content: `${text}${line}\n` }),
  (path, text, line) => isDone("file_multi_edit", { edits: [{ path, ...without(replacing(text, line)) }] }),
  (path, text, line) => {
    const { last } = replacing(text, line);
    const hunk = ["@@", ` ${last}`, `+${line}`];
    return isDone("file_patch", {
      patch: ["*** Begin Patch", `*** Update File: ${path}`, ...hunk, "*** End Patch"].join("\n"),
    });
  },
  /** It stays unless it can be taken back. */
  async (path, text, line) => {
    const edited = await session.call("file_edit", { path, ...without(replacing(text, line)) });
    if (edited.status !== "done") return false;
    return (await session.undo(edited.callId)).status !== "done";
  },
  /** Out of everybody's way and back, with what others have added. */
  async (path, _, line) => {
    if (path === "soft.txt" || !(await isDone("file_move", { source: path, destination: away })))
      return false;
    const isAdded = await ways[0]!(away, await textOf(away), line);
    await isDone("file_move", { source: away, destination: path });
    return isAdded;
  },
];

function without({ last, ...edit }: ReturnType<typeof replacing>) {
  return edit;
}

/** Every name of the file. */
const names = ["shared.txt", "soft.txt", "alias/shared.txt"];

// Where it was when an earlier one of this name was killed.
await session.call("file_move", { source: away, destination: "shared.txt" });
console.log("ready");
for (let count = Number(seed); ; count++) {
  const line = `${name} ${count}`;
  const path = names[(count + Math.floor(count / ways.length)) % names.length]!;
  const text = await textOf(path);
  if (text !== "" && (await ways[count % ways.length]!(path, text, line))) console.log(`line ${line}`);

  const now = /^pair (\d+)/.exec(await textOf("left.txt"))?.[1] ?? "0";
  await textOf("right.txt");
  const next = Number(now) + 1;
  const edits = ["left.txt", "right.txt"].map((each) => ({
    ...{ path: each, old_string: `pair ${now}\n`, new_string: `pair ${next}\n` },
  }));
  if ((await session.call("file_multi_edit", { edits })).status === "done") console.log(`pair ${next}`);
  await session.call("file_copy", { source: "from", destination: `to-${name}`, overwrite: true });
  await session.call("file_delete", { path: `to-${name}`, recursive: true });
}
