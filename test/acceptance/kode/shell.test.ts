import { expect, test } from "vitest";
import type { Hooks } from "../../../src/systems/kode/index.ts";
import { calling } from "../../capabilities/agents/open-agent.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { until } from "../../support/until.ts";
import { createKode, listen } from "./create-kode.ts";

test("K14: bash_run waits for a command or starts it in the background, and a mode can ask before it", async () => {
  const { session } = await openTestSession({ dialect: "kode", permissions: { mode: "auto" } });
  expect((await session.call("bash_run", { cmd: "echo hi; exit 3" })).data).toEqual({
    background: false,
    code: 3,
    signal: null,
    output: "hi\n",
    stderr: "",
  });
  const started = await session.call("bash_run", { cmd: "true", background: true });
  expect(started.data).toEqual({ background: true, shell_id: "bg_task_1" });
  const calls = [calling("bash_run", { cmd: "touch x" })];
  const { agent } = await createKode({ overrides: { permission: { mode: "approval" } } }, calls);
  const reply = await agent.chat("go");
  expect(reply).toMatchObject({ status: "paused", permissionIds: [expect.any(String)] });
  const ended = listen(agent, "tool:end");
  await agent.decide(reply.permissionIds![0]!, "deny");
  await until(() => ended.length === 1);
  expect(ended[0]!.call).toMatchObject({ name: "bash_run", state: "DENIED" });
});

test("K15, K16: bash_logs reads what a command in the background has printed so far, and bash_kill ends it", async () => {
  const { session } = await openTestSession({ dialect: "kode", permissions: { mode: "auto" } });
  const started = await session.call("bash_run", { cmd: "echo begun; sleep 60", background: true });
  const { shell_id } = started.data as { shell_id: string };
  const logs = async () => (await session.call("bash_logs", { shell_id })).data as { text: string };
  const printed: string[] = [];
  await until(async () => {
    printed.push((await logs()).text);
    return printed.join("") === "begun\n";
  });
  const [job] = await session.jobs.list();
  expect((await session.call("bash_kill", { shell_id })).data).toMatchObject({
    id: shell_id,
    state: "killed",
  });
  expect(() => process.kill(job!.identity.pid, 0)).toThrow("ESRCH");
});

test("K17: files end at the sandbox, and a hook sees each call's name and arguments and can have a person asked, who learns why", async () => {
  const preToolUse: Hooks["preToolUse"] = (call) => {
    if (call.name === "bash_run" && !/^git /.test(call.args.cmd))
      return { decision: "ask", meta: { reason: "not on the list of commands" } };
    return undefined;
  };
  const calls = [
    calling("bash_run", { cmd: "git --version" }),
    calling("bash_run", { cmd: "echo hi" }),
    // The same command under the runtime's own name.
    calling("shell_run", { command: "echo hi" }),
    calling("fs_read", { path: "../outside.txt" }),
  ];
  const { agent, requests } = await createKode({ overrides: { hooks: { preToolUse } } }, calls);
  const asked: unknown[] = [];
  agent.on("permission_required", async (event) => {
    asked.push(event.reason);
    await event.respond?.("deny");
  });
  await agent.chat("go");
  expect(asked).toEqual(Array(2).fill(expect.stringContaining("not on the list of commands")));
  const told = JSON.stringify(requests.at(-1)!.prompt);
  expect(told).toContain("git version");
  expect(told).not.toContain("hi\\n");
  expect(told).toContain("outside the workspace");
});
