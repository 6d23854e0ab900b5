import { expect, test } from "vitest";
import { readBack, shownWhole } from "../../../kernel/people/hard-text.ts";
import { type Cli, createCli, mainFile } from "../run-cli.ts";
import { startTerminal, testAtTerminal } from "../start-terminal.ts";

function ask(cli: Cli, input: object) {
  const words = ["call", "user_ask", JSON.stringify(input), "--json"];
  return startTerminal([process.execPath, mainFile, ...words], { cwd: cli.workspace, env: cli.environment });
}

testAtTerminal("a question at the terminal has its control characters escaped", async () => {
  const terminal = ask(await createCli(), { question: "Which\u001b[2J name\u202e?", default: "a\u0007b" });
  await terminal.waitFor("[a\\u{7}b]: ");
  expect(terminal.text()).toContain("Which\\u{1b}[2J name\\u{202e}?");
  terminal.type("Toolwright\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain('"answer":"Toolwright","answeredBy":"person"');
});

testAtTerminal("a long question is read in parts, and what Enter would answer is shown whole", async () => {
  const suggested = `harmless ${"·".repeat(60)}\nnot so harmless\u202e`;
  const context = "a line\n".repeat(500);
  const terminal = ask(await createCli(), { question: "Which?", context, default: suggested });
  await terminal.waitFor("That was row 400 of 504. ");
  terminal.type("\r");
  await terminal.waitFor("]: ");
  const rows = terminal.text().split(/\r*\n/);
  expect(rows).toContain("A tool asks: (504 rows, from the top)");
  expect(readBack(rows.slice(rows.indexOf("Enter alone answers:")))).toBe(shownWhole(suggested));
  terminal.type("\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain(JSON.stringify(suggested));
});

testAtTerminal.each([
  ["a number", "2\r", "blue"],
  ["the words", "BLUE\r", "blue"],
  ["an empty line", "\r", "red"],
])("%s chooses", async (_name, keys, answer) => {
  const input = { question: "Which?", choices: ["red", "blue"], default: "red" };
  const terminal = ask(await createCli(), input);
  await terminal.waitFor("1-2 [red]: ");
  expect(terminal.text().replaceAll("\r\n", "\n")).toContain(
    "A tool asks:\n  | Which?\n  1. red\n  2. blue\n",
  );
  terminal.type(keys);
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain(`"answer":"${answer}","answeredBy":"person"`);
});

testAtTerminal("an answer that is none of the choices is asked for again", async () => {
  const terminal = ask(await createCli(), { question: "Which?", choices: ["red", "blue"] });
  const again = "Type the number or the text of one of the choices.\r\n\u001b[1G\u001b[0J1-2: ";
  await terminal.waitFor("1-2: ");
  for (const [index, typed] of ["green", "0", "3", "1.5"].entries()) {
    terminal.type(`${typed}\r`);
    await expect.poll(() => terminal.text().split(again).length - 1, { timeout: 45_000 }).toBe(index + 1);
  }
  terminal.type("2\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain('"answer":"blue"');
});

testAtTerminal.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
])("%s leaves the question without an answer", async (_name, keys) => {
  const terminal = ask(await createCli(), { question: "Which?" });
  await terminal.waitFor("Answer: ");
  terminal.type(keys);
  expect(await terminal.exited).toBe(1);
  expect(terminal.text()).toContain('"code":"nobody-to-ask"');
});

testAtTerminal("a question on the terminal ends with its time", async () => {
  const terminal = ask(await createCli(), { question: "Which?", timeout: 300, default: "none" });
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain('"answeredBy":"default","timedOut":true');
});

test("a question without a terminal is answered by its default at once", async () => {
  const cli = await createCli();
  expect((await cli(["call", "user_ask", '{"question":"Which?"}'])).exitCode).toBe(1);
  const { exitCode, stdout } = await cli(["call", "user_ask", '{"question":"Which?","default":"none"}']);
  expect([exitCode, stdout]).toEqual([0, "No answer (there is nobody to ask); using the default: none\n"]);
});
