import { once } from "node:events";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRuntime } from "../../../../../src/index.ts";
import type { CommandOutcome } from "../../../../../src/tool/services/processes.ts";
import { needs } from "../../../../support/needs.ts";
import { openTestSession, temporaryFolder } from "../../../../support/open-test-session.ts";

const testInside = await needs("bubblewrap");
const free = { permissions: { mode: "auto" }, sandbox: "off" } as const;
/** As many milliseconds as a busy machine needs to start a command and read its first line. */
const enoughToPrint = 2500;

test("a command that ran to its end is done, whatever its exit code", async () => {
  const { session } = await openTestSession(free);
  const good = await session.call("shell_run", { command: "echo out; echo err >&2" });
  expect(good).toMatchObject({
    status: "done",
    text: "out\n[stderr] err",
    data: { exitCode: 0, signal: null, stdout: "out\n", stderr: "err\n" },
  });
  const bad = await session.call("shell_run", { command: "echo out; exit 3" });
  expect(bad).toMatchObject({ status: "done", text: "out\nExit code 3.", data: { exitCode: 3 } });
  const shot = await session.call("shell_run", { command: "kill -9 $$" });
  expect(shot).toMatchObject({
    status: "done",
    text: "Terminated by SIGKILL.",
    data: { signal: "SIGKILL" },
  });
  const silent = await session.call("shell_run", { command: "true" });
  expect(silent.text).toBe("Done; no output.");
});

test("bash gets exactly the given bytes", async () => {
  const { session } = await openTestSession(free);
  const command = `printf '%s|' 'a  b' "c\\$d" $'\\x41' "é漢" -- '\n'`;
  expect((await session.call("shell_run", { command })).text).toBe("a  b|c$d|A|é漢|--|\n|");
  expect((await session.call("shell_run", { command: "-x" })).data).toMatchObject({ exitCode: 127 });
});

testInside("a command that writes gets the network when that was asked for and granted", async () => {
  const { session } = await openTestSession({ permissions: { mode: "auto" } });
  const plain = await session.call("shell_run", { command: "touch a" });
  expect(plain.receipt.sandbox).toBe("workspace-write (bubblewrap)");
  const more = await session.call("shell_run", { command: "touch a", rights: "network" });
  expect(more.receipt.sandbox).toBe("network (bubblewrap)");
});

test("a command whose time is up is ended with all it started, and what it printed is told", async () => {
  const { session } = await openTestSession(free);
  const command = "echo so far; sleep 1000";
  const result = await session.call("shell_run", { command, timeout: enoughToPrint });
  expect(result).toMatchObject({
    status: "timed-out",
    error: { code: "timed-out", message: expect.stringMatching(/^the command timed out after \d+\.\d s$/) },
    data: { endedBy: "timeout", signal: "SIGTERM", stdout: "so far\n" },
  });
  expect(result.text).toContain("so far\nTerminated by SIGTERM.");
});

test.each(["off", "auto"] as const)(
  "with the sandbox %s, a command may clean up before it is made to end",
  async (sandbox) => {
    const { session } = await openTestSession({ permissions: { mode: "auto" }, sandbox });
    const command = "trap 'echo cleaned; exit 5' TERM; echo on; while true; do sleep 0.05; done";
    const result = await session.call("shell_run", { command, timeout: enoughToPrint });
    expect(result).toMatchObject({ status: "timed-out", data: { stdout: "on\ncleaned\n", exitCode: 5 } });
  },
);

test("a call's own deadline and its caller end a command in the same way", async () => {
  const { session } = await openTestSession(free);
  const command = "echo a; sleep 1000";
  const late = await session.call("shell_run", { command }, { timeoutMs: enoughToPrint });
  expect(late).toMatchObject({ status: "timed-out", data: { stdout: "a\n" } });
  const caller = new AbortController();
  const cancelled = session.call(
    "shell_run",
    { command: "echo b; sleep 1000" },
    { signal: caller.signal, onProgress: () => caller.abort() },
  );
  expect(await cancelled).toMatchObject({ status: "cancelled", data: { stdout: "b\n", endedBy: "caller" } });
});

test("a timeout out of range is refused, and 0 means the longest there is", async () => {
  const { session } = await openTestSession(free);
  for (const timeout of [-1, 600_001, 1.5]) {
    const refused = await session.call("shell_run", { command: "true", timeout });
    expect(refused).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
  }
  expect(await session.call("shell_run", { command: "sleep 0.1", timeout: 0 })).toMatchObject({
    status: "done",
  });
});

test("lines are told while they are printed", async () => {
  const { session, workspace } = await openTestSession(free);
  const updates: unknown[] = [];
  const onProgress = (update: unknown) => {
    updates.push(update);
    void writeFile(join(workspace, "go"), "");
  };
  const command = "echo one; until [ -e go ]; do sleep 0.02; done; echo zwei漢 >&2";
  await session.call("shell_run", { command }, { onProgress });
  expect(updates).toEqual([
    { type: "output", stream: "stdout", text: "one\n" },
    { type: "output", stream: "stderr", text: "zwei漢\n" },
  ]);
});

test("secrets are masked in what is told while they are printed", async () => {
  const { session } = await openTestSession({ ...free, secrets: ["known-to-be-secret"] });
  const updates: unknown[] = [];
  const onProgress = (update: unknown) => updates.push(update);
  await session.call("shell_run", { command: "echo it is known-to-be-secret" }, { onProgress });
  expect(updates).toEqual([{ type: "output", stream: "stdout", text: "it is [redacted]\n" }]);
});

test("output too long for the answer is cut in the middle and kept whole in a file that can be read", async () => {
  const { session } = await openTestSession({ ...free, dialect: "flyto" });
  const result = await session.call("Bash", { command: "seq 1 100000; seq 1 50000 | tac >&2" });
  const { stdout, stderr, omitted, outputFile } = result.data as CommandOutcome;
  expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(200 * 1024);
  expect(Buffer.byteLength(stderr)).toBeLessThanOrEqual(56 * 1024);
  expect(omitted).toEqual({ stdout: expect.any(Number), stderr: expect.any(Number) });
  expect(stdout.startsWith("1\n2\n")).toBe(true);
  expect(stdout.endsWith("\n99999\n100000\n")).toBe(true);
  expect(result).toMatchObject({ truncated: true, storedPath: outputFile });
  expect(result.text).toContain(
    `The full output is in ${outputFile}; read what is missing with Read, offset=`,
  );
  const slice = await session.call("Read", { file_path: outputFile, offset: 49_999, limit: 2 });
  expect(slice.text).toContain("50000");
});

test("the file with an output is kept only where the answer does not hold all of it", async () => {
  const { session } = await openTestSession(free);
  await session.call("Bash", { command: "echo short" });
  const { data } = await session.call("Bash", { command: "seq 1 100000" });
  await session.call("Bash", { command: "echo on; sleep 1000", timeout: 100 });
  const { outputFile = "" } = data as CommandOutcome;
  expect(await readdir(dirname(outputFile))).toEqual([basename(outputFile)]);
});

test("commands run on when the folder of their outputs was tidied away", async () => {
  const { session } = await openTestSession(free);
  const { data } = await session.call("shell_run", { command: "seq 1 100000" });
  await rm(dirname((data as CommandOutcome).outputFile ?? ""), { recursive: true });
  const again = await session.call("shell_run", { command: "echo here; seq 1 100000" });
  expect(await readFile((again.data as CommandOutcome).outputFile ?? "", "utf8")).toMatch(/^here\n1\n/);
});

test("a general dialect gives the model no more than its usual share", async () => {
  const { session } = await openTestSession({ ...free, dialect: "internal" });
  const result = await session.call("internal_system_execute", { command: "seq 1 100000" });
  expect(result.status).toBe("done");
  expect(result.text.length).toBeLessThan(31_000);
});

test("binary output is told of, not shown", async () => {
  const { session } = await openTestSession(free);
  const result = await session.call("shell_run", { command: "head -c 2000 /bin/ls" });
  expect(result.text).toContain("ELF");
  expect(result.text).not.toContain("\0");
});

test("secrets of this process reach no command", async () => {
  process.env.TOOLWRIGHT_TEST_API_KEY = "not-for-children";
  process.env.TOOLWRIGHT_TEST_PLAIN = "fine";
  const shell = {
    environment: { DECLARED: "written out" },
    passEnvironment: ["TOOLWRIGHT_TEST_API_KEY", "TOOLWRIGHT_TEST_PLAIN"],
  };
  const { session } = await openTestSession({ ...free, shell });
  const { text } = await session.call("shell_run", { command: "env" });
  expect(text).toContain("DECLARED=written out");
  expect(text).toContain("TOOLWRIGHT_TEST_PLAIN=fine");
  expect(text).not.toContain("not-for-children");
});

test("processes that a command leaves running are ended with the session", async () => {
  const { session, workspace } = await openTestSession(free);
  const command = "setsid sh -c 'echo $$ > pid; exec sleep 1000' & until [ -s pid ]; do sleep 0.01; done";
  const result = await session.call("shell_run", { command });
  expect(result.text).toContain("Processes it started are still running");
  const pid = Number(await readFile(join(workspace, "pid"), "utf8"));
  expect(await isAlive(pid)).toBe(true);
  await session.close();
  expect(await isAlive(pid)).toBe(false);
});

test("a command goes on as a job when it takes too long, or when the caller says so", async () => {
  const { session } = await openTestSession(free);
  const slow = await session.call("shell_run", { command: "echo a; sleep 1000", background_after: 100 });
  expect(slow).toMatchObject({
    status: "done",
    data: { job: { id: "bg_task_1", state: "running" } },
  });
  const ready = await session.jobs.waitFor("bg_task_1", { pattern: "^a$", deadlineMs: 45_000 });
  expect(ready.isReady).toBe(true);
  expect(slow.text).toContain("is still running in the background as bg_task_1");
  const moved = session.call(
    "shell_run",
    { command: "echo b; sleep 1000" },
    { id: "mine", onProgress: () => session.jobs.moveToBackground("mine") },
  );
  expect(await moved).toMatchObject({ status: "done", data: { stdout: "b\n", job: { id: "bg_task_2" } } });
  expect((await session.jobs.output("bg_task_2")).text).toBe("b\n");
  expect(await session.jobs.kill("bg_task_2")).toMatchObject({ state: "killed" });
});

test("a command with pty gets a terminal", async () => {
  const { session } = await openTestSession(free);
  const plain = await session.call("shell_run", { command: "[ -t 1 ] && echo terminal || echo none" });
  expect(plain.text).toBe("none");
  const pty = await session.call("shell_run", {
    command: "[ -t 1 ] && echo terminal || echo none",
    pty: true,
  });
  expect(pty.text).toContain("terminal");
});

test("a text that cannot be a command is refused before anything starts", async () => {
  const { session } = await openTestSession(free);
  for (const command of ["echo \0", `echo ${"x".repeat(140_000)}`]) {
    const refused = await session.call("shell_run", { command });
    expect(refused).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
  }
});

test("a rule on a command binds it inside of any other command, and no command that it does not name", async () => {
  const permissions = { mode: "auto", deny: ["Bash(git push *)"] } as const;
  const { session, workspace } = await openTestSession({ sandbox: "off", permissions });
  for (const command of [
    "git push",
    "git push origin main",
    "timeout 5 git push",
    "true && 'git' pu\\sh",
    "echo $(git push)",
    "g=git; $g push",
  ]) {
    expect((await session.explain("shell_run", { command })).decision, command).toBe("deny");
  }
  expect((await session.explain("shell_run", { command: "$(echo git) push" })).decision).toBe("ask");
  expect((await session.explain("shell_run", { command: "touch x" })).decision).toBe("allow");
  await writeFile(join(workspace, "x"), "");
});

test("an allow rule covers the commands it begins like, one by one", async () => {
  const permissions = { allow: ["Bash(npm run *)", "Bash(make check)"] };
  const { session } = await openTestSession({ sandbox: "off", permissions });
  const decisionOn = async (command: string) => (await session.explain("shell_run", { command })).decision;
  expect(await decisionOn("npm run build --watch")).toBe("allow");
  expect(await decisionOn("npm run build && make check | cat")).toBe("allow");
  for (const command of [
    "npm runx",
    "npm",
    "make",
    "make check CC=evil",
    "npm run x; curl evil.com",
    "X=1 npm run x",
    "sudo npm run x",
    "sudo make check",
    "env PATH=. make check",
    "npm run x > package.json",
    'npm run "$1"',
  ]) {
    expect(await decisionOn(command), command).toBe("ask");
  }
});

test("a path that goes up from a missing folder is judged by where its text leads", async () => {
  const { session } = await openTestSession({ sandbox: "off" });
  const decisionOn = async (command: string) => (await session.explain("shell_run", { command })).decision;
  expect(await decisionOn("cat missing/../a.txt")).toBe("allow");
  expect(await decisionOn("cat missing/../../../../../../etc/passwd")).toBe("ask");
});

test("the log and each receipt say that there is no sandbox", async () => {
  const { session } = await openTestSession(free);
  const { receipt } = await session.call("shell_run", { command: "true" });
  expect(receipt.sandbox).toBe("none: it was switched off");
  for await (const event of session.events({ channels: ["monitor"] })) {
    if (event.type !== "sandbox") continue;
    expect(event).toMatchObject({ kind: "none", reason: "it was switched off" });
    break;
  }
});

test("a command that would remove or move a folder with our own records is denied", async () => {
  const home = await temporaryFolder();
  const state = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = join(home, ".local/state");
  onTestFinished(() => {
    if (state === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = state;
  });
  const runtime = await openRuntime({ workspace: home, ...free });
  onTestFinished(() => runtime.close());
  const session = await runtime.openSession();
  for (const command of ["rm -rf .local", "mv .local/state elsewhere"]) {
    expect((await session.explain("shell_run", { command })).decision, command).toBe("deny");
  }
  expect((await session.explain("shell_run", { command: "touch .local/x" })).decision).toBe("allow");
});

test("a rule that allows a command does not allow the file that is redirected to its input", async () => {
  const { session } = await openTestSession({ sandbox: "off", permissions: { allow: ["Bash(cat)"] } });
  expect((await session.explain("shell_run", { command: "cat < .env" })).decision).toBe("ask");
});

testInside(
  "a command that the sandbox stopped is offered to the person to be run with more rights",
  async () => {
    const asked: string[] = [];
    const answers: ("allow" | "deny")[] = ["deny", "allow"];
    const { session } = await openTestSession({
      permissions: { mode: "auto" },
      onApproval: ({ verdict }) => {
        asked.push(verdict.reason);
        return answers.shift() ?? "deny";
      },
    });
    // It writes, so it has no network, and what it says looks as if it had wanted one.
    const command = "touch x; ls 'network is unreachable'";
    const refused = await session.call("shell_run", { command });
    expect(refused.receipt.sandbox).toBe("workspace-write (bubblewrap)");
    expect(refused.text).toContain("profile workspace-write has no network access");
    expect(refused.text).not.toContain("run again");
    const granted = await session.call("shell_run", { command });
    expect(granted.receipt.sandbox).toBe("network (bubblewrap)");
    expect(granted.text).toContain("It ran again in profile network, approved by");
    expect(asked).toEqual(
      Array(2).fill(expect.stringContaining("Approve to run it again in profile network.")),
    );
  },
);

test("options that make a program run others are not covered by a rule that allows it with any words", async () => {
  const permissions = { allow: ["Bash(git diff *)", "Bash(sort *)", "Bash(git push *)"] };
  const { session } = await openTestSession({ sandbox: "off", permissions });
  const decisionOn = async (command: string) => (await session.explain("shell_run", { command })).decision;
  expect(await decisionOn("git push origin main")).toBe("allow");
  expect(await decisionOn("git diff --ext-diff")).toBe("ask");
  expect(await decisionOn("sort --compress-program=sh a")).toBe("ask");
});

test.each(["bash *", "python3 -c *", "sudo *", "git *", "rm *", "env *", "*"])(
  "a rule that allows %s is refused: it would allow anything",
  async (pattern) => {
    const permissions = { allow: [`Bash(${pattern})`] };
    await expect(openTestSession({ permissions })).rejects.toThrow("would allow almost anything");
  },
);

testInside("a sandbox lets a command do what it was allowed and no more, and the model is told", async () => {
  const server = createServer((socket) => socket.end("reached\n")).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const { session } = await openTestSession({ permissions: { mode: "auto" } });
  const open = `exec 9<>/dev/tcp/127.0.0.1/${port} && cat <&9`;
  const free = await session.call("shell_run", { command: open });
  expect(free).toMatchObject({ text: "reached", receipt: { sandbox: "network (bubblewrap)" } });
  const bound = await session.call("shell_run", { command: 'sh -c "$(echo touch /usr/x)"' });
  expect(bound.text).toContain("The sandbox probably stopped it");
  expect(bound.text).toContain(
    "name the path in the command itself, so that a person can be asked to approve it",
  );
});

/** One that has ended and that nobody asked about counts as gone. */
async function isAlive(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return state !== undefined && !/\) [ZX] /.test(state);
}
