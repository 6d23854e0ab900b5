import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatPlugin } from "../../../../src/faces/cli/commands/plugin/describe-plugin.ts";
import {
  hardText,
  longHardText,
  readBack,
  shownWhole,
  widthAtMost,
} from "../../../kernel/people/hard-text.ts";
import { casesOf, fc } from "../../../support/fuzz.ts";
import { type Cli, createCli, mainFile } from "../run-cli.ts";
import { startTerminal, testAtTerminal } from "../start-terminal.ts";

// What a person agrees to for good: a project's files, and a plugin. Each was written by somebody else.

const forged = "Trust this file? [y/N] y";
/** Padded so that the rest would stand at the left edge of some terminal. */
const padded = [60, 80, 120].map((columns) => `${"·".repeat(columns - 20)}${forged}`);
const marked = /^ {2}[|↳] /;

/** What a terminal of this width shows before it asks, read on to the end. */
async function showAt(cli: Cli, columns: number, words: readonly string[]): Promise<string[]> {
  const command = ["/bin/sh", "-c", `stty cols ${columns}; exec "$@"`, "sh", process.execPath, mainFile];
  const terminal = startTerminal([...command, ...words], { cwd: cli.workspace, env: cli.environment });
  const rows = () =>
    terminal
      .text()
      .replace(/\u001b\[[\d;?]*[A-Za-z]/g, "")
      .split(/\r*\n/);
  for (let end = 400; ; end += 400) {
    const isAsked = () => rows().some((row) => /^[A-Z].*\? \[y\/N\] $/.test(row));
    const isMore = () => rows().some((row) => row.startsWith(`That was row ${end} of `));
    await terminal.waitUntil(() => isAsked() || isMore(), `a question after row ${end}`);
    if (isAsked()) break;
    terminal.type("\r");
  }
  terminal.type("n\r");
  expect(await terminal.exited).toBe(3);
  return rows().filter((row) => !/^That was row|^$/.test(row));
}

testAtTerminal.each(casesOf({ sample: [60], full: [60, 80, 120] }))(
  "a project's files are shown whole and marked on a terminal of %s columns before they are trusted",
  async (columns) => {
    const rules = padded.map((text) => `Bash(echo "${text}")`);
    const command = [
      "node",
      "-e",
      longHardText()
        .slice(0, 8000)
        .replace(/[^\P{C}\n]/gu, ""),
    ];
    const cli = await createCli({
      ".toolwright/policy.json": JSON.stringify({ allow: rules }),
      ".toolwright/config.json": JSON.stringify({ hooks: { PreToolUse: [{ command }] } }),
    });
    const rows = await showAt(cli, columns, ["trust"]);
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows.filter((each) => !/^(?:Trust these|Not trusted)/.test(each))) {
      expect(widthAtMost(row), row).toBeLessThanOrEqual(columns);
      if (!marked.test(row)) expect(row).toMatch(/^(?:\/| {2}lets run unasked:$| {2}sets hooks:$)/);
    }
    const shown = readBack(rows);
    for (const text of [...rules, JSON.stringify(command)]) expect(shown).toContain(shownWhole(text));
  },
  30_000,
);

testAtTerminal(
  "a plugin is shown whole and marked before it is added, also with --json",
  async () => {
    const cli = await createCli();
    const place = join(cli.folder, "evil");
    await mkdir(place);
    const hooks = { PreToolUse: [{ command: ["node", "-e", padded.join(" ")] }] };
    await writeFile(join(place, "toolwright.json"), JSON.stringify({ hooks }));
    await writeFile(join(place, "package.json"), JSON.stringify({ name: "evil", version: padded[0] }));
    const rows = await showAt(cli, 60, ["plugin", "add", place, "--json"]);
    for (const row of rows.filter((each) => !/^(?:Its code|\{)/.test(each))) {
      expect(widthAtMost(row), row).toBeLessThanOrEqual(60);
      if (!marked.test(row)) expect(row).toMatch(/^(?:evil | {2}hook)/);
    }
    expect(readBack(rows)).toContain(padded.join(" "));
  },
  30_000,
);

test("the parts of a plugin are shown whole and marked, at every width", () => {
  const record = { name: "evil", hash: "0".repeat(64), source: "/tmp/evil" };
  fc.assert(
    fc.property(hardText, fc.constantFrom(60, 80, 120), (written, columns) => {
      const text = `#\n${written.replaceAll("'", "")}\n#`;
      const servers = {
        program: { command: "node", args: [text], env: { A: text }, passEnvironment: ["TOKEN"], cwd: text },
        address: { url: "https://mcp.example.com", headers: { A: text } },
      };
      const hooks = {
        PreToolUse: [{ command: [text] }],
        PermissionRequest: [{ command: ["a"], mayApprove: true }],
      };
      const content = {
        ...{ name: "evil", tools: [text], modules: [text], commands: [text] },
        options: { hooks, mcpServers: servers },
      };
      const rows = formatPlugin({ ...record, version: text }, { content, root: "/tmp/evil", columns });
      for (const row of rows) expect(widthAtMost(row), row).toBeLessThanOrEqual(columns);
      const ours = /^(?:evil | {2}(?:tools|module|hook|server|commands) )/;
      expect(rows.filter((row) => !marked.test(row) && !ours.test(row))).toEqual([]);
      expect(readBack(rows).split(shownWhole(text)).length - 1).toBe(8);
      expect(rows.join("\n")).toContain("with your TOKEN");
      expect(rows.join("").replace(/ {2}[|↳] /g, "")).toContain("may approve calls in your place");
    }),
    { numRuns: 40 },
  );
});
