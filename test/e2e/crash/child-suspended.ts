/**
 * Owns one session per job, and suspends itself in the middle of each job's change: `<workspace> <store> <job>…`. Prints
 * the name of the job before that, and the code that the call has failed with after.
 */
import { writeSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

type Moment = "before a step" | "in a step";

/** Whether this is the moment at which the process is to suspend itself. */
let isDue = (_moment: Moment): boolean => false;

const stopItself = (moment: Moment) => {
  if (!isDue(moment)) return;
  isDue = () => false;
  writeSync(1, "suspended\n");
  process.kill(process.pid, "SIGSTOP");
};

const fs = process.getBuiltinModule("node:fs");
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  stopItself("in a step");
  renameSync(from, to);
};
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  if (sql === "BEGIN EXCLUSIVE" && this.location()?.endsWith("files.lock")) stopItself("before a step");
  exec.call(this, sql);
};

// Only now, because modules take the functions of `node:fs` when they are loaded.
const { defineTool, openRuntime } = await import("../../../src/index.ts");
const commandLater = defineTool({
  name: "command_later",
  description: "Runs a command, after a while.",
  params: {},
  async run(_input, { processes }) {
    stopItself("before a step");
    const { exitCode } = await processes.run("touch made.txt");
    return String(exitCode);
  },
});

const [workspace = "", store = "", ...jobs] = process.argv.slice(2);
const runtime = await openRuntime({
  workspace,
  store,
  tools: [commandLater],
  permissions: { mode: "auto" },
});

const suspendAfter = (steps: number, wanted: Moment) => {
  let left = steps;
  isDue = (moment) => moment === wanted && left-- === 0;
};
const edit = (path: string) => ({ path, old_string: "old", new_string: "new" });
const patch = `*** Begin Patch
*** Update File: patch/a.txt
@@
-old
+new
*** Update File: patch/b.txt
@@
-old
+new
*** End Patch
`;

for (const job of jobs) {
  const at = (name: string) => join(job, name);
  await mkdir(join(workspace, job));
  for (const name of ["a.txt", "b.txt"]) await writeFile(join(workspace, job, name), "old\n");
  const session = await runtime.openSession({ id: job });
  const call = (name: string, input: unknown, options = {}) =>
    session.call(name as string, input as object, options);
  for (const name of ["a.txt", "b.txt"]) await call("file_read", { path: at(name) });
  const works: Record<string, () => Promise<{ error?: { code: string } | undefined }>> = {
    write: () => call("file_write", { path: at("a.txt"), content: "new\n" }),
    edits: () => call("file_multi_edit", { edits: [edit(at("a.txt")), edit(at("b.txt"))] }),
    patch: () => call("file_patch", { patch }),
    move: () => call("file_move", { source: at("a.txt"), destination: at("c.txt") }),
    delete: () => call("file_delete", { path: at("a.txt") }),
    folder: () => call("file_mkdir", { path: at("made") }),
    undo: async () => {
      isDue = () => false;
      const { callId } = await call("file_write", { path: at("a.txt"), content: "new\n" });
      suspendAfter(0, "before a step");
      return session.undo(callId);
    },
    command: () => call("command_later", {}),
    inside: () => call("file_write", { path: at("a.txt"), content: "new\n" }, { id: "inside" }),
  };
  if (job === "inside") suspendAfter(0, "in a step");
  else suspendAfter(job === "edits" || job === "patch" ? 1 : 0, "before a step");
  const { error } = await works[job]!();
  console.log(error?.code ?? "done");
}
await runtime.close();
