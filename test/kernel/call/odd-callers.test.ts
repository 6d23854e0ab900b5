import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type Session } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { act, echo } from "../../support/sample-tools.ts";

const never = () => new Promise<boolean>(() => {});

test.each<[string, (session: Session) => Promise<{ status: string }>]>([
  ["a name without a prototype", (session) => session.call(Object.create(null) as string)],
  ["a signal that is none", (session) => session.call("echo", { text: "x" }, { signal: {} as AbortSignal })],
  ["undoing what is no id", (session) => session.undo({} as string)],
])("%s is an answer with a receipt, and the session still closes", async (_what, call) => {
  const { session, runtime } = await openTestSession({ tools: [echo] });
  expect((await call(session)).status).toBe("failed");
  expect(await runtime.receipts()).toHaveLength(1);
  await session.close();
});

test("a batch with nonsense in it answers for all of it", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const results = await session.callAll([null as never, { name: "echo", input: { text: "x" } }]);
  expect(results.map(({ status }) => status)).toEqual(["failed", "done"]);
});

test("an undo after the runtime was closed is an answer too", async () => {
  const { session, runtime } = await openTestSession();
  await runtime.close();
  expect((await session.undo("call_x")).status).toBe("failed");
});

test("a schema that never makes up its mind does not hang the call, whichever side it is on", async () => {
  const onInput = defineTool({
    name: "on_input",
    description: "Waits.",
    input: z.object({ a: z.string().refine(never) }),
    traits: { readOnly: true },
    run: () => "",
  });
  const onOutput = defineTool({
    name: "on_output",
    description: "Waits.",
    params: {},
    output: z.string().refine(never),
    traits: { readOnly: true },
    run: () => "x",
  });
  const { session } = await openTestSession({ tools: [onInput, onOutput], timeoutMs: 30 });
  expect((await session.call("on_input", { a: "x" })).status).toBe("timed-out");
  expect((await session.call("on_output")).status).toBe("timed-out");
  await session.close();
});

test("a tool whose permission function returns nonsense is denied in words", async () => {
  const vague = defineTool({
    name: "vague",
    description: "Vague.",
    params: {},
    permission: () => undefined as never,
    run: () => "",
  });
  const { session } = await openTestSession({ tools: [vague], permissions: { mode: "auto" } });
  expect((await session.call("vague")).error).toMatchObject({
    code: "permission-denied",
    message: "the tool did not declare what it would touch",
  });
});

test("a decision cannot be smuggled in, changed, or made twice, and what was shown is what runs", async () => {
  const seen: unknown[] = [];
  const run = defineTool({
    name: "run",
    description: "Runs.",
    params: { command: { type: "string" } },
    run: ({ command }) => {
      seen.push(command);
      return "";
    },
  });
  const { session } = await openTestSession({ tools: [run, act], approvals: "queue" });
  const control = session.events({ channels: ["control"] });
  const ask = async () => {
    const calling = session.call("run", { command: "good" });
    let asked = await control.next();
    while (asked.value?.type !== "approval-request") asked = await control.next();
    return { calling, request: session.approvals.list()[0]! };
  };
  const first = await ask();
  const smuggle = () => session.approvals.decide(first.request.id, "deny", { decision: "allow" } as object);
  expect(smuggle).toThrow("decide: decision is not an option; known here: lasts, stop, note, by");
  session.approvals.decide(first.request.id, "deny");
  expect(() => session.approvals.decide(first.request.id, "allow")).toThrow("is waiting");
  expect((await first.calling).status).toBe("denied");
  const second = await ask();
  (second.request.input as { command: string }).command = "evil";
  session.approvals.decide(second.request.id, "allow");
  await second.calling;
  expect(seen).toEqual(["good"]);
  await control.return();
});

test("a failed call whose result a hook replaced still says what failed", async () => {
  const fails = defineTool({
    name: "fails",
    description: "Fails.",
    params: {},
    traits: { readOnly: true },
    run: () => Promise.reject(new Error("no")),
  });
  const { session } = await openTestSession({
    tools: [fails],
    hooks: { afterCall: () => ({ decision: "replace", result: "softened" }) },
  });
  expect(await session.call("fails")).toMatchObject({
    status: "failed",
    text: "softened",
    error: { code: "tool-failed" },
  });
});

test("a schema that throws what cannot even be looked at is a failure like any other", async () => {
  const refuse = () => {
    throw new Error("do not touch");
  };
  const untouchable = new Proxy({}, { get: refuse, getPrototypeOf: refuse });
  const input = {
    "~standard": {
      version: 1 as const,
      vendor: "odd",
      validate: () => {
        throw untouchable;
      },
      jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
    },
  };
  const odd = defineTool({ name: "odd", description: "Odd.", input, run: () => "" });
  const { session, runtime } = await openTestSession({ tools: [odd], permissions: { mode: "auto" } });
  expect(await session.call("odd", {})).toMatchObject({
    status: "failed",
    text: "a value was thrown that cannot be read",
  });
  expect(await runtime.receipts()).toHaveLength(1);
});

test("a hook that returns another library's promise is given no more time than its own", async () => {
  // biome-ignore lint/suspicious/noThenProperty: a promise of another library
  const forever = { then: () => {} } as never;
  const { session } = await openTestSession({
    tools: [echo],
    hooks: { beforeCall: () => forever },
    timeoutMs: 30,
  });
  expect(await session.call("echo", { text: "x" })).toMatchObject({ error: { code: "hook-failed" } });
});

test("undo gets the input that the call was given, though the tool has changed it since", async () => {
  const undone: unknown[] = [];
  const change = defineTool({
    name: "change",
    description: "Changes its input.",
    params: { list: { type: "array", items: { type: "string" } } },
    run: ({ list }) => {
      list.length = 0;
      return "done";
    },
    undo: ({ input }) => void undone.push(input),
  });
  const { session } = await openTestSession({ tools: [change], permissions: { mode: "auto" } });
  const list = ["a"];
  const { callId, receipt } = await session.call("change", { list });
  expect([list, receipt.input]).toEqual([["a"], { list: ["a"] }]);
  await session.undo(callId);
  expect(undone).toEqual([{ list: ["a"] }]);
});
