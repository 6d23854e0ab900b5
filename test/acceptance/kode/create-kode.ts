import { onTestFinished } from "vitest";
import { type ScriptedStep, scriptedModel } from "../../../src/capabilities/agents/index.ts";
import {
  Agent,
  type AgentConfig,
  type AgentDependencies,
  type KodeEvent,
} from "../../../src/systems/kode/index.ts";
import { temporaryFolder } from "../../support/open-test-session.ts";

/** An agent on an empty workspace, whose model follows the script. */
export async function createKode(
  config: Partial<AgentConfig> = {},
  script: readonly ScriptedStep[] = [],
  dependencies: AgentDependencies = {},
) {
  const requests: { readonly tools?: readonly { readonly name: string }[]; readonly prompt: unknown }[] = [];
  const model = scriptedModel((request, step) => {
    requests.push(structuredClone({ tools: request.tools ?? [], prompt: request.prompt }));
    return script[step - 1] ?? { text: "over" };
  });
  const workDir = await temporaryFolder();
  const agent = await Agent.create(
    {
      model,
      sandbox: { kind: "local", workDir, enforceBoundary: true },
      toolwright: { store: "memory:" },
      ...config,
    },
    dependencies,
  );
  onTestFinished(() => agent.close());
  return { agent, session: agent.session, workDir, requests };
}

/** The events of a type that the agent's listeners get, until it is closed. */
export function listen(agent: Agent, type: string): KodeEvent[] {
  const events: KodeEvent[] = [];
  agent.on(type, (event) => events.push(event));
  return events;
}
