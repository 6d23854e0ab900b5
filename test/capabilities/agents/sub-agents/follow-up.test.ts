import { expect, test } from "vitest";
import { openTestSession } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

test("an agent that has ended is told something again, by its parent's model or by a program, and remembers its work", async () => {
  let id = "";
  const { model, requests } = familyModel({
    CHILD: [
      calling("echo", { text: "found it" }),
      { text: "It is in a.txt." },
      { text: "Line 3." },
      { text: "Yes." },
    ],
    PARENT: [
      calling("Agent", { prompt: "CHILD, look", description: "look" }),
      { text: "Found." },
      () => calling("Agent", { prompt: "CHILD, which line?", agent_id: id }),
      { text: "Line 3." },
      { text: "It is sure." },
      () => calling("Agent", { prompt: "CHILD, again", agent_id: "agent_none" }),
      { text: "There is none." },
    ],
  });
  const { runtime, session } = await openTestSession({ tools: [echo], permissions: { mode: "auto" } });
  const agent = runtime.agent({ model, session });
  await agent.run("PARENT, go");
  const [child] = session.agents.list();
  id = child!.id;
  expect(await agent.run("PARENT, ask it")).toMatchObject({ text: "Line 3." });
  const asked = requests.CHILD!.at(-1)!.prompt.filter(({ role }) => role === "user");
  expect(asked).toHaveLength(2);
  expect(JSON.stringify(asked[1])).toContain("which line?");
  expect(JSON.stringify(requests.CHILD!.at(-1)!.prompt)).toContain("It is in a.txt.");

  expect(await agent.followUp(id, "CHILD, are you sure?")).toMatchObject({ status: "done" });
  // The parent learns of it, as of any agent in the background.
  expect(await agent.run()).toMatchObject({ text: "It is sure." });
  expect(JSON.stringify(requests.PARENT!.at(-1)!.prompt)).toContain("Yes.");
  expect(session.agents.list()).toMatchObject([{ id, sessionId: child!.sessionId, status: "done" }]);
  expect(await agent.run("PARENT, and none")).toMatchObject({ text: "There is none." });
  expect(JSON.stringify(requests.PARENT!.at(-1)!.prompt.at(-1))).toContain("there is no agent");

  // Each event of it was told once.
  const told: number[] = [];
  for await (const event of session.events({ signal: AbortSignal.abort() }))
    if (event.type === "subagent-event") told.push(event.event.sequence);
  expect(told).toEqual(told.toSorted((one, other) => one - other));
  expect(new Set(told).size).toBe(told.length);
});
