import { readdir } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { defineTool, type ToolContext, ToolError } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { stopClock } from "../../support/stop-clock.ts";

const readOnly = { readOnly: true } as const;

function toolThat(run: (input: Record<string, never>, context: ToolContext) => unknown, traits = {}) {
  return defineTool({
    name: "probe",
    description: "Does as told.",
    params: {},
    traits: { ...readOnly, ...traits },
    run,
  });
}

test("a tool that ignores its signal is still answered for on time, and told to stop", async () => {
  let signal: AbortSignal | undefined;
  const { session } = await openTestSession({
    tools: [
      toolThat((_input, context) => {
        signal = context.signal;
        return new Promise(() => {});
      }),
    ],
  });
  const result = await session.call("probe", {}, { timeoutMs: 30 });
  expect(result).toMatchObject({ status: "timed-out", error: { code: "timed-out" } });
  expect(result.error?.message).toContain("30 ms");
  expect(signal?.aborted).toBe(true);
});

test("the call's own deadline wins over the tool's, the tool's over the runtime's", async () => {
  const hang = () => new Promise(() => {});
  const limit = async (traits: object, options: object) => {
    const { session } = await openTestSession({ tools: [toolThat(hang, traits)], timeoutMs: 33 });
    return (await session.call("probe", {}, options)).error?.message.match(/within (\d+) ms/)?.[1];
  };
  expect(await limit({}, {})).toBe("33");
  expect(await limit({ timeoutMs: 22 }, {})).toBe("22");
  expect(await limit({ timeoutMs: () => 24 }, {})).toBe("24");
  expect(await limit({ timeoutMs: 22 }, { timeoutMs: 11 })).toBe("11");
});

test("a cancelled call ends as cancelled, before and while it runs", async () => {
  let runs = 0;
  const started = Promise.withResolvers<void>();
  const { session } = await openTestSession({
    tools: [
      toolThat(() => {
        runs += 1;
        started.resolve();
        return new Promise(() => {});
      }),
    ],
  });
  expect((await session.call("probe", {}, { signal: AbortSignal.abort() })).status).toBe("cancelled");
  expect(runs).toBe(0);
  const controller = new AbortController();
  const calling = session.call("probe", {}, { signal: controller.signal });
  await started.promise;
  controller.abort(new Error("enough"));
  expect(await calling).toMatchObject({
    status: "cancelled",
    error: { message: expect.stringContaining("enough") },
  });
});

test("a tool error keeps its code, hint and retryable; any other exception is a failure of the tool", async () => {
  const stale = toolThat(() => {
    throw new ToolError("stale-file", "a.ts changed", { hint: "Read it again.", retryable: true });
  });
  const one = await openTestSession({ tools: [stale] });
  expect((await one.session.call("probe")).error).toEqual({
    code: "stale-file",
    message: "a.ts changed",
    hint: "Read it again.",
    retryable: true,
  });
  const two = await openTestSession({ tools: [toolThat(() => Promise.reject("just a string"))] });
  expect((await two.session.call("probe")).error).toEqual({
    code: "tool-failed",
    message: "just a string",
    retryable: false,
  });
});

test("a tool may end timed-out with the result it has so far", async () => {
  const partial = toolThat(() => {
    throw new ToolError("timed-out", "stopped after 1 s", { partial: "first lines" });
  });
  const { session } = await openTestSession({ tools: [partial] });
  const result = await session.call("probe");
  expect(result.status).toBe("timed-out");
  expect(result.text).toBe("first lines\nstopped after 1 s");
});

test("a promised output is checked", async () => {
  const counts = (value: unknown) =>
    defineTool({
      name: "count",
      description: "Counts.",
      params: {},
      output: z.object({ total: z.number() }),
      traits: readOnly,
      run: () => value,
    });
  const good = await openTestSession({ tools: [counts({ total: 2 })] });
  expect((await good.session.call("count")).data).toEqual({ total: 2 });
  const bad = await openTestSession({ tools: [counts({ total: "two" })] });
  expect((await bad.session.call("count")).error).toMatchObject({
    code: "invalid-output",
    message: expect.stringContaining("$.total must be a number"),
  });
});

test.each([
  ["a BigInt", () => 1n],
  [
    "a cycle",
    () => {
      const loop: Record<string, unknown> = {};
      loop.loop = loop;
      return loop;
    },
  ],
  ["a function", () => () => {}],
])("a result that is %s is a clear failure", async (_what, run) => {
  const { session } = await openTestSession({ tools: [toolThat(run)] });
  expect((await session.call("probe")).error?.code).toBe("invalid-output");
});

test("progress reaches the caller while the tool runs, and the log for good", async () => {
  const gate = Promise.withResolvers<void>();
  const { session } = await openTestSession({
    tools: [
      toolThat(async (_input, { progress }) => {
        progress("half way");
        progress({ percent: 50 });
        await gate.promise;
        return "end";
      }),
    ],
  });
  const updates: unknown[] = [];
  const calling = session.call(
    "probe",
    {},
    {
      onProgress: (update) => {
        updates.push(update);
        if (updates.length === 2) gate.resolve();
        throw new Error("a listener's problem is its own");
      },
    },
  );
  expect((await calling).status).toBe("done");
  expect(updates).toEqual(["half way", { percent: 50 }]);
  await session.close();
  const logged: unknown[] = [];
  for await (const event of session.events({ channels: ["progress"] })) {
    if (event.type === "call-progress") logged.push(event.update);
  }
  expect(logged).toEqual(["half way", { percent: 50 }]);
});

test("a tool that was given up on can say nothing more", async () => {
  const late = Promise.withResolvers<ToolContext>();
  const { session } = await openTestSession({
    tools: [
      toolThat((_input, context) => {
        late.resolve(context);
        return new Promise(() => {});
      }),
    ],
  });
  await session.call("probe", {}, { timeoutMs: 10 });
  const context = await late.promise;
  context.emit("late", {});
  context.progress("late");
  context.logger.info("late");
  await session.close();
  const types: string[] = [];
  for await (const event of session.events()) types.push(event.type);
  expect(types).toEqual(["session-open", "call-start", "call-stop", "call-end", "session-close"]);
});

test("variables that a tool sets after its call has ended are not kept, and break nothing", async () => {
  const late = Promise.withResolvers<ToolContext>();
  const slow = defineTool({
    name: "slow",
    description: "Never ends.",
    params: {},
    run: (_input, context) => {
      context.variables.set("early", 1);
      late.resolve(context);
      return new Promise<string>(() => {});
    },
  });
  const { session } = await openTestSession({ tools: [slow], permissions: { mode: "auto" } });
  expect((await session.call("slow", {}, { timeoutMs: 20 })).status).toBe("timed-out");
  const { variables, taskVariables } = await late.promise;
  expect(variables.set("late", 1).set("later", 2).size).toBe(1);
  expect(variables.delete("early")).toBe(false);
  taskVariables.set("late", 1);
  expect([...session.variables.entries()]).toEqual([["early", 1]]);
  expect(session.taskVariables.has("late")).toBe(false);
});

test("once a call has ended its tool can begin nothing new, whatever it took out of the context before", async () => {
  const kept = Promise.withResolvers<ToolContext>();
  const { session, workspace } = await openTestSession({
    permissions: { mode: "auto" },
    onQuestion: async () => "yes",
    tools: [
      toolThat((_input, context) => {
        const { files, search, ask } = context;
        kept.resolve({ ...context, files, search, ask });
        return "ok";
      }),
    ],
  });
  expect((await session.call("probe")).status).toBe("done");
  const { files, search, ask } = await kept.promise;
  const ended = { code: "cancelled", message: "the call has ended" };
  await expect(files.writeText("late.txt", "x")).rejects.toMatchObject(ended);
  await expect(files.readText("late.txt")).rejects.toMatchObject(ended);
  await expect(search.glob({ path: ".", pattern: "*", maxFiles: 1 })).rejects.toMatchObject(ended);
  await expect(ask("Still there?")).rejects.toMatchObject(ended);
  await session.close();
  await expect(files.remove("late.txt")).rejects.toMatchObject(ended);
  expect(await readdir(workspace)).toEqual([]);
});

test("events, reports and questions of a tool are masked in the log, and its reports for its caller too", async () => {
  const token = `ghp_${"a1".repeat(18)}`;
  const { session } = await openTestSession({
    secrets: ["swordfish-42"],
    onQuestion: async () => "it is swordfish-42",
    tools: [
      toolThat(async (_input, { emit, progress, ask }) => {
        emit("login", { password: "hunter2", [token]: 1 });
        progress({ step: `with ${token}` });
        return (await ask(`Is it ${token}?`)) === "it is swordfish-42";
      }),
    ],
  });
  const updates: unknown[] = [];
  const result = await session.call("probe", {}, { onProgress: (update) => updates.push(update) });
  expect(result.data).toBe(true);
  expect(updates).toEqual([{ step: "with [redacted]" }]);
  await session.close();
  const events: unknown[] = [];
  for await (const event of session.events()) events.push(event);
  expect(JSON.stringify(events)).not.toMatch(/hunter2|ghp_|swordfish/);
  expect(events).toMatchObject([
    { type: "session-open" },
    { type: "call-start" },
    { type: "custom", data: { password: "[redacted]", "[redacted]": 1 } },
    { type: "call-progress", update: { step: "with [redacted]" } },
    { type: "question-ask", text: "Is it [redacted]?" },
    { type: "question-answer", answer: "it is [redacted]" },
    { type: "call-end" },
    { type: "session-close" },
  ]);
});

test("a tool emits events of its own, logs with secrets masked, and knows who called", async () => {
  const { session } = await openTestSession({
    secrets: ["swordfish-42"],
    tools: [
      toolThat((_input, { emit, logger, caller, sessionId, callId, deadline }) => {
        emit("weather", { degrees: 21 });
        logger.warn("key is swordfish-42", { password: "x" });
        return { caller, sessionId, callId, hasDeadline: deadline > Date.now() };
      }),
    ],
  });
  const { data, callId } = await session.call("probe", {}, { caller: { kind: "agent", name: "planner" } });
  expect(data).toEqual({
    caller: { kind: "agent", name: "planner" },
    sessionId: session.id,
    callId,
    hasDeadline: true,
  });
  await session.close();
  const events: unknown[] = [];
  for await (const event of session.events({ channels: ["monitor"] })) events.push(event);
  expect(events).toMatchObject([
    { type: "session-open" },
    {
      type: "custom",
      tool: "probe",
      callId,
      eventType: "weather",
      data: { degrees: 21 },
      channel: "monitor",
    },
    { type: "log", level: "warn", message: "key is [redacted]", data: { password: "[redacted]" } },
    { type: "session-close" },
  ]);
});

test("an event that is not JSON is the tool's failure, not the runtime's", async () => {
  const { session } = await openTestSession({ tools: [toolThat((_input, { emit }) => emit("bad", 1n))] });
  expect((await session.call("probe")).error).toMatchObject({
    code: "tool-failed",
    message: expect.stringContaining("emit(bad)"),
  });
  expect((await session.call("probe")).receipt.hash).not.toBe("");
});

test("a tool asks the person; the wait does not count against its deadline", async () => {
  const asks = toolThat(
    async (_input, { ask }) => `hello ${await ask({ text: "Who are you?", choices: ["a", "b"] })}`,
  );
  const { session } = await openTestSession({
    tools: [asks],
    timeoutMs: 40,
    async onQuestion({ text, choices }) {
      await vi.advanceTimersByTimeAsync(90);
      return text === "Who are you?" ? choices![1]! : text;
    },
  });
  stopClock();
  expect((await session.call("probe")).text).toBe("hello b");
  const alone = await openTestSession({ tools: [asks] });
  expect((await alone.session.call("probe")).error?.code).toBe("nobody-to-ask");
});

test("variables are shared by the calls of a session", async () => {
  const { session } = await openTestSession({
    tools: [
      toolThat((_input, { variables }) => {
        const count = ((variables.get("count") as number | undefined) ?? 0) + 1;
        variables.set("count", count);
        return count;
      }),
    ],
  });
  await session.call("probe");
  expect((await session.call("probe")).data).toBe(2);
  expect(session.variables.get("count")).toBe(2);
});

test("in a dry run a tool reads the variables it set, and they are gone afterwards", async () => {
  const count = (_input: unknown, { variables, taskVariables }: ToolContext) => {
    variables.set("count", (variables.get("count") as number) + 1);
    taskVariables.set("seen", true);
    return { count: variables.get("count"), seen: taskVariables.get("seen") };
  };
  const counting = defineTool({
    name: "count",
    description: "Counts.",
    params: {},
    traits: readOnly,
    run: count,
    dryRun: count,
  });
  const { session } = await openTestSession({ tools: [counting] });
  session.variables.set("count", 1);
  expect((await session.dryRun("count", {})).data).toEqual({ count: 2, seen: true });
  expect(session.variables.get("count")).toBe(1);
  expect(session.taskVariables.has("seen")).toBe(false);
  await session.call("count");
  expect(session.variables.get("count")).toBe(2);
});

test("a loop of calls that wait for nothing still lets timers have their turn", async () => {
  const { session } = await openTestSession({ tools: [toolThat(() => "")] });
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 1);
  // Where they had no turn, nothing but the clock could end the loop.
  const giveUpAt = performance.now() + 10_000;
  while (ticks < 4 && performance.now() < giveUpAt) await session.call("probe");
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(3);
});

test("the caller has its promise before the tool begins, so that what it attaches then misses nothing", async () => {
  let hasBegun = false;
  const early = defineTool({
    name: "early",
    description: "Begins.",
    params: {},
    run() {
      hasBegun = true;
      return "done";
    },
  });
  const { session } = await openTestSession({ tools: [early], permissions: { mode: "auto" } });
  await session.call("early", {});
  hasBegun = false;
  const calling = session.call("early", {});
  expect(hasBegun).toBe(false);
  expect((await calling).text).toBe("done");
});
