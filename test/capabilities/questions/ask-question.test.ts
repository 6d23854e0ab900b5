import { expect, test } from "vitest";
import { defineTool } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";

const asks = defineTool({
  name: "asks",
  description: "Asks.",
  params: { what: { type: "string" } },
  traits: { readOnly: true, concurrencySafe: true },
  run: ({ what }, { ask }) => ask(what),
});

test("calls that wait for a person do not block others", async () => {
  const answerAll: (() => void)[] = [];
  const allAsked = Promise.withResolvers<void>();
  const count = 25;
  const { session } = await openTestSession({
    tools: [asks],
    onQuestion: ({ text }) =>
      new Promise((resolve) => {
        answerAll.push(() => resolve(`answer ${text}`));
        if (answerAll.length === count) allAsked.resolve();
      }),
  });
  const calls = Array.from({ length: count }, (_, index) => ({ name: "asks", input: { what: `${index}` } }));
  const results = session.callAll(calls);
  // More than may run at once, and none is answered before all have asked.
  await allAsked.promise;
  for (const answer of answerAll) answer();
  expect((await results).map(({ text }) => text)).toEqual(calls.map((_, index) => `answer ${index}`));
});

test("the handler of a call is asked before the handler of the session", async () => {
  const { session } = await openTestSession({ tools: [asks], onQuestion: async () => "the session's" });
  const options = { onQuestion: async () => "the call's" };
  expect((await session.call("asks", { what: "?" }, options)).text).toBe("the call's");
  expect((await session.call("asks", { what: "?" })).text).toBe("the session's");
});

test("an answer that fails is the tool's failure", async () => {
  const { session } = await openTestSession({
    tools: [asks],
    onQuestion: () => {
      throw new Error("the line is dead");
    },
  });
  expect((await session.call("asks", { what: "?" })).error).toMatchObject({
    code: "tool-failed",
    message: "the line is dead",
  });
});
