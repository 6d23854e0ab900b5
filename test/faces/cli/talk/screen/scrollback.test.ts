import { expect, test } from "vitest";
import type { LoggedEvent } from "../../../../../src/index.ts";
import { openTestScreen } from "./open-test-screen.ts";

const says = (text: string) => ({ type: "text-delta", text }) as unknown as LoggedEvent;
const ends = { type: "agent-end", reason: "done", text: "" } as unknown as LoggedEvent;
const status = {
  model: "a/model",
  mode: "ask",
  isPlanning: false,
  sandbox: "none",
  tokens: 0,
  cost: undefined,
  contextLeft: 1,
  isWorking: false,
  queued: 0,
  waiting: 0,
};

function countOf(text: string, part: string | RegExp): number {
  return text.split(part).length - 1;
}

test.each([
  { rows: 24, sizes: [[50, 24]] },
  { rows: 24, sizes: [[120, 24]] },
  { rows: 24, sizes: [[80, 12]] },
  { rows: 24, sizes: [[80, 40]] },
  {
    rows: 16,
    sizes: [
      [60, 20],
      [33, 10],
      [100, 30],
      [80, 16],
    ],
  },
])("the words said and typed are there once after new sizes, $sizes", async ({ rows, sizes }) => {
  const { screen, shows, all, visible, resize, type } = await openTestScreen({ rows });
  screen.setStatus(status);
  for (let line = 1; line <= 40; line += 1) screen.show(says(`Line ${line} of many.\n\n`));
  screen.show(ends);
  type("typed");
  await shows("100% context left");
  await shows("typed");
  for (const [columns, height] of sizes) {
    resize(columns!, height!);
    await shows(new RegExp(`\n─{${columns}}\ntyped\n─{${columns}}\n`));
    const now = all();
    for (let line = 1; line <= 40; line += 1) expect(countOf(now, `Line ${line} of many.`)).toBe(1);
    expect(countOf(now, /^typed$/m)).toBe(1);
    expect(countOf(now, "model · ask")).toBe(1);
  }
  type(" more");
  await shows("typed more");
  expect(visible()).toContain("Line 40 of many.");
});

test("drawn rows have no blanks at their ends, which a narrower terminal would break", async () => {
  const { screen, shows, resize, all } = await openTestScreen({ columns: 80 });
  screen.show(says("One.\n\nTwo.\n\n"));
  screen.show(ends);
  await shows("Two.");
  resize(40);
  await shows(/^─{40}$/m);
  expect(all()).toMatch(/One\.\n\nTwo\.\n/);
});

test("a table that grows while it is written is in the scrollback once", async () => {
  const { screen, shows, all } = await openTestScreen({ rows: 20 });
  screen.show(says("| name | value |\n|---|---|\n"));
  for (let row = 1; row <= 60; row += 1) {
    screen.show(says(`| row ${row}, | ${"v".repeat(row % 37)} |\n`));
    await shows(`row ${row},`);
  }
  screen.show(says("\nAfter it.\n\n"));
  screen.show(ends);
  await shows("After it.");
  const now = all();
  for (let row = 1; row <= 60; row += 1) expect(countOf(now, `row ${row},`)).toBe(1);
});

test("a choice that is open is drawn again with a new width", async () => {
  const { screen, shows, all, resize, press } = await openTestScreen();
  screen.setStatus(status);
  screen.tell("before");
  const chosen = screen.choose("Which one?", [
    { value: "1", label: "One" },
    { value: "2", label: "Two" },
  ]);
  await shows("→ One");
  resize(50);
  await shows(/^─{50}$/m);
  expect(countOf(all(), "Which one?")).toBe(1);
  expect(countOf(all(), "before")).toBe(1);
  press("\u001b[B", "\r");
  expect(await chosen).toBe("2");
});

test("names that begin alike can be told apart in a list at 60 columns, and a long one shows that it is cut", async () => {
  const { screen, shows, press } = await openTestScreen({ columns: 60 });
  const chosen = screen.choose("Which?", [
    { value: "1", label: "openai-compatible/loop", about: "in use" },
    { value: "2", label: "openai-compatible/loop-large", about: "needs: set GOOGLE_GENERATIVE_AI_API_KEY" },
    {
      value: "3",
      label: "a title of a conversation that is rather long",
      about: "2026-11-17 22:20Z, 10 calls",
    },
  ]);
  await shows(/^→ openai-compatible\/loop {8}in use$/m);
  await shows(/^ {2}openai-compatible\/loop-large {2}needs: set GOOGLE/m);
  await shows(/^ {2}a title of a conversation t… {2}2026-11-17 22:20Z, 10 call/m);
  press("\u001b");
  expect(await chosen).toBeUndefined();
});
