import { readdir, readFile, readlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { runRipgrep } from "../../../src/machine/ripgrep/run-ripgrep.ts";
import { temporaryWorkspace } from "../../capabilities/files/temporary-workspace.ts";

const everyLine = ["--line-number", "--regexp=.", "--", "./"];
// Far more than pipes and buffers hold.
const manyLines = { "a.txt": "x\n".repeat(2_000_000) };

test("a search that is given up on is killed at once and leaves no process behind", async () => {
  const { root } = await temporaryWorkspace(manyLines);
  const controller = new AbortController();
  let receivedBytes = 0;
  const searching = runRipgrep(everyLine, {
    cwd: root,
    signal: controller.signal,
    onOutput(chunk) {
      receivedBytes += chunk.length;
      controller.abort(new Error("given up"));
      return "more";
    },
  });
  await expect(searching).rejects.toThrow("given up");
  expect(receivedBytes).toBeGreaterThan(0);
  expect(receivedBytes).toBeLessThan(5_000_000);
  expect(await processesIn(root)).toEqual([]);
});

test("a search that has found enough is killed as well", async () => {
  const { root } = await temporaryWorkspace(manyLines);
  let chunks = 0;
  const end = await runRipgrep(everyLine, {
    cwd: root,
    signal: new AbortController().signal,
    onOutput() {
      chunks += 1;
      return "enough";
    },
  });
  expect([end.status, chunks]).toEqual(["stopped", 1]);
  expect(await processesIn(root)).toEqual([]);
});

test("a search that was given up on before it began does not begin", async () => {
  const { root } = await temporaryWorkspace({ "a.txt": "foo" });
  const signal = AbortSignal.abort(new Error("given up"));
  const onOutput = () => expect.unreachable();
  await expect(runRipgrep(everyLine, { cwd: root, signal, onOutput })).rejects.toThrow("given up");
});

test("a missing folder is reported as the reason that nothing could start", async () => {
  const { root } = await temporaryWorkspace();
  const { signal } = new AbortController();
  const onOutput = () => "more" as const;
  await expect(runRipgrep(everyLine, { cwd: `${root}/gone`, signal, onOutput })).rejects.toMatchObject({
    code: "unavailable",
  });
});

/** The processes working in a folder, without zombies. */
async function processesIn(folder: string): Promise<string[]> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const cwd = await readlink(`/proc/${id}/cwd`).catch(() => "");
      const state = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
      return cwd === folder && !/\) Z/.test(state) ? [id] : [];
    }),
  );
  return found.flat();
}
