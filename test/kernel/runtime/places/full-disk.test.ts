import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { keptKinds } from "../../../../src/capabilities.ts";
import { openRuntime } from "../../../../src/index.ts";
import { collectGarbage } from "../../../../src/kernel/runtime/places/collect-garbage.ts";
import { openPlaces } from "../../../../src/kernel/runtime/places/open-places.ts";
import { serveForTest } from "../../../faces/mcp-server/serve-for-test.ts";
import { needs } from "../../../support/needs.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";

const testMounting = await needs("mount");

testMounting(
  "health says that the disk is full, over the server too, and when there is room again",
  async () => {
    const folder = await temporaryFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=80m", "tmpfs", folder], { stdio: "ignore" });
    onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
    vi.stubEnv("XDG_STATE_HOME", folder);
    const server = await serveForTest({
      options: { store: `sqlite:${join(folder, "store.sqlite")}`, sandbox: "off" },
    });
    const { runtime } = server;
    expect(await runtime.health()).toMatchObject({ status: "ok" });
    const fill = (mb: number) => writeFile(join(folder, "large"), Buffer.alloc(mb * 2 ** 20, 1));
    await fill(78).catch(() => {});
    const full = { status: "failing", disk: { isOk: false, problem: "the disk is almost full" } };
    expect(await runtime.health()).toMatchObject(full);
    const headers = { authorization: `Bearer ${server.token}` };
    const answer = await fetch(new URL("/health", server.url), { headers });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject(full);
    await fill(0);
    expect(await runtime.health()).toMatchObject({ status: "ok" });
  },
);

test("garbage that is collected while a process is at work takes nothing that it needs", async () => {
  const workspace = await temporaryFolder();
  const state = await temporaryFolder();
  vi.stubEnv("XDG_STATE_HOME", state);
  const store = `sqlite:${join(state, "store.sqlite")}`;
  await writeFile(join(workspace, "a.txt"), "0\n");
  const runtime = await openRuntime({ workspace, store, sandbox: "off", permissions: { mode: "auto" } });
  onTestFinished(() => runtime.close());
  const session = await runtime.openSession({ id: "live" });
  const other = await openPlaces({ workspace, store });
  onTestFinished(() => other.close());
  const retention = { sessionDays: 0, undoDays: 0, logBytes: 0, outputBytes: 0, jobBytes: 0, blobBytes: 0 };
  const made: string[] = [];
  for (let turn = 0; turn < 5; turn++) {
    await session.call("file_read", { path: "a.txt" });
    const edit = { path: "a.txt", old_string: `${turn}\n`, new_string: `${turn + 1}\n` };
    const [{ callId, status }, report] = await Promise.all([
      session.call("file_edit", edit),
      collectGarbage({ ...other, kinds: keptKinds }, { retention }),
    ]);
    expect([status, report.sessions]).toEqual(["done", []]);
    made.push(callId);
  }
  const long = await session.call("shell_run", { command: "seq 200000" });
  await collectGarbage({ ...other, kinds: keptKinds }, { retention });
  expect(await runtime.readOutput(long.receipt)).toContain("\n100000\n");
  for (const callId of made.toReversed()) expect((await session.undo(callId)).status).toBe("done");
});
