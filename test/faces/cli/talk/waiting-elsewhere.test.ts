import { expect, test } from "vitest";
import { type ApprovalDecision, defineTool } from "../../../../src/index.ts";
import { calling } from "../../../capabilities/agents/open-agent.ts";
import { familyModel } from "../../../capabilities/agents/sub-agents/family-model.ts";
import { until } from "../../../support/until.ts";
import { openTestTalk } from "./open-test-talk.ts";

const writing = defineTool({
  name: "writing",
  description: "Needs to be approved.",
  params: {},
  permission: () => [{ action: "write" }],
  run: async () => "written",
});
const write = calling("writing");

test("a call of another session's sub-agent is told in our words, and a question about it ends when it is decided elsewhere", async () => {
  const asked: unknown[] = [];
  const { runtime, shown, say, status } = await openTestTalk([], {
    runtime: { tools: [writing], permissions: { mode: "ask" }, approvals: "queue" },
    view: {
      decide: (request, asking, signal) => {
        asked.push(asking);
        const gone = Promise.withResolvers<ApprovalDecision>();
        signal.addEventListener("abort", () => gone.reject(signal.reason));
        void runtime.approvals.decide(`call:${request.id}`, "allow");
        return gone.promise;
      },
    },
  });
  const session = await runtime.openSession();
  const { model } = familyModel({
    CHILD: [write, { text: "Done." }],
    PARENT: [calling("Agent", { description: "look\u001b[2J", prompt: "CHILD, look" }), { text: "Well." }],
  });
  const run = runtime.agent({ model, session }).run("PARENT, go");
  await until(() => status()!.waiting === 1);
  const [agent] = session.agents.list();
  const name = `Agent "${agent!.id}" of session ${session.id}`;
  expect(shown).toContain(`${name} waits for a decision on writing; /approve decides`);
  expect(await say("/approve")).toBe("it does not wait any more");
  expect(asked).toEqual([{ name, task: expect.stringContaining("look") }]);
  expect((await run).text).toBe("Well.");
  await until(() => status()!.waiting === 0);
});

test("a question of the conversation itself or of its sub-agents is not told as another session's", async () => {
  const answer = Promise.withResolvers<"allow">();
  const asked = Promise.withResolvers<void>();
  const family = familyModel({
    CHILD: [write, { text: "Done." }],
    PARENT: [calling("Agent", { prompt: "CHILD, look" }), { text: "Well." }],
  });
  const { talk, runtime, shown, say } = await openTestTalk([], {
    runtime: { tools: [writing], permissions: { mode: "ask" } },
    mode: "ask",
    agentModel: family.model,
    view: {
      onApproval: () => {
        asked.resolve();
        return answer.promise;
      },
    },
  });
  const run = talk.submit("PARENT, go");
  await asked.promise;
  await until(async () => (await runtime.approvals.list()).length === 1);
  expect(await talk.elsewhere.list()).toEqual([]);
  expect(await say("/approve")).toBe("nothing waits for a decision");
  answer.resolve("allow");
  await run;
  expect(shown).toContain("Well.");
  expect(shown.join("\n")).not.toContain("waits for a decision on");
});
