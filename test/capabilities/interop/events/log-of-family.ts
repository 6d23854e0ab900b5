import { defineTool, type LoggedEvent } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { familyModel } from "../../agents/sub-agents/family-model.ts";

/**
 * The log of an agent that spawns another, which spawns a third; the two below ask before they talk, and all three
 * give their calls the same id.
 */
export async function logOfFamily(): Promise<LoggedEvent[]> {
  const { model } = familyModel({
    GRANDCHILD: [{ text: "Low.", calls: [{ id: "same", name: "talk" }] }, { text: "Low end." }],
    CHILD: [
      {
        text: "Middle.",
        calls: [
          { id: "same", name: "talk" },
          { name: "Agent", input: { prompt: "GRANDCHILD, go", description: "go lower" } },
        ],
      },
      { text: "Middle end." },
    ],
    PARENT: [
      {
        text: "High.",
        calls: [
          {
            id: "same",
            name: "Agent",
            input: { prompt: "CHILD, go", description: "go down", agent_type: "talker" },
          },
        ],
      },
      { text: "High end." },
    ],
  });
  const { runtime, session } = await openTestSession({
    tools: [talk],
    onApproval: () => "allow",
    agents: { maxDepth: 2, templates: { talker: { description: "Talks.", agents: { maxDepth: 1 } } } },
  });
  await runtime.agent({ model, session }).run("PARENT, go");
  const events: LoggedEvent[] = [];
  for await (const event of session.events()) {
    events.push(event);
    if (event.type === "agent-end") break;
  }
  return events;
}

const talk = defineTool({
  name: "talk",
  description: "Tells how far it is.",
  params: {},
  run: (_input, { progress }) => {
    for (const line of ["log 1", "log 2"]) progress(line);
    return "over";
  },
});
