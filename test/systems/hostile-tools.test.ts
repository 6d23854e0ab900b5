import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import type { CallResult, Runtime, Session } from "../../src/index.ts";
import { openTestSession, temporaryFolder } from "../support/open-test-session.ts";
import { programFile } from "../support/programs/program-file.ts";
import { echo } from "../support/sample-tools.ts";
import { type AdoptedSystem, adoptedSystems, type Behave } from "./adopted-systems.ts";
import { oddBehaviours } from "./odd-behaviours.ts";

/** What has reached the process. */
const strays: unknown[] = [];
const onStray = (reason: unknown) => void strays.push(reason);
process.on("unhandledRejection", onStray);
afterAll(() => void process.off("unhandledRejection", onStray));

/** A session with a tool of that system, whose behaviour each test sets, beside one that behaves. */
async function openWith(system: AdoptedSystem) {
  let behave: Behave = () => undefined;
  const options = await system.adopt((args, context) => behave(args, context), await temporaryFolder());
  const { session, runtime } = await openTestSession({
    ...options,
    tools: [...(options.tools ?? []), echo],
    permissions: { mode: "auto" },
    dialect: "canonical",
  });
  const callAs = async (behaviour: Behave, timeoutMs = 25): Promise<CallResult> => {
    behave = behaviour;
    const input = Object.freeze({ text: "given" });
    return session.call(system.tool, input, { timeoutMs });
  };
  return { session, runtime, callAs };
}

/** A message that a person can do something with. */
const isClear = (message = "") => message.length > 3 && !/^\[object|^undefined$|^null$/.test(message);

async function checkRecord(runtime: Runtime, { callId, status, error }: CallResult): Promise<void> {
  const receipts = await runtime.receipts({ callId });
  expect(receipts).toMatchObject([{ status, input: { text: "given" } }]);
  if (status !== "done") expect(error?.message).toSatisfy(isClear);
}

test.each(adoptedSystems)("a tool of $system cannot do more than fail, whatever it does", async (system) => {
  const { session, runtime, callAs } = await openWith(system);
  for (const { what, ends, act } of oddBehaviours) {
    const answering = new AbortController();
    const about = { ...system, answered: answering.signal };
    const result = await callAs((args, context) => act(args, context, about));
    answering.abort();
    expect(ends, `${what}: ${result.status} ${result.text.slice(0, 200)}`).toContain(result.status);
    await checkRecord(runtime, result);
    const next = await session.call("echo", { text: "still here" });
    expect(next, what).toMatchObject({ status: "done", text: "still here" });
    expect(next.receipt.caller, what).toEqual({ kind: "code", name: "toolwright" });
  }
  await checkLateFailure(session, callAs);
  await checkPrinting(system, callAs);
  expect(strays).toEqual([]);
  const receipts = 2 * oddBehaviours.length + 2;
  expect(await runtime.verify()).toEqual([{ sessionId: session.id, events: expect.any(Number), receipts }]);
});

type CallAs = Awaited<ReturnType<typeof openWith>>["callAs"];

/** What fails after the call was given up is not heard, and fails nobody else. */
async function checkLateFailure(session: Session, callAs: CallAs): Promise<void> {
  const late = Promise.withResolvers<never>();
  expect((await callAs(() => late.promise)).status).toBe("timed-out");
  const before = await session.bookmark();
  late.reject(new Error("too late"));
  await new Promise(setImmediate);
  expect(await session.bookmark()).toBe(before);
}

/** What is printed is not part of the answer. */
async function checkPrinting({ result }: AdoptedSystem, callAs: CallAs): Promise<void> {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  const answer = await callAs(() => {
    console.log("for nobody");
    return result("ok");
  });
  expect(answer).toMatchObject({ status: "done", text: "ok" });
  expect(printed).toHaveBeenCalledWith("for nobody");
}

test("a promise that a tool starts and forgets is noted when it fails, and does not end the process, as other failures do", async () => {
  const { stdout, stderr, exitCode } = await runForgetfulTools();
  const { statuses, warnings } = JSON.parse(stdout);
  expect(statuses).toEqual(Object.fromEntries(adoptedSystems.map(({ tool }) => [tool, "done"])));
  const expected = adoptedSystems.flatMap(({ tool }) =>
    ["at once", "later", "after its end"].map(
      (when) => `${tool} started something that failed, and did not wait for it: forgotten ${when}`,
    ),
  );
  expect(warnings.toSorted()).toEqual(expected.toSorted());
  expect(exitCode).toBe(1);
  expect(stderr).toContain("forgotten outside");
});

/** In a process of its own: this one has listeners of the test runner. */
async function runForgetfulTools() {
  const program = programFile(new URL("child-forgetful-tools.ts", import.meta.url));
  const child = spawn(process.execPath, [program, await temporaryFolder()]);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { stdout, stderr, exitCode };
}
