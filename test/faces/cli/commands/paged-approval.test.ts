import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { longHardText, readBack, shownWhole, widthAtMost } from "../../../kernel/people/hard-text.ts";
import { type Cli, createCli, mainFile, parseLines } from "../run-cli.ts";
import { startTerminal, testAtTerminal } from "../start-terminal.ts";

function ask(cli: Cli, content: string, columns = 80) {
  const words = ["call", "file_write", JSON.stringify({ path: "new", content })];
  const command = ["/bin/sh", "-c", `stty cols ${columns}; exec "$@"`, "sh", process.execPath, mainFile];
  return startTerminal([...command, ...words], { cwd: cli.workspace, env: cli.environment });
}

/** Presses Enter after each part, until it is asked for the decision; what comes then is left to the caller. */
async function readOn(terminal: ReturnType<typeof ask>): Promise<void> {
  for (let end = 400; ; end += 400) {
    const isAsked = (shown: string) => rowsOf(shown).some((row) => row.startsWith("Allow it? [y/N] "));
    const isMore = (shown: string) => rowsOf(shown).some((row) => row.startsWith(`That was row ${end} of `));
    await terminal.waitUntil((shown) => isAsked(shown) || isMore(shown), `a question after row ${end}`);
    if (isAsked(terminal.text())) return;
    terminal.type("\r");
  }
}

/** The rows of the screen. No text but ours begins at its edge, and none but ours moves the cursor. */
function rowsOf(shown: string): string[] {
  return shown.replace(cursorMoves, "").split(/\r*\n/);
}

const cursorMoves = /\u001b\[[\d;?]*[A-Za-z]/g;

const text = longHardText();

testAtTerminal.each([60, 80, 120])(
  "a terminal of %s columns shows every character that acts, part by part, in marked rows of its width",
  async (columns) => {
    const cli = await createCli();
    const terminal = ask(cli, text, columns);
    await readOn(terminal);
    const rows = rowsOf(terminal.text());
    expect(rows.length).toBeGreaterThan(400);
    for (const row of rows.filter((each) => !/^(?:That was row|Allow it)/.test(each)))
      expect(widthAtMost(row), row).toBeLessThanOrEqual(columns);
    // The preview below the request shows the text once more.
    const from = rows.findIndex((row) => /^ {2}content:/.test(row));
    const until = rows.findIndex(
      (row, index) => index > from && /^(?:reason|directory|kind|effects):/.test(row),
    );
    expect(readBack(rows.slice(from, until))).toBe(shownWhole(text));
    terminal.type("n\r");
    expect(await terminal.exited).toBe(3);
  },
  30_000,
);

testAtTerminal(
  "a yes before the last part only reads on, and a no ends it",
  async () => {
    const cli = await createCli();
    const long = "a line\n".repeat(1000);
    const hasty = ask(cli, long);
    await hasty.waitFor("That was row 400 of ");
    hasty.type("y\r");
    await hasty.waitFor("That was row 800 of ");
    await expect(readFile(join(cli.workspace, "new"))).rejects.toThrow("ENOENT");
    hasty.type("n\r");
    expect(await hasty.exited).toBe(3);
    expect(hasty.text()).not.toContain("[y/N]");

    const patient = ask(cli, long);
    await readOn(patient);
    expect(patient.text()).toContain("This request for file_write starts ");
    patient.type("y\r");
    expect(await patient.exited).toBe(0);
    expect(await readFile(join(cli.workspace, "new"), "utf8")).toBe(long);
    const decisions = parseLines((await cli(["log", "--json"])).stdout).map(({ status }) => status);
    expect(decisions.toSorted()).toEqual(["denied", "done"]);
  },
  30_000,
);
