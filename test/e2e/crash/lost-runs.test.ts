import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/models/scripted-model.ts";
import type { Runtime } from "../../../src/index.ts";
import { startChild } from "../../kernel/store/child.ts";
import { needs } from "../../support/needs.ts";
import { programFile } from "../../support/programs/program-file.ts";
import { suspend } from "../../support/suspend.ts";
import { createPlace, type Place } from "../open-temporary-runtime.ts";

const script = new URL("../sessions/child-sessions.ts", import.meta.url);
const run = promisify(execFile);

/** A process in a call that does not end. */
async function startHanging({ workspace, store }: Place) {
  const child = startChild(script, ["hang", workspace, store]);
  return { child, pid: Number(await child.nextLine()) };
}

const statuses = async (runtime: Runtime) => (await runtime.receipts()).map(({ status }) => status);

test("a call that a killed process left is sealed once, however many runtimes find it, and whichever session they open", async () => {
  const place = await createPlace();
  const { child } = await startHanging(place);
  await child.kill();
  const runtimes = await Promise.all([place.open(), place.open(), place.open(), place.open()]);
  const opened = await Promise.allSettled(
    runtimes.map((runtime, index) => runtime.openSession({ id: index < 2 ? "shared" : `other${index}` })),
  );
  // Of the two that want the session itself, one gets it.
  expect(opened.map(({ status }) => status).sort()).toEqual([
    ...["fulfilled", "fulfilled", "fulfilled", "rejected"],
  ]);
  expect(await statuses(runtimes[0]!)).toEqual(["sealed"]);
  expect(await runtimes[0]!.verify("shared")).toEqual([
    { sessionId: "shared", events: expect.any(Number), receipts: 1 },
  ]);
  await Promise.all(runtimes.map((runtime) => runtime.close()));
  expect(await readdir(join(dirname(place.workspace), "store.sqlite-lives"))).toEqual([]);
});

const testUnshared = await needs("unshare");

testUnshared("a process that is suspended, or in another container, is not taken for dead", async () => {
  const place = await createPlace();
  const { child, pid } = await startHanging(place);
  suspend(pid, place.store);
  const runtime = await place.open();
  await runtime.openSession({ id: "other" });
  expect(await statuses(runtime)).toEqual([]);
  await runtime.close();

  const words = [process.execPath, programFile(script), "beside-look", place.workspace, place.store];
  const inside = await run("unshare", ["--pid", "--fork", "--mount-proc", ...words]);
  expect(inside).toMatchObject({ stdout: "[]\n" });
  await child.kill();
});

test("of two agents that begin in one session at the same moment, one works", async () => {
  const place = await createPlace();
  const runtimes = await Promise.all([place.open(), place.open()]);
  const stopping = new AbortController();
  const working = runtimes.map((runtime) => {
    const model = scriptedModel([{ calls: [{ name: "hang_on" }] }]);
    return runtime.agent({ model, session: { id: "shared" } }).run("Go.", { signal: stopping.signal });
  });
  // The one that works never ends by itself.
  await Promise.race(working).catch(() => {});
  stopping.abort();
  const outcomes = await Promise.allSettled(working);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = outcomes.findIndex((outcome) => outcome.status === "rejected");
  expect(outcomes[refused]).toMatchObject({ reason: { code: "session-busy" } });

  await runtimes[1 - refused]!.close();
  const agent = runtimes[refused]!.agent({
    model: scriptedModel([{ text: "My turn." }]),
    session: { id: "shared" },
  });
  expect(await agent.run("And now?")).toMatchObject({ text: "My turn." });
});
