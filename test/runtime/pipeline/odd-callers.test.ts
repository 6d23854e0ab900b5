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

test("a tool that says nothing sensible of what it touches is denied in words", async () => {
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
  expect(smuggle).toThrow("decide: decision is not an option; known here: note, by");
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
