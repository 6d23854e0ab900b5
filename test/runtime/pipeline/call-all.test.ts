import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { act } from "../../support/sample-tools.ts";

/** Tools that note when they begin and end, and end only when all that are expected to run together have begun. */
function recordingTools(log: string[]) {
  const tool = (name: string, concurrencySafe: boolean) =>
    defineTool({
      name,
      description: "Notes when it runs.",
      params: {},
      traits: { readOnly: true, concurrencySafe },
      run: async () => {
        log.push(`${name}+`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`${name}-`);
        return name;
      },
    });
  return [tool("Glob", true), tool("Grep", true), tool("Edit", false), tool("Bash", false)];
}

test("neighbours that are safe run together, all others alone, and results come in the order of the calls", async () => {
  const log: string[] = [];
  const { session } = await openTestSession({ tools: recordingTools(log) });
  const names = ["Glob", "Grep", "Edit", "Glob", "Grep", "Bash"];
  const results = await session.callAll(
    names.map((name, index) => ({ id: `call-${index}`, name, input: {} })),
  );
  expect(log.join(" ")).toBe("Glob+ Grep+ Glob- Grep- Edit+ Edit- Glob+ Grep+ Glob- Grep- Bash+ Bash-");
  expect(results.map(({ text }) => text)).toEqual(names);
  expect(results.map(({ callId }) => callId)).toEqual(names.map((_, index) => `call-${index}`));
});

test("at most ten run at once", async () => {
  let running = 0;
  let most = 0;
  const busy = defineTool({
    name: "busy",
    description: "Counts who runs.",
    params: {},
    traits: { readOnly: true, concurrencySafe: true },
    run: async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return "";
    },
  });
  const { session } = await openTestSession({ tools: [busy] });
  const results = await session.callAll(Array.from({ length: 35 }, () => ({ name: "busy", input: {} })));
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
      return number;
    },
  });
  const allLater = Promise.withResolvers<"allow">();
  const { session } = await openTestSession({
    tools: [safe],
    onApproval: ({ input }) => {
      const { number } = input as { number: number };
      if (number < 10) return allLater.promise;
      if (number === 14) allLater.resolve("allow");
      return "allow";
    },
  });
  const calls = Array.from({ length: 15 }, (_, number) => ({ name: "safe", input: { number } }));
  const results = await session.callAll(calls);
  expect(results.map(({ data }) => data)).toEqual(calls.map(({ input }) => input.number));
  expect(ran.slice(0, 4).every((number) => number >= 10)).toBe(true);
});

test("one failing call does not disturb the others", async () => {
  const { session } = await openTestSession({ tools: [...recordingTools([]), act] });
  const results = await session.callAll([
    { name: "Glob", input: {} },
    { name: "nope", input: {} },
    { name: "Grep", input: { bad: 1 } },
    { name: "act", input: {} },
    { name: "Bash", input: {} },
  ]);
  expect(results.map(({ status }) => status)).toEqual(["done", "failed", "failed", "denied", "done"]);
});

test("no calls give no results", async () => {
  const { session } = await openTestSession();
  expect(await session.callAll([])).toEqual([]);
});
