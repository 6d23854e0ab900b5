import { defineTool, type LoggedEvent } from "../../../../src/index.ts";
import { openTestAgent } from "../../agents/open-agent.ts";

/** The log of an agent that thinks, talks, calls, asks, fails and ends. */
export async function logOfAgent(): Promise<LoggedEvent[]> {
  const { agent, events } = await openTestAgent(
    [
      { reasoning: "let me think", text: "I will talk.", calls: [{ name: "Speak" }, { name: "late" }] },
      { text: "That is all.", usage: { inputTokens: 7, outputTokens: 3 } },
    ],
    {
      runtime: { tools: [talk, late], permissions: { mode: "ask" } },
      onApproval: () => "allow",
    },
  );
  await agent.run("go");
  return events();
}

const talk = defineTool({
  name: "talk",
  aliases: ["Speak"],
  description: "Tells how far it is.",
  params: {},
  run: (_input, { progress, emit }) => {
    for (const line of ["log 1", "log 2", "log 3"]) progress(line);
    emit("measured", { width: 3 });
    return "over";
  },
});

const late = defineTool({
  name: "late",
  description: "Never comes back.",
  params: {},
  traits: { timeoutMs: 30 },
  run: () => new Promise<string>(() => {}),
});
