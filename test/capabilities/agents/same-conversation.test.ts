import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ScriptedStep } from "../../../src/capabilities/agents/index.ts";
import { defineTool } from "../../../src/index.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";
import { recordedModel } from "./open-agent.ts";

const draw = defineTool({
  name: "draw",
  description: "Draws.",
  params: {},
  traits: { readOnly: true, concurrencySafe: true },
  run: () => ({ content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }] }),
});

const long = defineTool({
  name: "long",
  description: "Says much.",
  params: { size: { type: "integer" } },
  run: ({ size }) => "long ".repeat(size),
});

const wait = defineTool({
  name: "wait",
  description: "Waits a little.",
  params: {},
  async run() {
    await turns(20);
    return "waited";
  },
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

const texts = fc.constantFrom("hello", "wörld \ud83d\ude00", "half \ud83d", " ", "\u0000", "t".repeat(9000));
const calls = fc.record({
  name: fc.constantFrom("echo", "long", "draw", "wait", "nothing", "no name", ""),
  input: fc.oneof(
    fc.record({ text: texts }),
    fc.record({ size: fc.integer({ min: 0, max: 4000 }) }),
    fc.constantFrom('{"text": "cut o', "[1]", "not JSON", ""),
  ),
  id: fc.constantFrom("call_0", "call_1", "", "a b"),
});
const steps: fc.Arbitrary<ScriptedStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ calls: fc.array(calls, { minLength: 1, maxLength: 4 }) }) },
  { weight: 4, arbitrary: fc.record({ text: texts, calls: fc.array(calls, { maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ text: texts, finishReason: fc.constant("length" as const) }) },
  { weight: 1, arbitrary: fc.constant({ error: Object.assign(new Error("busy"), { statusCode: 503 }) }) },
  { weight: 1, arbitrary: fc.constant({ error: Object.assign(new Error("no"), { statusCode: 400 }) }) },
);
/** What a person does while the agent works: says something or stops it, so many turns of the event loop later. */
const deeds = fc.record({ after: fc.nat(60), does: fc.constantFrom("send", "interrupt") });

test("a conversation that is made again from the log is the one that it was, whatever happened in it", async () => {
  const { runtime } = await openTestSession({
    tools: [echo, draw, long, wait],
    permissions: { mode: "auto" },
  });
  const property = fc.asyncProperty(
    fc.array(steps, { minLength: 1, maxLength: 12 }),
    fc.array(deeds, { maxLength: 6 }),
    async (said, done) => {
      const live = recordedModel(async (_request, step) => {
        await turns(step % 7);
        return said[step - 1] ?? { text: `answer ${step}` };
      });
      const session = await runtime.openSession();
      const options = { session, contextTokens: 12_000, retryDelayMs: 1, maxRetries: 2 };
      const agent = runtime.agent({ ...options, model: live.model });
      const working = agent.run("go");
      for (const { after, does } of done) {
        await turns(after);
        if (does === "send") await agent.send(`said after ${after}`);
        else agent.interrupt();
      }
      await working;
      // Until nothing of the script is left, so that the last answer is a plain one.
      while (live.requests.length <= said.length) await agent.run("and on");
      await agent.run("the last word");
      const again = recordedModel([{ text: "ok" }]);
      // With room enough, so that nothing more is left out.
      await runtime.agent({ session, model: again.model, contextTokens: 1_000_000 }).run("once more");
      const before = JSON.stringify(live.requests.at(-1)!.prompt).slice(0, -1);
      expect(JSON.stringify(again.requests[0]!.prompt).slice(0, before.length)).toBe(before);
      await session.close();
    },
  );
  await fc.assert(property, { numRuns: fuzzRuns({ sample: 30, full: 1500 }) });
}, 120_000);
