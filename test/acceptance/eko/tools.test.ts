import { expect, test } from "vitest";
import { type AnyTool, defineTool } from "../../../src/index.ts";
import { openTestAgent } from "../../agent/open-agent.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const parameters = {
  type: "object",
  properties: {
    to: { type: "string", description: "The address of the recipient" },
    subject: { type: "string", description: "The subject" },
    content: { type: "string", description: "The content" },
  },
  required: ["to", "subject", "content"],
} as const;

const mail = { to: "a@b", subject: "Hi", content: "Hello" };

const echoed = (value: unknown) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

const sendEmail = defineTool({
  name: "send_email",
  description: "Sends an email.",
  input: parameters,
  traits: { readOnly: true },
  run: async (args) => echoed({ messageId: args.subject }),
});

const openEko = (tools: readonly AnyTool[] = [sendEmail]) => openTestSession({ dialect: "eko", tools });

test("E1: a tool has a unique name, a description, parameters and a function, and none of them may be missing", async () => {
  const { session } = await openEko();
  expect(session.tools().find(({ name }) => name === "send_email")).toMatchObject({
    description: "Sends an email.",
    inputSchema: parameters,
  });
  expect((await session.call("send_email", mail)).text).toBe('{"messageId":"Hi"}');
  await expect(openEko([sendEmail, sendEmail])).rejects.toThrow("send_email is already provided");
  const complete = { name: "x", description: "Does x.", input: parameters, run: () => "" };
  for (const field of Object.keys(complete))
    expect(() => defineTool({ ...complete, [field]: undefined })).toThrow();
});

test("E2: an agent is offered the tools it is given, built-in ones and own ones", async () => {
  const { agent, requests } = await openTestAgent([{ text: "over" }], {
    runtime: { dialect: "eko", tools: [sendEmail] },
    tools: ["file_read", "send_email"],
  });
  await agent.run("go");
  expect(requests[0]!.tools?.map(({ name }) => name)).toEqual(["file_read", "send_email"]);
});

test("E3: a tool gets its arguments and a context that says which call of whom it is, and answers with a promise", async () => {
  const seen: unknown[] = [];
  const tool = defineTool({
    name: "look",
    description: "Looks.",
    input: { type: "object", properties: {}, additionalProperties: true },
    traits: { readOnly: true },
    run: async (args, { callId, caller, sessionId }) => {
      seen.push(args, callId, caller.name, sessionId);
      return echoed("ok");
    },
  });
  const { session } = await openEko([tool]);
  const options = { id: "toolCallId", caller: { kind: "agent", name: "Mailer" } } as const;
  expect((await session.call("look", { at: 1 }, options)).status).toBe("done");
  expect(seen).toEqual([{ at: 1 }, "toolCallId", "Mailer", session.id]);
});

test("E4: the parameters are a JSON Schema with properties and required ones, which the input must fit", async () => {
  const { session } = await openEko();
  const missing = await session.call("send_email", { to: "a@b", subject: "Hi" });
  expect(missing.error).toMatchObject({
    code: "invalid-input",
    message: expect.stringContaining("$.content"),
  });
  const wrong = await session.call("send_email", { ...mail, to: { name: "a" } });
  expect(wrong.error).toMatchObject({ code: "invalid-input", message: expect.stringContaining("$.to") });
});

test("E5: a result is a list of text parts, and one that says isError is a failed call", async () => {
  const answering = (name: string, result: object) =>
    defineTool({ name, description: "Answers.", params: {}, traits: { readOnly: true }, run: () => result });
  const content = [
    { type: "text", text: "one" },
    { type: "text", text: "two" },
  ];
  const { session } = await openEko([
    answering("fine", { content }),
    answering("broken", { content, isError: true }),
  ]);
  expect(await session.call("fine")).toMatchObject({ status: "done", content, text: "one\ntwo" });
  expect(await session.call("broken")).toMatchObject({
    status: "failed",
    error: { code: "tool-failed", message: "one\ntwo" },
  });
});

test("E6: a tool may be an instance of a class, whose method keeps its own fields, and one in Eko's shape works from a loader", async () => {
  class SendEmail {
    readonly name: string = "send_email";
    readonly description: string = "Sends an email.";
    readonly input = parameters;
    readonly traits = { readOnly: true };
    readonly #sent: unknown[] = [];
    async run(args: { to: string }) {
      this.#sent.push(args.to);
      return echoed(this.#sent);
    }
  }
  const { session } = await openEko([defineTool(new SendEmail())]);
  await session.call("send_email", mail);
  expect((await session.call("send_email", mail)).text).toBe('["a@b","a@b"]');

  class EkoEmail {
    readonly name = "send_email";
    readonly description = "Sends an email.";
    readonly parameters = parameters;
    async execute(args: { to: string }) {
      return echoed({ to: args.to, from: this.name });
    }
  }
  const permissions = { mode: "auto", allow: ["@execute", "@network"] } as const;
  const { session: other, runtime } = await openTestSession({ dialect: "eko", permissions });
  await runtime.tools.registerMCPLoader("mail", () => [new EkoEmail()]);
  const sent = await other.call("mcp__mail__send_email", mail);
  expect(sent.text).toBe('{"to":"a@b","from":"send_email"}');
  expect((await other.call("mcp__mail__send_email", {})).error?.code).toBe("invalid-input");
});
