import { expect, test } from "vitest";
import { answersIn, openTestAgent } from "../open-agent.ts";

const loud = { sandbox: "off", permissions: { mode: "auto" } } as const;

/** The longest answer that the model was given to so many calls in one step. */
async function longestAnswer(calls: number, contextTokens: number): Promise<number> {
  const call = { name: "Bash", input: { command: "seq 1 100000" } };
  const { agent, requests } = await openTestAgent(
    [{ calls: Array.from({ length: calls }, () => call) }, { text: "done" }],
    { runtime: loud, contextTokens },
  );
  await agent.run("go");
  const answers = answersIn(requests.at(-1)!).map((output) =>
    "value" in output ? String(output.value) : "",
  );
  expect(answers).toHaveLength(calls);
  for (const answer of answers)
    expect(answer).toMatch(/^1\n2\n.*bytes left out, from line .*\n99999\n100000\n/s);
  return Math.max(...answers.map(({ length }) => length));
}

test.each([
  [1, 128_000, 51_200],
  [8, 128_000, 25_600],
  [1, 16_000, 6400],
])(
  "the model gets of each of %i calls what fits a window of %i tokens",
  async (calls, contextTokens, limit) => {
    const longest = await longestAnswer(calls, contextTokens);
    expect(longest).toBeLessThanOrEqual(limit);
    expect(longest).toBeGreaterThan(limit / 2);
  },
);
