import { spawn } from "node:child_process";
import type { ConfinedProgram } from "./sandbox.ts";

/** Runs a program to its end without showing output. Returns what went wrong, or undefined. */
export async function runQuietly(wrapped: ConfinedProgram): Promise<string | undefined> {
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
        const ending = signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`;
        resolve(code === 0 ? undefined : said.trim() || ending);
      });
    });
  } finally {
    await wrapped.release();
    await wrapped.finish?.();
  }
}

// A trial takes about 10 ms. The limit is generous so that only a hang, not a busy machine, counts as a failure.
const maxTrialMs = 30_000;
const maxSaidCharacters = 300;
