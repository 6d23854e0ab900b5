import { expect, test } from "vitest";
import { scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { sha256 } from "../../../src/shared/crypto.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { act, echo, hang } from "../../support/sample-tools.ts";

test("P24a: every call, of a command or of a tool that looks at no signal, ends when its caller cancels it", async () => {
  const { session } = await openTestSession({
    dialect: "pulse",
    permissions: { mode: "auto" },
    tools: [hang],
  });
  const cancelled = async (name: string, input: object) => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    return (await session.call(name, input, { signal: controller.signal, onProgress })).status;
  };
  expect(await cancelled("hang", {})).toBe("cancelled");
  expect(await cancelled("bash", { command: "echo begun; sleep 60" })).toBe("cancelled");
});

test("P24b: rules let or deny by class: reading, writing, running and the network", async () => {
  const { session } = await openFileSession(
    { "a.txt": "a" },
    {
      dialect: "pulse",
      permissions: { mode: "auto", allow: ["@read"], deny: ["@write", "@execute", "@network"] },
    },
  );
  const decision = async (name: string, input: object) => (await session.explain(name, input)).decision;
  expect(await decision("read", { filePath: "a.txt" })).toBe("allow");
  expect(await decision("ls", {})).toBe("allow");
  expect(await decision("write", { filePath: "b.txt", content: "" })).toBe("deny");
  expect(await decision("bash", { command: "python3 x.py" })).toBe("deny");
  expect(await decision("tavily", { query: "x" })).toBe("deny");
});

test("P24c: the record of a call says who, when, with which arguments, and has a hash of the result", async () => {
  const { session, runtime } = await openTestSession(
    { dialect: "pulse", tools: [echo] },
    { caller: { kind: "person", name: "ada" } },
  );
  const before = Date.now();
  const [one, same, other] = await session.callAll([
    { name: "echo", input: { text: "x" } },
    { name: "echo", input: { text: "x" } },
    { name: "echo", input: { text: "y" } },
  ]);
  const { receipt } = one!;
  expect(receipt).toMatchObject({
    caller: { kind: "person", name: "ada" },
    tool: "echo",
    input: { text: "x", times: 1 },
    resultHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(Date.parse(receipt.startedAt)).toBeGreaterThanOrEqual(before);
  expect(receipt.inputHash).toBe(sha256('{"text":"x","times":1}'));
  expect(same!.receipt.resultHash).toBe(receipt.resultHash);
  expect(other!.receipt.resultHash).not.toBe(receipt.resultHash);
  expect(await runtime.verify(session.id)).toEqual([
    { sessionId: session.id, events: expect.any(Number), receipts: 3 },
  ]);
});

test("P24d: a budget ends the calls of a session by number and by time, and those of one run of an agent", async () => {
  const options = { dialect: "pulse", tools: [echo, act], permissions: { mode: "auto" } } as const;
  const { session } = await openTestSession({ ...options, budget: { calls: 2 } });
  const spend = async () => (await session.call("echo", { text: "x" })).error;
  expect([await spend(), await spend()]).toEqual([undefined, undefined]);
  expect(await spend()).toMatchObject({
    code: "budget-exceeded",
    message: "the budget of 2 calls is used up",
  });
  const timed = await openTestSession({ ...options, budget: { wallTimeMs: 0.000_001 } });
  await timed.session.call("echo", { text: "x" });
  expect((await timed.session.call("echo", { text: "x" })).error?.code).toBe("budget-exceeded");
  const { runtime } = await openTestSession(options);
  const calls = [1, 2, 3].map(() => ({ name: "echo", input: { text: "x" } }));
  const agent = runtime.agent({ model: scriptedModel([{ calls }, { text: "over" }]), budget: { calls: 2 } });
  expect(await agent.run("go")).toMatchObject({ reason: "budget" });
  const receipts = await runtime.receipts({ sessionId: (await agent.session()).id });
  expect(receipts.map(({ status }) => status).sort()).toEqual(["done", "done", "failed"]);
});
