import { mkdtempSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { HookCommand, HookCommands } from "../../../../src/kernel/call/hooks/commands/hook-command.ts";
import { openTestSession } from "../../../support/open-test-session.ts";
import { act, echo } from "../../../support/sample-tools.ts";
import { until } from "../../../support/until.ts";

const folder = mkdtempSync(join(tmpdir(), "toolwright-hooks-"));
const seen = join(folder, "seen.jsonl");

/** Notes what it reads, then does what its first argument says. */
const program = `#!/bin/sh
read -r line; printf '%s\\n' "$line" >> "${seen}"; env > "${folder}/env"
case "$1" in
  silent) ;;
  deny) echo '{"decision":"block","reason":"not today"}' ;;
  deny2) echo "by code" >&2; exit 2 ;;
  ask) echo '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"look at it"}}' ;;
  allow) echo '{"hookSpecificOutput":{"permissionDecision":"allow","permissionDecisionReason":"fine"}}' ;;
  rewrite) echo '{"hookSpecificOutput":{"updatedInput":{"text":"other"}}}' ;;
  both) echo '{"decision":"block","reason":"not this","hookSpecificOutput":{"permissionDecision":"allow"}}' ;;
  askother) echo '{"hookSpecificOutput":{"permissionDecision":"ask","updatedInput":{"text":"other"}}}' ;;
  allowother) echo '{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"harmless":true}}}' ;;
  add) echo '{"hookSpecificOutput":{"additionalContext":"remember the tests"}}' ;;
  garbage) echo 'allow it' ;;
  half) printf '{"hookSpecificOutput":{"permissionDecision":"allow"' ;;
  list) echo '[1]' ;;
  deep) echo '{"hookSpecificOutput":{"updatedInput":${"[".repeat(2000)}${"]".repeat(2000)}}}' ;;
  unknown) echo '{"decision":"perhaps"}' ;;
  crash) kill -SEGV $$ ;;
  fail) echo "broken" >&2; exit 7 ;;
  hang) sleep 1000 & sleep 1000 ;;
  flood) yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | head -c 1000000000 ;;
esac
`;

beforeAll(async () => {
  await writeFile(join(folder, "hook"), program);
  await chmod(join(folder, "hook"), 0o755);
});

const runs = (what: string, more: Partial<HookCommand> = {}): HookCommand => ({
  command: [join(folder, "hook"), what],
  ...more,
});
const open = (hooks: HookCommands, more: object = {}) =>
  openTestSession({ tools: [echo, act], hooks, permissions: { mode: "auto" }, ...more });

const failing = [
  ["crash", "killed by a signal"],
  ["fail", "exited with code 7: broken"],
  ["garbage", "not JSON: allow it"],
  ["half", "not JSON"],
  ["list", "not an object"],
  ["deep", "nested more than 1000 deep"],
  ["unknown", 'unknown decision "perhaps"'],
  ["flood", "printed more than"],
  ["hang", "no answer within 200 ms"],
] as const;

test("a program that crashes, fails, hangs, floods or prints garbage stops the call, and leaves no process", async () => {
  for (const [what, why] of failing) {
    const timeoutMs = what === "hang" ? 200 : 60_000;
    const { session } = await open({ PreToolUse: [runs(what, { timeoutMs })] });
    const { status, error } = await session.call("echo", { text: "x" });
    expect([what, status, error?.code]).toEqual([what, "denied", "hook-failed"]);
    expect(error?.message).toContain(why);
  }
  const missing = await open({ PreToolUse: [{ command: ["no-such-program-here"] }] });
  expect((await missing.session.call("echo", { text: "x" })).error?.code).toBe("hook-failed");
});

test("a program denies, asks, changes the input and adds to the result, in the forms that are widely used", async () => {
  const tell = async (hooks: HookCommands) =>
    (await (await open(hooks)).session.call("echo", { text: "x" })).text;
  expect(await tell({ PreToolUse: [runs("deny")] })).toContain("denied by hook beforeCall[0]: not today");
  expect(await tell({ PreToolUse: [runs("deny2")] })).toContain("by code");
  expect(await tell({ PreToolUse: [runs("ask")] })).toContain("nobody to ask: look at it");
  expect(await tell({ PreToolUse: [runs("rewrite")] })).toBe("other");
  expect(await tell({ PostToolUse: [runs("add")] })).toBe(
    "x\n\nA hook adds:\n```text\nremember the tests\n```",
  );
  expect(await tell({ PostToolUse: [runs("fail")] })).toContain("its result is withheld");
});

test("a command hook reads both names of the tool, runs with a bare environment, and only for the tools it is for", async () => {
  process.env.MY_API_TOKEN = "t0ken-of-the-user";
  await writeFile(seen, "");
  const { session } = await open({ PreToolUse: [runs("silent", { matcher: "Repeat_Back|nothing*" })] });
  await session.call("act", {});
  await session.call("repeat_back", { text: "x" });
  const [line, none] = (await readFile(seen, "utf8")).split("\n");
  expect(none).toBe("");
  expect(JSON.parse(line!)).toMatchObject({
    hook_event_name: "PreToolUse",
    session_id: session.id,
    tool_name: "repeat_back",
    canonical_name: "echo",
    tool_input: { text: "x" },
    canonical_input: { text: "x", times: 1 },
  });
  expect(await readFile(join(folder, "env"), "utf8")).not.toContain("t0ken");
  delete process.env.MY_API_TOKEN;
});

test("a command hook with an empty matcher is run for all tools", async () => {
  for (const matcher of ["", "*"]) {
    const { session } = await open({ PreToolUse: [runs("deny", { matcher })] });
    const { text } = await session.call("echo", { text: "x" });
    expect([matcher, text]).toEqual([matcher, expect.stringContaining("not today")]);
  }
});

test("an allow never outweighs a deny, nor an ask unless the hook may approve", async () => {
  const ask = { permissions: { mode: "ask" } };
  const status = async (hooks: HookCommands, more: object) =>
    (await (await open(hooks, more)).session.call("act", {})).error?.code ?? "done";
  const deny = { permissions: { mode: "auto", deny: ["act"] } };
  expect(await status({ PreToolUse: [runs("allow")] }, deny)).toBe("permission-denied");
  expect(await status({ PreToolUse: [runs("allow")] }, ask)).toBe("approval-needed");
  expect(await status({ PermissionRequest: [runs("allow")] }, ask)).toBe("approval-needed");
  expect(await status({ PermissionRequest: [runs("allow", { mayApprove: true })] }, ask)).toBe("done");
  expect(await status({ PermissionRequest: [runs("allow", { mayApprove: true })] }, deny)).toBe(
    "permission-denied",
  );
  const both = [runs("allow", { mayApprove: true }), runs("deny")];
  expect(await status({ PermissionRequest: both }, ask)).toBe("permission-denied");
  expect(await status({ PermissionRequest: [runs("garbage", { mayApprove: true })] }, ask)).toBe(
    "hook-failed",
  );
});

test("of two decisions in one answer the stricter counts, and an input that cannot be changed there is not approved unchanged", async () => {
  const tell = async (hooks: HookCommands, more: object = {}) =>
    (await (await open(hooks, more)).session.call("act", {})).text;
  const ask = { permissions: { mode: "ask" } };
  expect(await tell({ PreToolUse: [runs("both")] })).toContain("not this");
  expect(await tell({ PermissionRequest: [runs("both", { mayApprove: true })] }, ask)).toContain("not this");
  expect(await tell({ PermissionRequest: [runs("allowother", { mayApprove: true })] }, ask)).toContain(
    "only PreToolUse can change the input",
  );
  expect(await tell({ PreToolUse: [runs("askother")] }, { onApproval: () => "allow" })).toContain(
    "it asks and changes the input in one answer",
  );
  await expect(open({ SessionStart: [runs("ask")] })).rejects.toThrow("it can only deny here");
});

test("a session whose hook fails does not open, and its end is told", async () => {
  await expect(open({ SessionStart: [runs("garbage")] })).rejects.toThrow("so the session was stopped");
  await expect(open({ SessionStart: [runs("deny")] })).rejects.toThrow("denied by hook event[0]: not today");
  await writeFile(seen, "");
  const { session } = await open({ SessionStart: [runs("silent")], SessionEnd: [runs("garbage")] });
  await session.close();
  const told = (await readFile(seen, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).hook_event_name);
  expect(told).toEqual(["SessionStart", "SessionEnd"]);
});

test("a program is told of what waits for a person, and how to answer it; what it does delays and changes nothing", async () => {
  await writeFile(seen, "");
  const hooks = { Notification: ["garbage", "hang"].map((what) => runs(what, { timeoutMs: 5_000 })) };
  const store = `sqlite:${join(mkdtempSync(join(folder, "store-")), "store.sqlite")}`;
  const more = { store, sandbox: "off", permissions: { mode: "ask" }, secrets: ["s3cr3t-of-the-test"] };
  const { session, runtime } = await open(hooks, more);
  await session.call("file_write", { path: "a", content: "s3cr3t-of-the-test" });
  // The same again is nothing new.
  await session.call("file_write", { path: "a", content: "s3cr3t-of-the-test" });
  await session.call("user_ask", { question: "Which port?" });
  const lines = async () => [...new Set((await readFile(seen, "utf8")).trim().split("\n"))];
  await until(async () => (await lines()).length === 2);
  const told = (await lines()).map((line) => JSON.parse(line));
  const [call, question] = await runtime.approvals.list();
  expect(told).toContainEqual({
    hook_event_name: "Notification",
    session_id: session.id,
    cwd: runtime.workspace,
    message: expect.stringContaining("needs approval"),
    waiting: {
      id: call!.id,
      command: expect.stringContaining(`toolwright approve ${call!.id} --workspace`),
      call: expect.objectContaining({
        tool: "file_write",
        input: { path: "a", content: "[redacted]" },
        preview: expect.stringContaining("+[redacted]"),
        verdict: expect.objectContaining({ decision: "ask" }),
      }),
    },
  });
  expect(told).toContainEqual(
    expect.objectContaining({
      message: expect.stringContaining("A tool asks: Which port?"),
      waiting: expect.objectContaining({ id: question!.id, question: expect.any(Object) }),
    }),
  );
});

test("a hook that cannot be one is refused when the runtime opens", async () => {
  const bad = (hooks: object) => expect(open(hooks)).rejects;
  await bad({ PreToolUse: [{ command: "rm -rf x" }] }).toThrow(
    "must be a list of a program and its arguments",
  );
  await bad({ PreToolUse: [runs("silent", { mayApprove: true })] }).toThrow("only for PermissionRequest");
  for (const matcher of ["mcp__github__.*", "^Bash$", "(Edit|Write)", "Notebook.+", "\\w+", "[EW]*"])
    await bad({ PreToolUse: [runs("silent", { matcher })] }).toThrow("matcher is not a regular expression");
  await bad({ PreTool: [] }).toThrow("PreTool is not an option");
  await bad({ Stop: [{ ...runs("silent"), timeout: 3 }] }).toThrow("timeout is not an option");
});
