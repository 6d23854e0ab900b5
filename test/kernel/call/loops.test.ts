import { expect, test } from "vitest";
import type { CallResult } from "../../../src/index.ts";
import { defineTool } from "../../../src/tool/define-tool.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";

const model = { caller: { kind: "agent", name: "agent" } } as const;
const isTold = (text: string) => text.includes("the same result of the same call");

/** Changes something with every call. */
const append = defineTool({
  name: "note_add",
  description: "Adds a note",
  params: { text: { type: "string" } },
  permission: () => ({ action: "write", target: "notes.txt" }),
  run: () => "added",
});

test("the third same result of a repeated call says that it repeats, and the fifth such call needs approval", async () => {
  const asked: string[] = [];
  const { session } = await openTestSession({
    tools: [echo],
    onApproval: async ({ verdict }) => {
      asked.push(verdict.reason);
      return { decision: asked.length === 1 ? "allow" : "deny" };
    },
  });
  const texts = [];
  for (let time = 1; time <= 9; time += 1)
    texts.push((await session.call("echo", { text: "x" }, model)).text);
  expect(texts.map(isTold)).toEqual([false, false, true, true, false, false, true, true, false]);
  expect(texts[2]).toContain("for the 3rd time");
  expect(asked).toEqual(Array(2).fill("the same call has given the same result 4 times in a row"));
  expect(texts[8]).toContain("was denied");
});

test("the fifth repeated call without a person to ask is refused, and says what to do instead", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  for (let time = 1; time <= 4; time += 1) await session.call("echo", { text: "x" }, model);
  await session.call("echo", { text: "x" }, model);
  const { status, text } = await session.call("echo", { text: "x" }, model);
  expect(status).toBe("denied");
  expect(text).toContain(
    "was not run, and there is nobody to ask: the same call has given the same result 4 times",
  );
  expect(text).toContain("try something else");
  expect((await session.explain("echo", { text: "x" })).decision).toBe("allow");
  expect((await session.call("echo", { text: "y" }, model)).status).toBe("done");
});

test("calls that are made at once do not count as repeated", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const atOnce = await Promise.all(
    Array.from({ length: 20 }, () => session.call("echo", { text: "x" }, model)),
  );
  expect(atOnce.map(({ status, text }) => [status, isTold(text)])).toEqual(Array(20).fill(["done", false]));
  await session.call("echo", { text: "x" }, model);
  expect(isTold((await session.call("echo", { text: "x" }, model)).text)).toBe(true);
});

test("calls that are made at once do not count as repeated, however late a hook lets them go on", async () => {
  const made: Promise<CallResult>[] = [];
  let begun = 0;
  // Each is held until the one before it has ended.
  const beforeCall = async () => void (await made[begun++ - 1]);
  const { session } = await openTestSession({ tools: [echo], hooks: { beforeCall } });
  for (let call = 0; call < 8; call++) made.push(session.call("echo", { text: "x" }, model));
  const results = await Promise.all(made);
  expect(results.map(({ status, text }) => [status, isTold(text)])).toEqual(Array(8).fill(["done", false]));
});

test("two calls that take turns are a loop, and a call repeated after each new change is not", async () => {
  const { session } = await openTestSession({
    tools: [echo, append],
    permissions: { mode: "auto" },
  });
  const call = async (name: string, text: string) => (await session.call(name, { text }, model)).status;
  const turns = [];
  for (let time = 1; time <= 7; time += 1) turns.push(await call("echo", "a"), await call("echo", "b"));
  expect(turns.slice(10)).toEqual(Array(4).fill("denied"));
  for (let time = 1; time <= 8; time += 1) {
    expect(await call("note_add", `${time}`)).toBe("done");
    expect(await call("echo", "c")).toBe("done");
  }
  // The same change again is nothing new.
  const again = [];
  for (let time = 1; time <= 6; time += 1) again.push(await call("note_add", "8"), await call("echo", "c"));
  expect(again).toContain("denied");
});

test("programs and polling tools repeat themselves as they like, and limits can be set", async () => {
  const poll = defineTool({
    name: "poll",
    description: "Waits",
    params: { text: { type: "string" } },
    traits: { readOnly: true, polls: true },
    run: ({ text }) => text,
  });
  const { session } = await openTestSession({ tools: [echo, poll], loops: { warnAt: 0, askAt: 2 } });
  for (let time = 1; time <= 6; time += 1) {
    expect((await session.call("echo", { text: "x" })).text).toBe("x");
    expect((await session.call("poll", { text: "x" }, model)).text).toBe("x");
  }
  const statuses = [];
  for (let time = 1; time <= 2; time += 1)
    statuses.push((await session.call("echo", { text: "z" }, model)).status);
  expect(statuses).toEqual(["done", "denied"]);
  await expect(openTestSession({ loops: { askAt: -1 } })).rejects.toThrow(
    "loops.askAt must be a whole number",
  );
});
