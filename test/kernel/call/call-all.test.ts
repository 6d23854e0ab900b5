import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { act, echo } from "../../support/sample-tools.ts";

/** Tools that note when they begin and end. One that is safe ends only when another has begun beside it. */
function recordingTools(log: string[]) {
  const meet = createMeeting(2);
  const tool = (name: string, concurrencySafe: boolean) =>
    defineTool({
      name,
      description: "Notes when it runs.",
      params: {},
      traits: { readOnly: true, concurrencySafe },
      run: async () => {
        log.push(`${name}+`);
        if (concurrencySafe) await meet();
        log.push(`${name}-`);
        return name;
      },
    });
  const tools = [tool("Glob", true), tool("Grep", true), tool("Edit", false), tool("Bash", false)];
  return tools.map((each) => ({ tool: each, override: true }));
}

/** Whoever comes waits until so many are there: that they run together does not hang on how fast each begins. */
function createMeeting(count: number): () => Promise<void> {
  let meeting = Promise.withResolvers<void>();
  let present = 0;
  return () => {
    const { promise, resolve } = meeting;
    present += 1;
    if (present === count) {
      resolve();
      meeting = Promise.withResolvers();
      present = 0;
    }
    return promise;
  };
}

test("neighbours that are safe run together, all others alone, and results come in the order of the calls", async () => {
  const log: string[] = [];
  const { session } = await openTestSession({ tools: recordingTools(log) });
  const names = ["Glob", "Grep", "Edit", "Glob", "Grep", "Bash"];
  const results = await session.callAll(
    names.map((name, index) => ({ id: `call-${index}`, name, input: {} })),
  );
  // Which of two neighbours is the first is not promised.
  const told = log.join(" ").replaceAll(/Glob|Grep/g, "safe");
  const together = "safe+ safe+ safe- safe-";
  expect(told).toBe(`${together} Edit+ Edit- ${together} Bash+ Bash-`);
  expect(results.map(({ text }) => text)).toEqual(names);
  expect(results.map(({ callId }) => callId)).toEqual(names.map((_, index) => `call-${index}`));
});

test("at most ten run at once", async () => {
  const meet = createMeeting(10);
  let running = 0;
  let most = 0;
  const busy = defineTool({
    name: "busy",
    description: "Counts who runs.",
    params: {},
    traits: { readOnly: true, concurrencySafe: true },
    run: async () => {
      most = Math.max(most, ++running);
      await meet();
      running -= 1;
      return "";
    },
  });
  const { session } = await openTestSession({ tools: [busy] });
  const results = await session.callAll(Array.from({ length: 30 }, () => ({ name: "busy", input: {} })));
  expect(results.every(({ status }) => status === "done")).toBe(true);
  expect(most).toBe(10);
});

test("a call that waits for a person gives its place to the others", async () => {
  const ran: number[] = [];
  const safe = defineTool({
    name: "safe",
    description: "Needs leave.",
    params: { number: { type: "integer" } },
    traits: { concurrencySafe: true },
    run: ({ number }) => {
      ran.push(number);
      if (ran.length === 5) othersRan.resolve("allow");
      return number;
    },
  });
  const othersRan = Promise.withResolvers<"allow">();
  const { session } = await openTestSession({
    tools: [safe],
    onApproval: ({ input }) => ((input as { number: number }).number < 10 ? othersRan.promise : "allow"),
  });
  const calls = Array.from({ length: 15 }, (_, number) => ({ name: "safe", input: { number } }));
  const results = await session.callAll(calls);
  expect(results.map(({ data }) => data)).toEqual(calls.map(({ input }) => input.number));
  expect(ran.slice(0, 5).toSorted()).toEqual([10, 11, 12, 13, 14]);
});

test("one failing call does not disturb the others", async () => {
  const { session } = await openTestSession({ tools: [echo, act] });
  const results = await session.callAll([
    { name: "echo", input: { text: "x" } },
    { name: "nope", input: {} },
    { name: "echo", input: { bad: 1 } },
    { name: "act", input: {} },
    { name: "echo", input: { text: "x" } },
  ]);
  expect(results.map(({ status }) => status)).toEqual(["done", "failed", "failed", "denied", "done"]);
});

test("no calls give no results", async () => {
  const { session } = await openTestSession();
  expect(await session.callAll([])).toEqual([]);
});
