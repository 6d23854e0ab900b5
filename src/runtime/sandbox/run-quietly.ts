import { spawn } from "node:child_process";
import type { WrappedProgram } from "./sandbox.ts";

/** Runs a trial to its end; gives back what went wrong, if anything. */
export async function runQuietly(wrapped: WrappedProgram): Promise<string | undefined> {
  const { file, args, environment, descriptors } = wrapped;
  try {
    const child = spawn(file, args, {
      env: { ...environment },
      stdio: ["ignore", "ignore", "pipe", "ignore", ...descriptors],
      timeout: maxTrialMs,
      killSignal: "SIGKILL",
    });
    return await new Promise<string | undefined>((resolve) => {
      let said = "";
      child.stderr?.on("data", (chunk) => {
        said = (said + chunk).slice(0, maxSaidCharacters);
      });
      child.on("error", (error) => resolve(error.message));
      child.on("close", (code, signal) => {
        const ending = signal === null ? `it ended with ${code}` : `it was stopped by ${signal}`;
        resolve(code === 0 ? undefined : said.trim() || ending);
      });
    });
  } finally {
    await wrapped.release();
    await wrapped.finish?.();
  }
}

// It takes a hundredth of a second; only what hangs, and no busy machine, is to be taken for a sandbox that does not work.
const maxTrialMs = 30_000;
const maxSaidCharacters = 300;
