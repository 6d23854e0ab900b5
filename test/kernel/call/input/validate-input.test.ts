import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../../src/index.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { echo } from "../../../support/sample-tools.ts";

test("a default is applied before the tool runs", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  expect((await session.call("echo", { text: "ab" })).text).toBe("ab");
});

test("every problem is named with its path, what was expected and what was received", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const { error } = await session.call("echo", { times: "two" });
  expect(error?.code).toBe("invalid-input");
  expect(error?.message).toContain("$.text is required but missing");
  expect(error?.message).toContain('$.times must be a whole number; received "two"');
});

test("out of range is refused with the range, never clamped", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const { error, status } = await session.call("echo", { text: "a", times: 6 });
  expect(status).toBe("failed");
  expect(error?.message).toContain("$.times must be between 1 and 5; received 6");
});

test("an unknown key is refused with the nearest known one, and all known ones are named", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const { error } = await session.call("echo", { text: "a", tiems: 2 });
  expect(error?.message).toContain("$.tiems is not allowed (did you mean times?); expected only text, times");
});

test("an input that is not JSON is refused, and the receipt says so", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  for (const input of [cyclic, { text: 1n }, { text: () => {} }, [], "text", 7]) {
    const result = await session.call("echo", input);
    expect(result.error?.code).toBe("invalid-input");
    expect(result.receipt.hash).toMatch(/^[0-9a-f]{64}$/);
  }
});

test("a Zod schema's own rules and transforms apply, asynchronous ones too", async () => {
  const even = defineTool({
    name: "halve",
    description: "Halves.",
    input: z.object({ n: z.number().refine(async (n) => n % 2 === 0, "must be even") }),
    traits: { readOnly: true },
    run: ({ n }) => n / 2,
  });
  const { session } = await openTestSession({ tools: [even] });
  expect((await session.call("halve", { n: 4 })).data).toBe(2);
  expect((await session.call("halve", { n: 3 })).error?.message).toContain("must be even");
});

test("the tool gets a copy: what the caller changes later does not reach it", async () => {
  let seen: unknown;
  const keep = defineTool({
    name: "keep",
    description: "Keeps.",
    params: { list: { type: "array" } },
    traits: { readOnly: true },
    run: ({ list }) => {
      seen = list;
      return "";
    },
  });
  const { session } = await openTestSession({ tools: [keep] });
  const list = [1];
  await session.call("keep", { list });
  list.push(2);
  expect(seen).toEqual([1]);
});
