import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { aiSdkEcho } from "./ai-sdk.mjs";
import { checkEcho, echoInput } from "./echo.mjs";

/**
 * The cost of a tool call inside `generateText`. The same loop of two steps runs with one call in its first step and with
 * eleven; the difference divided by ten is the cost of a call. (A loop without any call would end after its first step, so
 * it cannot be subtracted.)
 */
export const aiSdkLoop = {
  extraCalls: 10,
  longer: { name: "AI SDK loop, eleven calls", operations: 1, run: () => runLoop(11) },
  shorter: { name: "AI SDK loop, one call", operations: 1, run: () => runLoop(1) },
};

async function runLoop(calls) {
  const answers = [toolStep(calls), lastStep];
  const model = new MockLanguageModelV4({ doGenerate: async () => answers.shift() });
  const { steps } = await generateText({
    model,
    tools: { echo: aiSdkEcho },
    prompt: "go",
    stopWhen: isStepCount(2),
  });
  checkEcho(steps[0].toolResults[calls - 1].output);
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const echoArguments = JSON.stringify(echoInput);

function toolStep(calls) {
  const content = Array.from({ length: calls }, (_, index) => ({
    type: "tool-call",
    toolCallId: `call-${index}`,
    toolName: "echo",
    input: echoArguments,
  }));
  return { content, finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage, warnings: [] };
}

const lastStep = {
  content: [{ type: "text", text: "done" }],
  finishReason: { unified: "stop", raw: "stop" },
  usage,
  warnings: [],
};
