import { expect, test } from "vitest";
import { type BeforeCallHook, defineTool, type HookCall } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { act, echo } from "../../../support/sample-tools.ts";

const textOf = ({ input }: HookCall) => (input as { text: string }).text;
const append =
  (mark: string): BeforeCallHook =>
  (call) => ({ decision: "change", input: { text: textOf(call) + mark } });

test("before hooks run in order, each seeing what the one before made of the input", async () => {
  const { session } = await openTestSession({
    tools: [echo],
    hooks: { beforeCall: [append("1"), append("2"), append("3")] },
  });
  expect((await session.call("echo", { text: "x" })).text).toBe("x123");
});

test("a hook sees the tool's own name and parameters, and the name that the caller used", async () => {
  const seen: string[] = [];
  const { runtime } = await openTestSession({
    permissions: { mode: "auto" },
    sandbox: "off",
    hooks: {
      beforeCall: ({ tool, name, input }) => {
        seen.push(`before ${tool} ${name} ${(input as { command: string }).command}`);
        if (name === "bash_run") return { decision: "deny", reason: "not under this name" };
      },
      afterCall: ({ tool, name }) => {
        seen.push(`after ${tool} ${name}`);
      },
    },
  });
  const kode = await runtime.openSession({ dialect: "kode" });
  const pulse = await runtime.openSession({ dialect: "pulse" });
  expect((await kode.call("bash_run", { cmd: "true" })).status).toBe("denied");
  expect((await pulse.call("bash", { command: "true" })).status).toBe("done");
  expect(seen).toEqual([
    "before shell_run bash_run true",
    "before shell_run bash true",
    "after shell_run bash",
  ]);
});

test("an input changed by a hook is validated again", async () => {
  const { session } = await openTestSession({
    tools: [echo],
    hooks: { beforeCall: () => ({ decision: "change", input: { text: "x", times: 99 } }) },
  });
  expect((await session.call("echo", { text: "x" })).error).toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining("between 1 and 5"),
  });
});

test("an input changed in place by a hook does not get around validation", async () => {
  const { session } = await openTestSession({
    tools: [echo],
    hooks: {
      beforeCall: ({ input }) => {
        (input as { times: number }).times = 99;
      },
    },
  });
  expect((await session.call("echo", { text: "x" })).text).toBe("x");
});

test("a hook's no denies the call, later hooks are not asked, and the receipt tells who it was", async () => {
  const asked: string[] = [];
  const { session } = await openTestSession({
    tools: [echo],
    hooks: {
      beforeCall: [
        () => ({ decision: "deny", reason: "not today" }),
        () => {
          asked.push("second");
        },
      ],
    },
  });
  const result = await session.call("echo", { text: "x" });
  expect(result).toMatchObject({ status: "denied", error: { code: "permission-denied" } });
  expect(result.receipt.verdict).toMatchObject({
    decision: "deny",
    reason: "not today",
    decidedBy: "hook beforeCall[0]",
  });
  expect(asked).toEqual([]);
});

test("a hook can ask, also where the mode would have let the call through", async () => {
  const reasons: string[] = [];
  const { session } = await openTestSession({
    tools: [echo],
    permissions: { mode: "auto" },
    hooks: { beforeCall: () => ({ decision: "ask", reason: "looks odd" }) },
    onApproval: ({ verdict }) => {
      reasons.push(verdict.reason);
      return "allow";
    },
  });
  expect((await session.call("echo", { text: "x" })).status).toBe("done");
  expect(reasons).toEqual(["looks odd"]);
});

test("a hook can answer in the tool's place; the tool does not run and no person is asked", async () => {
  let runs = 0;
  const counted = defineTool({ name: "counted", description: "Counts.", params: {}, run: () => ++runs });
  const { session } = await openTestSession({
    tools: [counted],
    hooks: { beforeCall: () => ({ decision: "answer", result: { from: "cache" } }) },
  });
  const result = await session.call("counted");
  expect(result).toMatchObject({ status: "done", data: { from: "cache" } });
  expect(runs).toBe(0);
});

test("an answer does not get around a deny rule", async () => {
  const { session } = await openTestSession({
    tools: [act],
    permissions: { deny: ["act"] },
    hooks: { beforeCall: () => ({ decision: "answer", result: "secret" }) },
  });
  expect((await session.call("act")).status).toBe("denied");
});

test.each([
  [
    "throws",
    () => {
      throw new Error("broken");
    },
  ],
  [
    "rejects",
    async () => {
      throw new Error("broken");
    },
  ],
  ["decides nonsense", () => ({ decision: "maybe" })],
])("a before hook that %s fails the call closed", async (_how, hook) => {
  let runs = 0;
  const counted = defineTool({
    name: "counted",
    description: "Counts.",
    params: {},
    traits: { readOnly: true },
    run: () => ++runs,
  });
  const { session } = await openTestSession({
    tools: [counted],
    hooks: { beforeCall: hook as BeforeCallHook },
  });
  expect(await session.call("counted")).toMatchObject({ status: "denied", error: { code: "hook-failed" } });
  expect(runs).toBe(0);
});

test("a hook that never answers ends in a refusal, not in a hang", async () => {
  const { session } = await openTestSession({
    tools: [echo],
    timeoutMs: 30,
    hooks: { beforeCall: () => new Promise(() => {}) },
  });
  expect((await session.call("echo", { text: "x" })).error?.code).toBe("hook-failed");
});

test("after hooks run in order and may update or replace the result", async () => {
  const { session } = await openTestSession({
    tools: [echo],
    hooks: {
      afterCall: [
        (_call, { text }) => ({ decision: "update", text: `${text}!` }),
        (_call, { text }) => ({ decision: "replace", result: { said: text } }),
        (_call, { data }) => ({ decision: "update", data: { ...(data as object), by: "hook" } }),
      ],
    },
  });
  const result = await session.call("echo", { text: "x" });
  expect(result.text).toBe('{"said":"x!"}');
  expect(result.data).toEqual({ said: "x!", by: "hook" });
});

test("after hooks see failures and timeouts too", async () => {
  const seen: string[] = [];
  const fails = defineTool({
    name: "fails",
    description: "Fails.",
    params: { hang: { type: "boolean", default: false } },
    traits: { readOnly: true, timeoutMs: 20 },
    run: ({ hang }) => (hang ? new Promise<string>(() => {}) : Promise.reject(new Error("no"))),
  });
  const { session } = await openTestSession({
    tools: [fails],
    hooks: {
      afterCall: (_call, { status }) => {
        seen.push(status);
      },
    },
  });
  await session.call("fails");
  await session.call("fails", { hang: true });
  expect(seen).toEqual(["failed", "timed-out"]);
});

test("a result that an after hook has changed is bounded and masked like any result", async () => {
  const { session } = await openTestSession({
    tools: [echo],
    secrets: ["hunter2-and-more"],
    hooks: { afterCall: () => ({ decision: "replace", result: `hunter2-and-more${"x".repeat(40_000)}` }) },
  });
  const result = await session.call("echo", { text: "x" });
  expect(result.text).not.toContain("hunter2");
  expect(result.text.length).toBeLessThanOrEqual(30_000);
});

test("a failing after hook fails the call closed: the result that it should have checked is not given out", async () => {
  const { session } = await openTestSession({
    tools: [echo],
    hooks: {
      afterCall: () => {
        throw new Error("broken");
      },
    },
  });
  const result = await session.call("echo", { text: "sensitive" });
  expect(result.error?.code).toBe("hook-failed");
  expect(JSON.stringify({ ...result, receipt: undefined })).not.toContain("sensitive");
});

test("hooks of plugins run before the user's own, also those added later", async () => {
  const order: string[] = [];
  const watch =
    (name: string): BeforeCallHook =>
    () => {
      order.push(name);
    };
  let addLater: () => void = () => {};
  const { session } = await openTestSession({
    tools: [echo],
    hooks: { beforeCall: watch("own") },
    plugins: [
      {
        name: "watcher",
        hooks: { beforeCall: watch("plugin") },
        register: ({ addHooks }) => {
          addLater = () => addHooks({ beforeCall: watch("later") });
        },
      },
    ],
  });
  await session.call("echo", { text: "x" });
  addLater();
  await session.call("echo", { text: "x" });
  expect(order).toEqual(["plugin", "own", "plugin", "later", "own"]);
});
