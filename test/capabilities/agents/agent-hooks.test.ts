import { expect, test } from "vitest";
import type { HookNotice } from "../../../src/kernel/call/hooks/hooks.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { calling } from "./open-agent.ts";
import { familyModel } from "./sub-agents/family-model.ts";

test("hooks see messages, sub-agents and ends, and deny a message or a sub-agent", async () => {
  const told: string[] = [];
  const event = (notice: HookNotice) => {
    told.push(notice.event);
    if (notice.event === "UserPromptSubmit" && notice.prompt.includes("nuclear"))
      return { decision: "deny", reason: "not about that" } as const;
    if (notice.event === "SubagentStart" && notice.prompt.includes("FORBIDDEN"))
      return { decision: "deny", reason: "not that one" } as const;
  };
  const { model } = familyModel({
    CHILD: [{ text: "Done." }],
    PARENT: [
      calling("Agent", { prompt: "FORBIDDEN" }),
      calling("Agent", { prompt: "CHILD, look" }),
      { text: "Well." },
    ],
  });
  const { runtime, session } = await openTestSession({ hooks: { event } });
  const agent = runtime.agent({ model, session });
  await expect(agent.run("go nuclear")).rejects.toThrow(
    "the message was denied by hook event[0]: not about that",
  );
  await agent.run("PARENT, go");
  expect(told.filter((name) => !name.startsWith("Session"))).toEqual([
    "UserPromptSubmit",
    "UserPromptSubmit",
    "SubagentStart",
    "SubagentStart",
    "SubagentStop",
    "Stop",
  ]);
  const denied = (await runtime.receipts()).find(({ status }) => status === "denied");
  expect(denied?.code).toBe("permission-denied");
});
