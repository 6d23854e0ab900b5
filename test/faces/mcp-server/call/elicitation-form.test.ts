import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client, ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { questionForm } from "../../../../src/faces/mcp-server/call/elicitation-form.ts";
import { defineTool } from "../../../../src/index.ts";
import {
  hardText,
  longHardText,
  readBack,
  shownWhole,
  widthAtMost,
} from "../../../kernel/people/hard-text.ts";
import { fc } from "../../../support/fuzz.ts";
import { connectClient, serveForTest } from "../serve-for-test.ts";

const protocols = ["2026-07-28", "2025-11-25", "2025-06-18"];
const write = { name: "file_write", arguments: { path: "a.txt", content: "hello\n" } };

test.each(protocols)("a call that needs approval runs when the person allows it, by %s", async (protocol) => {
  const server = await serveForTest();
  const { client, asked } = await connectAnswering(server, protocol, [accept({ decision: "allow" })]);
  const result = await client.callTool(write);
  expect(result.isError).toBeUndefined();
  expect(await readFile(join(server.workspace, "a.txt"), "utf8")).toBe("hello\n");
  expect(asked).toEqual([expect.stringContaining("file_write needs approval:")]);
  expect(asked[0]).toContain('path: "a.txt"');
  const receipts = await server.runtime.receipts();
  expect(receipts).toMatchObject([
    { status: "done", verdict: { decision: "allow", decidedBy: "MCP client test client" } },
  ]);
});

test.each(protocols)("an answer may last for the session, and a no may say why, by %s", async (protocol) => {
  const server = await serveForTest();
  const answers = [
    accept({ decision: "allow for ever" }),
    accept({ decision: "deny", reason: "not that one" }),
    accept({ decision: "allow for this session" }),
  ];
  const { client, asked } = await connectAnswering(server, protocol, answers);
  expect(await client.callTool(write)).toMatchObject({ isError: true });
  expect(JSON.stringify((await client.callTool(write)).content)).toContain("not that one");
  const again = { ...write, arguments: { ...write.arguments, content: "again\n" } };
  for (const call of [write, again]) expect((await client.callTool(call)).isError).toBeUndefined();
  expect(await readFile(join(server.workspace, "a.txt"), "utf8")).toBe("again\n");
  expect(asked).toHaveLength(3);
  expect(asked[2]).toMatch(/"allow for this session" would not ask again for:\n.*a\.txt/);
});

test.each([
  ["declined", { action: "decline" }],
  ["cancelled", { action: "cancel" }],
  ["answered with deny", accept({ decision: "deny" })],
  ["accepted without a decision", { action: "accept" }],
  ["answered with something else", accept({ decision: "yes", allow: true })],
] satisfies [string, ElicitResult][])("a call is denied when the question is %s", async (_how, answer) => {
  for (const protocol of ["2026-07-28", "2025-11-25"]) {
    const server = await serveForTest();
    const { client } = await connectAnswering(server, protocol, [answer]);
    const result = await client.callTool(write);
    expect(result).toMatchObject({
      isError: true,
      _meta: { "toolwright/status": "denied", "toolwright/error": { code: "permission-denied" } },
    });
    await expect(readFile(join(server.workspace, "a.txt"))).rejects.toThrow("ENOENT");
  }
});

test.each(protocols)(
  "without elicitation the call is denied at once, with what can be done, by %s",
  async (protocol) => {
    const server = await serveForTest();
    const client = await connectClient(server, { protocol });
    const result = await client.callTool(write);
    expect(result).toMatchObject({
      isError: true,
      _meta: { "toolwright/error": { code: "approval-needed" } },
    });
    expect(JSON.stringify(result.content)).toContain("--mode edit");
  },
);

test.each(["2026-07-28", "2025-11-25"])(
  "a request that is too long for one form is shown whole in several, and can be allowed only in the last, by %s",
  async (protocol) => {
    const acting = "python3 -c 'print(1)'";
    const lines = [
      ...Array(400).fill("echo one more line of no interest"),
      acting,
      ...Array(400).fill("echo x"),
    ];
    const content = lines.join("\n");
    const call = { name: "file_write", arguments: { path: "a.sh", content } };
    const allowedAtOnce = await serveForTest();
    const hasty = await connectAnswering(allowedAtOnce, protocol, [accept({ decision: "allow" })]);
    expect(await hasty.client.callTool(call)).toMatchObject({ isError: true });
    await expect(readFile(join(allowedAtOnce.workspace, "a.sh"))).rejects.toThrow("ENOENT");
    const pages = Number(/^Part 1 of (\d+) of one request:/.exec(hasty.asked[0] ?? "")?.[1]);

    const server = await serveForTest();
    const answers = [
      accept({ decision: "read on" }),
      accept({ decision: "read on" }),
      accept({ decision: "allow" }),
    ];
    const { client, asked } = await connectAnswering(server, protocol, answers.slice(-pages));
    expect((await client.callTool(call)).isError).toBeUndefined();
    expect(asked).toHaveLength(pages);
    const shown = withoutRules(asked.join("\n"));
    expect(
      shown
        .split("\n")
        .filter((row) => row.startsWith("  | "))
        .map((row) => row.slice(4)),
    ).toEqual(lines);
    expect(await readFile(join(server.workspace, "a.sh"), "utf8")).toBe(content);
  },
);

test("characters that act are in the forms whole and marked, in rows that fit any client", async () => {
  const server = await serveForTest();
  const readOn = Array<ElicitResult>(20).fill(accept({ decision: "read on" }));
  const { client, asked } = await connectAnswering(server, "2025-11-25", readOn);
  const content = longHardText();
  const result = await client.callTool({ name: "file_write", arguments: { path: "a.txt", content } });
  // Reading on after the last part is no yes.
  expect(result).toMatchObject({ isError: true, _meta: { "toolwright/status": "denied" } });
  expect(asked.length).toBeGreaterThan(1);
  const rows = asked.flatMap((form) => form.split("\n"));
  for (const row of rows) expect(widthAtMost(row), row).toBeLessThanOrEqual(60);
  expect(readBack(withoutRules(rows.join("\n")).split("\n"))).toBe(shownWhole(content));
});

/** Without what an answer for the session would add, which comes last. */
function withoutRules(forms: string): string {
  return forms.slice(0, forms.indexOf('\n"allow for this session" would'));
}

test("a request that is too long to be read is not put to a person", async () => {
  const server = await serveForTest();
  const { client, asked } = await connectAnswering(server, "2026-07-28", [accept({ decision: "allow" })]);
  const content = "a line\n".repeat(100_000);
  const result = await client.callTool({ name: "file_write", arguments: { path: "a.txt", content } });
  expect(JSON.stringify(result.content)).toContain("too long to be shown whole");
  expect(asked).toEqual([]);
});

test.each(protocols)("a tool's questions reach the person one after the other, by %s", async (protocol) => {
  const server = await serveForTest();
  const answers = [accept({ name: "Ada" }), accept({ colour: "blue" })];
  const { client, asked } = await connectAnswering(server, protocol, answers);
  const result = await client.callTool({ name: "ask_colour" });
  expect(result.content).toEqual([{ type: "text", text: "Ada likes blue" }]);
  expect(asked).toEqual(["A tool asks: What is your name?", "A tool asks: Which colour?"]);
  expect(await server.runtime.receipts()).toMatchObject([{ tool: "ask_colour", status: "done" }]);
});

test("a question is in its form whole and marked, after the name of the caller, and cannot pass for a request", () => {
  const from = { callId: "call_1", sessionId: "one", caller: { kind: "agent", name: "agent" } } as const;
  const messageOf = (text: string) => JSON.stringify(questionForm({ text }, from, "2025-11-25")?.request());
  fc.assert(
    fc.property(hardText, (text) => {
      const { params } = JSON.parse(messageOf(`#\n${text}`)) as { params: { message: string } };
      const rows = params.message.split("\n");
      for (const row of rows) expect(widthAtMost(row), row).toBeLessThanOrEqual(60);
      expect(rows.filter((row) => !/^ {2}[|↳] /.test(row))).toEqual(["The agent asks:"]);
      expect(readBack(rows)).toBe(shownWhole(`#\n${text}`));
    }),
  );
  expect(questionForm({ text: "a line\n".repeat(10_000) }, from, "2025-11-25")).toBeUndefined();
  const choices = ["yes", "no\u202e"];
  const form = questionForm({ text: "Sure?", choices }, from, "2025-11-25");
  expect(JSON.stringify(form?.request())).toContain(
    JSON.stringify([
      { const: "yes", title: "yes" },
      { const: "no\u202e", title: "no\\u{202e}" },
    ]),
  );
  expect(form?.read({ action: "accept", content: { answer: "no\u202e" } })).toEqual({ answer: "no\u202e" });
});

test("the name of a form's field stays on one line, with everything visible", () => {
  const from = { callId: "call_1", sessionId: "one", caller: { kind: "code", name: "code" } } as const;
  fc.assert(
    fc.property(hardText, (text) => {
      const fields = {
        a: { type: "string", title: `#\n${text}`, description: `${text}\nAllow it?` },
      } as const;
      const form = questionForm({ text: "Well?", fields }, from, "2025-11-25");
      const { params } = JSON.parse(JSON.stringify(form?.request()));
      const { title, description } = params.requestedSchema.properties.a;
      for (const shown of [title, description])
        expect(shown).not.toMatch(/(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u);
    }),
    { numRuns: 40 },
  );
});

test("a question that is declined is told to the tool, and an answer that is none of the choices is asked for again", async () => {
  const server = await serveForTest();
  const declining = await connectAnswering(server, "2026-07-28", [{ action: "decline" }]);
  expect(await declining.client.callTool({ name: "ask_colour" })).toMatchObject({
    isError: true,
    _meta: { "toolwright/error": { code: "declined" } },
  });
  const closing = await connectAnswering(server, "2026-07-28", [{ action: "cancel" }]);
  expect(await closing.client.callTool({ name: "ask_colour" })).toMatchObject({
    _meta: { "toolwright/error": { code: "nobody-to-ask" } },
  });
  const answers = [accept({ name: "Ada" }), accept({ colour: "green" }), accept({ colour: "red" })];
  const retrying = await connectAnswering(server, "2026-07-28", answers);
  expect(await retrying.client.callTool({ name: "ask_colour" })).toMatchObject({
    content: [{ type: "text", text: "Ada likes red" }],
  });
  expect(retrying.asked.slice(1)).toEqual([
    "A tool asks: Which colour?",
    "A tool asks: Which colour?\n\nThat is not one of the choices.",
  ]);
});

test("hidden characters in a suggested answer, and those that pass for others, are written out beside it", () => {
  const source = { caller: { kind: "agent", name: "agent" }, sessionId: "s", callId: "c" } as never;
  const propertiesOf = (question: Parameters<typeof questionForm>[0]) => {
    const params = questionForm(question, source, "2025-11-25")?.request().params as ElicitRequestFormParams;
    return params.requestedSchema.properties;
  };
  expect(propertiesOf({ text: "Where?", default: "p\u0430ypal.com" })).toMatchObject({
    answer: { default: "p\u0430ypal.com", description: "Suggested: p\\u{430}ypal.com" },
  });
  const field = { type: "string", description: "A host", default: "a\u200b.com" } as const;
  expect(propertiesOf({ text: "Where?", fields: { host: field } })).toMatchObject({
    host: { default: "a\u200b.com", description: "A host Suggested: a\\u{200b}.com" },
  });
  expect(propertiesOf({ text: "Where?", default: "Привет" })).not.toHaveProperty("answer.description");
});

test("an answer that a tool suggests is in the form, and counts if a person accepts the form as it is", async () => {
  const paint = defineTool({
    name: "paint",
    description: "Asks for a colour",
    params: {},
    traits: { readOnly: true },
    run: (_input, { ask }) =>
      ask({ text: "Which?", name: "colour", choices: ["red", "blue"], default: "blue" }),
  });
  const server = await serveForTest({ options: { tools: [paint] } });
  const mine = post(server.url, server.token);
  const answer = async (content: Record<string, unknown>) => {
    const { result } = await mine({ name: "paint", arguments: {} });
    const { colour } = result.inputRequests as { colour: { params: { requestedSchema: unknown } } };
    expect(colour.params.requestedSchema).toMatchObject({
      properties: { colour: { type: "string", enum: ["red", "blue"], default: "blue" } },
    });
    const inputResponses = { colour: { action: "accept", content } };
    const answers = { inputResponses, requestState: result.requestState };
    return (await mine({ name: "paint", arguments: {}, ...answers })).result;
  };
  expect(await answer({})).toMatchObject({ content: [{ text: "blue" }] });
  expect(await answer({ colour: "red" })).toMatchObject({ content: [{ text: "red" }] });
  expect(await answer({ colour: { of: "what" } })).toMatchObject({ resultType: "input_required" });
});

test("a tool's question to a client without elicitation fails, and the tool learns why", async () => {
  const server = await serveForTest();
  const client = await connectClient(server);
  expect(await client.callTool({ name: "ask_colour" })).toMatchObject({
    isError: true,
    _meta: { "toolwright/error": { code: "nobody-to-ask" } },
  });
});

test("an approval is good for the call it was asked for, once, and only from the client that was asked", async () => {
  const server = await serveForTest();
  const mine = post(server.url, server.token);
  const asked = await mine(write);
  expect(asked.result).toMatchObject({ resultType: "input_required", requestState: expect.any(String) });
  const allow = {
    inputResponses: { approval: accept({ decision: "allow" }) },
    requestState: asked.result.requestState,
  };

  const other = { ...write, arguments: { path: "a.txt", content: "something else" } };
  expect(await mine({ ...other, ...allow })).toMatchObject({ result: { isError: true } });
  const stranger = post(server.url, await server.tokens.ensure("stranger"));
  expect(await stranger({ ...write, ...allow })).toMatchObject({ error: { code: -32602 } });
  const tampered = { ...allow, requestState: `${allow.requestState}x` };
  expect(await mine({ ...write, ...tampered })).toMatchObject({ error: { code: -32602 } });
  await expect(readFile(join(server.workspace, "a.txt"))).rejects.toThrow("ENOENT");

  expect(await mine({ ...write, ...allow })).toMatchObject({ result: { resultType: "complete" } });
  expect(await readFile(join(server.workspace, "a.txt"), "utf8")).toBe("hello\n");
  expect(await mine({ ...write, ...allow })).toMatchObject({ error: { code: -32602 } });
  expect(await server.runtime.receipts({ sessionId: "mcp-laptop" })).toHaveLength(1);
});

test("each round has a ticket of its own, and none is good twice", async () => {
  const server = await serveForTest();
  const mine = post(server.url, server.token);
  const ask = { name: "ask_colour", arguments: {} };
  const first = (await mine(ask)).result.requestState;
  const name = { inputResponses: { name: accept({ name: "Ada" }) }, requestState: first };
  const second = await mine({ ...ask, ...name });
  expect(second.result).toMatchObject({
    resultType: "input_required",
    requestState: expect.not.stringMatching(String(first)),
  });
  expect(await mine({ ...ask, ...name })).toMatchObject({ error: { code: -32602 } });
  const colour = {
    inputResponses: { colour: accept({ colour: "red" }) },
    requestState: second.result.requestState,
  };
  expect(await mine({ ...ask, ...colour })).toMatchObject({ result: { resultType: "complete" } });
});

test("an approval that was never asked for allows nothing", async () => {
  const server = await serveForTest();
  const mine = post(server.url, server.token);
  const answers = { inputResponses: { approval: accept({ decision: "allow" }) } };
  expect(await mine({ ...write, ...answers })).toMatchObject({ result: { resultType: "input_required" } });
  await expect(readFile(join(server.workspace, "a.txt"))).rejects.toThrow("ENOENT");
});

test("a tool's question may be answered with the call itself, once and by its name", async () => {
  const server = await serveForTest();
  const mine = post(server.url, server.token);
  const ask = { name: "ask_colour", arguments: {} };
  const answers = {
    name: accept({ name: "Ada" }),
    colour: accept({ colour: "red" }),
    other: accept({ x: "y" }),
  };
  expect(await mine({ ...ask, inputResponses: answers })).toMatchObject({
    result: { content: [{ type: "text", text: "Ada likes red" }] },
  });
  const half = await mine({ ...ask, inputResponses: { name: answers.name } });
  expect(half.result.inputRequests).toEqual({ colour: expect.anything() });
});

test("waiting calls beyond a limit are denied instead of kept", async () => {
  const server = await serveForTest();
  const mine = post(server.url, server.token);
  const answers = await Promise.all(Array.from({ length: 100 }, () => mine(write)));
  expect(answers.every(({ result }) => result.resultType === "input_required")).toBe(true);
  expect(await mine(write)).toMatchObject({ result: { isError: true } });
  expect(await mine({ name: "ask_colour", arguments: {} })).toMatchObject({
    result: { isError: true, _meta: { "toolwright/error": { code: "nobody-to-ask" } } },
  });
});

test("calls that wait for an answer are cancelled when the server stops, which does not wait for them", async () => {
  const server = await serveForTest({ http: { graceMs: 60_000 } });
  const mine = post(server.url, server.token);
  await mine(write);
  await server.close();
  expect(await server.runtime.receipts()).toMatchObject([{ tool: "file_write", status: "cancelled" }]);
});

test("a dated client that is asked when the server stops gets its answer, and its question is taken back", async () => {
  const server = await serveForTest({ http: { graceMs: 60_000 } });
  const client = await connectClient(server, { protocol: "2025-11-25", capabilities: { elicitation: {} } });
  const asked = Promise.withResolvers<AbortSignal>();
  client.setRequestHandler("elicitation/create", (_request, { mcpReq }) => {
    asked.resolve(mcpReq.signal);
    return new Promise<ElicitResult>(() => {});
  });
  const call = client.callTool(write);
  const question = await asked.promise;
  await server.close();
  expect(await call).toMatchObject({ isError: true, _meta: { "toolwright/status": "cancelled" } });
  expect(question.aborted).toBe(true);
});

test("a dated client that fails to ask has its call cancelled at once", async () => {
  const server = await serveForTest();
  const client = await connectClient(server, { protocol: "2025-11-25", capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", () => Promise.reject(new Error("no window to ask in")));
  const result = await client.callTool(write);
  expect(result).toMatchObject({ isError: true, _meta: { "toolwright/status": "cancelled" } });
  expect(JSON.stringify(result.content)).toContain("no window to ask in");
  expect(await server.runtime.receipts()).toMatchObject([{ tool: "file_write", status: "cancelled" }]);
});

test("a dated client that never answers rightly is not asked for ever", async () => {
  const server = await serveForTest();
  const client = await connectClient(server, { protocol: "2025-11-25", capabilities: { elicitation: {} } });
  let asked = 0;
  client.setRequestHandler("elicitation/create", () => {
    asked++;
    return accept({ answer: "none of the choices" });
  });
  const result = await client.callTool({ name: "ask_colour" });
  expect(result).toMatchObject({ isError: true, _meta: { "toolwright/status": "cancelled" } });
  expect(asked).toBe(100);
});

test("a dated client that goes away while it is asked cancels its call", async () => {
  const server = await serveForTest();
  const client = await connectClient(server, { protocol: "2025-11-25", capabilities: { elicitation: {} } });
  const asked = Promise.withResolvers<void>();
  client.setRequestHandler("elicitation/create", () => {
    asked.resolve();
    return new Promise<ElicitResult>(() => {});
  });
  const call = client.callTool(write).catch(() => "gone");
  await asked.promise;
  await client.close();
  expect(await call).toBe("gone");
  await expect
    .poll(() => server.runtime.receipts(), { timeout: 45_000 })
    .toMatchObject([{ tool: "file_write", status: "cancelled" }]);
});

async function connectAnswering(
  server: { url: string; token: string },
  protocol: string,
  answers: readonly ElicitResult[],
): Promise<{ client: Client; asked: string[] }> {
  const client = await connectClient(server, { protocol, capabilities: { elicitation: {} } });
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return answers[asked.length - 1] ?? { action: "cancel" };
  });
  return { client, asked };
}

function accept(content: Record<string, string | boolean>): ElicitResult {
  return { action: "accept", content };
}

/** `tools/call` by the current protocol, written out, to see each round of it. */
function post(url: string, token: string) {
  return async (params: {
    readonly name: string;
    readonly arguments?: unknown;
    readonly inputResponses?: unknown;
    readonly requestState?: unknown;
  }) => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${token}`,
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": params.name,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          ...params,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
          },
        },
      }),
    });
    return response.json() as Promise<{ result: Record<string, unknown>; error?: { code: number } }>;
  };
}
