import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StartableProgram } from "../../../../src/machine/sandbox/sandbox.ts";
import { command, createJobsPlace, isAlive } from "../jobs-place.ts";

const inTerminal = { terminal: true };

test("a command in a terminal sees a terminal, and all that it prints is kept", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(
    command("test -t 0 && test -t 1 && test -t 2 && stty size; echo $TERM; exit 3", inTerminal),
  );
  expect(job).toMatchObject({ hasTerminal: true, isWaitingForInput: false });
  const { job: ended } = await place.untilEvent("job-end", job.id);
  expect(ended).toMatchObject({ state: "failed", exitCode: 3, signal: null });
  expect(ended).not.toHaveProperty("isWaitingForInput");
  expect((await jobs.output(job.id)).text).toBe("24 80\nxterm-256color\n");
});

test("a command that waits for typing is recognised and reported, and continues after typing", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(
    command("read -p 'name? ' name; echo \"hello $name\"; sleep 1000", inTerminal),
  );
  expect((await place.untilEvent("job-wait", job.id)).job.isWaitingForInput).toBe(true);
  expect(jobs.get(job.id).isWaitingForInput).toBe(true);
  jobs.write(job.id, "Ada\r");
  expect(jobs.get(job.id).isWaitingForInput).toBe(false);
  expect(await jobs.waitFor(job.id, { pattern: "^hello Ada$", deadlineMs: 45_000 })).toMatchObject({
    isReady: true,
  });
  expect(await jobs.kill(job.id)).toMatchObject({ state: "killed" });
  expect(place.events.map(({ type }) => type)).toEqual(["job-start", "job-wait", "job-end"]);
});

test.each([
  ["a shell's line editor", "bash --norc -i"],
  ["a program deep inside", "bash -c 'bash -c \"cat > /dev/null; true\"; true'"],
  ["an event loop", `'${process.execPath}' -e 'process.stdin.on("data", () => {})'`],
  ["a password prompt on the terminal itself", "bash -c 'read -s x < /dev/tty' < /dev/null"],
])("a job in a terminal is recognised as waiting for input: %s", async (_, text) => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command(text, inTerminal));
  expect((await place.untilEvent("job-wait", job.id)).job.isWaitingForInput).toBe(true);
});

test("an interactive shell, which ignores being asked to end, ends as when its terminal is closed", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  // Bash notes its history when it is hung up, and cannot when it is killed.
  const history = join(place.folder, "history");
  const job = await jobs.start(command(`HISTFILE=${history} bash --norc -i`, inTerminal));
  await place.untilEvent("job-wait", job.id);
  jobs.write(job.id, "echo remembered\n");
  await jobs.waitFor(job.id, { pattern: "^remembered$", deadlineMs: 45_000 });
  await jobs.kill(job.id);
  expect(await readFile(history, "utf8")).toBe("echo remembered\n");
});

test("a program that sleeps, works or serves is not taken for one that waits", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const server = 'process.stdin.on("data", () => {}); require("http").createServer().listen(0)';
  const all = [
    "sleep 1.5",
    "timeout 1.5 bash -c 'while :; do :; done'",
    `timeout 2 '${process.execPath}' -e '${server}'`,
  ];
  const started = await Promise.all(all.map((text) => jobs.start(command(text, inTerminal))));
  await Promise.all(started.map(({ id }) => place.untilEvent("job-end", id)));
  expect(place.events.filter(({ type }) => type === "job-wait")).toEqual([]);
});

test("ending a command in a terminal ends what left it", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(
    command("setsid bash -c 'trap \"\" HUP; echo $$; exec sleep 1000' & sleep 1000", inTerminal),
  );
  await jobs.waitFor(job.id, { pattern: "^\\d+$", deadlineMs: 45_000 });
  const pid = Number((await jobs.output(job.id)).text);
  expect(await isAlive(pid)).toBe(true);
  await jobs.close();
  expect(await isAlive(pid)).toBe(false);
});

test("a wrapped command in a terminal finds the descriptors its wrapping needs", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const handed = join(place.folder, "descriptor.txt");
  await writeFile(handed, "handed on\n");
  const calls: string[] = [];
  const wrap = async (program: StartableProgram) => {
    const file = await open(handed);
    return {
      file: "/bin/sh",
      args: ["-c", 'cat <&4; exec "$0" "$@"', program.file, ...program.args],
      environment: program.environment,
      descriptors: [file.fd],
      async release() {
        calls.push("release");
        await file.close();
      },
      finish: async () => void calls.push("finish"),
    };
  };
  const job = await jobs.start(command("echo inside", { ...inTerminal, wrap }));
  await place.untilEvent("job-end", job.id);
  expect((await jobs.output(job.id)).text).toBe("handed on\ninside\n");
  expect(calls).toEqual(["release", "finish"]);
});

test("a terminal that prints 25 MB does not take the disk", { timeout: 60_000 }, async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(
    command("yes | head -c 25000000", { ...inTerminal, maxOutputFileBytes: 10_000 }),
  );
  expect((await place.untilEvent("job-end", job.id)).job.state).toBe("done");
  expect(await jobs.output(job.id, { cursor: 9_990 })).toMatchObject({ cursor: 10_000, isCapped: true });
});

test("a job without a terminal takes no typing", async () => {
  const place = await createJobsPlace();
  const jobs = await place.open();
  const job = await jobs.start(command("exec sleep 1000"));
  expect(() => jobs.write(job.id, "x")).toThrow(expect.objectContaining({ code: "unsupported" }));
});
