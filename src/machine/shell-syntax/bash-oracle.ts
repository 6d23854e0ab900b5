import { spawn } from "node:child_process";

/**
 * Asks bash itself to check the syntax, without running anything: a second opinion on scripts that would otherwise be
 * allowed. Uses the system's bash, never one found through PATH, with an empty environment.
 */
export function checkSyntax(
  text: string,
  { deadlineMs = defaultDeadlineMs } = {},
): Promise<"ok" | "error" | "unknown"> {
  if (text.includes("\0") || Buffer.byteLength(text) > maxArgumentBytes) return Promise.resolve("unknown");
  return new Promise((resolve) => {
    // As an argument, not through a pipe, because that is how it will be run. `--` keeps a text that starts with a
    // dash from being taken as options.
    const child = spawn(bashPath, ["--norc", "--noprofile", "-n", "-c", "--", text], {
      cwd: "/",
      env: { LC_ALL: "C.UTF-8" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
    let hasComplained = false;
    // Missing if the system ran out of descriptors; then an error event follows.
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
      // Bash only warns about an unclosed here-document.
      else resolve(exitCode === 0 && !hasComplained ? "ok" : "error");
    });
  });
}

// A thousand times what bash needs: a busy machine must not turn a harmless command into a question.
const defaultDeadlineMs = 10_000;

const bashPath = "/bin/bash";
// The kernel takes at most 128 KiB in one argument.
const maxArgumentBytes = 120_000;
