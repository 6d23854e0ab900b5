/**
 * One of several processes that change the same files until they are killed: `<workspace> <store> <name>`. Adds lines to a
 * shared file, and counts up in two files at once; prints each change that it was told is done.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openRuntime } from "../../src/open-runtime.ts";

const [workspace = "", store = "", name = ""] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store, permissions: { mode: "auto" } });
const session = await runtime.openSession();

async function textOf(path: string): Promise<string> {
  await session.call("file_read", { path });
  return readFile(join(workspace, path), "utf8");
}

console.log("ready");
for (let count = 0; ; count++) {
  const line = `${name} ${count}`;
  const shared = await textOf("shared.txt");
  const [last = ""] = shared.trimEnd().split("\n").slice(-1);
  const edit = { path: "shared.txt", old_string: `${last}\n`, new_string: `${last}\n${line}\n` };
  if ((await session.call("file_edit", edit)).status === "done") console.log(`line ${line}`);

  const now = /^pair (\d+)/.exec(await textOf("left.txt"))?.[1] ?? "0";
  await textOf("right.txt");
  const next = Number(now) + 1;
  const edits = ["left.txt", "right.txt"].map((path) => ({
    ...{ path, old_string: `pair ${now}\n`, new_string: `pair ${next}\n` },
  }));
  if ((await session.call("file_multi_edit", { edits })).status === "done") console.log(`pair ${next}`);
  await session.call("file_copy", { source: "from", destination: `to-${name}`, overwrite: true });
  await session.call("file_delete", { path: `to-${name}`, recursive: true });
}
