import { Client, type ElicitRequestFormParams, type ElicitResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { askForServer } from "../../../../src/capabilities/mcp-client/call/answer-elicitation.ts";
import type { Question, RuntimeOptions } from "../../../../src/index.ts";
import { ToolError } from "../../../../src/index.ts";
import type { ToolContext } from "../../../../src/tool/tool-context.ts";
import { connectClient, serveForTest } from "../../../faces/mcp-server/serve-for-test.ts";
import { elicit, listenAsking, listenAskingFirst } from "../asking-servers.ts";
import { openWithServers, untilConnected } from "../open-with-servers.ts";
import { define, everythingServer, sampleServer } from "../sample-servers.ts";

const trigger = "trigger-elicitation-request";
const filledIn = {
  name: "Ada",
  check: true,
  email: "ada@example.com",
  integer: 7,
  titledSingleSelectEnum: "hero-2",
  titledMultipleSelectEnum: ["fish-1", "fish-3"],
};

function openWith(mcpServers: NonNullable<RuntimeOptions["mcpServers"]>, more: RuntimeOptions = {}) {
  return openWithServers({
    permissions: { mode: "auto", allow: ["@network", "@execute"] },
    mcpServers,
    ...more,
  });
}

test("a server's form goes to the handler of questions, with the server's name, and its defaults come back", async () => {
  const asked: Question[] = [];
  const onQuestion = async (question: Question) => {
    asked.push(question);
    return filledIn;
  };
  const { session } = await openWith({ everything: everythingServer }, { onQuestion });
  const result = await session.call(`mcp__everything__${trigger}`, {});
  expect(asked).toMatchObject([
    {
      text: "The MCP server everything asks:\nPlease provide inputs for the following fields:",
      fields: { name: { type: "string", required: true }, number: { maximum: 1000, default: 3.14 } },
    },
  ]);
  const raw = JSON.parse(result.text.slice(result.text.indexOf("Raw result: ") + 12)) as ElicitResult;
  expect(raw).toEqual({
    action: "accept",
    content: {
      firstLine: "It was a dark and stormy night.",
      number: 3.14,
      untitledSingleSelectEnum: "Monica",
      untitledMultipleSelectEnum: ["Guitar"],
      legacyTitledEnum: "pet-1",
      ...filledIn,
    },
  });
});

test.each(["2026-07-28", "2025-11-25"])("a gateway passes a form on whole, by %s", async (protocol) => {
  const direct = new Client({ name: "direct", version: "1" }, { capabilities: { elicitation: {} } });
  onTestFinished(() => direct.close());
  const { command, args = [] } = everythingServer;
  await direct.connect(new StdioClientTransport({ command, args: [...args], stderr: "ignore" }));
  const askedDirectly = answerWith(direct, { action: "accept", content: filledIn });
  await direct.callTool({ name: trigger, arguments: {} });

  const gateway = await serveForTest({
    options: {
      permissions: { mode: "auto", allow: ["@network", "@execute"] },
      mcpServers: { everything: everythingServer },
    },
  });
  await untilConnected(gateway.runtime);
  const client = await connectClient(gateway, { protocol, capabilities: { elicitation: { form: {} } } });
  const asked = answerWith(client, { action: "accept", content: filledIn });
  const { content } = await client.callTool({ name: `mcp__everything__${trigger}`, arguments: {} });
  expect(asked[0]?.requestedSchema).toEqual(askedDirectly[0]?.requestedSchema);
  expect(JSON.stringify(content)).toContain("hero-2");
});

test.each([
  ["decline", "declined"],
  ["cancel", "cancelled"],
] as const)("a gateway passes on that a person chose to %s", async (action, told) => {
  const gateway = await serveForTest({
    options: {
      permissions: { mode: "auto", allow: ["@network", "@execute"] },
      mcpServers: { everything: everythingServer },
    },
  });
  await untilConnected(gateway.runtime);
  const client = await connectClient(gateway, { capabilities: { elicitation: {} } });
  answerWith(client, { action });
  const { content } = await client.callTool({ name: `mcp__everything__${trigger}`, arguments: {} });
  expect(JSON.stringify(content)).toContain(`User ${told}`);
});

test("a server is told that there is no answer, without a person to ask or if the answer does not fit", async () => {
  const alone = await openWith({ everything: everythingServer });
  const { text: told } = await alone.session.call(`mcp__everything__${trigger}`, {});
  expect(told).toContain("User cancelled");
  const onQuestion = async () => ({ name: "Ada", integer: 1000 });
  const wrong = await openWith({ everything: everythingServer }, { onQuestion });
  expect((await wrong.session.call(`mcp__everything__${trigger}`, {})).text).toContain("User cancelled");
});

test("a server that names no call gets no answer while several are under way", async () => {
  const { session, runtime } = await openWith(
    { everything: everythingServer },
    { onQuestion: async () => filledIn },
  );
  const other = await runtime.openSession();
  const controller = new AbortController();
  const begun = Promise.withResolvers<void>();
  const long = other.call(
    "mcp__everything__trigger-long-running-operation",
    { duration: 60, steps: 600 },
    { signal: controller.signal, onProgress: () => begun.resolve() },
  );
  await begun.promise;
  const result = await session.call(`mcp__everything__${trigger}`, {});
  expect(result).toMatchObject({
    status: "failed",
    error: { message: expect.stringContaining("several calls are running, and it does not name one") },
  });
  controller.abort();
  await long;
  expect((await session.call(`mcp__everything__${trigger}`, {})).text).toContain("Ada");
});

test("by the current protocol each call's questions go to its own person, and all of them are answered", async () => {
  const { options } = await sampleServer([define("survey")]);
  const { runtime } = await openWith({ sample: options });
  const requests = { who: elicit({ name: { type: "string" } }), agreed: elicit({}) };
  const callers = Array.from({ length: 10 }, async (_, index) => {
    const session = await runtime.openSession();
    const onQuestion = async ({ fields = {} }: Question) =>
      "name" in fields ? { name: `person ${index}` } : {};
    return session.call("mcp__sample__survey", { requests }, { onQuestion });
  });
  const texts = (await Promise.all(callers)).map((result) => JSON.parse(result.text) as unknown);
  expect(texts).toEqual(
    callers.map((_, index) => ({
      who: { action: "accept", content: { name: `person ${index}` } },
      agreed: { action: "accept", content: {} },
    })),
  );
});

test("a question that a person declines is declined, and an address to open is declined without asking", async () => {
  const asked: string[] = [];
  const onQuestion = ({ text: question }: Question) => {
    asked.push(question);
    return Promise.reject(new ToolError("declined", "no"));
  };
  const url = { mode: "url", message: "Go there", url: "https://example.com", elicitationId: "1" };
  const inputRequests = {
    form: elicit({ name: { type: "string" } }),
    url: { method: "elicitation/create", params: url },
  };
  const server = await listenAskingFirst({ inputRequests, requestState: "kept" });
  const { session } = await openWith({ web: { url: server.url, type: "http" } }, { onQuestion });
  expect((await session.call("mcp__web__ask", {})).text).toBe("thanks");
  expect(server.retried).toEqual([
    { inputResponses: { form: { action: "decline" }, url: { action: "decline" } }, requestState: "kept" },
  ]);
  expect(asked).toEqual(["The MCP server web asks:\nWell?"]);
});

test.each([
  [
    "what is not offered",
    { inputRequests: { roots: { method: "roots/list" } } },
    "asked for roots/list, which is not supported",
  ],
  ["a field of no kind", { inputRequests: { odd: elicit({ it: { type: "object" } }) } }, "unknown kind"],
  ["a form that is none", { inputRequests: { odd: { method: "elicitation/create" } } }, "it has no form"],
])("a server that asks for %s ends its call, and the next one goes on", async (_what, asking, message) => {
  const server = await listenAskingFirst(asking);
  const onQuestion = async () => ({});
  const { session } = await openWith({ web: { url: server.url, type: "http" } }, { onQuestion });
  expect((await session.call("mcp__web__ask", {})).error).toMatchObject({
    code: "tool-failed",
    message: expect.stringContaining(message),
  });
  expect((await session.call("mcp__web__ask", {})).text).toBe("thanks");
});

test("a server that asks without end is left", async () => {
  const server = await listenAskingFirst({ inputRequests: { more: elicit({}) } }, Number.POSITIVE_INFINITY);
  const onQuestion = async () => ({});
  const { session } = await openWith({ web: { url: server.url, type: "http" } }, { onQuestion });
  expect((await session.call("mcp__web__ask", {})).error).toMatchObject({
    message: "the server kept asking after 50 rounds of answers",
  });
});

test("a server that asks too much at once gets the first hundred answers", async () => {
  const inputRequests = Object.fromEntries(
    Array.from({ length: 101 }, (_, index) => [`q${index}`, elicit({})]),
  );
  const server = await listenAskingFirst({ inputRequests });
  const onQuestion = async () => ({});
  const { session } = await openWith({ web: { url: server.url, type: "http" } }, { onQuestion });
  expect((await session.call("mcp__web__ask", {})).text).toBe("thanks");
  expect(server.retried).toMatchObject([
    { inputResponses: { q99: { action: "accept" }, q100: { action: "cancel" } } },
  ]);
});

test("a call that is cancelled while its person is asked ends", async () => {
  const server = await listenAskingFirst({ inputRequests: { who: elicit({ name: { type: "string" } }) } });
  const { session } = await openWith({ web: { url: server.url, type: "http" } });
  const controller = new AbortController();
  const onQuestion = () => {
    controller.abort();
    return new Promise<never>(() => {});
  };
  const result = await session.call("mcp__web__ask", {}, { onQuestion, signal: controller.signal });
  expect(result.status).toBe("cancelled");
  expect(server.retried).toEqual([]);
});

test("over HTTP a question belongs to the call in whose stream it comes", async () => {
  const { runtime } = await openWith({ web: { url: `${await listenAsking()}/mcp`, type: "http" } });
  const bothAsked = Promise.withResolvers<void>();
  let questions = 0;
  const callers = ["Ada", "Bob"].map(async (name) => {
    const session = await runtime.openSession();
    const onQuestion = async () => {
      questions += 1;
      if (questions === 2) bothAsked.resolve();
      await bothAsked.promise;
      return { name };
    };
    return session.call("mcp__web__ask", { name }, { onQuestion });
  });
  const results = await Promise.all(callers);
  expect(results.map((result) => result.text)).toEqual(["Ada is Ada", "Bob is Bob"]);
});

test("a question that the server takes back is taken back from the person", async () => {
  const { runtime } = await openWith({
    web: { url: `${await listenAsking({ isImpatient: true })}/mcp`, type: "http" },
  });
  const session = await runtime.openSession();
  const takenBack = Promise.withResolvers<void>();
  const onQuestion = (_question: Question, signal: AbortSignal) => {
    signal.addEventListener("abort", () => takenBack.resolve());
    return new Promise<never>(() => {});
  };
  const result = await session.call("mcp__web__ask", { name: "Ada" }, { onQuestion });
  expect(result.text).toBe("never mind");
  await takenBack.promise;
});

test("questions that a server asks at once are put one after the other, in its name", async () => {
  const person = createPerson();
  const ask = askForServer("files", person);
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 10 }, () => ask(question, { signal })));
  expect(person.asked).toEqual(Array(10).fill("The MCP server files asks:\nWell?"));
  expect(person.mostAtOnce()).toBe(1);
});

test("a question that is taken back before its turn is never put", async () => {
  const person = createPerson();
  const ask = askForServer("files", person);
  const controller = new AbortController();
  const first = ask(question, { signal: new AbortController().signal });
  const second = ask(question, { signal: controller.signal });
  controller.abort(new Error("never mind"));
  await expect(second).rejects.toThrow("never mind");
  await first;
  expect(person.asked).toHaveLength(1);
});

test("a server's call may put a hundred questions to a person, and no more", async () => {
  const person = createPerson();
  const ask = askForServer("files", person);
  const { signal } = new AbortController();
  const answers = await Promise.allSettled(Array.from({ length: 150 }, () => ask(question, { signal })));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
  expect(answers.at(-1)).toMatchObject({ reason: { code: "nobody-to-ask" } });
});

const question = { text: "Well?", fields: {} };

/** A person who is told what was asked, and how many questions stood there at once. */
function createPerson() {
  const asked: string[] = [];
  let open = 0;
  let mostAtOnce = 0;
  const ask = async ({ text }: { text: string }) => {
    asked.push(text);
    open += 1;
    mostAtOnce = Math.max(mostAtOnce, open);
    await Promise.resolve();
    open -= 1;
    return {};
  };
  return { ask: ask as unknown as ToolContext["ask"], asked, mostAtOnce: () => mostAtOnce };
}

function answerWith(client: Client, result: ElicitResult): ElicitRequestFormParams[] {
  const asked: ElicitRequestFormParams[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params as ElicitRequestFormParams);
    return result;
  });
  return asked;
}
