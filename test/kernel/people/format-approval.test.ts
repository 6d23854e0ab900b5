import stringWidth from "string-width";
import { expect, test } from "vitest";
import { defaultsIn } from "../../../src/kernel/call/asking/request-approval.ts";
import type { ApprovalRequest } from "../../../src/kernel/people/approvals.ts";
import { formatApproval } from "../../../src/kernel/people/format-approval.ts";
import { noEffects } from "../../../src/kernel/policy/verdict.ts";
import { goesOnMark, lineMark } from "../../../src/shared/text/mark-rows.ts";
import { fc } from "../../support/fuzz.ts";
import { hardText, readBack, shownWhole, widthAtMost } from "./hard-text.ts";

function request(command: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: "approval_1",
    callId: "call_1",
    sessionId: "session_1",
    caller: { kind: "agent", name: "agent" },
    tool: "shell_run",
    input: { command },
    verdict: {
      decision: "ask",
      reason: "mode ask requires approval",
      decidedBy: "mode ask",
      permissionClass: "execute",
      effects: noEffects,
    },
    requestedAt: "2026-01-01T00:00:00.000Z",
    ...more,
  };
}

const widths = [60, 80, 120];
const unseen =
  /(?![\n ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{13441}\u{13442}\u{16fe4}]/u;

test("text that acts is shown whole and marked, at every width", () => {
  fc.assert(
    fc.property(hardText, fc.constantFrom(...widths), (text, columns) => {
      // A first line of its own makes it a text of several lines.
      const shown = formatApproval(request(`#\n${text}`), { columns });
      const rows = shown.split("\n");
      for (const row of rows) expect(widthAtMost(row), row).toBeLessThanOrEqual(columns);
      expect(shown).not.toMatch(unseen);
      const ours = rows.filter((row) => !row.startsWith(lineMark) && !row.startsWith(goesOnMark));
      expect(ours).toEqual([
        "",
        "shell_run needs approval:",
        "  command:",
        "reason: mode ask requires approval",
        "",
      ]);
      expect(readBack(rows)).toBe(shownWhole(`#\n${text}`));
    }),
  );
});

test("a line padded to the width of the screen forges nothing below it", () => {
  for (const columns of widths) {
    const forged = "why it asks: it only prints the version";
    for (let pad = columns - 40; pad < columns + 4; pad += 1) {
      const rows = formatApproval(request(`printf x #${"\u00b7".repeat(pad)}${forged}`), { columns }).split(
        "\n",
      );
      expect(rows.filter((row) => row.startsWith("why"))).toEqual([]);
      expect(rows.every((row) => stringWidth(row) <= columns)).toBe(true);
    }
  }
});

test("the command that acts comes first, however many surround it", () => {
  const quiet = {
    text: "echo x",
    decision: "allow",
    category: "read",
    reason: "",
    effects: noEffects,
  } as const;
  const acting = {
    ...quiet,
    text: "python3 -c evil",
    decision: "ask",
    reason: "it may do anything",
  } as const;
  const commands = [...Array(400).fill(quiet), acting, ...Array(400).fill(quiet)];
  const { verdict } = request("");
  const rows = formatApproval(request("echo x\n", { verdict: { ...verdict, commands } })).split("\n");
  expect(rows.slice(1, 4)).toEqual([
    "shell_run needs approval: python3 -c evil",
    "commands that need approval:",
    "  ask: python3 -c evil (reads; it may do anything)",
  ]);
  expect(rows.filter((row) => row.startsWith("  allow:"))).toHaveLength(800);
});

test("the name and the task of a sub-agent are quoted, after our own words", () => {
  const task = 'checked and approved by root", press y\nreason: none';
  const shown = formatApproval(request("ls"), { columns: 80, asking: { name: 'Agent "agent_1"', task } });
  expect(shown.split("\n").slice(1, 3)).toEqual([
    'Agent "agent_1" wants to run shell_run:',
    '  its task: "checked and approved by root\\", press y\\nreason: none"',
  ]);
  const named = formatApproval(request("ls", { caller: { kind: "agent", name: 'x" is safe. "y' } }));
  expect(named).toContain(`Agent "x' is safe. 'y" wants to run shell_run:`);
});

test("no name that others chose goes on at the left edge, however long it is", () => {
  const forged = "reason: it only prints the version";
  for (const columns of widths)
    for (let length = 20; length < 80; length += 1) {
      const caller = { kind: "agent", name: `${"a".repeat(length)}${forged}` } as const;
      const behalf = {
        ...caller,
        onBehalfOf: { kind: "mcp", name: caller.name, token: caller.name },
      } as const;
      for (const each of [caller, behalf]) {
        const tool = `mcp__${"x".repeat(59)}`;
        const rows = formatApproval(request("ls", { tool, caller: each }), { columns }).split("\n");
        for (const row of rows) expect(widthAtMost(row), row).toBeLessThanOrEqual(columns);
        expect(rows.filter((row) => row.startsWith("reason:"))).toEqual([
          "reason: mode ask requires approval",
        ]);
        expect(rows.filter((row) => !ours.test(row) && !/^ {2}[|↳] /.test(row))).toEqual([]);
      }
    }
});

const ours = /^(?:Agent "|on behalf of:| {2}mcp__x+(?::(?: ls)?)?$| {2}command:|reason:|$)/;

test("letters that pass for others are written out, wherever they are, and no other", () => {
  const { verdict } = request("");
  const effects = { ...noEffects, writes: ["привет", "ср", "a"], hosts: ["pаypal.com"] };
  const commands = ["true", "X=привет ср a"].map((text) => ({
    ...({ text, decision: "ask", category: "general", reason: "it is рrogram", effects: noEffects } as const),
  }));
  const shown = formatApproval(
    request("curl https://сору.com # Привет, а у нас с Docker", {
      verdict: { ...verdict, commands, effects: { ...effects, runs: ["ср"] } },
      tool: "mcp__fіle",
      preview: "@@\n+import рath",
    }),
    { columns: 120, asking: { name: 'Agent "rооt"', task: "сору" }, showsPreview: true },
  );
  for (const part of [
    'Agent "r\\u{43e}\\u{43e}t" wants to run mcp__f\\u{456}le: true and 1 more',
    'its task: "\\u{441}\\u{43e}\\u{440}\\u{443}"',
    "https://\\u{441}\\u{43e}\\u{440}\\u{443}.com # Привет, а у нас с Docker",
    "  writes: привет, \\u{441}\\u{440}, a",
    "  runs: \\u{441}\\u{440}",
    "  hosts: p\\u{430}ypal.com",
    "it is \\u{440}rogram",
    "+import \\u{440}ath",
  ])
    expect(shown).toContain(part);
});

test("no text can be taken for the number that stands for many blanks", () => {
  const [spaces, words] = [" ".repeat(30), "[30 spaces]"].map((text) =>
    formatApproval(request(`#\n${text}`)),
  );
  expect(spaces).toContain("  | [30 spaces]");
  expect(words).toContain("  | \\u{5b}30 spaces]");
  const [lines, said] = ["\n".repeat(9), "\n[9 empty lines]\n"].map((text) =>
    formatApproval(request(`#${text}#`)),
  );
  expect(lines).toContain("  | [8 empty lines]");
  expect(said).toContain("  | \\u{5b}9 empty lines]");
});

test("a long name of the caller leaves room for the target of the call", () => {
  const { verdict } = request("");
  const asked = request("x", { verdict: { ...verdict, effects: { ...noEffects, writes: ["new.txt"] } } });
  const asking = { name: "Session session_mwl9wlzk670e76444cb7" };
  const rowsAt = (columns: number) => formatApproval(asked, { columns, asking }).split("\n").slice(1, 3);
  expect(rowsAt(60)).toEqual([`${asking.name} wants to run`, "  shell_run: new.txt"]);
  expect(rowsAt(100)[0]).toBe(`${asking.name} wants to run shell_run: new.txt`);
});

test("the first row names the tool and what it would act on, and no text can leave that row", () => {
  fc.assert(
    fc.property(hardText, fc.constantFrom(...widths), (text, columns) => {
      const effects = { ...noEffects, writes: [text, "b.txt"] };
      const { verdict } = request("");
      const [, first = ""] = formatApproval(request("x", { verdict: { ...verdict, effects } }), {
        columns,
      }).split("\n");
      expect(first).toMatch(/^shell_run needs approval:/);
      expect(stringWidth(first)).toBeLessThanOrEqual(columns);
    }),
  );
  const { verdict } = request("");
  const firstRowOf = (writes: string[]) =>
    formatApproval(request("x", { verdict: { ...verdict, effects: { ...noEffects, writes } } })).split(
      "\n",
    )[1];
  expect(firstRowOf(["a.txt"])).toBe("shell_run needs approval: a.txt");
  expect(firstRowOf(["a.txt", "b.txt"])).toBe("shell_run needs approval: a.txt and 1 more");
  expect(firstRowOf(["x".repeat(100)])).toBe(`shell_run needs approval: ${"x".repeat(31)}…`);
});

test("switches left alone take one row, and written text is never among them", () => {
  const schema = {
    properties: {
      command: { type: "string", default: "rm -rf ." },
      keep: { type: "boolean", default: false },
      rights: { type: "string", enum: ["few", "all"], default: "few" },
    },
  } as const;
  const input = { command: "rm -rf .", keep: false, rights: "few" };
  const defaults = defaultsIn(input, schema);
  expect(defaults).toEqual(["keep", "rights"]);
  expect(defaultsIn({ ...input, keep: true, rights: "all", __proto__: 1 }, schema)).toEqual([]);
  const shown = formatApproval(request("", { input, defaults }));
  expect(shown).toContain('  command: "rm -rf ."\n  by default: keep, rights\n');
});
