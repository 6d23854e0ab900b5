import { expect, test } from "vitest";
import type { Question } from "../../../../../src/index.ts";
import { openTestSession } from "../../../../support/open-test-session.ts";

const never = () => new Promise<string>(() => {});

test("a question goes to whoever answers, with all that belongs to it, in every mode", async () => {
  const asked: Question[] = [];
  const onQuestion = async (question: Question) => {
    asked.push(question);
    return "blue";
  };
  const { session } = await openTestSession({ permissions: { mode: "readonly" }, onQuestion });
  const input = {
    question: "Which colour?",
    context: "For the button.",
    choices: ["red", "blue"],
    default: "red",
  };
  expect(await session.call("user_ask", { ...input, timeout: 5000 })).toMatchObject({
    status: "done",
    text: "blue",
    data: { answer: "blue", answeredBy: "person", timedOut: false },
  });
  expect(asked).toEqual([
    { text: "Which colour?\n\nFor the button.", choices: ["red", "blue"], default: "red", timeoutMs: 5000 },
  ]);
});

test("user_ask fails at once without a person to ask, unless there is a default", async () => {
  const { session } = await openTestSession();
  expect((await session.call("clarify", { question: "Who?" })).error).toMatchObject({
    code: "nobody-to-ask",
  });
  expect(await session.call("user_ask", { question: "Who?", default: "me" })).toMatchObject({
    status: "done",
    text: "No answer (there is nobody to ask); using the default: me",
    data: { answer: "me", answeredBy: "default", timedOut: false },
  });
});

test("a question without an answer ends after its own timeout, not the tool's", async () => {
  const signals: AbortSignal[] = [];
  const onQuestion = (_question: Question, signal: AbortSignal) => {
    signals.push(signal);
    return never();
  };
  const { session } = await openTestSession({ timeoutMs: 10, onQuestion });
  expect(await session.call("user_ask", { question: "Who?", timeout: 60 })).toMatchObject({
    status: "timed-out",
    error: { code: "timed-out", message: "nobody answered within 60 ms" },
  });
  expect(await session.call("user_ask", { question: "Who?", timeout: 60, default: "me" })).toMatchObject({
    status: "done",
    data: { answer: "me", answeredBy: "default", timedOut: true },
  });
  // Whoever was asked knows that nobody waits any more.
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test("a caller who gives up ends the waiting, default or not", async () => {
  const controller = new AbortController();
  const onQuestion = () => {
    controller.abort();
    return never();
  };
  const { session } = await openTestSession({ onQuestion });
  const result = await session.call(
    "user_ask",
    { question: "Who?", default: "me" },
    { signal: controller.signal },
  );
  expect(result.status).toBe("cancelled");
});

test.each([
  ["red", "red"],
  ["RED ", "red"],
])("the answer %j is taken for the choice %j", async (answer, choice) => {
  const { session } = await openTestSession({ onQuestion: async () => answer });
  expect((await session.call("user_ask", { question: "?", choices: ["red", "blue"] })).text).toBe(choice);
});

test.each(["green", "", "redblue"])(
  "the answer %j matches no choice and is not passed on",
  async (answer) => {
    const { session } = await openTestSession({ onQuestion: async () => answer });
    const result = await session.call("user_ask", {
      question: "?",
      choices: ["red", "blue"],
      default: "red",
    });
    expect(result).toMatchObject({
      status: "failed",
      error: { code: "no-match", message: `the answer ${JSON.stringify(answer)} is not one of red, blue` },
    });
  },
);

test("an object is no answer to a question without fields", async () => {
  const { session } = await openTestSession({ onQuestion: async () => ({ answer: "me" }) });
  expect((await session.call("user_ask", { question: "?" })).error?.code).toBe("no-match");
});

test("an undefined answer counts as having no person to ask", async () => {
  const { session } = await openTestSession({ onQuestion: async () => undefined as never });
  expect((await session.call("user_ask", { question: "?" })).error?.code).toBe("nobody-to-ask");
});

test.each([
  [{ question: "?", choices: ["a", "b"], default: "c" }, "$.default must be one of the choices: a, b"],
  [{ question: "?", choices: ["a", "a"] }, "$.choices"],
  [{ question: "?", choices: [] }, "$.choices"],
  [{ question: "" }, "$.question"],
  [{ question: "?", timeout: 0 }, "$.timeout"],
  [{}, "$.question"],
])("the input %j is refused before a person is asked", async (input, message) => {
  const { session } = await openTestSession({ onQuestion: never });
  const { error } = await session.call("user_ask" as string, input);
  expect(error).toMatchObject({ code: "invalid-input", message: expect.stringContaining(message) });
});

test("the log tells what was asked, and what was answered or why nothing was", async () => {
  const { session } = await openTestSession({
    secrets: ["swordfish"],
    onQuestion: ({ text }) => (text === "Who?" ? Promise.resolve("swordfish") : never()),
  });
  await session.call("user_ask", { question: "Who?" });
  await session.call("user_ask", { question: "When?", timeout: 20 });
  await session.close();
  const told = [];
  for await (const event of session.events({ channels: ["control"] })) told.push(event);
  expect(told).toMatchObject([
    { type: "question-ask", text: "Who?", timeoutMs: 300_000 },
    { type: "question-answer", answer: "[redacted]" },
    { type: "question-ask", text: "When?" },
    { type: "question-fail", reason: "nobody answered within 20 ms" },
  ]);
});
