import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createBudget } from "../../../src/kernel/session/budget.ts";
import { openTestSession, temporaryFolder } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";
import { stopClock } from "../../support/stop-clock.ts";

test("calls beyond the budget are refused before they run, and each refusal is recorded", async () => {
  const { session } = await openTestSession({ tools: [echo], budget: { calls: 2 } });
  const statuses = [];
  for (let call = 0; call < 4; call++) statuses.push((await session.call("echo", { text: "x" })).error?.code);
  expect(statuses).toEqual([undefined, undefined, "budget-exceeded", "budget-exceeded"]);
  expect(session.budget.used.calls).toBe(2);
});

test("a call that was refused for another reason costs nothing", async () => {
  const { session } = await openTestSession({ tools: [echo], budget: { calls: 1 } });
  await session.call("echo", {});
  await session.call("nope");
  expect((await session.call("echo", { text: "x" })).status).toBe("done");
});

test("output and running time are counted, and refuse the next call", async () => {
  const output = await openTestSession({ tools: [echo], budget: { outputBytes: 6 } });
  expect((await output.session.call("echo", { text: "äöü" })).status).toBe("done");
  expect(output.session.budget.used.outputBytes).toBe(6);
  expect((await output.session.call("echo", { text: "x" })).error?.message).toContain("6 bytes of output");
  const time = await openTestSession({ tools: [echo], budget: { wallTimeMs: 0.000_001 } });
  await time.session.call("echo", { text: "x" });
  expect((await time.session.call("echo", { text: "x" })).error?.code).toBe("budget-exceeded");
});

test("a budget that makes no sense is refused when the runtime opens", async () => {
  await expect(openTestSession({ budget: { calls: -1 } })).rejects.toThrow(
    "budget.calls must be a whole number of at least 0",
  );
  for (const budget of [{ calls: 1.5 }, { outputBytes: 0.5 }, { calls: Number.POSITIVE_INFINITY }]) {
    await expect(openTestSession({ budget })).rejects.toThrow("must be a whole number of at least 0");
  }
  await expect(openTestSession({ budget: { call: 1 } as object })).rejects.toThrow(
    "budget.call is not an option",
  );
});

test("a child draws on its parent", () => {
  const parent = createBudget({ calls: 2 });
  const child = createBudget({ calls: 5 }, parent);
  child.chargeCall();
  parent.chargeCall();
  expect(() => child.chargeCall()).toThrow("budget of 2 calls is used up");
  expect(child.used.calls).toBe(1);
});

test("a budget with a period can be spent again when the period is over, and not sooner by opening the session again", async () => {
  const store = `sqlite:${join(await temporaryFolder(), "store.sqlite")}`;
  const workspace = await temporaryFolder();
  const spend = async (): Promise<readonly [string, number]> => {
    const { runtime, session } = await openTestSession(
      { workspace, store, tools: [echo], budget: { calls: 2, periodMs: 60_000 } },
      { id: "mcp-laptop" },
    );
    const { status } = await session.call("echo", { text: "x" });
    await runtime.close();
    return [status, session.budget.used.calls];
  };
  stopClock();
  expect([await spend(), await spend(), await spend()]).toEqual([
    ["done", 1],
    ["done", 2],
    ["failed", 2],
  ]);
  vi.setSystemTime(Date.now() + 59_999);
  expect(await spend()).toEqual(["failed", 2]);
  vi.setSystemTime(Date.now() + 1);
  expect(await spend()).toEqual(["done", 1]);
  // A clock that was turned back fills up nothing.
  vi.setSystemTime(Date.now() - 600_000);
  expect([await spend(), await spend()]).toEqual([
    ["done", 2],
    ["failed", 2],
  ]);
});

test("the limit of a tool may name it in any dialect, and a name that no tool has is refused with the nearest", async () => {
  const { session } = await openTestSession({ budget: { tools: { Read: 1, mcp__later__tool: 1 } } });
  await session.call("file_read", { path: "a" });
  expect((await session.call("file_read", { path: "a" })).error?.message).toContain("1 call of file_read");
  await expect(openTestSession({ budget: { tools: { file_raed: 1 } } })).rejects.toThrow(
    'budget.tools: there is no tool "file_raed"; did you mean file_read',
  );
});

test("a reserved part of a budget is left to no other agent in the tree until it is given back", () => {
  const parent = createBudget({ tokens: 100 });
  const [one, other] = [createBudget({}, parent), createBudget({ tokens: 80 }, parent)];
  const giveBack = one.reserve({ tokens: 70, cost: 0 });
  expect([parent, one, other].map((each) => each.left("tokens"))).toEqual([30, 30, 30]);
  one.chargeTokens({ tokens: 10, cost: 0 });
  giveBack();
  expect([parent, one, other].map((each) => each.left("tokens"))).toEqual([90, 90, 80]);
});

test("a period of nothing is refused", async () => {
  await expect(openTestSession({ budget: { calls: 1, periodMs: 0 } })).rejects.toThrow(
    "budget.periodMs must be more than 0",
  );
});

test("a tool has its own limit, and the model is told once when four fifths of a limit are used", async () => {
  const { session } = await openTestSession({ tools: [echo], budget: { calls: 10, tools: { echo: 5 } } });
  const texts = [];
  for (let call = 1; call <= 6; call++) texts.push((await session.call("echo", { text: `${call}` })).text);
  expect(texts.slice(0, 3)).toEqual(["1", "2", "3"]);
  expect(texts[3]).toContain("80 % of the budget of 5 calls of echo is used");
  expect(texts[4]).toBe("5");
  expect(texts[5]).toContain("the budget of 5 calls of echo is used up");
  expect(session.budget.used.tools).toEqual({ echo: 5 });
  const warned = [];
  for await (const event of session.events({ signal: AbortSignal.abort() }))
    if (event.type === "budget-warn") warned.push(event);
  expect(warned).toMatchObject([{ of: "session", what: "tools", toolName: "echo", limit: 5, used: 4 }]);
});
