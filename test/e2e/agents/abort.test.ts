import { expect, test } from "vitest";
import type { SessionAgentOptions } from "../../../src/capabilities/agents/index.ts";
import { defineTool, type LoggedEvent } from "../../../src/index.ts";
import { modelNames, serveModel } from "../../support/model-server/serve-model.ts";
import type { ServedStep } from "../../support/model-server/start-model-server.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const ask = defineTool({
  name: "ask",
  description: "Asks.",
  params: {},
  traits: { readOnly: true },
  run: (_input, context) => context.ask("Which?"),
});

const stay = defineTool({
  name: "stay",
  description: "Stays until it is told to go.",
  params: {},
  run: (_input, { signal, progress }) => {
    progress("staying");
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  },
});

const patience = { timeout: 45_000 };
const words = "I was about to say something. ";

interface Phase {
  /** What the model does at first. */
  readonly step: ServedStep;
  /** What shows that it has come so far; asked of the server where the log does not tell. */
  readonly until: LoggedEvent["type"] | "asked";
  readonly options?: Partial<SessionAgentOptions>;
}

const never = () => new Promise<never>(() => {});
const phases: Record<string, Phase> = {
  "before the first byte": { step: { text: words, hangAt: "answer" }, until: "asked" },
  "during its words": { step: { text: words, hangAt: "text" }, until: "text-delta" },
  "during the input of a call": {
    step: { text: words, calls: [{ name: "stay", input: { more: "and more" } }], hangAt: "input" },
    until: "call-draft",
  },
  "during a call": { step: { calls: [{ name: "stay" }, { name: "stay" }] }, until: "call-progress" },
  "during an approval": {
    step: { calls: [{ name: "stay" }] },
    until: "approval-request",
    options: { onApproval: never },
  },
  "during a question": {
    step: { calls: [{ name: "ask" }] },
    until: "question-ask",
    options: { onQuestion: never },
  },
  "while it waits for the next try": {
    step: { status: 529, message: "overloaded" },
    until: "model-retry",
    options: { retryDelayMs: 600_000 },
  },
};

const cases = modelNames.flatMap((name) => Object.keys(phases).map((phase) => [name, phase] as const));

/** An agent that has come so far in its work. */
async function workUntil(name: string, phase: string) {
  const { step, until, options } = phases[phase]!;
  const { model, requests } = await serveModel(name, (_request, count) =>
    count === 1 ? step : { text: "all right" },
  );
  const mode = until === "approval-request" ? "ask" : "auto";
  const { runtime, session } = await openTestSession({ tools: [ask, stay], permissions: { mode } });
  const agent = runtime.agent({ model, session, ...options });
  const running = agent.run("go");
  if (until === "asked") await expect.poll(() => requests.length, patience).toBe(1);
  else for await (const { type } of session.events()) if (type === until) break;
  return { runtime, agent, running, requests, hangs: step.hangAt !== undefined };
}

test.each(cases)("%s is interrupted %s, at once, and goes on", async (name, phase) => {
  const { runtime, agent, running, requests, hangs } = await workUntil(name, phase);
  agent.interrupt();
  expect(await running).toMatchObject({ reason: "interrupted", steps: 1 });
  if (hangs) await expect.poll(() => requests[0]!.wasAbandoned, patience).toBe(true);
  for (const { status } of await runtime.receipts()) expect(status).not.toBe("done");

  expect(await agent.run()).toMatchObject({ reason: "done", text: "all right" });
  expect(await agent.run("thanks")).toMatchObject({ reason: "done" });
  expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
});

test.each(cases)("%s works when its runtime is closed %s, and ends first", async (name, phase) => {
  const { runtime, running, requests } = await workUntil(name, phase);
  await runtime.close();
  expect(await running).toMatchObject({ reason: "interrupted" });
  expect(requests).toHaveLength(1);
});
