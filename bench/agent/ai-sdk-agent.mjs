import { generateText, isStepCount, streamText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { aiSdkEcho } from "../call/ai-sdk.mjs";
import { checkEcho } from "../call/echo.mjs";
import { answerOf, partsOf } from "./script.mjs";

const tools = { echo: aiSdkEcho };

/** Runs as many steps with a call, and one more that ends the loop. */
export async function aiSdkAgent(calls) {
  let step = 0;
  const doGenerate = async () => {
    step += 1;
    return answerOf(step, calls);
  };
  const model = new MockLanguageModelV4({ doGenerate });
  const { steps, text } = await generateText({
    model,
    tools,
    prompt: "go",
    stopWhen: isStepCount(calls + 1),
  });
  checkEcho(steps[calls - 1].toolResults[0].output);
  if (text !== "done") throw new Error(`the loop ended with ${text}`);
}

/** The same, with streamed answers. */
export async function aiSdkStreamingAgent(calls) {
  let step = 0;
  const doStream = async () => {
    step += 1;
    return { stream: ReadableStream.from(partsOf(step, calls)) };
  };
  const model = new MockLanguageModelV4({ doStream });
  const result = streamText({ model, tools, prompt: "go", stopWhen: isStepCount(calls + 1) });
  await result.consumeStream();
  if ((await result.text) !== "done") throw new Error("the loop did not finish");
}
