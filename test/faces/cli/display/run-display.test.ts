import stringWidth from "string-width";
import { expect, test } from "vitest";
import { describeCommand } from "../../../../src/capabilities/processes/tools/shell/run.ts";
import { createRunDisplay } from "../../../../src/faces/cli/display/run-display.ts";
import { createLiveLine } from "../../../../src/faces/cli/terminal/live-line.ts";
import type { LoggedEvent, SessionEvent } from "../../../../src/index.ts";
import type { CommandOutcome } from "../../../../src/tool/services/processes.ts";
import { canonicalWording } from "../../../../src/tool/wording.ts";

/** What is printed of a log, on a terminal of so many columns. */
async function print(
  events: readonly SessionEvent[],
  columns?: number,
  live = createLiveLine(undefined),
): Promise<string> {
  let text = "";
  const output = {
    write: async (data: string) => {
      text += data;
      return true;
    },
    tell: async (talk: string) => {
      text += talk.endsWith("\n") ? talk : `${talk}\n`;
    },
    style: (_style: unknown, styled: string) => styled,
    styleMessage: (_style: unknown, styled: string) => styled,
    messageColumns: () => columns,
    isTerminal: true,
    failure: undefined,
  };
  const display = createRunDisplay(output, { live, workspace: "/w" });
  for (const event of logged(events)) await display.show(event);
  return text;
}

function logged(events: readonly SessionEvent[]): LoggedEvent[] {
  return events.map((event, index) => ({
    ...{ sessionId: "s", sequence: index + 1, at: "2026-01-01T00:00:00.000Z", channel: "progress" },
    ...event,
  }));
}

function start(subagentId: string, title: string, mode: "sync" | "background" = "background"): SessionEvent {
  return {
    type: "subagent-start",
    subagentId,
    callId: `call-${subagentId}`,
    mode,
    title,
    childSessionId: "child",
  };
}

function inside(subagentId: string, ...events: readonly SessionEvent[]): SessionEvent[] {
  return logged(events).map((event) => ({ type: "subagent-event", subagentId, event }));
}

function end(subagentId: string, others: object = {}): SessionEvent {
  const report = { reason: "done", text: "", steps: 1, calls: 0, tokens: 5, durationMs: 7 } as const;
  return { type: "subagent-end", subagentId, title: "t", childSessionId: "child", ...report, ...others };
}

function words(text: string): SessionEvent {
  return { type: "text-delta", runId: "r", step: 1, text };
}

const call: readonly SessionEvent[] = [
  {
    ...{ type: "assistant-message", runId: "r", step: 1, finishReason: "tool-calls" },
    content: [{ type: "tool-call", callId: "c", toolCallId: "c", toolName: "Grep", input: {} }],
  },
  {
    ...{ type: "call-end", callId: "c", text: "" },
    receipt: {
      ...{ callId: "c", sessionId: "child", startedAt: "", durationMs: 3, tool: "Grep" },
      ...{ caller: { kind: "agent", name: "a" }, input: { pattern: "字".repeat(60) }, status: "done" },
      ...{ effects: { reads: [], writes: [], runs: [], hosts: [], opaque: false } },
      ...{ inputHash: "", resultHash: "" },
    },
  },
];

/** A call of a model that has ended, as the log has it. */
function finished(input: object, { text = "", others = {} }: { text?: string; others?: object } = {}) {
  const [asked, ended] = structuredClone(call) as [SessionEvent, Extract<SessionEvent, { type: "call-end" }>];
  return [asked, { ...ended, text, receipt: { ...ended.receipt, input, ...others } }];
}

test("paths are shown from where the work is done: the workspace, or an agent's own worktree", async () => {
  const inWorktree: SessionEvent = { type: "session-open", resumed: false, workspace: "/state/tree" };
  const text = await print([
    ...finished({ path: "/w/src/a.ts" }),
    ...finished({ path: "/w" }),
    ...finished({ path: "/elsewhere/a.ts" }),
    ...finished({ pattern: "/w/src" }),
    start("agent_1", "look", "sync"),
    ...inside(
      "agent_1",
      inWorktree,
      ...finished({ source: "/state/tree/b.ts" }),
      ...finished({ path: "/w/b.ts" }),
    ),
  ]);
  const shown = [...text.matchAll(/✓ Grep (\S+) 3 ms/g)].map(([, about]) => about);
  expect(shown).toEqual(["src/a.ts", ".", "/elsewhere/a.ts", "/w/src", "b.ts", "/w/b.ts"]);
});

test("every retry of the model starts a new wait", async () => {
  const told: (string | undefined)[] = [];
  const live = { ...createLiveLine(undefined), set: (text: string | undefined) => void told.push(text) };
  const retry = { type: "model-retry", runId: "r", step: 1, attempt: 1, delayMs: 5, reason: "busy" } as const;
  await print([retry, retry], undefined, live);
  const waiting = "waiting to try again";
  expect(told).toEqual([undefined, waiting, undefined, waiting]);
});

test("a long command is shown with how it ended", async () => {
  const outcome: CommandOutcome = {
    ...{ stdout: "one\ntwo\n", stderr: "", exitCode: 0, signal: null, elapsedMs: 9000, notes: [] },
    ...{ directory: "/w", omitted: { stdout: 0, stderr: 0 } },
  };
  const verdict = {
    decision: "allow",
    reason: "",
    decidedBy: "",
    permissionClass: "execute",
    category: "general",
  };
  const endings = [outcome, { ...outcome, exitCode: 3 }].map(async (ending) =>
    print(
      finished({ command: "make" }, { text: describeCommand(ending, canonicalWording), others: { verdict } }),
    ),
  );
  expect(await Promise.all(endings)).toEqual([
    "✓ Grep make 3 ms\n  two\n",
    "✓ Grep make 3 ms\n  Exit code 3.\n",
  ]);
});

test("lines about sub-agents do not interrupt a line of the model's text", async () => {
  const text = await print([
    start("agent_1", "look"),
    words("I am "),
    ...inside("agent_1", ...call),
    end("agent_1"),
    words("writing."),
    { type: "assistant-message", runId: "r", step: 1, finishReason: "stop", content: [] },
  ]);
  expect(text).toMatch(
    /^▸ agent_1 look \(background\)\nI am writing\.\n│ look: ✓ Grep 字+ 3 ms\n└ look: ✓ 1 step, 0 calls, 5 tokens, 7 ms\n$/,
  );
});

test("an agent whose start was not seen is shown by its id", async () => {
  expect(await print([end("agent_1", { reason: "failed", problem: "its process\nended" })])).toBe(
    "└ agent_1: ✗ failed: its process\\nended (1 step, 0 calls, 5 tokens, 7 ms)\n",
  );
});

test("an agent's branch is shown when it ends", async () => {
  const work = { branch: "b\u001b[2J", base: "0", hasUncommitted: false, isKept: true, hasMoreFiles: false };
  const files = [{ path: "a", change: "M" }];
  expect(await print([start("agent_1", "write", "sync"), end("agent_1", { work: { ...work, files } })])).toBe(
    "▸ agent_1 write\n└ ✓ 1 step, 0 calls, 5 tokens, 7 ms\n  branch b\\u{1b}[2J: 1 file changed\n",
  );
});

test("letters that are two columns wide fit into a narrow terminal, too", async () => {
  const [first = "", second = ""] = (
    await print([start("agent_1", "查找文件里的字".repeat(9)), ...inside("agent_1", ...call)], 40)
  ).split("\n");
  expect(first).toMatch(/^▸ agent_1 查找文件里的字.*… \(background\)$/);
  expect(second).toMatch(/^│ 查找文件里的.*…: ✓ Grep 字.*… 3 ms$/);
  for (const line of [first, second]) {
    expect(stringWidth(line)).toBeLessThanOrEqual(40);
    expect(stringWidth(line)).toBeGreaterThan(38);
  }
});

test("titles and kinds cannot control the terminal", async () => {
  const text = await print([{ ...start("agent_1", "a\u001b[2J\nb"), kind: "k\u0007" } as SessionEvent]);
  expect(text).toBe("▸ agent_1 a\\u{1b}[2J\\nb (k\\u{7}, background)\n");
});

test("with a hundred agents at once, each line says whose it is", async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `agent_${index}`);
  const text = await print([
    ...ids.map((id) => start(id, "the same")),
    ...ids.flatMap((id) => inside(id, ...call)),
    ...ids.map((id) => end(id)),
  ]);
  const lines = text.trimEnd().split("\n");
  expect(lines).toHaveLength(300);
  const names = lines.slice(100).map((line) => /^[│└] ([^:]+): /.exec(line)?.[1]);
  expect(new Set(names)).toEqual(new Set(["the same", ...ids.slice(1)]));
});
