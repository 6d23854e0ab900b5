import { expect, test } from "vitest";
import { describeTalkStatus } from "../../../../../src/faces/cli/talk/screen/talk-screen.ts";

const status = {
  model: "openai-compatible/a-model-with-a-rather-long-name-v2",
  mode: "ask",
  isPlanning: false,
  sandbox: "bubblewrap",
  tokens: 1500,
  cost: 0.5,
  contextLeft: 0.9,
  isWorking: false,
  queued: 0,
  waiting: 2,
};

test.each([60, 80])(
  "the line at the bottom holds all of the status at %i columns, in fewer words",
  (columns) => {
    const usual = { ...status, model: "openai-compatible/loop", waiting: 0, tokens: 123_400 };
    const line = describeTalkStatus(usual, columns);
    expect(line.length).toBeLessThanOrEqual(columns);
    expect(line).toMatch(
      /^loop · ask · 90% (context )?left · 123\.4k tokens · \$0\.50 · (sandbox )?bubblewrap$/,
    );
    expect(describeTalkStatus({ ...status, waiting: 0 }, 60)).toContain(
      "…er-long-name-v2 · ask · 90% left · ",
    );
  },
);

test("the line at the bottom begins with what matters, and a long name leaves room for it at 80 columns", () => {
  expect(describeTalkStatus(status)).toBe(
    "…odel-with-a-rather-long-name-v2 · ask · 2 waiting: /approve · 90% context left · 1.5k tokens · $0.50 · sandbox bubblewrap",
  );
  expect(describeTalkStatus({ ...status, isPlanning: true, waiting: 0, queued: 1, sandbox: "none" })).toMatch(
    / · plan · 1 queued · 90% context left · .* · no sandbox$/,
  );
});
