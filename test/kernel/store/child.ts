import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { programFile } from "../../support/programs/program-file.ts";

const keepCompiled = new URL("../../support/keep-compiled.mjs", import.meta.url).href;

export interface Child {
  /** The next line it prints; fails when it has ended. */
  nextLine(): Promise<string>;
  /** Lets it go on from where it waits for a word. */
  tell(): void;
  /** Every line it still prints, once it has ended by itself without an error. */
  rest(): Promise<string[]>;
  kill(): Promise<void>;
  readonly pid: number;
  /** The whole lines it had printed and nobody has read, once it was killed. */
  printed(): Promise<string[]>;
}

/**
 * Runs one of the scripts beside a test in a Node process of its own, which does not outlive the test. A launcher is a
 * program, with its arguments, that starts it.
 */
export function startChild(
  script: URL,
  words: readonly string[],
  nodeFlags: readonly string[] = [],
  launcher: readonly string[] = [],
): Child {
  const flags = ["--import", keepCompiled, ...nodeFlags];
  const [program = "", ...args] = [...launcher, process.execPath, ...flags, programFile(script), ...words];
  const process_ = spawn(program, args, {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const errors: string[] = [];
  process_.stderr.on("data", (chunk) => errors.push(String(chunk)));
  const ended = once(process_, "close");
  const lines = createInterface({ input: process_.stdout })[Symbol.asyncIterator]();
  const kill = async () => {
    process_.kill("SIGKILL");
    await ended;
  };
  const printed = async () => {
    const rest: string[] = [];
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) rest.push(line.value);
    return rest;
  };
  onTestFinished(kill);
  return {
    kill,
    pid: process_.pid!,
    tell: () => process_.stdin.end("go"),
    async nextLine() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the process ended: ${errors.join("")}`);
      return value;
    },
    printed,
    async rest() {
      const rest = await printed();
      const [exitCode] = await ended;
      if (exitCode !== 0) throw new Error(`the process ended with ${exitCode}: ${errors.join("")}`);
      return rest;
    },
  };
}
