import { expect, test } from "vitest";
import { defineTool } from "../../../src/systems/kode/index.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";
import { stopClock } from "../../support/stop-clock.ts";
import { until } from "../../support/until.ts";
import { createKode, listen } from "./create-kode.ts";

test("K36: a tool has 60 seconds, unless the agent's metadata set another time", async () => {
  stopClock();
  /** Tells how much time it has. */
  const clock = defineTool({
    name: "clock",
    description: "Tells how much time it has.",
    params: {},
    exec: async (_args, { toolwright }) => toolwright.deadline - Date.now(),
  });
  const answerOf = async (config: object) => {
    const { agent, requests } = await createKode({ tools: [clock], ...config }, [calling("clock")]);
    await agent.chat("go");
    return /"value":"(\d+)"/.exec(JSON.stringify(requests.at(-1)!.prompt))?.[1];
  };
  expect(await answerOf({})).toBe("60000");
  expect(await answerOf({ metadata: { toolTimeoutMs: 120_000 } })).toBe("120000");
});

test("K37: a tool gets a signal, which is aborted before it starts anything new, in a fetch and inside a loop", async () => {
  const controller = new AbortController();
  const seen: unknown[] = [];
  const loop = defineTool({
    name: "loop",
    description: "Counts.",
    params: {},
    async exec(_args, { signal }) {
      seen.push(signal.aborted);
      for (let count = 0; count < 1000; count++) {
        if (count === 250) controller.abort();
        if (count % 100 === 0 && signal.aborted) {
          seen.push(count);
          break;
        }
      }
      await fetch("http://127.0.0.1:9", { signal }).catch((error) => seen.push(error === signal.reason));
    },
  });
  const { session } = await createKode({ tools: [loop] });
  expect((await session.call("loop", {}, { signal: controller.signal })).status).toBe("cancelled");
  await until(() => seen.length === 3);
  expect(seen).toEqual([false, 300, true]);
});

test("K38, K39: a call out of time is aborted and FAILED, the model reads why and goes on, and a resume does not run it again", async () => {
  const signals: AbortSignal[] = [];
  const late = defineTool({
    name: "late",
    description: "Never comes back.",
    params: {},
    attributes: { readonly: true, noEffect: true },
    exec: (_args, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  const config = {
    agentId: "kept",
    tools: [late],
    metadata: { toolTimeoutMs: 20 },
    sandbox: { workDir: await temporaryFolder() },
    toolwright: { store: `sqlite:${await temporaryFolder()}/store.sqlite` },
  };
  const { agent, requests } = await createKode(config, [calling("late"), { text: "Then without it." }]);
  const ended = listen(agent, "tool:end");
  expect(await agent.chat("go")).toEqual({ status: "ok", text: "Then without it." });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(JSON.stringify(requests[1]!.prompt)).toContain("gave no answer within 20 ms");
  await agent.close();
  expect(ended).toMatchObject([{ call: { state: "FAILED" } }]);
  const resumed = await createKode(config, [{ text: "Hello again." }]);
  expect(resumed.session.resumed).toBe(true);
  expect(await resumed.agent.chat("go on")).toEqual({ status: "ok", text: "Hello again." });
  expect(signals).toHaveLength(1);
});
