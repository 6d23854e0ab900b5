import { type SpawnOptions, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { needs } from "../../support/needs.ts";

/** For a test that starts a terminal. */
export const testAtTerminal = await needs("terminal");

/** Runs a command on a terminal of its own. */
export function startTerminal(command: readonly string[], { cwd, env }: Pick<SpawnOptions, "cwd" | "env">) {
  const line = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
    cwd,
    env: { TERM: "xterm", ...env, SHELL: "/bin/sh" },
    stdio: "pipe",
  });
  onTestFinished(() => {
    child.kill();
  });
  let text = "";
  const listeners = new Set<() => void>();
  // A character may come in two pieces.
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    for (const listener of listeners) listener();
  });
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  const waitFor = (expected: string) => waitUntil((shown) => shown.includes(expected), expected);
  const waitUntil = (isThere: (shown: string) => boolean, expected: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (isThere(text)) resolve();
      };
      listeners.add(check);
      check();
      exited.then(() => reject(new Error(`ended without ${JSON.stringify(expected)}: ${text}`)));
    });
  return {
    exited,
    waitFor,
    waitUntil,
    text: () => text,
    type: (keys: string) => child.stdin.write(keys),
    /** As when its window is closed. */
    hangUp: () => child.kill("SIGKILL"),
  };
}
