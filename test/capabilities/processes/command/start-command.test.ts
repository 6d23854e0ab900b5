import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type CommandSupplies,
  createCommandSupplies,
} from "../../../../src/capabilities/processes/command/command-supplies.ts";
import { startCommand } from "../../../../src/capabilities/processes/command/start-command.ts";
import { fuzzRuns } from "../../../support/fuzz.ts";
import { needs } from "../../../support/needs.ts";
import { openShell, type TestShell } from "../../../support/open-shell.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";
import { until } from "../../../support/until.ts";

let shell: TestShell;
beforeEach(async () => {
  shell = await openShell();
});
afterEach(() => shell.close());

const testAsPlainUser = await needs("plain user");

/** As a process of ours does that was forked for another command, and that a busy machine does not let go on. */
async function holdForAnInstant(supplies: CommandSupplies): Promise<CommandSupplies> {
  return {
    ...supplies,
    async take(spec) {
      const supply = await supplies.take(spec);
      spawn("sleep", ["0.2"], { stdio: ["ignore", supply.pipes?.stdout.writer ?? "ignore", "ignore"] });
      return supply;
    },
  };
}

describe("a command", () => {
  test("whose output another process holds open for an instant is not said to have left processes running", async () => {
    const folder = await temporaryFolder();
    const spec = { directory: folder, environment: { PATH: "/usr/bin:/bin" }, maxOutputFileBytes: 1000 };
    const supplies = await holdForAnInstant(createCommandSupplies({ batch: 1 }));
    const start = (command: string) =>
      startCommand({ ...spec, command, outputFile: join(folder, `${command.length}.txt`) }, supplies);
    const running = await start("echo done");
    expect(await running.ended).toMatchObject({ exitCode: 0, leftOpen: false });
    expect(running.output().stdout.text).toBe("done\n");
    const leaving = await start("sleep 1000 & echo left");
    expect(await leaving.ended).toMatchObject({ exitCode: 0, leftOpen: true });
    await leaving.stop();
    await supplies.close();
  });

  test("gives its exit code and both streams apart", async () => {
    const { exitCode, signal, output } = await shell.run("echo out; echo err >&2; exit 7");
    expect({ exitCode, signal }).toEqual({ exitCode: 7, signal: null });
    expect(output.stdout).toMatchObject({ text: "out\n", totalBytes: 4, omittedBytes: 0 });
    expect(output.stderr).toMatchObject({ text: "err\n", totalBytes: 4, omittedBytes: 0 });
  });

  test("is taken byte by byte, whatever it begins with", async () => {
    const command = `printf %s "$BASH_EXECUTION_STRING" # -x 'a  b' "$0" $'\\t' \r\t é 🙂 \u009b \\\n#`;
    const { output, exitCode } = await shell.run(command);
    expect(exitCode).toBe(0);
    expect(await readFile(output.file, "utf8")).toBe(command);
    expect((await shell.run("--version")).exitCode).toBe(127);
    expect((await shell.run("+x")).exitCode).toBe(127);
    expect((await shell.run("")).exitCode).toBe(0);
  });

  test("that is not found says so as bash does", async () => {
    const { exitCode, output } = await shell.run("no-such-program-5f1c");
    expect(exitCode).toBe(127);
    expect(output.stderr.text).toBe("bash: line 1: no-such-program-5f1c: command not found\n");
  });

  test("that dies of a signal names it", async () => {
    expect(await shell.run("kill -9 $$")).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect(await shell.run("sh -c 'kill -SEGV $$'")).toMatchObject({ exitCode: 139, signal: null });
  });

  test("has nothing to read, no terminal and a group of its own", async () => {
    const { output } = await shell.run("cat; tty; cat /proc/$$/stat; echo $$; (: > /dev/tty) 2>&1");
    const [tty, stat = "", pid, opened] = output.stdout.text.split("\n").map((line) => line.trim());
    expect(tty).toBe("not a tty");
    const [, group, session] = /\) \S+ \d+ (\d+) (\d+) /.exec(stat) ?? [];
    expect([group, session]).toEqual([pid, pid]);
    expect(opened).toContain("/dev/tty: No such device or address");
  });

  test("can open its own streams by their paths", async () => {
    const { output } = await shell.run(
      "echo one > /dev/stderr; echo two | tee /dev/stderr; echo three > /dev/stdout; echo four > /proc/self/fd/2",
    );
    expect(output.stdout.text).toBe("two\nthree\n");
    expect(output.stderr.text).toBe("one\ntwo\nfour\n");
  });

  test("may close its output and go on", async () => {
    const { exitCode, output, leftOpen } = await shell.run("echo a; exec >&- 2>&-; sleep 0.1; exit 4");
    expect({ exitCode, leftOpen, text: output.stdout.text }).toEqual({
      exitCode: 4,
      leftOpen: false,
      text: "a\n",
    });
  });

  test("sees nothing of how it was started but its marker", async () => {
    const { output } = await shell.run('env; declare -F; echo "[$#$*]"; echo "<$0>"', {
      environment: { PATH: "/usr/bin:/bin" },
    });
    const lines = output.stdout.text.trim().split("\n");
    expect(lines.filter((line) => !/^(?:TEST_BADGE|TOOLWRIGHT_COMMAND|PWD|_)=/.test(line))).toEqual(
      expect.arrayContaining(["PATH=/usr/bin:/bin", "SHLVL=1", "[0]", "<bash>"]),
    );
    expect(output.stdout.text).not.toMatch(/BASH_ENV|BASH_FUNC/);
    expect(lines).toHaveLength(8);
  });

  test("inherits no descriptor of the runtime, even one that Node would hand on", async () => {
    const script = `
      import { openShell } from ${JSON.stringify(new URL("../../../support/open-shell.ts", import.meta.url).href)};
      const shell = await openShell();
      const { output } = await shell.run("ls /proc/$$/fd; (ls /proc/self/fd)");
      console.log(output.stdout.text.split("\\n").filter(Boolean).join(" "));
      await shell.close();`;
    const nested = `exec 47</dev/null; exec "$0" --input-type=module -e "$1"`;
    const { stdout } = await promisify(execFile)("bash", ["-c", nested, process.execPath, script]);
    // The shell has the one of its report; of the four that `ls` has, it opened the last itself.
    expect(stdout.trim()).toBe("0 1 2 253 0 1 2 3");
    const { output } = await shell.run("cat /proc/self/environ");
    expect(output.stdout.binary ?? output.stdout.text).toBe("NUL bytes");
    expect(await readFile(output.file, "utf8")).not.toContain("BASH_ENV");
  });

  test("answers at once though something it started keeps its output open", async () => {
    const { exitCode, leftOpen, output } = await shell.run("sleep 1000 & echo done");
    expect({ exitCode, leftOpen, text: output.stdout.text }).toEqual({
      exitCode: 0,
      leftOpen: true,
      text: "done\n",
    });
    expect(await shell.survivors()).toHaveLength(1);
  });

  test("gives what is printed shortly after its end, however late that is read", async () => {
    await shell.run("mkfifo go");
    const running = await shell.start("(read < go; echo late) & echo $! > pid; echo early");
    await until(() => !existsSync(join("/proc", String(running.identity.pid))));
    // The command's end has been noticed. This process is blocked now until the other one has printed and is gone.
    const lateAt = performance.now() + 700;
    const pid = readFileSync(join(shell.folder, "pid"), "utf8").trim();
    writeFileSync(join(shell.folder, "go"), "\n");
    while (isAlive(pid) || performance.now() < lateAt);
    expect(await running.ended).toMatchObject({ leftOpen: false });
    expect(running.output().stdout.text).toBe("early\nlate\n");
  });

  test("leaves a process that keeps printing behind, without killing it", async () => {
    const chatty = await shell.run("(while :; do echo y; echo >> beat; sleep 0.01; done) & echo first");
    expect(chatty.leftOpen).toBe(true);
    expect(chatty.output.stdout.text).toContain("first\n");
    const beats = async () => (await stat(join(shell.folder, "beat")).catch(() => ({ size: 0 }))).size;
    const before = await beats();
    // It keeps printing although its output is no longer captured.
    await until(async () => (await beats()) > before + 20);
  });

  test("can be run many at once", async () => {
    const numbers = Array.from({ length: fuzzRuns({ sample: 20, full: 100 }) }, (_, number) => number);
    const results = await Promise.all(
      numbers.map((number) => shell.run(`echo ${number}; echo e${number} >&2`)),
    );
    expect(results.map(({ output }) => output.stdout.text)).toEqual(numbers.map((number) => `${number}\n`));
    expect(results.map(({ output }) => output.stderr.text)).toEqual(numbers.map((number) => `e${number}\n`));
    expect(results.every(({ exitCode, leftOpen }) => exitCode === 0 && !leftOpen)).toBe(true);
    expect(await shell.survivors()).toEqual([]);
  });

  test("leaves no descriptor open in the runtime", async () => {
    const count = async () =>
      (await promisify(execFile)("ls", [`/proc/${process.pid}/fd`])).stdout.split("\n").length;
    for (let warm = 0; warm < 20; warm++) await shell.run("true");
    const before = await count();
    for (let round = 0; round < 60; round++) await shell.run("echo x; exit 1");
    await shell.run("true", { directory: join(shell.folder, "missing") }).catch(() => {});
    // Supplies are made and closed in batches.
    await until(async () => (await count()) < before + 50);
  });
});

describe("the final directory", () => {
  test.each([
    ["cd sub", "sub"],
    ["cd sub; exit 3", "sub"],
    ["cd sub; false", "sub"],
    ["set -e; cd sub; false; cd /", "sub"],
    ["set -eu; cd sub; echo $missing", "sub"],
    ["(cd sub); true", "."],
    ["cd sub | true", "."],
    ["cd sub; trap 'cd /; echo bye' EXIT; exit 2", "sub"],
    ["trap 'rm -f x' EXIT INT TERM; cd sub", "sub"],
    ["trap 'exit 9' 0; trap - EXIT; cd sub", "sub"],
    ["(trap 'cd /' EXIT); cd sub", "sub"],
    ["f() { cd sub; exit; }; f", "sub"],
    ["cd sub; exec 3>file; echo x >&3", "sub"],
    ["cd 'line\nbreak'", "line\nbreak"],
    ["cd sub; kill $$; sleep 10", "sub"],
  ])("%j", async (command, place) => {
    await mkdir(join(shell.folder, "sub"));
    await mkdir(join(shell.folder, "line\nbreak"));
    const { finalDirectory } = await shell.run(command);
    expect(finalDirectory).toBe(join(shell.folder, place));
  });

  test("is where it began, for a command that cannot move", async () => {
    const { finalDirectory, exitCode } = await shell.run("ls -la . && sleep 0 | cat; true");
    expect({ finalDirectory, exitCode }).toEqual({ finalDirectory: shell.folder, exitCode: 0 });
  });

  test("is the real place behind a link", async () => {
    await mkdir(join(shell.folder, "real"));
    await symlink("real", join(shell.folder, "link"));
    expect((await shell.run("cd link")).finalDirectory).toBe(join(shell.folder, "real"));
  });

  test("is unknown where it cannot be found out, and nothing is said about it", async () => {
    const gone = await shell.run("mkdir gone; cd gone; rmdir ../gone");
    expect(gone.finalDirectory).toBeUndefined();
    expect(gone.output.stderr.text).toBe("");
    expect((await shell.run("exec true 'quoted'")).finalDirectory).toBeUndefined();
    expect((await shell.run("kill -9 $$")).finalDirectory).toBeUndefined();
  });

  test("does not show in a trace, in an exit code or in what the command writes", async () => {
    const traced = await shell.run("set -x; cd /; exec 3>&1; false");
    expect(traced).toMatchObject({ exitCode: 1, finalDirectory: "/" });
    expect(traced.output.stderr.text).toBe("+ cd /\n+ exec\n+ false\n");
    expect(traced.output.stdout.text).toBe("");
  });

  test("an EXIT trap of the command sees and gives the exit codes it always would", async () => {
    const command = `trap 'echo "it'"'"'s $?"; exit 5' EXIT; (exit 3)`;
    const { exitCode, output } = await shell.run(command);
    expect({ exitCode, text: output.stdout.text }).toEqual({ exitCode: 5, text: "it's 3\n" });
    const strict = await shell.run("set -e; trap 'echo a $?; echo b' EXIT; false");
    expect(strict).toMatchObject({ exitCode: 1, output: { stdout: { text: "a 1\nb\n" } } });
  });
});

describe("a command is not started because of", () => {
  test("a NUL, half a character, or more than the system takes", async () => {
    await expect(shell.run("echo a\0b")).rejects.toMatchObject({ code: "invalid-input" });
    await expect(shell.run("echo \ud800")).rejects.toMatchObject({ code: "invalid-input" });
    const longest = `: ${"x".repeat(128 * 1024 - 3)}`;
    expect((await shell.run(longest)).exitCode).toBe(0);
    const refusal = { code: "invalid-input", message: expect.stringContaining("131072 bytes") };
    await expect(shell.run(`${longest}x`)).rejects.toMatchObject(refusal);
    // Counted in bytes, not in characters.
    await expect(shell.run(`: ${"é".repeat(64 * 1024)}`)).rejects.toMatchObject({ code: "invalid-input" });
  });

  test("a command and an environment that are too long together", async () => {
    const environment = Object.fromEntries(
      Array.from({ length: 60 }, (_, number) => [`LONG_${number}`, "x".repeat(120_000)]),
    );
    await expect(shell.run("true", { environment })).rejects.toMatchObject({ code: "invalid-input" });
  });

  test("a directory that does not exist, or is a file", async () => {
    const missing = join(shell.folder, "missing");
    await expect(shell.run("true", { directory: missing })).rejects.toMatchObject({
      code: "not-found",
      message: `the directory ${missing} does not exist`,
    });
    await writeFile(join(shell.folder, "file"), "");
    const file = join(shell.folder, "file");
    await expect(shell.run("true", { directory: file })).rejects.toMatchObject({ code: "not-a-directory" });
    await expect(shell.run("true", { directory: join(file, "x") })).rejects.toMatchObject({
      code: "not-a-directory",
    });
  });

  testAsPlainUser("a directory that may not be entered", async () => {
    const closed = join(shell.folder, "closed");
    await mkdir(closed);
    await chmod(closed, 0o000);
    await expect(shell.run("true", { directory: closed })).rejects.toMatchObject({ code: "access-denied" });
    await chmod(closed, 0o700);
  });

  test("an output file that exists already", async () => {
    const outputFile = join(shell.folder, "taken");
    await writeFile(outputFile, "mine");
    await expect(shell.run("touch ran", { outputFile })).rejects.toThrow("EEXIST");
    await expect(stat(join(shell.folder, "ran"))).rejects.toThrow("ENOENT");
    expect(await readFile(outputFile, "utf8")).toBe("mine");
  });

  test("a missing bash", async () => {
    const bare = await openShell({ programFolders: [shell.folder] });
    await expect(bare.run("true")).rejects.toMatchObject({ code: "unavailable" });
    await bare.close();
  });
});

test("without named pipes, commands run on what Node has", async () => {
  await symlink("/bin/bash", join(shell.folder, "bash"));
  const plain = await openShell({ programFolders: [shell.folder] });
  const { exitCode, output, finalDirectory } = await plain.run("cd /; seq 100000; echo err >&2; exit 3");
  expect({ exitCode, finalDirectory }).toEqual({ exitCode: 3, finalDirectory: "/" });
  expect(output.stdout.totalBytes).toBe(588_895);
  expect(output.stderr.text).toBe("err\n");
  expect((await plain.run("sleep 1000 & echo done")).leftOpen).toBe(true);
  await plain.close();
});

test("a sandbox gets the program, its descriptors from 4 on, and is released", async () => {
  const { open } = await import("node:fs/promises");
  await writeFile(join(shell.folder, "handed"), "by descriptor");
  const handed = await open(join(shell.folder, "handed"));
  const { output, finalDirectory } = await shell.run("echo $BOXED; cd /", {
    wrap: async ({ file, args, environment }) => ({
      file: "/usr/bin/env",
      args: ["BOXED=yes", "/bin/sh", "-c", 'cat <&4; exec "$0" "$@"', file, ...args],
      environment,
      descriptors: [handed.fd],
      release: () => handed.close(),
    }),
  });
  expect(output.stdout.text).toBe("by descriptoryes\n");
  expect(finalDirectory).toBe("/");
  await expect(handed.stat()).rejects.toThrow();
});

test("a sandbox that cannot be made keeps the command from starting", async () => {
  const wrap = () => Promise.reject(new Error("no sandbox"));
  await expect(shell.run("touch ran", { wrap })).rejects.toThrow("no sandbox");
  await expect(stat(join(shell.folder, "ran"))).rejects.toThrow("ENOENT");
});

/** Blocks the event loop. */
function isAlive(pid: string): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
