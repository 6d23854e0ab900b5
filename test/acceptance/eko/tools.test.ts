import { expect, test } from "vitest";
import {
  Agent,
  type AgentContext,
  ekoTools,
  type LanguageModelV1ToolCallPart,
  type Tool,
  type ToolResult,
} from "../../../src/systems/eko/index.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { runEko, success, toolThat } from "./run-eko.ts";

const mail = { to: "a@b", subject: "Hi", content: "Hello" };

/** As the document writes a tool. */
class SendEmail implements Tool {
  name: string;
  description: string;
  parameters: unknown;
  readonly #sent: unknown[] = [];

  constructor() {
    this.name = "send_email";
    this.description = "Sends an email to somebody.";
    this.parameters = {
      type: "object",
      properties: {
        to: { type: "string", description: "The address of the recipient" },
        subject: { type: "string", description: "The subject" },
        content: { type: "string", description: "The content" },
      },
      required: ["to", "subject", "content"],
    };
  }

  async execute(
    args: Record<string, unknown>,
    _agentContext: AgentContext,
    _toolCall: LanguageModelV1ToolCallPart,
  ): Promise<ToolResult> {
    this.#sent.push(args.to);
    return { content: [{ type: "text", text: JSON.stringify({ messageId: this.#sent.length }) }] };
  }
}

const open = (...tools: Tool[]) =>
  openTestSession({ dialect: "eko", permissions: { mode: "auto" }, tools: ekoTools(tools) });

test("E1: a tool has a unique name, a description, parameters and an execute", async () => {
  const email = new SendEmail();
  const { session } = await open(email);
  expect(session.tools().find(({ name }) => name === "send_email")).toMatchObject({
    description: "Sends an email to somebody.",
    inputSchema: email.parameters,
  });
  await expect(open(email, new SendEmail())).rejects.toThrow("send_email is already provided");
  const complete = toolThat("it", () => success);
  for (const field of ["name", "parameters", "execute"])
    expect(() => ekoTools([{ ...complete, [field]: undefined }])).toThrow();
});

test("E2: an agent needs at least one tool", async () => {
  const about = { name: "Mailer", description: "Sends emails." };
  expect(() => new Agent({ ...about, tools: [] })).toThrow("the agent Mailer needs at least one tool");
  expect(new Agent({ ...about, tools: [new SendEmail()] }).Tools).toHaveLength(1);
});

test("E3: execute gets the arguments, the agent's context and the call, and answers with a promise", async () => {
  const seen: unknown[] = [];
  const tool = toolThat("look", async (args, agentContext, toolCall) => {
    seen.push(args, agentContext.agent.Name, agentContext.context.taskId, toolCall);
    return success;
  });
  await runEko([tool], [calling("look")]);
  const toolCall = { toolCallId: expect.any(String), toolName: "look", args: {} };
  expect(seen).toMatchObject([{}, "Coder", "task-1", toolCall]);
});

test("E4: the parameters are a JSON Schema with properties and required ones, which the arguments must fit", async () => {
  const { session } = await open(new SendEmail());
  const missing = await session.call("send_email", { to: "a@b", subject: "Hi" });
  expect(missing.error).toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining("$.content"),
  });
  const wrong = await session.call("send_email", { ...mail, to: { name: "a" } });
  expect(wrong.error).toMatchObject({ code: "invalid-input", message: expect.stringContaining("$.to") });
});

test("E5: a result is a list of text parts, and another value or one that says isError fails the call", async () => {
  const content = [
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ] as const;
  const { session } = await open(
    toolThat("fine", async () => ({ content })),
    toolThat("broken", async () => ({ content, isError: true })),
    toolThat("odd", (async () => "two") as never),
  );
  expect(await session.call("fine")).toMatchObject({ status: "done", content, text: "one\ntwo" });
  expect((await session.call("broken")).error).toMatchObject({ code: "tool-failed", message: "one\ntwo" });
  expect((await session.call("odd")).error?.code).toBe("invalid-output");
});

test("E6: a class that implements the interface is a tool, and keeps its own fields", async () => {
  const { session } = await open(new SendEmail());
  expect((await session.call("send_email", mail)).text).toBe('{"messageId":1}');
  expect((await session.call("send_email", mail)).text).toBe('{"messageId":2}');
  await runEko([new SendEmail()], [calling("send_email", mail)]);
});
