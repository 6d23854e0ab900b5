// One process that runs one command line after another: starting Node and reading the sources takes ten times as long as
// most commands do. Each one gets its own folder, environment, input and output, as in a process of its own.
import { Readable, Writable } from "node:stream";
import type { CliResult, CliRun } from "./run-in-host.ts";

const mainFile = new URL("../../../dist/cli/main.js", import.meta.url).href;
const { log, info, debug } = console;
const output = { stdout: "", stderr: "" };
let streams = openStreams("");
let runs = 0;

for (const name of ["stdin", "stdout", "stderr"] as const)
  Object.defineProperty(process, name, { get: () => streams[name] });
process.on("disconnect", endNow);
process.on("message", run);
const ownListeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));

async function run({ cwd, environment, words, input }: CliRun): Promise<void> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.argv.splice(1, Infinity, ...words);
  streams = openStreams(input);
  const exitCode = await exitOfMain();
  process.exitCode = undefined;
  Object.assign(console, { log, info, debug });
  dropListeners();
  process.send?.({ exitCode, ...output } satisfies CliResult);
  output.stdout = output.stderr = "";
}

async function exitOfMain(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  process.exit = ((code: number) => resolve(code)) as typeof process.exit;
  runs += 1;
  await import(`${mainFile}?run=${runs}`);
  // The few commands that print and leave set it and let the process end by itself.
  if (process.exitCode !== undefined || process.argv[2] === "--version")
    resolve(Number(process.exitCode ?? 0));
  return promise;
}

/** Signal handlers and the like of the command that has ended. */
function dropListeners(): void {
  for (const name of process.eventNames())
    for (const listener of process.rawListeners(name))
      if (!ownListeners.get(name)?.includes(listener))
        process.removeListener(name, listener as (...given: unknown[]) => void);
}

function openStreams(input: string) {
  return {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: createCapture("stdout"),
    stderr: createCapture("stderr"),
  };
}

function createCapture(name: "stdout" | "stderr"): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      output[name] += chunk;
      done();
    },
  });
}

function endNow(): void {
  process.kill(process.pid, "SIGKILL");
}
