import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { defineTool, type Hooks } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { stopClock } from "../../support/stop-clock.ts";

const tool = (run: () => unknown) =>
  defineTool({ name: "sample", description: "Returns it.", params: {}, traits: { readOnly: true }, run });

const content = [{ type: "text", text: "no such city" }] as const;
const failing: [string, unknown, string][] = [
  ["parts", { isError: true, content }, "no such city"],
  ["parts with data", { isError: true, content, data: { city: "x" } }, "no such city"],
  ["a message", { isError: true, message: "no such city" }, "no such city"],
  ["an error", { isError: true, error: "no such city" }, "no such city"],
  ["nothing else", { isError: true }, "the tool reported an error"],
];

test.each(failing)(
  "a result with isError and %s is a failure, from a tool or a hook",
  async (_what, value, message) => {
    const ways: [string, { tools: [ReturnType<typeof tool>]; hooks?: Hooks }][] = [
      ["run", { tools: [tool(() => value)] }],
      [
        "a hook's answer",
        {
          tools: [tool(() => "never")],
          hooks: { beforeCall: () => ({ decision: "answer", result: value }) },
        },
      ],
      [
        "a hook's replacement",
        { tools: [tool(() => "fine")], hooks: { afterCall: () => ({ decision: "replace", result: value }) } },
      ],
    ];
    for (const [way, options] of ways) {
      const { session } = await openTestSession(options);
      const result = await session.call("sample");
      expect(result, way).toMatchObject({
        status: "failed",
        error: { code: "tool-failed", message },
        receipt: { status: "failed", code: "tool-failed" },
      });
    }
  },
);

test("a tool whose own output has a field isError may return it", async () => {
  const lint = defineTool({
    name: "lint",
    description: "Lints.",
    params: {},
    traits: { readOnly: true },
    output: { type: "object", properties: { isError: { type: "boolean" } } },
    run: () => ({ isError: true }),
  });
  const { session } = await openTestSession({ tools: [lint] });
  expect(await session.call("lint")).toMatchObject({ status: "done", data: { isError: true } });
});

test("a hook that fails after the call does not say that the call was stopped", async () => {
  const afterCall = () => {
    throw new Error("no connection");
  };
  const { session, workspace } = await openTestSession({
    permissions: { mode: "edit" },
    hooks: { afterCall },
  });
  const path = join(workspace, "a.txt");
  const result = await session.call("file_write", { path, content: "written" });
  expect(await readFile(path, "utf8")).toBe("written");
  expect(result).toMatchObject({
    status: "failed",
    error: {
      code: "hook-failed",
      message: "file_write ran, but hook afterCall[0] failed, so its result is withheld: no connection",
    },
    receipt: { status: "failed", verdict: { decision: "allow" }, effects: { writes: ["a.txt"] } },
  });
});

test("a hook that fails before the call denies it", async () => {
  const beforeCall = () => {
    throw new Error("no connection");
  };
  const { session } = await openTestSession({ tools: [tool(() => "never")], hooks: { beforeCall } });
  expect(await session.call("sample")).toMatchObject({
    status: "denied",
    error: { message: "hook beforeCall[0] failed, so the call was stopped: no connection" },
  });
});

test.each([undefined, "", 5])(
  "a hook's decision with the reason %j is told as one without a reason",
  async (reason) => {
    const beforeCall = () => ({ decision: "ask", reason }) as never;
    const { session } = await openTestSession({ tools: [tool(() => "never")], hooks: { beforeCall } });
    const { reason: said } = await session.explain("sample");
    expect(said).toContain("hook beforeCall[0] gave no reason");
  },
);

test("neither the duration nor the running time has the time in which a person thinks", async () => {
  const asking = defineTool({
    name: "asking",
    description: "Asks.",
    params: {},
    run: async (_input, { ask }) => ask({ text: "Well?" }),
  });
  const think = async () => vi.advanceTimersByTimeAsync(60_000);
  const { session } = await openTestSession({
    tools: [asking],
    onApproval: async () => {
      await think();
      return "allow";
    },
    onQuestion: async () => {
      await think();
      return "yes";
    },
  });
  stopClock();
  const { status, receipt } = await session.call("asking");
  expect(status).toBe("done");
  expect(receipt.durationMs).toBeLessThan(1000);
  expect(session.budget.used.wallTimeMs).toBeLessThan(1000);
});

test("a command's changes are said to be beyond undoing, and a call that changed nothing to have changed nothing", async () => {
  const { session, workspace } = await openTestSession({ permissions: { mode: "auto" }, sandbox: "off" });
  await writeFile(join(workspace, "a.txt"), "gone soon");
  const removed = await session.call("shell_run", { command: "rm a.txt" });
  expect((await session.undo(removed.callId)).error?.message).toContain(
    "what shell_run changes is not recorded, so it cannot be taken back",
  );
  const listed = await session.call("file_list");
  expect((await session.undo(listed.callId)).error?.message).toContain("file_list changed nothing");
});

test("annotations say the worst that a tool may do", async () => {
  const { session } = await openTestSession({
    tools: [
      tool(() => "read"),
      defineTool({ name: "opaque", description: "Says nothing of itself.", params: {}, run: () => "" }),
    ],
  });
  const hints = new Map(session.tools().map(({ name, annotations }) => [name, annotations]));
  for (const name of [
    "Write",
    "Edit",
    "file_multi_edit",
    "file_patch",
    "file_move",
    "file_copy",
    "file_delete",
  ])
    expect(hints.get(name) ?? name, name).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  for (const name of ["Bash", "Agent", "opaque"])
    expect(hints.get(name), name).toMatchObject({ destructiveHint: true, openWorldHint: true });
  for (const name of ["Read", "Glob", "sample"])
    expect(hints.get(name), name).toMatchObject({ readOnlyHint: true, destructiveHint: false });
});
