import { expect, test } from "vitest";
import { type Answer, defineTool, type Question } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const fields = {
  name: { type: "string", minLength: 1 },
  age: { type: "integer", minimum: 0, default: 30 },
} as const;

const asks = defineTool({
  name: "asks",
  description: "Asks for a name and an age",
  params: { timeoutMs: { type: "integer", default: 60_000 } },
  traits: { readOnly: true },
  run: ({ timeoutMs }, { ask }) => ask({ text: "Who?", fields, timeoutMs }),
});

test("a form goes to the handler of questions, and fields that are left out have their defaults", async () => {
  const asked: Question[] = [];
  const onQuestion = async (question: Question) => {
    asked.push(question);
    return { name: "Ada" };
  };
  const { session } = await openTestSession({ tools: [asks], onQuestion });
  expect(await session.call("asks")).toMatchObject({ status: "done", data: { name: "Ada", age: 30 } });
  expect(asked).toEqual([{ text: "Who?", fields, timeoutMs: 60_000 }]);
});

test.each<[Answer, string]>([
  ["Ada", "$ must be an object"],
  [{ name: "" }, "$.name"],
  [{ name: "Ada", age: "old" }, "$.age"],
  [{ age: 4 }, "$.name"],
  [{ name: "Ada", nickname: "A" }, "$.nickname"],
])("the answer %j does not fit and is not passed on", async (answer, where) => {
  const { session } = await openTestSession({ tools: [asks], onQuestion: async () => answer });
  expect((await session.call("asks")).error).toMatchObject({
    code: "no-match",
    message: expect.stringContaining(`the answer does not match the form: ${where}`),
  });
});

test("a form fails at once without a person to ask, and at its timeout without an answer", async () => {
  const alone = await openTestSession({ tools: [asks] });
  expect((await alone.session.call("asks")).error?.code).toBe("nobody-to-ask");
  const { session } = await openTestSession({ tools: [asks], onQuestion: () => new Promise(() => {}) });
  expect(await session.call("asks", { timeoutMs: 20 })).toMatchObject({
    status: "timed-out",
    error: { message: "nobody answered within 20 ms" },
  });
});

test("fields that no person could fill in are the tool's failure, before a person is asked", async () => {
  const broken = defineTool({
    name: "broken",
    description: "Asks for what cannot be asked for",
    params: {},
    run: (_input, { ask }) => ask({ text: "?", fields: { it: { type: "object" } as never } }),
  });
  let questions = 0;
  const onQuestion = async () => String(++questions);
  const options = { tools: [broken], onQuestion, permissions: { mode: "auto" } } as const;
  const { session } = await openTestSession(options);
  expect((await session.call("broken")).error).toMatchObject({
    code: "tool-failed",
    message: expect.stringContaining("fields.it needs a type"),
  });
  expect(questions).toBe(0);
});

test.each([
  [{}, "a question's text must be a string"],
  [5, "a question: the options must be an object"],
  [{ text: "?", choices: "abc" }, "choices must be an array of strings"],
  [{ text: "?", choices: [1] }, "choices must be an array of strings"],
])("a malformed question is put to no person: %j", async (question, message) => {
  const vague = defineTool({
    name: "vague",
    description: "Asks without asking",
    params: {},
    traits: { readOnly: true },
    run: (_input, { ask }) => ask(question as Question & { fields?: never }),
  });
  let questions = 0;
  const onQuestion = async () => String(++questions);
  const { session } = await openTestSession({ tools: [vague], onQuestion });
  expect((await session.call("vague")).error).toMatchObject({
    code: "tool-failed",
    message: expect.stringContaining(message),
  });
  expect(questions).toBe(0);
});

test("a tool that aborts its signal takes the question back", async () => {
  const signals: AbortSignal[] = [];
  const impatient = defineTool({
    name: "impatient",
    description: "Asks and thinks better of it",
    params: {},
    traits: { readOnly: true },
    async run(_input, { ask }) {
      const controller = new AbortController();
      const asking = ask({ text: "?", fields }, { signal: controller.signal });
      controller.abort(new Error("never mind"));
      return asking.then(
        () => "answered",
        ({ message }: Error) => `went on: ${message}`,
      );
    },
  });
  const onQuestion = (_question: Question, signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>(() => {});
  };
  const { session } = await openTestSession({ tools: [impatient], onQuestion });
  expect((await session.call("impatient")).text).toBe("went on: never mind");
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("a question that is withdrawn before it is asked is never asked", async () => {
  const undecided = defineTool({
    name: "undecided",
    description: "Asks for what it does not want any more",
    params: {},
    traits: { readOnly: true },
    run: (_input, { ask }) => ask("?", { signal: AbortSignal.abort(new Error("never mind")) }),
  });
  let questions = 0;
  const onQuestion = async () => String(++questions);
  const { session } = await openTestSession({ tools: [undecided], onQuestion });
  expect((await session.call("undecided")).error?.message).toContain("never mind");
  expect(questions).toBe(0);
});

test("the log tells of the form and of what was filled in, without secrets", async () => {
  const onQuestion = async () => ({ name: "swordfish" });
  const { session } = await openTestSession({ tools: [asks], secrets: ["swordfish"], onQuestion });
  await session.call("asks");
  await session.close();
  const told = [];
  for await (const event of session.events({ channels: ["control"] })) told.push(event);
  expect(told).toMatchObject([
    { type: "question-ask", text: "Who?", fields },
    { type: "question-answer", answer: { name: "[redacted]", age: 30 } },
  ]);
});
