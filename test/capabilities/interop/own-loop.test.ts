import { expect, test } from "vitest";
import { createCallAssembler } from "../../../src/capabilities/interop/index.ts";
import type { Session } from "../../../src/index.ts";
import { startModelServer } from "../../support/model-server/start-model-server.ts";
import type { RequestBody } from "../../support/model-server/wire-format.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";

/** How the loop that people write themselves speaks to each vendor. */
interface Vendor {
  readonly path: string;
  readonly question: object;
  ask(session: Session, transcript: readonly unknown[]): object;
  /** What of the model's message goes into the transcript. */
  keep(message: RequestBody): unknown[];
}

const vendors: Readonly<Record<string, Vendor>> = {
  "OpenAI chat": {
    path: "/chat/completions",
    question: { role: "user", content: "go" },
    ask: (session, messages) => ({ messages, tools: session.tools({ format: "openai", strict: true }) }),
    keep: (message) => [message],
  },
  "OpenAI responses": {
    path: "/responses",
    question: { role: "user", content: "go" },
    ask: (session, input) => ({ input, store: false, tools: session.tools({ format: "openai-responses" }) }),
    keep: ({ output }) => output,
  },
  Anthropic: {
    path: "/messages",
    question: { role: "user", content: "go" },
    ask: (session, messages) => ({
      messages,
      max_tokens: 1000,
      tools: session.tools({ format: "anthropic" }),
    }),
    keep: ({ role, content }) => [{ role, content }],
  },
  Gemini: {
    path: "/models/gemini-3-test:streamGenerateContent?alt=sse",
    question: { role: "user", parts: [{ text: "go" }] },
    ask: (session, contents) => ({ contents, tools: session.tools({ format: "gemini" }) }),
    keep: (message) => [message],
  },
};

test.each(Object.entries(vendors))(
  "%s takes back what was put together of its streams, and the answers to its calls",
  async (_name, { path, question, ask, keep }) => {
    const server = await startModelServer([
      {
        reasoning: "I should look.",
        text: "Let me see.",
        calls: [
          { name: "echo", input: { text: "one" } },
          { name: "echo", input: { text: "" } },
          { name: "nope", input: {} },
        ],
      },
      { calls: [{ name: "echo", input: { text: "two" } }] },
      { text: "done" },
    ]);
    const { session } = await openTestSession({ tools: [echo] });
    const transcript: unknown[] = [question];
    for (let answers: unknown[] | undefined; answers?.length !== 0; transcript.push(...answers)) {
      const response = await fetch(server.url + path, {
        method: "POST",
        body: JSON.stringify(ask(session, transcript)),
      });
      const assembled = assemble(await response.text());
      transcript.push(...keep(assembled.message as RequestBody));
      answers = await session.handle(assembled);
    }
    expect(server.requests).toHaveLength(3);
    expect(server.requests.flatMap(({ problems }) => problems)).toEqual([]);
    expect(server.requests[2]!.text).toContain("two");
    expect(JSON.stringify(transcript.at(-1))).toContain("done");
  },
);

function assemble(events: string) {
  const assembler = createCallAssembler();
  for (const [, data = ""] of events.matchAll(/^data: (.*)$/gm)) {
    if (data !== "[DONE]") assembler.add(JSON.parse(data));
  }
  return assembler.finish();
}
