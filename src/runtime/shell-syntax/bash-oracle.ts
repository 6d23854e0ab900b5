import { spawn } from "node:child_process";

/**
 * What bash itself says of the syntax, without running anything: a second opinion, wanted only where everything else
 * would allow. It is the system's bash, never one found through a path, and it inherits nothing.
 */
export function checkSyntax(
  text: string,
  { deadlineMs = defaultDeadlineMs } = {},
): Promise<"ok" | "error" | "unknown"> {
  if (text.includes("\0") || Buffer.byteLength(text) > maxArgumentBytes) return Promise.resolve("unknown");
  return new Promise((resolve) => {
    // As an argument, and not through a pipe, for that is how it will be run. Without the dashes, a text that begins
    // with one would be taken for options.
    const child = spawn(bashPath, ["--norc", "--noprofile", "-n", "-c", "--", text], {
      cwd: "/",
      env: { LC_ALL: "C.UTF-8" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
    let hasComplained = false;
    // Not there when the system had no descriptor left for it; then the error follows.
    child.stderr?.on("data", () => {
      hasComplained = true;
    });
    child.on("error", () => {
      clearTimeout(timer);
      resolve("unknown");
    });
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      if (exitCode === null) resolve("unknown");
      // A here-document without its end is only warned of.
      else resolve(exitCode === 0 && !hasComplained ? "ok" : "error");
    });
  });
}

// Bash takes a thousandth of it. A machine that is too busy to start it at once must not make a question of what is harmless.
const defaultDeadlineMs = 10_000;

const bashPath = "/bin/bash";
// The kernel takes at most 128 KiB in one argument.
const maxArgumentBytes = 120_000;
