import { type ScriptedStep, scriptedModel } from "../../../src/capabilities/agents/index.ts";
import { Agent, Eko, type StreamCallback, type Tool } from "../../../src/systems/eko/index.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

/** A tool that does one thing with its context. */
export function toolThat(name: string, execute: Tool["execute"]): Tool {
  return { name, description: "Does it.", parameters: { type: "object", properties: {} }, execute };
}

export const success = { content: [{ type: "text", text: "成功" }] } as const;

/** Runs a task of one agent, whose model follows the script. */
export async function runEko(
  tools: readonly Tool[],
  script: readonly ScriptedStep[],
  callback?: StreamCallback,
): Promise<void> {
  const eko = new Eko({
    llms: { default: scriptedModel([...script, { text: "over" }]) },
    agents: [new Agent({ name: "Coder", description: "Writes code.", tools })],
    ...(callback && { callback }),
    toolwright: { store: "memory:", workspace: await temporaryFolder() },
  });
  const { success: isDone, error } = await eko.run("go", "task-1");
  if (!isDone) throw error;
}
