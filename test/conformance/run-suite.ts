import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** What one of the scripts printed that run the official suite; where it failed, that is what the error says. */
export async function runSuite(
  script: string,
  { timeoutMs, words = [] }: { timeoutMs: number; words?: readonly string[] },
): Promise<string> {
  const file = fileURLToPath(new URL(`../../scripts/${script}`, import.meta.url));
  const options = { timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...words], options).catch((error) => {
    throw new Error(`${script} failed:\n${error.stdout}${error.stderr}`, { cause: error });
  });
  return stdout;
}
