import { existsSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Job } from "../../../src/index.ts";
import type { CommandOutcome } from "../../../src/tool/services/processes.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { stopClock } from "../../support/stop-clock.ts";
import { until } from "../../support/until.ts";
import { flagsOf, shareFlyto, shown } from "./share-flyto.ts";

const flyto = shareFlyto({ onApproval: () => "allow" });

const start = async (command: string, more: object = {}): Promise<Job> => {
  const { data } = await flyto.call("Bash", { command, run_in_background: true, ...more });
  return (data as { started: Job }).started;
};
const isThere = (path: string) => () => existsSync(flyto.at(path));
const stateOf = async (id: string) => (await flyto.session.jobs.get(id)).state;

test("F8: Bash runs alone, may change and destroy, and is found as a shell", () => {
  expect(flagsOf(flyto.session, "Bash")).toEqual({
    concurrencySafe: false,
    readOnly: false,
    destructive: true,
  });
  expect(shown(flyto.session, "Bash").metadata.searchHint).toBe("shell command execute terminal");
});

test("F9: Bash takes a command, a timeout of 120,000 milliseconds unless given and 600,000 at most, run_in_background and a description", async () => {
  const { required, properties } = shown(flyto.session, "Bash").inputSchema;
  expect(required).toEqual(["command"]);
  expect(properties).toMatchObject({
    command: { type: "string" },
    timeout: { type: "integer", maximum: 600_000 },
    run_in_background: { type: "boolean" },
    description: { type: "string" },
  });
  const call = (timeout: number) =>
    flyto.call("Bash", { command: "true", timeout, description: "does nothing", run_in_background: false });
  expect((await call(600_000)).status).toBe("done");
  expect(await call(600_001)).toMatchObject({ error: { code: "invalid-input" } });
  expect((await call(600_001)).text).toContain("600000");
  stopClock();
  let isOver = false;
  const running = flyto.call("Bash", { command: "touch f9.txt; sleep 1000" });
  running.then(() => {
    isOver = true;
  });
  await until(isThere("f9.txt"));
  await vi.advanceTimersByTimeAsync(119_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await running).toMatchObject({ status: "timed-out", data: { endedBy: "timeout" } });
});

test("F16: a command in the background answers at once with its task's id, shows its output as it comes, and ends with its time", async () => {
  const answer = await flyto.call("Bash", {
    command: "echo begun; touch f16-begun; sleep 1000",
    run_in_background: true,
  });
  const { id } = (answer.data as { started: Job }).started;
  expect(id).toMatch(/^bg_task_\d+$/);
  expect(answer.text).toContain(id);
  await until(isThere("f16-begun"));
  await until(async () => (await flyto.session.jobs.output(id)).text === "begun\n");
  const listed = (await flyto.call("TaskList")).data as { background: object[] };
  expect(listed.background).toContainEqual(expect.objectContaining({ id, status: "in_progress" }));
  await flyto.call("TaskUpdate", { id, status: "cancelled" });
  expect(await stateOf(id)).toBe("killed");

  stopClock();
  const limited = await start("touch f16-limited; sleep 1000", { timeout: 60_000 });
  await until(isThere("f16-limited"));
  await vi.advanceTimersByTimeAsync(59_999);
  expect(await stateOf(limited.id)).toBe("running");
  await vi.advanceTimersByTimeAsync(1);
  await until(async () => (await stateOf(limited.id)) === "timed-out");
});

test("F17: commands in the background can be listed, looked up and cancelled one by one", async () => {
  const [one, other] = [await start("sleep 1000"), await start("sleep 1001")];
  const { jobs } = flyto.session;
  const running = (await jobs.list()).filter(({ state }) => state === "running").map(({ id }) => id);
  expect(running).toEqual(expect.arrayContaining([one.id, other.id]));
  expect(await jobs.get(one.id)).toMatchObject({ command: "sleep 1000", state: "running" });
  expect(await jobs.kill(one.id)).toMatchObject({ id: one.id, state: "killed" });
  expect(await stateOf(other.id)).toBe("running");
  await jobs.kill(other.id);
  await expect(Promise.resolve().then(() => jobs.get("bg_task_999"))).rejects.toMatchObject({
    code: "not-found",
  });
});

test("F18: a command has a process group of its own, and its programs inherit no descriptor and no key of the runtime", async () => {
  const { text: group } = await flyto.call("Bash", { command: "cat /proc/$$/stat; echo $$" });
  const [, pgid, pid] = (/\) \S+ \d+ (\d+) .*\n(\d+)$/.exec(group) ?? []).map(Number);
  expect(pgid).toBe(pid);
  expect(pgid).not.toBe(process.pid);
  // `ls` opens the fourth itself, to list them.
  const { text: descriptors } = await flyto.call("Bash", { command: "(ls /proc/self/fd)" });
  expect(descriptors.split("\n")).toEqual(["0", "1", "2", "3"]);

  const keys = [
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "AZURE_OPENAI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "GITHUB_TOKEN",
    "DB_PASSWORD",
  ];
  for (const name of [...keys, "F18_PLAIN"]) vi.stubEnv(name, `value of ${name}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const shell = { passEnvironment: [...keys, "F18_PLAIN"] };
  const { session } = await openTestSession({
    dialect: "flyto",
    sandbox: "off",
    permissions: { mode: "auto" },
    shell,
  });
  const { stdout } = (await session.call("Bash", { command: "env" })).data as CommandOutcome;
  expect(stdout).toContain("F18_PLAIN=value of F18_PLAIN\n");
  for (const name of keys) expect(stdout).not.toContain(name);
});

test("F19: to end a command, its group gets SIGTERM, after five seconds SIGKILL, and two more are waited", async () => {
  const { id } = await start("(trap '' TERM; touch f19.txt; while :; do sleep 0.05; done) &");
  await until(async () => isThere("f19.txt")() && (await stateOf(id)) === "done");
  stopClock();
  const beganAt = performance.now();
  const looks = vi.spyOn(performance, "now");
  const signals: { signal: unknown; group: number; atMs: number }[] = [];
  const kill = process.kill.bind(process);
  const sending = vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    signals.push({ signal, group: -pid, atMs: Date.now() - startedAt });
    // As if it were stuck in the kernel.
    return signal === "SIGKILL" ? true : kill(pid, signal);
  });
  onTestFinished(() => {
    sending.mockRestore();
    looks.mockRestore();
  });
  const startedAt = Date.now();
  let isOver = false;
  const killing = flyto.session.jobs.kill(id).then(() => {
    isOver = true;
  });
  /** Lets so much time pass, and the clock be looked at. */
  const wait = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    const before = looks.mock.calls.length;
    await until(() => isOver || looks.mock.calls.length >= before + 4);
  };
  const first = (wanted: string) => signals.find(({ signal }) => signal === wanted);
  await until(() => first("SIGTERM") !== undefined);
  const { group } = first("SIGTERM")!;
  await wait(4999);
  await wait(1);
  await until(() => first("SIGKILL") !== undefined);
  await wait(1999);
  expect(isOver).toBe(false);
  await wait(1);
  await killing;
  kill(-group, "SIGKILL");
  expect(first("SIGTERM")).toMatchObject({ group: expect.any(Number), atMs: 0 });
  expect(group).toBeGreaterThan(0);
  expect(first("SIGKILL")).toEqual({ signal: "SIGKILL", group, atMs: 5000 });
  expect(performance.now() - beganAt).toBe(7000);
});
