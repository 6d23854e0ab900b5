import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { openRuntime, type Runtime } from "../../../src/index.ts";
import { startChild } from "../../kernel/store/child.ts";
import { fuzzRuns } from "../../support/fuzz.ts";
import { createPlace, type Place } from "../open-temporary-runtime.ts";
import { sessionTools } from "../session-tools.ts";

/** One of every kind of what is stored beside the log of the session `one`. */
const places = [
  ...["runs:one run_1", "jobs:one job_1", "shell:one directory", "freshness:one /a.txt", "turns:one call_1"],
  ...[
    "taint:one web:example.com",
    "approvals:one approval_1",
    "questions:one question_1",
    "grants:one rules",
  ],
  ...["inbox:one item_1", "answers:one item_2", "budget:one used", "session:one mine", "task:one mine"],
  ...["active-tools:one look", "agents:one agent_1", "message-use:one agent", "made:one proposals"],
  ...["tasks:one task_1", "kept-answers key", "kept-replies key"],
  ...["session-owners one", "session-parents one", "session-dialects one"],
].map((place) => place.split(" ") as [scope: string, name: string]);

/** What cannot be read, and what can but is nothing that anybody has stored. */
const unreadable = '{"';
const odd = ["null", '{"id":null}', "17", '"x"', "[]", "[null]", "{}", "true"];

async function open({ workspace, store }: Place): Promise<Runtime> {
  const runtime = await openRuntime({
    workspace,
    store,
    tools: sessionTools,
    budget: { calls: 100 },
    approvals: "queue",
    permissions: { mode: "auto" },
  });
  onTestFinished(() => runtime.close());
  return runtime;
}

function damage({ store }: Place, damaged: typeof places, value: string): void {
  const database = new DatabaseSync(store.slice("sqlite:".length), { timeout: 5000 });
  const insert = database.prepare("INSERT OR REPLACE INTO variables VALUES (?, ?, ?)");
  for (const [scope, name] of damaged) insert.run(scope, name, value);
  database.close();
}

async function createSession(): Promise<Place> {
  const place = await createPlace();
  const runtime = await open(place);
  const session = await runtime.openSession({ id: "one" });
  await session.call("note_down", { text: "x" });
  await runtime.close();
  return place;
}

/** Whatever reads what is stored. */
async function useAll(place: Place): Promise<void> {
  const runtime = await open(place);
  expect(await runtime.sessions()).toMatchObject([{ id: "one" }]);
  await runtime.approvals.list();
  await (await runtime.remoteSession("one")).variables();
  const session = await runtime.openSession({ id: "one", freshBudget: true });
  await Promise.all([session.tasks.list(), session.jobs.list(), session.agents.list(), session.taint.list()]);
  const model = scriptedModel([{ text: "done" }]);
  expect(await runtime.agent({ model, session: { id: "one" } }).run("go")).toMatchObject({ reason: "done" });
  expect(await session.call("file_write", { path: "a.txt", content: "x" })).toMatchObject({ status: "done" });
  expect(await session.call("shell_run", { command: "true" })).toMatchObject({ status: "done" });
  await runtime.close();
}

test("a session with odd values beside its log can still be opened and used", async () => {
  for (const value of odd.slice(0, fuzzRuns({ sample: 2, full: odd.length }))) {
    const place = await createSession();
    // A text is the name of a dialect, one that is not known here.
    const damaged = places.filter(([scope]) => scope !== "session-dialects" || value !== '"x"');
    damage(place, damaged, value);
    await useAll(place);
  }
});

test("a value beside a log that cannot be read is named by verify, and the session goes on without it", async () => {
  const singly = fuzzRuns({ sample: 0, full: places.length });
  for (const damaged of [places, ...places.slice(0, singly).map((place) => [place])]) {
    const place = await createSession();
    damage(place, damaged, unreadable);
    const [report] = await (await open(place)).verify("one");
    const bound = damaged.filter(([scope]) => !scope.startsWith("kept-"));
    expect(report!.damaged?.map(({ scope, name }) => `${scope} ${name}`).sort()).toEqual(
      bound.length === 0 ? undefined : bound.map((each) => each.join(" ")).sort(),
    );
    expect(report).not.toHaveProperty("broken");
    await useAll(place);
  }
}, 600_000);

test("a budget whose record is damaged counts as spent until the session is opened with a fresh one", async () => {
  const place = await createSession();
  damage(place, [["budget:one", "used"]], unreadable);
  const runtime = await open(place);
  const session = await runtime.openSession({ id: "one" });
  const refused = await session.call("note_down", { text: "x" });
  expect(refused).toMatchObject({ status: "failed", error: { code: "budget-exceeded" } });
  await session.close();
  const fresh = await runtime.openSession({ id: "one", freshBudget: true });
  expect(await fresh.call("note_down", { text: "x" })).toMatchObject({ status: "done" });
});

test("a call of a run whose record is damaged gets its end when the session is opened again", async () => {
  const place = await createSession();
  const child = startChild(new URL("../sessions/child-sessions.ts", import.meta.url), [
    "hang",
    place.workspace,
    place.store,
  ]);
  await child.nextLine();
  await child.kill();
  const database = new DatabaseSync(place.store.slice("sqlite:".length), { timeout: 5000 });
  database.prepare("UPDATE variables SET value = ? WHERE scope = 'runs:shared'").run(unreadable);
  database.close();
  const runtime = await open(place);
  await runtime.openSession({ id: "shared" });
  expect(await runtime.receipts({ callId: "hanging" })).toMatchObject([{ status: "sealed" }]);
  expect(await runtime.verify("shared")).toMatchObject([{ sessionId: "shared" }]);
  expect((await runtime.verify("shared"))[0]).not.toHaveProperty("damaged");
});
