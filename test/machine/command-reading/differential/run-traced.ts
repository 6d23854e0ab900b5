import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { shellProgram } from "../../../../src/capabilities/processes/command/shell-program.ts";
import { type Deed, markerFolder, readTrace, tracedCalls } from "./read-trace.ts";

const run = promisify(execFile);

export interface TracedRun {
  readonly deeds: readonly Deed[];
  /** What it printed, as far as it was let. */
  readonly output: string;
  /** Undefined if it ended the tracer. */
  readonly exitCode: number | undefined;
}

export interface TracedSurroundings {
  /** Shown as it is, and nothing in it can be changed. */
  readonly base: string;
  readonly work: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Commands may write in the base, which is made anew for each. */
  readonly isWritable?: boolean;
  /** Programs to be found before the installed ones of these names, by their paths. */
  readonly programs?: ReadonlyMap<string, string>;
}

/** Why commands can't be traced here; undefined if they can. */
export async function findTracingProblem(): Promise<string | undefined> {
  const base = await mkdtemp(join(tmpdir(), "toolwright-tracer-"));
  try {
    const environment = { PATH: "/usr/bin:/bin" };
    const [traced] = await runTraced(["cat /etc/passwd > /dev/null"], { base, work: base, environment });
    const isSeen = traced?.deeds.some(({ path }) => path === "/etc/passwd");
    return isSeen ? undefined : "strace does not tell what a command opens";
  } catch (error) {
    return `commands cannot be traced in a namespace of their own: ${(error as Error).message.split("\n")[0]}`;
  } finally {
    await rm(base, { recursive: true });
  }
}

/**
 * Runs each command as the runtime would, but in a namespace without a network in which nothing can be changed, and tells
 * what it did. One tracer follows them all, because starting it costs more than most commands.
 */
export async function runTraced(
  commands: readonly string[],
  surroundings: TracedSurroundings,
): Promise<TracedRun[]> {
  const notes = await mkdtemp(join(tmpdir(), "toolwright-trace-"));
  try {
    const runs: TracedRun[] = [];
    // A command that ends every process it finds also ends the tracer; the ones after it then run by another.
    while (runs.length < commands.length)
      runs.push(
        ...(await runBatch(commands.slice(runs.length), surroundings, join(notes, `${runs.length}`))),
      );
    return runs;
  } finally {
    await rm(notes, { recursive: true });
  }
}

async function runBatch(
  commands: readonly string[],
  { base, work, environment, isWritable = false, programs = new Map() }: TracedSurroundings,
  notes: string,
): Promise<TracedRun[]> {
  await mkdir(notes);
  const [listed, trace] = [join(notes, "commands"), join(notes, "trace")];
  await writeFile(listed, commands.map((command) => `${command}\0`).join(""));
  const template = "/tmp/template";
  const places = isWritable ? ["--ro-bind", base, template, "--tmpfs", base] : ["--ro-bind", base, base];
  const ownPrograms = [...programs].flatMap(([name, path]) => ["--symlink", path, join(firstInPath, name)]);
  const failure = await run(
    "bwrap",
    [
      ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
      ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", ...places],
      ...["--bind", notes, notes, "--chdir", "/", "--tmpfs", firstInPath, ...ownPrograms],
      ...(isWritable ? ["/bin/bash", "--norc", "--noprofile", "-c", renewer, notes, base, template] : []),
      ...["strace", "-f", "-y", "-qq", "-s", "4096", "--seccomp-bpf", "-e", "signal=none"],
      ...["-e", `trace=${tracedCalls.map((name) => `?${name}`).join(",")}`, "-o", trace],
      ...["/bin/bash", "--norc", "--noprofile", "-c", driver, "bash"],
      ...[listed, notes, work, isWritable ? "renewed" : ""],
    ],
    { env: { ...environment }, maxBuffer: 1e8, timeout: batchTimeoutMs, killSignal: "SIGKILL" },
  ).then(
    () => undefined,
    (error: Error) => error,
  );
  const deeds = readTrace(await readFile(trace, "latin1").catch(() => ""));
  const exitCodes = (await readFile(join(notes, "ends"), "utf8").catch(() => ""))
    .split("\n")
    .filter(Boolean)
    .map(Number);
  // The last one that began is the one that ended the tracer.
  const begun = failure === undefined ? commands.length : deeds.size;
  if (begun === 0) throw failure ?? new Error("nothing was traced");
  return Promise.all(
    commands.slice(0, begun).map(async (_, number) => ({
      deeds: deeds.get(number) ?? [],
      output: await readFile(join(notes, `${number}`), "latin1").catch(() => ""),
      exitCode: exitCodes[number],
    })),
  );
}

const batchTimeoutMs = 600_000;

/** The first folder of the PATH that commands get. */
const firstInPath = "/usr/local/sbin";

const shell = shellProgram('"$command"', { shell: "/bin/bash", environment: {}, marker: "" });

/**
 * Makes the planted folder anew where a command has changed it, outside of the tracer, which would have to look at every
 * file. It is asked by a line, and answers by one.
 */
const renewer = `
notes=$0 base=$1 template=$2; shift 2
mkfifo "$notes/ask" "$notes/answer"
look() { find "$base" -printf '%P %i %m %s %T@ %C@\n'; }
(
  exec >"$notes/answer"
  seen=none
  while read -r _; do
    if [ "$(look)" != "$seen" ]; then
      chmod -R u+rwx "$base"; find "$base" -mindepth 1 -delete; cp -a "$template/." "$base"; seen=$(look)
    fi
    echo renewed
  done <"$notes/ask"
) &
exec "$@"
`;

/** Reads commands that end in NUL; the marker tells in the trace where each begins. */
const driver = `
exec 8<"$1"; notes=$2 work=$3 renewed=$4 n=0
[ -z "$renewed" ] || { exec 6<"$notes/answer" 7>"$notes/ask"; }
ulimit -c 0 -f 512
while IFS= read -r -d '' command <&8; do
  [ -z "$renewed" ] || { echo >&7; read -r _ <&6; }
  (
    cd "${markerFolder}/$n" 2>/dev/null
    cd "$work"
    exec timeout --signal=KILL 4 ${shell.file} ${shell.args.join(" ")}
  ) 6<&- 7>&- 8<&- </dev/null >"$notes/$n" 2>&1
  echo $? >>"$notes/ends"
  n=$((n + 1))
done
# The tracer would wait for a process that a command has left behind.
for process in /proc/[0-9]*; do
  pid=\${process#/proc/}
  [ $pid = 1 ] || [ $pid = $$ ] || [ $pid = $PPID ] || kill -KILL $pid
done 2>/dev/null
`;
