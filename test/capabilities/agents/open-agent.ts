import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import {
  type Script,
  type ScriptedStep,
  type SessionAgent,
  type SessionAgentOptions,
  scriptedModel,
} from "../../../src/capabilities/agents/index.ts";
import type { LoggedEvent, RuntimeOptions } from "../../../src/index.ts";
import { openTestSession, type TestSession } from "../../support/open-test-session.ts";

export interface TestAgent extends TestSession {
  readonly agent: SessionAgent;
  /** What the model was asked, in order. */
  readonly requests: LanguageModelV4CallOptions[];
  /** What is in the log by now. */
  events(since?: number): Promise<LoggedEvent[]>;
}

/** An agent on a real runtime, with a model that follows a script. */
export async function openTestAgent(
  script: Script,
  { runtime: runtimeOptions, ...options }: Partial<SessionAgentOptions> & { runtime?: RuntimeOptions } = {},
): Promise<TestAgent> {
  const opened = await openTestSession({ permissions: { mode: "auto" }, ...runtimeOptions });
  const { model, requests } = recordedModel(script);
  const agent = opened.runtime.agent({ model, session: opened.session, retryDelayMs: 1, ...options });
  return { ...opened, agent, requests, events: (since) => logOf(opened.session, since) };
}

export function recordedModel(script: Script) {
  const requests: LanguageModelV4CallOptions[] = [];
  const model = scriptedModel((request, step) => {
    requests.push({ ...request, prompt: structuredClone(request.prompt) });
    return typeof script === "function" ? script(request, step) : script[step - 1];
  });
  return { model, requests };
}

/** Up to the end of the first run; give where to begin to see a later one. */
async function logOf(
  session: { events(query: { since: number }): AsyncIterable<LoggedEvent> },
  since = 0,
): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for await (const event of session.events({ since })) {
    events.push(event);
    if (event.type === "agent-end") break;
  }
  return events;
}

/** One call, as a step of a script. */
export function calling(name: string, input: unknown = {}, others: Partial<ScriptedStep> = {}): ScriptedStep {
  return { calls: [{ name, input }], ...others };
}

/** What the model read in answer to its calls, in order. */
export function answersIn({ prompt }: LanguageModelV4CallOptions) {
  return prompt.flatMap((message) =>
    message.role === "tool"
      ? message.content.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))
      : [],
  );
}
