import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatApproval } from "../../../../../src/kernel/people/format-approval.ts";
import { openTestSession, temporaryFolder } from "../../../../support/open-test-session.ts";

const free = { permissions: { mode: "auto" }, sandbox: "off" } as const;

test("the next command starts where the last one ended, also after the session was opened again", async () => {
  const { session, runtime, workspace } = await openTestSession(free, { id: "moving" });
  await mkdir(join(workspace, "a/b"), { recursive: true });
  await session.call("shell_run", { command: "cd a && cd b" });
  expect((await session.call("shell_run", { command: "pwd" })).text).toBe(join(workspace, "a/b"));
  expect((await session.call("shell_run", { command: "pwd", cwd: ".." })).text).toBe(join(workspace, "a"));
  await session.close();
  const again = await runtime.openSession({ id: "moving" });
  expect((await again.call("shell_run", { command: "pwd" })).text).toBe(join(workspace, "a/b"));
});

test("only a command that changes its directory moves the next one", async () => {
  const { session, workspace } = await openTestSession(free);
  await mkdir(join(workspace, "a/b"), { recursive: true });
  const slow = session.call("shell_run", { command: 'until [ -e go ]; do sleep 0.02; done; echo "$PWD"' });
  await session.call("shell_run", { command: "cd a" });
  await session.call("shell_run", { command: 'echo "$PWD"', cwd: "b" });
  await writeFile(join(workspace, "go"), "");
  expect((await slow).text).toBe(workspace);
  expect((await session.call("shell_run", { command: "pwd" })).text).toBe(join(workspace, "a"));
  await session.call("shell_run", { command: 'cd "$PWD/.."', cwd: "b" });
  expect((await session.call("shell_run", { command: "pwd" })).text).toBe(join(workspace, "a"));
});

test("a command fails if the directory of the last one is gone, and says where the next one starts", async () => {
  const { session, workspace } = await openTestSession(free);
  await mkdir(join(workspace, "a"));
  await session.call("shell_run", { command: "cd a" });
  await rm(join(workspace, "a"), { recursive: true });
  const refused = await session.call("shell_run", { command: "touch made" });
  expect(refused).toMatchObject({ status: "failed", error: { code: "not-found" } });
  expect(refused.text).toContain(`Run the command again; it starts in ${workspace}`);
  expect((await session.call("shell_run", { command: "ls; pwd" })).text).toBe(workspace);
});

test("a directory that has become a way out of the workspace is not entered", async () => {
  const { session, workspace } = await openTestSession(free);
  await mkdir(join(workspace, "a"));
  await session.call("shell_run", { command: "cd a" });
  await rm(join(workspace, "a"), { recursive: true });
  await symlink("/usr", join(workspace, "a"));
  const refused = await session.call("shell_run", { command: 'echo "$PWD"' });
  expect(refused).toMatchObject({ status: "failed", error: { code: "outside-workspace" } });
  expect((await session.call("shell_run", { command: 'echo "$PWD"' })).text).toBe(workspace);
});

test("a directory that is swapped for a link while a person is asked is not entered", async () => {
  const asking = { sandbox: "off", permissions: { ask: ["Bash(env)"] } } as const;
  const folder = await temporaryFolder();
  const { session, workspace } = await openTestSession({
    ...asking,
    workspace: folder,
    onApproval: async () => {
      await rm(join(folder, "a"), { recursive: true });
      await symlink("/usr", join(folder, "a"));
      return "allow" as const;
    },
  });
  await mkdir(join(workspace, "a"));
  const refused = await session.call("shell_run", { command: "env", cwd: "a" });
  expect(refused).toMatchObject({ status: "failed", error: { code: "outside-workspace" } });
});

test("no command runs outside the workspace, and none takes the next one there", async () => {
  const { session, workspace } = await openTestSession(free);
  await symlink("/usr", join(workspace, "way-out"));
  for (const cwd of ["/usr", "..", "way-out"]) {
    const refused = await session.call("shell_run", { command: "pwd", cwd });
    expect(refused).toMatchObject({ status: "failed", error: { code: "outside-workspace" } });
  }
  const left = await session.call("shell_run", { command: "cd way-out; echo gone" });
  expect(left.text).toBe(
    `gone\nThe next command starts in ${workspace} again: /usr is outside the workspace.`,
  );
  expect((await session.call("shell_run", { command: "pwd" })).text).toBe(workspace);
});

test("a person who is asked about a command sees where it would run", async () => {
  const questions: string[] = [];
  const { session, workspace } = await openTestSession({
    sandbox: "off",
    onApproval: (question) => {
      questions.push(formatApproval(question));
      return "deny";
    },
  });
  await mkdir(join(workspace, "a\nb"));
  await session.call("shell_run", { command: "cd a*" });
  await session.call("shell_run", { command: "make" });
  expect(questions).toEqual([expect.stringContaining(`\ndirectory:\n  | ${workspace}/a\n  | b\n`)]);
});
