import { expect } from "vitest";
import { createCliWithTools, mainFile } from "../run-cli.ts";
import { startTerminal, testAtTerminal } from "../start-terminal.ts";

function fillIn(fields: object) {
  return start(`ask({ text: "Who are you?", fields: ${JSON.stringify(fields)} })`);
}

/** Calls a tool that returns this. */
async function start(result: string) {
  const cli = await createCliWithTools({
    "register.js": `name: "register", description: "Asks", params: {}, traits: { readOnly: true },
      run: (_input, { ask }) => ${result}`,
  });
  const words = ["call", "register", "--config", "config.json", "--json"];
  const terminal = startTerminal([process.execPath, mainFile, ...words], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  return { ...terminal, lines: () => terminal.text().replaceAll("\r\n", "\n") };
}

testAtTerminal("a terminal is asked for one field after the other, each in its own way", async () => {
  const terminal = await fillIn({
    name: { type: "string", title: "Your\u001b[2J name", description: "as in the passport" },
    age: { type: "integer", minimum: 18, default: 30 },
    agreed: { type: "boolean" },
    colour: {
      type: "string",
      oneOf: [
        { const: "r", title: "Red" },
        { const: "b", title: "Blue" },
      ],
      default: "b",
    },
    sizes: { type: "array", items: { type: "string", enum: ["s", "m", "l"] }, maxItems: 2 },
    nickname: { type: "string", required: false },
  });
  await terminal.waitFor("Answer: ");
  expect(terminal.lines()).toContain(
    "A tool asks:\n  | Who are you?\n\n  | Your\\u{1b}[2J name (as in the passport)\n",
  );
  terminal.type("Ada\r");
  await terminal.waitFor("Whole number [30]: ");
  terminal.type("\r");
  await terminal.waitFor("y/n: ");
  terminal.type("yes\r");
  await terminal.waitFor("1-2 [Blue]: ");
  expect(terminal.lines()).toContain("colour\n  1. Red\n  2. Blue\n");
  terminal.type("red\r");
  await terminal.waitFor("1-3, separated by commas: ");
  terminal.type("1, L\r");
  await terminal.waitFor("Answer, or Enter to skip: ");
  terminal.type("\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain(
    '"data":{"name":"Ada","age":30,"agreed":true,"colour":"r","sizes":["s","l"]}',
  );
});

const choices = { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1 };

const wrongAnswers: readonly (readonly [object, string, string, string, unknown])[] = [
  [{ type: "string" }, "", "An answer is required.", "x", "x"],
  [{ type: "string", minLength: 3 }, "ab", "The answer must be", "abc", "abc"],
  [
    { type: "string", format: "date" },
    "tomorrow",
    "The answer must be a date such as",
    "2026-01-31",
    "2026-01-31",
  ],
  [{ type: "integer" }, "1.5", "The answer must be", "-2", -2],
  [{ type: "number", maximum: 5 }, "6", "The answer must be", "4.5", 4.5],
  [{ type: "number" }, "six", "That is not a number.", "6e1", 60],
  [{ type: "boolean" }, "maybe", "Type y or n.", "n", false],
  [{ type: "string", enum: ["a", "b"] }, "3", "Type the number or the text", "2", "b"],
  [choices, "a,c", "Type the number or the text", "b, 1, a", ["b", "a"]],
];

testAtTerminal("in a field of any type, what does not fit is asked for again", async () => {
  const fields = wrongAnswers.map(([field], index) => [`it${index}`, field]);
  const terminal = await fillIn(Object.fromEntries(fields));
  // What is typed before the next prompt stands there is no answer to it.
  const untilAsked = (times: number) =>
    expect.poll(() => terminal.text().match(/\w: /g)?.length, { timeout: 45_000 }).toBe(times);
  for (const [index, [field, unfit, told, fit]] of wrongAnswers.entries()) {
    await untilAsked(2 * index + 1);
    const before = terminal.text().length;
    terminal.type(`${unfit}\r`);
    await untilAsked(2 * index + 2);
    expect(terminal.text().slice(before), JSON.stringify(field)).toContain(told);
    terminal.type(`${fit}\r`);
  }
  expect(await terminal.exited).toBe(0);
  const values = wrongAnswers.map(([, , , , value], index) => [`it${index}`, value]);
  expect(terminal.text()).toContain(`"data":${JSON.stringify(Object.fromEntries(values))}`);
});

testAtTerminal("a long form leaves nothing behind that would be warned of", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `field${index}`);
  const terminal = await fillIn(Object.fromEntries(names.map((name) => [name, { type: "boolean" }])));
  for (const name of names) {
    await terminal.waitFor(name);
    await expect
      .poll(() => terminal.text().match(/y\/n: /g)?.length, { timeout: 45_000 })
      .toBe(names.indexOf(name) + 1);
    terminal.type("y\r");
  }
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).not.toContain("Warning");
});

testAtTerminal("questions that come at once are asked one after the other", async () => {
  const terminal =
    await start(`Promise.all([ask("First?"), ask("Second?"), ask({ text: "Late?", timeoutMs: 1 })]
    .map((asking) => asking.catch(({ code }) => code)))`);
  await terminal.waitFor("Answer: ");
  expect(terminal.text()).not.toContain("Second?");
  terminal.type("one\r");
  await terminal.waitFor("Second?");
  await expect.poll(() => terminal.text().match(/Answer: /g)?.length, { timeout: 45_000 }).toBe(2);
  terminal.type("two\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain('"data":["one","two","timed-out"]');
  expect(terminal.text()).not.toContain("Late?");
});

testAtTerminal("a form that is left in the middle has no answer", async () => {
  const terminal = await fillIn({ a: { type: "string" }, b: { type: "boolean" } });
  await terminal.waitFor("Answer: ");
  terminal.type("x\r");
  await terminal.waitFor("y/n: ");
  terminal.type("\u0004");
  expect(await terminal.exited).toBe(1);
  expect(terminal.text()).toContain('"code":"nobody-to-ask"');
});

testAtTerminal.each([
  ["y", 0, '"data":{}'],
  ["", 1, '"code":"declined"'],
])("a form without fields asks for consent, and %j says so or not", async (typed, exitCode, told) => {
  const terminal = await fillIn({});
  await terminal.waitFor("Agree? [y/N] ");
  terminal.type(`${typed}\r`);
  expect(await terminal.exited).toBe(exitCode);
  expect(terminal.text()).toContain(told);
});
