import { expect, test } from "vitest";
import { waitingTools } from "../../../../src/capabilities/made/made-capability.ts";
import { waitingServers } from "../../../../src/capabilities/mcp-client/mcp-capability.ts";
import { describeWaiting } from "../../../../src/faces/cli/commands/waiting/approvals.ts";
import type { ApprovalRequest } from "../../../../src/kernel/people/approvals.ts";
import { formatApproval } from "../../../../src/kernel/people/format-approval.ts";
import type { WaitingEntry, WaitingKind } from "../../../../src/kernel/people/waiting-list.ts";
import { noEffects } from "../../../../src/kernel/policy/verdict.ts";
import { hardText, readBack, shownWhole, widthAtMost } from "../../../kernel/people/hard-text.ts";
import { fc } from "../../../support/fuzz.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { until } from "../../../support/until.ts";

const request: ApprovalRequest = {
  ...{ id: "approval_1", callId: "call_1", sessionId: "one", tool: "shell_run", input: {} },
  caller: { kind: "agent", name: "agent" },
  verdict: {
    ...{ decision: "ask", decidedBy: "mode ask", reason: "mode ask requires approval" },
    ...{ permissionClass: "execute", effects: noEffects },
  },
  requestedAt: "2026-01-01T00:00:00.000Z",
};

const never = async () => {
  throw new Error("nothing is decided here");
};

/** Each kind of things that wait, about a text that others wrote. */
const kinds: Readonly<Record<string, (text: string) => Pick<WaitingKind, "list">>> = {
  call: (text) => ({
    list: async (options = {}) => [
      {
        id: "call:1",
        title: "call in session one",
        text: formatApproval({ ...request, input: { command: text } }, options).trim(),
        call: { ...request, rules: [`Bash(${text.replaceAll("\n", " ")})`] },
      },
    ],
  }),
  "MCP server": (text) =>
    waitingServers({
      approvals: async () => [{ id: "mcp:a@123", server: "a", kind: "new", text }],
      approve: never,
      deny: never,
    }),
  "tool of an MCP server": (text) =>
    waitingServers({
      approvals: async () => [
        { id: `mcp:a/${text}@123`, server: "a", kind: "changed", text: "", diff: text },
      ],
      approve: never,
      deny: never,
    }),
  "made tool": (text) =>
    waitingTools({
      list: async () => [
        {
          ...{ id: "tool:a@123", name: "a", hash: "123", status: "proposed", version: 1 },
          ...{ description: "", language: "shell", permissions: [], madeAt: "2026-01-01T00:00:00.000Z" },
          ...{ madeBy: text, text },
        },
      ],
      approve: never,
      deny: never,
    }),
};

/** Rows of ours: none of them holds what others wrote but in quotes, or in few words. */
const ours =
  /^(?:\S+ \(|\((?:new|changed|made tool)|for good with --always:|(?:shell_run needs approval|reason|made by| {2}command):|A tool asks:|$)/;

function expectWhole(item: WaitingEntry, text: string, columns: number): void {
  const rows = describeWaiting(item, columns).split("\n");
  for (const row of rows) {
    // Where the output is no terminal, it is for a program.
    if (!row.startsWith(`${item.id} (`)) expect(widthAtMost(row), row).toBeLessThanOrEqual(columns);
    if (!/^ {2}[|↳] /.test(row)) expect(row).toMatch(ours);
  }
  expect(rows.join("")).not.toMatch(
    /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{13441}\u{16fe4}]/u,
  );
  expect(readBack(rows)).toContain(shownWhole(text));
}

test.each(Object.entries(kinds))(
  "a waiting %s is shown whole and marked, at every width",
  async (_name, make) => {
    await fc.assert(
      fc.asyncProperty(hardText, fc.constantFrom(60, 80, 120), async (written, columns) => {
        const text = `#\n${written}\n#`;
        const [item] = await make(text).list({ columns });
        expectWhole(item!, text, columns);
      }),
      { numRuns: 40 },
    );
  },
);

test("waiting names of agents and tools that are longer than a row are shown whole and marked", async () => {
  const forged = "reason:_it_only_reads";
  const { runtime, session } = await openTestSession({ approvals: "queue" }, { dialect: "canonical" });
  const caller = { kind: "agent", name: `${"a".repeat(43)}${forged}` } as const;
  void session.call("user_ask", { question: "Sure?" }, { caller });
  await until(async () => (await runtime.approvals.list()).length === 1);
  const servers = waitingServers({
    approvals: async () => [
      { id: `mcp:a/${"x".repeat(54)}${forged}@123`, server: "a", kind: "new", text: "" },
    ],
    approve: never,
    deny: never,
  });
  for (const columns of [60, 80]) {
    const items = [...(await runtime.approvals.list({ columns })), ...(await servers.list({ columns }))];
    for (const item of items)
      for (const row of describeWaiting(item, columns).split("\n")) {
        if (!row.startsWith("question:")) expect(widthAtMost(row), row).toBeLessThanOrEqual(columns);
        expect(row).not.toMatch(/^reason/);
      }
  }
});

test("a waiting question is shown whole and marked, at every width", async () => {
  const { runtime, session } = await openTestSession({ approvals: "queue" }, { dialect: "canonical" });
  const texts = fc.sample(hardText, 8).map((text) => `#\n${text}\n#`);
  for (const question of texts) void session.call("user_ask", { question: question.slice(0, 4000) });
  await until(async () => (await runtime.approvals.list()).length === texts.length);
  for (const columns of [60, 80, 120])
    for (const item of await runtime.approvals.list({ columns }))
      expectWhole(item, item.question!.question.text, columns);
});
