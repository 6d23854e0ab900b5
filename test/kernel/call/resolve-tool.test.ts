import { expect, test } from "vitest";
import { openTestSession } from "../../support/open-test-session.ts";
import { echo } from "../../support/sample-tools.ts";

test("a tool is found by its exact name and by its alias", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  expect((await session.call("echo", { text: "a" })).text).toBe("a");
  expect((await session.call("repeat_back", { text: "b" })).text).toBe("b");
});

test("an unknown name fails with the nearest names and leaves a receipt", async () => {
  const { session, runtime } = await openTestSession({ tools: [echo] });
  const result = await session.call("ehco", { text: "a" });
  expect(result).toMatchObject({
    status: "failed",
    error: {
      code: "unknown-tool",
      message: 'there is no tool named "ehco"',
      hint: "Did you mean echo?",
      retryable: false,
    },
  });
  expect(await runtime.receipts()).toMatchObject([{ tool: "ehco", status: "failed", code: "unknown-tool" }]);
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "", "a".repeat(100_000)])(
  "the name %.20s from outside leads nowhere",
  async (name) => {
    const { session } = await openTestSession();
    expect(await session.call(name, {})).toMatchObject({ status: "failed", error: { code: "unknown-tool" } });
  },
);

test("a name that is not even a string is an answer, not an exception", async () => {
  const { session } = await openTestSession();
  const result = await session.call(undefined as unknown as string, {});
  expect(result.error?.code).toBe("unknown-tool");
});

test("a caller's own id becomes the call's id, and an unfit one is refused", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  expect((await session.call("echo", { text: "a" }, { id: "toolu_01" })).callId).toBe("toolu_01");
  const refused = await session.call("echo", { text: "a" }, { id: "../../etc" });
  expect(refused.error?.code).toBe("invalid-input");
  expect(refused.callId).toMatch(/^call_/);
});
