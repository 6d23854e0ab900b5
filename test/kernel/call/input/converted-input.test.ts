import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type RuntimeOptions } from "../../../../src/index.ts";
import { sha256 } from "../../../../src/shared/crypto.ts";
import { canonicalJson } from "../../../../src/shared/json.ts";
import { answersIn, calling, openTestAgent } from "../../../capabilities/agents/open-agent.ts";
import { connectClient, serveForTest } from "../../../faces/mcp-server/serve-for-test.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";

const note = "Note: $.times was a string and was read as a number.";

const keep = defineTool({
  name: "keep",
  description: "Gives back its input.",
  params: {
    name: { type: "string" },
    count: { type: "integer", required: false },
    isOn: { type: "boolean", required: false },
    list: { type: "array", items: { type: "integer" }, required: false },
    more: { type: "object", properties: { size: { type: "number" } }, required: false },
  },
  permission: ({ name }) => ({ action: "write", target: name }),
  run: (input) => input,
});

test("an input that fits only when it is read as meant is taken, and the result and the receipt say so", async () => {
  const { session, runtime } = await openTestSession({ tools: [keep], permissions: { mode: "auto" } });
  const meant = { name: "3", count: 3, isOn: true, list: [1, 2], more: { size: 0.5 } };
  const result = await session.call("keep", {
    name: "3",
    count: "3",
    isOn: "true",
    list: "[1, 2]",
    more: '{"size": "0.5"}',
  });
  expect(result.data).toEqual(meant);
  expect(result.text).toBe(
    `${JSON.stringify(meant)}\n\nNote: $.count was a string and was read as a number; $.isOn was a string and was read ` +
      "as a boolean; $.list was a string and was read as a list; $.more was a string and was read as an object; " +
      "$.more.size was a string and was read as a number.",
  );
  expect(result.content.at(-1)).toMatchObject({ type: "text", text: expect.stringMatching(/^Note: /) });
  expect(result.receipt.input).toEqual(meant);
  expect(result.receipt.inputHash).toBe(sha256(canonicalJson(meant)));
  expect(result.receipt.resultHash).toBe(sha256(result.text));
  expect(result.receipt.conversions).toEqual([
    { path: "$.count", from: "string", to: "number" },
    { path: "$.isOn", from: "string", to: "boolean" },
    { path: "$.list", from: "string", to: "array" },
    { path: "$.more", from: "string", to: "object" },
    { path: "$.more.size", from: "string", to: "number" },
  ]);
  expect((await runtime.receipts())[0]?.conversions).toHaveLength(5);
  expect((await runtime.verify())[0]).not.toHaveProperty("broken");
});

test("an input that fits as it is has no note and no conversions", async () => {
  const { session } = await openTestSession({ tools: [keep], permissions: { mode: "auto" } });
  const result = await session.call("keep", { name: "true", count: 3 });
  expect(result.text).not.toContain("Note:");
  expect(result.receipt).not.toHaveProperty("conversions");
});

test("null for an optional parameter means that it was left out, and its default counts", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const result = await session.call("echo", { text: "a", times: null });
  expect(result.text).toBe("a\n\nNote: $.times was null and was read as left out.");
});

test.each([
  [{ text: 3 }, "$.text must be a string; received 3"],
  [{ text: null }, "$.text must be a string; received null"],
  [{ text: "a", times: "3.5" }, '$.times must be a whole number; received "3.5"'],
  [{ text: "a", times: "" }, '$.times must be a whole number; received ""'],
  [{ text: "a", times: "1e0" }, '$.times must be a whole number; received "1e0"'],
  [{ text: "a", times: true }, "$.times must be a whole number; received true"],
  [{ text: "a", times: "9" }, "$.times must be between 1 and 5; received 9"],
  [{ text: "a", tiems: null }, "$.tiems is not allowed"],
])("%j is refused", async (input, message) => {
  const { session } = await openTestSession({ tools: [echo] });
  const result = await session.call("echo", input);
  expect(result.error?.code).toBe("invalid-input");
  expect(result.error?.message).toContain(message);
  expect(result.receipt).not.toHaveProperty("conversions");
});

test("with strictInput nothing is converted", async () => {
  const { session } = await openTestSession({ tools: [keep], strictInput: true });
  for (const input of [{ name: "a", count: "3" }, { name: "a", count: null }, '{"name":"a"}']) {
    const { error } = await session.call("keep", input);
    expect(error?.code).toBe("invalid-input");
  }
  await expect(session.explain("keep", { name: "a", count: "3" })).rejects.toThrow(/must be a whole number/);
});

test("hooks, approvals and explanations see the input as it was read", async () => {
  const seen: unknown[] = [];
  const { session } = await openTestSession({
    tools: [keep],
    hooks: { beforeCall: ({ input }) => void seen.push(input) },
    onApproval: (request) => {
      seen.push(request.input);
      return { decision: "allow" };
    },
  });
  await session.call("keep", '{"name": "a", "count": "3", "isOn": null}');
  expect(seen).toEqual([
    { name: "a", count: 3 },
    { name: "a", count: 3 },
  ]);
  expect((await session.explain("keep", { name: "a", count: "3" })).decision).toBe("ask");
});

test("an input that a hook changes is not converted: code writes what it means", async () => {
  const { session } = await openTestSession({
    tools: [echo],
    hooks: { beforeCall: () => ({ decision: "change", input: { text: "a", times: "2" } }) },
  });
  expect((await session.call("echo", { text: "a" })).error?.code).toBe("invalid-input");
});

test("a Zod schema is treated the same, its own rules included", async () => {
  const halve = defineTool({
    name: "halve",
    description: "Halves.",
    input: z.object({
      n: z.number().refine(async (n) => n % 2 === 0, "must be even"),
      why: z.string().optional(),
    }),
    traits: { readOnly: true },
    run: ({ n }) => n / 2,
  });
  const { session } = await openTestSession({ tools: [halve] });
  expect((await session.call("halve", { n: "4", why: null })).data).toBe(2);
  expect((await session.call("halve", { n: "3" })).error?.message).toContain("must be even");
});

test("a secret in the name of a converted value is masked", async () => {
  const map = defineTool({
    name: "map",
    description: "Takes a map.",
    input: { type: "object", additionalProperties: { type: "number" } },
    traits: { readOnly: true },
    run: () => "ok",
  });
  const { session } = await openTestSession({ tools: [map], secrets: ["hunter2hunter2"] });
  const { text, receipt } = await session.call("map", { hunter2hunter2: "1" });
  expect(JSON.stringify([text, receipt])).not.toContain("hunter2hunter2");
  expect(receipt.conversions).toHaveLength(1);
});

describe.each(["flyto", "internal"])("in the dialect %s", (dialect) => {
  const options: RuntimeOptions = { dialect };

  test("every built-in tool takes numbers, booleans and lists as text, in the caller's names and units", async () => {
    const { session, workspace } = await openTestSession(options);
    await writeFile(join(workspace, "a.txt"), "one\ntwo\nthree\n");
    const isFlyto = dialect === "flyto";
    const read = isFlyto ? "Read" : "internal_file_read";
    const pathName = isFlyto ? "file_path" : "path";
    // The dialects count lines from 0 and from 1.
    const offset = isFlyto ? "1" : "2";
    const result = await session.call(read, { [pathName]: join(workspace, "a.txt"), offset, limit: "1" });
    expect(result.text).toContain("two");
    expect(result.text).not.toContain("three");
    expect(result.receipt.input).toMatchObject({ offset: 2, limit: 1 });
    expect(result.text).toContain("$.offset was a string and was read as a number");
    const canonical = await session.call("file_read" as string, { path: "a.txt", offset: "3" });
    expect(canonical.text).toContain("three");
    expect(canonical.receipt.conversions).toEqual([{ path: "$.offset", from: "string", to: "number" }]);
  });

  test("every parameter of every tool that takes no string is read from its JSON text", async () => {
    const { session } = await openTestSession(options);
    for (const { name, inputSchema } of session.tools()) {
      for (const [parameter, property] of Object.entries(inputSchema.properties ?? {})) {
        const example = exampleOf(property);
        if (example === undefined) continue;
        // The other parameters are missing, so that no tool runs; this one is not among the problems.
        const { error } = await session.call(name, { [parameter]: example, "no such": 1 });
        expect(error?.code).toBe("invalid-input");
        expect(error?.message).not.toContain(`$.${parameter} must be`);
      }
    }
  });
});

function exampleOf(property: unknown): string | undefined {
  const { type, minimum = 1 } = property as { type?: unknown; minimum?: number };
  if (type === "integer" || type === "number") return String(minimum);
  if (type === "boolean") return "true";
  return undefined;
}

test("a client over MCP gets the same", async () => {
  const server = await serveForTest({ options: { tools: [echo] } });
  const client = await connectClient(server);
  const { content, isError } = await client.callTool({ name: "echo", arguments: { text: "a", times: "2" } });
  expect(isError).toBeFalsy();
  expect(content).toEqual([
    { type: "text", text: "aa" },
    { type: "text", text: note },
  ]);
});

test("an agent reads the note with its answer", async () => {
  const { agent, requests } = await openTestAgent(
    [calling("echo", { text: "a", times: "2" }), { text: "ok" }],
    {
      runtime: { tools: [echo] },
    },
  );
  await agent.run("go");
  expect(JSON.stringify(answersIn(requests[1]!))).toContain(note);
});

test("a vendor's message is read as meant too", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const [answer] = await session.handle({
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "a", type: "function", function: { name: "echo", arguments: '{"text":"a","times":"2"}' } },
    ],
  } as const);
  expect(answer).toMatchObject({ content: `aa\n\n${note}` });
});
