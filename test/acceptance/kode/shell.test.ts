import { expect, test } from "vitest";
import { type ApprovalRequest, defineTool, type HookCall } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { until } from "../../support/until.ts";

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
  const asked: ApprovalRequest[] = [];
  const asking = await openTestSession({
    dialect: "kode",
    permissions: { mode: "ask" },
    onApproval: (request) => {
      asked.push(request);
      return "deny";
    },
  });
  expect((await asking.session.call("bash_run", { cmd: "touch x" })).status).toBe("denied");
  expect(asked).toMatchObject([{ tool: "shell_run", input: { command: "touch x" } }]);
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

test("K17: files end at the workspace, and a hook sees a call's name and arguments and can have a person asked", async () => {
  const reasons: string[] = [];
  const { session } = await openTestSession({
    dialect: "kode",
    permissions: { mode: "auto" },
    hooks: {
      beforeCall({ name, input }: HookCall) {
        if (name !== "bash_run" || /^git /.test((input as { command: string }).command)) return undefined;
        return { decision: "ask", reason: "not on the list of commands" };
      },
    },
    onApproval: ({ verdict }) => {
      reasons.push(verdict.reason);
      return "deny";
    },
    tools: [
      defineTool({
        name: "look",
        description: "Looks.",
        params: {},
        traits: { readOnly: true },
        run: () => "ok",
      }),
    ],
  });
  expect((await session.call("bash_run", { cmd: "git --version" })).status).toBe("done");
  expect((await session.call("look")).status).toBe("done");
  expect(reasons).toEqual([]);
  expect((await session.call("bash_run", { cmd: "echo hi" })).status).toBe("denied");
  expect(reasons).toEqual([expect.stringContaining("not on the list of commands")]);
  expect((await session.call("fs_read", { path: "../outside.txt" })).status).toBe("denied");
});
