import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { startChild } from "../../kernel/store/child.ts";
import { oneTo } from "../../kernel/store/events.ts";
import { fuzzRuns, seededRandom } from "../../support/fuzz.ts";
import { serveModel } from "../../support/model-server/serve-model.ts";
import { type ServedScript, startModelServer } from "../../support/model-server/start-model-server.ts";
import { until } from "../../support/until.ts";
import { createPlace, type Place } from "../open-temporary-runtime.ts";

const script = new URL("child-agent.ts", import.meta.url);
const patience = { timeout: 45_000 };
const rounds = fuzzRuns({ sample: 2, full: 25 });

/** Lets an agent in another process work until the condition holds, and kills it. */
async function killWhen(place: Place, model: ServedScript, isTime: (requests: number) => boolean) {
  const server = await startModelServer(model);
  const child = startChild(script, [place.workspace, place.store, server.url]);
  await expect.poll(() => isTime(server.requests.length), patience).toBe(true);
  await child.kill();
}

/** Goes on with the conversation here, over the wire of the strictest vendor. */
async function goOn(place: Place, message?: string) {
  const { model, requests } = await serveModel("anthropic/claude-test", [{ text: "here again" }]);
  const runtime = await place.open();
  const agent = runtime.agent({ model, session: { id: "shared" } });
  const result = await agent.run(message);
  expect(result).toMatchObject({ reason: "done", text: "here again" });
  const [request] = requests;
  expect(request!.problems).toEqual([]);
  await runtime.close();
  return request!.body;
}

test.each(["answer", "text", "input", "finish"] as const)(
  "an agent killed while the model hangs at its %s goes on from the message",
  async (hangAt) => {
    const place = await createPlace();
    const model: ServedScript = [
      { text: "I think", calls: [{ name: "note_down", input: { text: "x" } }], hangAt },
    ];
    await killWhen(place, model, (requests) => requests === 1);
    const { messages } = await goOn(place);
    expect(messages).toHaveLength(1);
    expect(messages[0].content[0].text).toBe("work until you are killed");
  },
  60_000,
);

test("an agent that works in another process keeps other agents from its session, until it ends or is gone", async () => {
  const place = await createPlace();
  const server = await startModelServer([{ text: "I think", hangAt: "text" }]);
  const child = startChild(script, [place.workspace, place.store, server.url]);
  await expect.poll(() => server.requests.length, patience).toBe(1);
  const runtime = await place.open();
  const agent = runtime.agent({ model: scriptedModel([{ text: "my turn" }]), session: { id: "shared" } });
  await expect(agent.run("may I?")).rejects.toThrow(/is open in another process \(pid \d+\)/);
  await child.kill();
  expect(await agent.run("and now?")).toMatchObject({ reason: "done", text: "my turn" });
  const session = await agent.session();
  const messages: string[] = [];
  for await (const event of session.events()) {
    if (event.type === "user-message") messages.push(event.text);
    if (event.type === "agent-end") break;
  }
  expect(messages).toEqual(["work until you are killed", "and now?"]);
}, 60_000);

test("a call that ran when its agent was killed is answered as unknown, one that had not begun as not run", async () => {
  const place = await createPlace();
  const calls = [
    { name: "note_down", input: { text: "first" }, id: "a" },
    { name: "hang", input: {}, id: "b" },
    { name: "note_down", input: { text: "never" }, id: "c" },
  ];
  const server = await startModelServer([{ text: "Three things.", calls }]);
  const child = startChild(script, [place.workspace, place.store, server.url]);
  const watching = await place.open();
  const isHanging = async () => {
    const watched = () => watching.remoteSession("shared").catch(() => undefined);
    await until(async () => (await watched()) !== undefined);
    for await (const event of (await watched())!.events())
      if (event.type === "call-progress" && event.tool === "hang") return;
  };
  await isHanging();
  await child.kill();
  await watching.close();

  const { messages } = await goOn(place, "what happened?");
  const [first, hanging, never] = messages[2].content;
  expect(first).toMatchObject({ tool_use_id: "a" });
  expect(first.is_error).toBeFalsy();
  expect(hanging).toMatchObject({ tool_use_id: "b", is_error: true });
  expect(JSON.stringify(hanging)).toContain("its outcome is unknown");
  expect(never).toMatchObject({ tool_use_id: "c", is_error: true });
  expect(JSON.stringify(never)).toContain("This call did not run");
  const runtime = await place.open();
  const receipts = await runtime.receipts({ sessionId: "shared" });
  expect(receipts.map(({ status }) => status)).toEqual(["sealed", "done"]);
  expect((await runtime.verify("shared"))[0]!.broken).toBeUndefined();
}, 60_000);

test("K30, K39: a call that only looks is made again when its run is resumed, under its id, and only once", async () => {
  const place = await createPlace();
  const [hang, looks] = ["hang", "looks.txt"].map((name) => join(place.workspace, name));
  const countLooks = async () => (await readFile(looks!, "utf8").catch(() => "")).length / "look\n".length;
  await writeFile(hang!, "");
  const server = await startModelServer(() => ({ text: "I look.", calls: [{ name: "look", input: {} }] }));
  const killAfterLooks = async (count: number, ...how: string[]) => {
    const child = startChild(script, [place.workspace, place.store, server.url, ...how]);
    await until(async () => (await countLooks()) === count);
    await child.kill();
  };
  const statusesOf = async () => {
    const runtime = await place.open();
    await runtime.openSession({ id: "sweeping" });
    const receipts = await runtime.receipts({ sessionId: "shared" });
    await runtime.close();
    return receipts.map(({ status, callId }) => ({ status, callId }));
  };
  await killAfterLooks(1);
  const { callId } = (await statusesOf())[0]!;

  await rm(hang!);
  const { messages } = await goOn(place);
  expect(JSON.stringify(messages)).toContain("seen");
  expect(await countLooks()).toBe(2);
  expect(await statusesOf()).toEqual([
    { status: "done", callId },
    { status: "sealed", callId },
  ]);

  // The answer is in the conversation from then on, and one that is sealed for the second time is left alone.
  await writeFile(hang!, "");
  await killAfterLooks(3);
  await killAfterLooks(4, "resume");
  const again = await goOn(place);
  expect(JSON.stringify(again.messages)).toContain("its outcome is unknown");
  expect(JSON.stringify(again.messages)).toContain("seen");
  expect(await countLooks()).toBe(4);
  const runtime = await place.open();
  expect((await runtime.verify("shared"))[0]!.broken).toBeUndefined();
}, 90_000);

test(`an agent killed at any moment leaves a transcript that its model takes (${rounds} times)`, async () => {
  const place = await createPlace();
  const random = seededRandom();
  for (const round of oneTo(rounds)) {
    const steps = 1 + Math.floor(random() * 12);
    const calls = [
      { name: "note_down", input: { text: "one" } },
      { name: "note_down", input: { text: "two" } },
    ];
    await killWhen(
      place,
      (_request, count) => ({ text: `step ${count}`, calls }),
      (requests) => requests >= steps,
    );
    await goOn(place, `round ${round}`);
  }
}, 240_000);
