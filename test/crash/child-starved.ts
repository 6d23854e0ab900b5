/**
 * Changes two files together and fills others, until nothing works any more: `<workspace> <store>`. Prints each change that
 * it was told is done.
 */
import { openRuntime } from "../../src/open-runtime.ts";

const [workspace = "", store = ""] = process.argv.slice(2);
const runtime = await openRuntime({ workspace, store, permissions: { mode: "edit" } });
const session = await runtime.openSession({ id: "starved" });
let failures = 0;
let pair = 0;
for (let count = 0; count < 60 && failures < 8; count++) {
  for (const path of ["left.txt", "right.txt"]) await session.call("file_read", { path });
  const edits = ["left.txt", "right.txt"].map((path) => ({
    ...{ path, old_string: `pair ${pair}\n`, new_string: `pair ${pair + 1}\n` },
  }));
  const { status } = await session.call("file_multi_edit", { edits });
  if (status === "done") {
    pair += 1;
    console.log(`pair ${pair}`);
  } else failures += 1;
  await session.call("file_write", { path: `fill-${count}.txt`, content: `${count}`.repeat(50_000) });
}
console.log(`failures ${failures}`);
await runtime.close().catch(() => {});
