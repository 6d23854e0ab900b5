import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestContext, type TestOptions } from "../../src/testing/index.ts";

test("a test context keeps what a tool emits, logs and reports, in order", async () => {
  const { context, events, progress, logs } = await openContext();
  context.emit("started");
  context.emit("found", { count: 2 });
  context.progress("half");
  context.logger.warn("careful", { line: 3 });
  expect(events).toEqual([{ type: "started" }, { type: "found", data: { count: 2 } }]);
  expect(progress).toEqual(["half"]);
  expect(logs).toEqual([{ level: "warn", message: "careful", data: { line: 3 } }]);
});

test("a test context keeps an event as it was when it was emitted", async () => {
  const { context, events } = await openContext();
  const data = { count: 1 };
  context.emit("counted", data);
  data.count = 2;
  expect(events).toEqual([{ type: "counted", data: { count: 1 } }]);
});

test("a test context refuses an event that no log could keep", async () => {
  const { context } = await openContext();
  const endless: { self?: unknown } = {};
  endless.self = endless;
  expect(() => context.emit("endless", endless)).toThrow("cannot be written as JSON");
});

test("a test context starts with the variables it is given, and lets the tool change them", async () => {
  const { context } = await openContext({ variables: { a: 1 }, taskVariables: { b: 2 } });
  expect([context.variables.get("a"), context.taskVariables.get("b")]).toEqual([1, 2]);
  context.variables.set("a", 3);
  expect([...context.variables.entries()]).toEqual([["a", 3]]);
});

test("a test context answers the tool's questions in the person's place", async () => {
  const { context } = await openContext({
    answers: ({ text, choices = [] }) => choices[1] ?? `${text} Me.`,
  });
  expect(await context.ask({ text: "Which?", choices: ["a", "b"] })).toBe("b");
  expect(await context.ask("Who?")).toBe("Who? Me.");
  const alone = await openContext();
  await expect(alone.context.ask("Anybody?")).rejects.toMatchObject({ code: "nobody-to-ask" });
});

test("a test context gives the files of a folder, and says what it does not offer", async () => {
  const workspace = await mkdtemp(join(tmpdir(), "toolwright-testing-"));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  await writeFile(join(workspace, "a.txt"), "one\n");
  const { context } = await openContext({ workspace });
  const { lines } = await context.files.readLines("a.txt", { firstLine: 1, maxLines: 10 });
  expect(lines).toEqual(["one"]);
  await expect(context.processes.run("true")).rejects.toMatchObject({ code: "unavailable" });
});

test("a test context aborts the tool's signal with the test's own, and when time is up", async () => {
  const controller = new AbortController();
  const { context } = await openContext({ signal: controller.signal });
  controller.abort();
  expect(context.signal.aborted).toBe(true);

  const { context: hasty } = await openContext({ timeoutMs: 5 });
  expect(hasty.deadline).toBeLessThan(Date.now() + 1000);
  await new Promise((resolve) => hasty.signal.addEventListener("abort", resolve));
  expect(hasty.signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("a test context hears nothing more once it is closed", async () => {
  const { context, events, close } = await openContext();
  close();
  context.emit("too late");
  expect(events).toEqual([]);
});

async function openContext(options: TestOptions = {}) {
  const opened = await createTestContext(options);
  onTestFinished(opened.close);
  return opened;
}
