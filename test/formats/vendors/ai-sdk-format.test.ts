import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type {
  LanguageModelV4Content,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import {
  generateText,
  type ModelMessage,
  simulateReadableStream,
  stepCountIs,
  streamText,
  type ToolSet,
} from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that says these things, one after the other. */
function scriptedModel(...steps: LanguageModelV4Content[][]): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: steps.map((content) => ({
      content,
      finishReason: content.some(({ type }) => type === "tool-call")
        ? { unified: "tool-calls", raw: "tool_calls" }
        : { unified: "stop", raw: "stop" },
      usage,
      warnings: [],
    })),
  });
}

function toolCall(toolCallId: string, toolName: string, input: unknown): LanguageModelV4Content {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return { type: "tool-call", toolCallId, toolName, input: text };
}

const done: LanguageModelV4Content[] = [{ type: "text", text: "Done." }];

/** What the model reads of the results before its nth answer. */
function outputsBefore(model: MockLanguageModelV4, step: number): unknown[] {
  const prompt: LanguageModelV4Message[] = model.doGenerateCalls[step]?.prompt ?? [];
  return prompt.flatMap((message) =>
    message.role === "tool"
      ? message.content.map((part) => (part.type === "tool-result" ? part.output : part))
      : [],
  );
}

test("generateText works on real files with the session's tools", async () => {
  const { session, workspace } = await openFileSession({ "a.txt": "one\n" });
  const path = join(workspace, "a.txt");
  const tools: ToolSet = session.tools({ format: "ai-sdk" });
  const model = scriptedModel(
    [toolCall("call_1", "Read", { file_path: path })],
    [toolCall("call_2", "Edit", { file_path: path, old_string: "one", new_string: "two" })],
    done,
  );
  const { text, steps } = await generateText({
    model,
    tools,
    prompt: "Change one to two.",
    stopWhen: stepCountIs(5),
  });
  expect(text).toBe("Done.");
  expect(await readFile(path, "utf8")).toBe("two\n");
  expect(outputsBefore(model, 1)).toEqual([{ type: "text", value: "     1\tone" }]);
  expect(steps[1]?.toolResults[0]?.output).toMatchObject({ callId: "call_2", status: "done" });
  expect(model.doGenerateCalls[0]?.tools?.find(({ name }) => name === "Read")).toMatchObject({
    type: "function",
    description: expect.stringContaining("Read a text file"),
    inputSchema: { type: "object", required: ["file_path"] },
  });

  await session.undo("call_2");
  expect(await readFile(path, "utf8")).toBe("one\n");
});

test("errors are told to the model in the session's own words", async () => {
  const { session, workspace } = await openFileSession({}, { permissions: { mode: "ask" } });
  const model = scriptedModel(
    [
      toolCall("a", "Read", { file_path: join(workspace, "missing.txt") }),
      toolCall("b", "Read", { file: 5 }),
      toolCall("c", "Write", { file_path: join(workspace, "new.txt"), content: "x" }),
      toolCall("d", "Raed", {}),
      toolCall("e", "Read", '{"file_path":"/'),
    ],
    done,
  );
  const tools = session.tools({ format: "ai-sdk" });
  await generateText({ model, tools, prompt: "go", stopWhen: stepCountIs(2) });
  expect(outputsBefore(model, 1)).toEqual([
    { type: "error-text", value: expect.stringContaining("missing.txt") },
    { type: "error-text", value: expect.stringContaining("$.file_path is required") },
    { type: "execution-denied", reason: expect.stringContaining("approval") },
    { type: "error-text", value: expect.stringContaining("Raed") },
    { type: "error-text", value: expect.stringContaining("JSON") },
  ]);
  await expect(readFile(join(workspace, "new.txt"))).rejects.toThrow("ENOENT");
});

test("images reach the model as files", async () => {
  const { session, workspace } = await openFileSession();
  const path = join(workspace, "dot.png");
  const dot =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await writeFile(path, Buffer.from(dot, "base64"));
  const model = scriptedModel([toolCall("a", "Read", { file_path: path })], done);
  await generateText({
    model,
    tools: session.tools({ format: "ai-sdk" }),
    prompt: "go",
    stopWhen: stepCountIs(2),
  });
  expect(outputsBefore(model, 1)).toMatchObject([
    { type: "content", value: expect.arrayContaining([expect.objectContaining({ mediaType: "image/png" })]) },
  ]);
});

test("streamText works with them too", async () => {
  const { session, workspace } = await openFileSession({ "a.txt": "one\n" });
  const input = JSON.stringify({ file_path: join(workspace, "a.txt") });
  const chunks: LanguageModelV4StreamPart[] = [
    { type: "stream-start", warnings: [] },
    { type: "tool-input-start", id: "a", toolName: "Read" },
    { type: "tool-input-delta", id: "a", delta: input.slice(0, 9) },
    { type: "tool-input-delta", id: "a", delta: input.slice(9) },
    { type: "tool-input-end", id: "a" },
    { type: "tool-call", toolCallId: "a", toolName: "Read", input },
    { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage },
  ];
  const model = new MockLanguageModelV4({ doStream: { stream: simulateReadableStream({ chunks }) } });
  const { toolResults } = streamText({ model, tools: session.tools({ format: "ai-sdk" }), prompt: "go" });
  expect((await toolResults)[0]?.output).toMatchObject({ status: "done", text: "     1\tone" });
});

test("calls of one step that are not safe beside others run one after the other", async () => {
  let running = 0;
  const seen: number[] = [];
  const allBegan = Promise.withResolvers<void>();
  const counting = (name: string, concurrencySafe: boolean, wait: () => Promise<unknown>) =>
    defineTool({
      name,
      description: "Counts who runs.",
      params: {},
      traits: { readOnly: true, concurrencySafe },
      run: async () => {
        seen.push(++running);
        if (running === 5) allBegan.resolve();
        await wait();
        running -= 1;
        return "";
      },
    });
  const { session } = await openTestSession({
    tools: [
      counting("alone", false, () => new Promise(setImmediate)),
      // Nobody ends before all five have begun: that they run together does not hang on how fast each begins.
      counting("beside", true, () => allBegan.promise),
    ],
  });
  const tools = session.tools({ format: "ai-sdk" });
  const runFive = async (name: string) => {
    seen.length = 0;
    const calls = [1, 2, 3, 4, 5].map((index) => toolCall(`${name}_${index}`, name, {}));
    await generateText({ model: scriptedModel(calls), tools, prompt: "go" });
    return seen;
  };
  expect(await runFive("alone")).toEqual([1, 1, 1, 1, 1]);
  expect(await runFive("beside")).toEqual([1, 2, 3, 4, 5]);
});

test("the SDK's signal cancels the call", async () => {
  const stopping = new AbortController();
  const wait = defineTool({
    name: "wait",
    description: "Waits.",
    params: {},
    traits: { readOnly: true },
    run: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        stopping.abort();
      }),
  });
  const { session } = await openTestSession({ tools: [wait] });
  const { execute } = session.tools({ format: "ai-sdk" }).wait!;
  const result = await execute({}, { toolCallId: "a", abortSignal: stopping.signal });
  expect(result).toMatchObject({ callId: "a", status: "cancelled" });
});

test("a message the SDK made is answered with a message it takes", async () => {
  const { session, workspace } = await openFileSession({ "a.txt": "one\n" });
  const call = toolCall("a", "Read", { file_path: join(workspace, "a.txt") });
  const { execute: _execute, ...readOnlyShown } = session.tools({ format: "ai-sdk" }).Read!;
  const tools = { Read: readOnlyShown } as unknown as ToolSet;
  const first = await generateText({ model: scriptedModel([call]), tools, prompt: "go" });
  const [message] = first.response.messages;
  const answers = await session.handle(message);
  const messages = [{ role: "user", content: "go" }, message, ...answers] as ModelMessage[];
  const model = scriptedModel(done);
  await generateText({ model, tools, messages });
  expect(outputsBefore(model, 0)).toEqual([{ type: "text", value: "     1\tone" }]);
});

test("an output survives being stored and read back, as chat histories are", async () => {
  const { session } = await openTestSession({
    tools: [
      defineTool({
        name: "sum",
        description: "Sums.",
        params: {},
        traits: { readOnly: true },
        run: () => ({ sum: 3 }),
      }),
    ],
  });
  const { execute, toModelOutput } = session.tools({ format: "ai-sdk" }).sum!;
  const output = JSON.parse(JSON.stringify(await execute({}, { toolCallId: "a" })));
  expect(output.data).toEqual({ sum: 3 });
  expect(toModelOutput({ toolCallId: "a", output })).toEqual({ type: "text", value: '{"sum":3}' });
});
