import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { until } from "../../../support/until.ts";
import { createCli, mainFile } from "../../run-cli.ts";
import { hasTerminal, startTerminal } from "../../start-terminal.ts";

const leftovers = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith("toolwright-demo-")).sort();

test("demo shows a denial, a failing and a passing test, an undo and a checked record, and leaves nothing behind", async () => {
  const before = await leftovers();
  const cli = await createCli();
  const { exitCode, stderr, stdout } = await cli(["demo"]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: "That is all: the first price is counted now.\n",
  });
  for (const shown of [
    "file_read was denied: rule Read(.env) denies it",
    "Exit code 1.",
    "+  for (let index = 0;",
    "the test passes",
    "Undid call_",
    "7 receipts, every one as it was written",
  ])
    expect(stderr).toContain(shown);
  expect(await leftovers()).toEqual(before);
});

test.runIf(hasTerminal)("at a terminal, the person is asked before a program runs", async () => {
  const cli = await createCli();
  const terminal = startTerminal([process.execPath, mainFile, "demo"], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  await terminal.waitFor("Allow it? [y/N]");
  terminal.type("n\n");
  await until(() => terminal.text().split("Allow it? [y/N]").length === 3);
  terminal.type("y\n");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain("the test passes");
});
