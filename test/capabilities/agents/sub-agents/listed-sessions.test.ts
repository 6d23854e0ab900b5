import { expect, test } from "vitest";
import { openTestSession } from "../../../support/open-test-session.ts";
import { calling } from "../open-agent.ts";
import { familyModel } from "./family-model.ts";

test("the list of sessions tells of each whose child it is, what it was spawned for, and its kind", async () => {
  const { model } = familyModel({
    SMALL: [{ text: "Small." }],
    CHILD: [calling("Agent", { prompt: "SMALL, look" }), { text: "Done." }],
    PARENT: [
      calling("Agent", { prompt: "CHILD, look", description: "look hidden-word", agent_type: "finder" }),
      { text: "Good." },
    ],
  });
  const { runtime, session } = await openTestSession({
    secrets: ["hidden-word"],
    agents: { maxDepth: 2, templates: { finder: { description: "Finds.", agents: {} } } },
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  const [child] = session.agents.list();
  const sessions = await runtime.sessions();
  const small = sessions.find(({ parent }) => parent?.sessionId === child!.sessionId)!;
  expect(new Map(sessions.map(({ id, parent }) => [id, parent]))).toEqual(
    new Map([
      [session.id, undefined],
      [child!.sessionId, { sessionId: session.id, agentId: child!.id, title: child!.title, kind: "finder" }],
      [
        small.id,
        {
          sessionId: child!.sessionId,
          agentId: expect.stringMatching(/^agent_\w{6}$/),
          title: "SMALL, look",
        },
      ],
    ]),
  );
  expect(child!.title).not.toContain("hidden-word");
});
