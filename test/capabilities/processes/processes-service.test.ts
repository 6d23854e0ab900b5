import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { programFile } from "../../support/programs/program-file.ts";
import { until } from "../../support/until.ts";
import { isAlive } from "./jobs-place.ts";

const parentFile = programFile(new URL("child-processes.ts", import.meta.url));

test("a command that a killed process was waiting for is ended when its session is opened again", async () => {
  const workspace = await temporaryFolder();
  const store = join(await temporaryFolder(), "store.db");
  const command = "echo $$ > first; setsid sh -c 'echo $$ > second; exec sleep 1000' & sleep 1000; true";
  const parent = spawn(process.execPath, [parentFile, workspace, store, command], { stdio: "ignore" });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const pids = await Promise.all(["first", "second"].map((name) => readPid(join(workspace, name))));
  onTestFinished(() => {
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone, as it should be.
      }
    }
  });
  const options = { workspace, store: `sqlite:${store}` } as const;
  const beside = await openTestSession(options, { id: "beside" });
  expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);
  await beside.session.close();
  expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);

  parent.kill("SIGKILL");
  await once(parent, "exit");
  expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);
  const { session } = await openTestSession(options, { id: "killed" });
  expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
  expect(await session.jobs.get("bg_task_1")).toMatchObject({
    state: "killed",
    note: "the runtime that started it had ended",
  });
});

async function readPid(path: string): Promise<number> {
  const read = () => readFile(path, "utf8").catch(() => "");
  await until(async () => (await read()).endsWith("\n"));
  return Number(await read());
}
