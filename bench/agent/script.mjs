import { echoInput } from "../call/echo.mjs";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const input = JSON.stringify(echoInput);

/** The model's answer in each step, as a whole. */
export function answerOf(step, calls) {
  const isLast = step > calls;
  const reason = isLast ? "stop" : "tool-calls";
  const call = { type: "tool-call", toolCallId: `call-${step}`, toolName: "echo", input };
  return {
    content: [isLast ? { type: "text", text: "done" } : call],
    finishReason: { unified: reason, raw: reason },
    usage,
    warnings: [],
  };
}

/** The same answer as parts of a stream. */
export function partsOf(step, calls) {
  const { content, finishReason } = answerOf(step, calls);
  const said = content.flatMap((part) =>
    part.type === "tool-call"
      ? [part]
      : [
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: part.text },
          { type: "text-end", id: "1" },
        ],
  );
  return [{ type: "stream-start", warnings: [] }, ...said, { type: "finish", finishReason, usage }];
}
