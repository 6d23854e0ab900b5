import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Place } from "../e2e/open-temporary-runtime.ts";
import { casesOf, fuzzRuns, seededRandom } from "../support/fuzz.ts";
import { needs } from "../support/needs.ts";
import { changes } from "./changes.ts";
import { makeChange, type Outcome, prepare, startChange } from "./crash-place.ts";
import { describeTree, findFaults, findLeftIntents } from "./inspect-crash.ts";

interface States {
  /** Of the change. */
  readonly name: string;
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
  readonly boundaries: number;
}

/** Opens the place again, as the next process does, and checks that nothing is half done, doubled, lost or left. */
async function checkAfter(
  place: Place,
  { ready, told }: Outcome,
  { name, before, after }: States,
): Promise<"made" | "not made"> {
  const runtime = await place.open();
  const session = await runtime.openSession({ id: "killed" });
  const found = await describeTree(place.workspace);
  const isMade = JSON.stringify(found) === JSON.stringify(after);
  if (!isMade) expect(found).toEqual(before);
  if (told !== undefined) expect(isMade).toBe(true);
  expect(await findFaults(runtime, "killed")).toEqual([]);

  const [last] = await runtime.receipts({ sessionId: "killed", limit: 1 });
  const isRecorded = last !== undefined && last.callId !== ready.first;
  if (isMade) expect(isRecorded).toBe(true);
  if (isRecorded && ready.first === undefined) {
    // The record and undo tell the truth of it.
    if (last.status === "sealed") expect(last.changes !== undefined).toBe(isMade);
    const undone = await session.undo(last.callId);
    expect(undone.status, undone.text).toBe(isMade ? "done" : "failed");
    expect(await describeTree(place.workspace)).toEqual(before);
    if (isMade) {
      expect((await session.redo(last.callId)).status).toBe("done");
      expect(await describeTree(place.workspace)).toEqual(after);
    }
  }
  if (ready.first !== undefined) {
    // Whichever of undo and redo was made, the other can follow, and only that.
    const turns =
      name.startsWith("redo") === isMade ? (["undo", "redo"] as const) : (["redo", "undo"] as const);
    expect((await session[turns[1]](ready.first)).status).toBe("failed");
    const turned = await session[turns[0]](ready.first);
    expect(turned.status, turned.text).toBe("done");
    expect(await describeTree(place.workspace)).toEqual(isMade ? before : after);
  }
  await runtime.close();
  expect(await findLeftIntents(join(dirname(place.workspace), "store.sqlite"))).toEqual([]);
  return isMade ? "made" : "not made";
}

const names = casesOf({
  sample: ["copy onto a folder", "undo a patch"],
  full: Object.keys(changes),
});
const killsEach = fuzzRuns({ sample: 1, full: 24 });

test.each(names)(
  `a change that is killed at any step is made, or as if it had never begun (%s, ${killsEach} times)`,
  async (name) => {
    const random = seededRandom();
    const states = await makeWhole(name);
    const seen = new Map<string, number>();
    for (let kill = 0; kill < killsEach; kill++) {
      const boundary = 1 + Math.floor(((kill + random()) / killsEach) * states.boundaries);
      const place = await prepare();
      const outcome = await makeChange(place, name, String(boundary));
      const what = await checkAfter(place, outcome, states).catch((error: unknown) => {
        throw new Error(`${name}, killed at ${boundary} of ${states.boundaries}`, { cause: error });
      });
      seen.set(what, (seen.get(what) ?? 0) + 1);
      await rm(dirname(place.workspace), { recursive: true, force: true });
    }
    if (killsEach > 1) expect([...seen.keys()].sort()).toEqual(["made", "not made"]);
  },
  3_600_000,
);

const tracedEach = 3;
const calls = [
  "write",
  "pwrite64",
  "rename,renameat,renameat2",
  "unlink,unlinkat",
  "openat",
  "fsync,fdatasync",
];

const testTraced = await needs("full run", "strace", findTracingProblem);

/** Below Node and SQLite, where no boundary of the child is. */
testTraced.each(names)(
  `a change that is killed in any system call is made, or as if it had never begun (%s, ${tracedEach} times)`,
  async (name) => {
    const random = seededRandom();
    const states = await makeWhole(name);
    for (let kill = 0; kill < tracedEach; kill++) {
      const call = calls[Math.floor(random() * calls.length)]!;
      const place = await prepare();
      const { child, ready } = await startChange(place, name);
      const when = 1 + Math.floor(random() * 12);
      const tracer = await traceUntilKilled(ready.ready, `${call}:signal=KILL:when=${when}`);
      child.tell();
      const [line] = await child.printed();
      // Ends with the process.
      if (tracer.exitCode === null && tracer.signalCode === null) await once(tracer, "close");
      const outcome = { ready, told: line === undefined ? undefined : JSON.parse(line) };
      await checkAfter(place, outcome, states).catch((error: unknown) => {
        throw new Error(`${name}, killed in ${call} ${when}`, { cause: error });
      });
      await rm(dirname(place.workspace), { recursive: true, force: true });
    }
  },
  3_600_000,
);

function findTracingProblem(): string | undefined {
  try {
    execFileSync("strace", ["-e", "inject=getpid:signal=CONT:when=1", "true"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "strace cannot send signals here";
  }
}

/** Has the kernel kill the process in the nth call of a kind that one of its threads makes from now on. */
async function traceUntilKilled(pid: number, injection: string): Promise<ChildProcess> {
  const kind = injection.slice(0, injection.indexOf(":"));
  const options = ["-f", "-p", String(pid), "-e", `trace=${kind}`, "-e", `inject=${injection}`];
  const tracer = spawn("strace", options, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  for await (const chunk of tracer.stderr!.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes("attached")) break;
  }
  tracer.stderr!.resume();
  return tracer;
}

/** The workspace before the change and after it, and how many boundaries there are on the way. */
async function makeWhole(name: string): Promise<States> {
  const place = await prepare();
  const { first, make } = changes[name]!;
  const runtime = await place.open();
  const session = await runtime.openSession();
  const done = await first?.(session);
  const before = await describeTree(place.workspace);
  expect(await make(session, done)).toMatchObject({ status: "done" });
  const after = await describeTree(place.workspace);
  await runtime.close();
  if (killsEach === 1) return { name, before, after, boundaries: 60 };
  const { told } = await makeChange(await prepare(), name, "0");
  return { name, before, after, boundaries: told!.count };
}
