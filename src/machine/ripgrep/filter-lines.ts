import { ToolError } from "../../tool/tool-error.ts";
import { runRipgrep } from "./run-ripgrep.ts";

/**
 * 0-based indexes of the matching lines. An untrusted pattern could keep JavaScript's regular expressions busy for
 * years; ripgrep takes linear time, in a process that can be killed.
 */
export async function filterLines(
  text: string,
  pattern: string,
  { signal }: { signal: AbortSignal },
): Promise<readonly number[]> {
  if (/[\0\n]/.test(pattern)) {
    throw new ToolError("invalid-input", "the pattern contains a NUL character or a line break");
  }
  const found: Buffer[] = [];
  const end = await runRipgrep(
    ["--text", "--encoding=none", "--crlf", "--line-number", "--no-filename", `--regexp=${pattern}`, "-"],
    {
      cwd: "/",
      signal,
      input: text,
      onOutput(chunk) {
        found.push(chunk);
        return "more";
      },
    },
  );
  if (end.status === "refused") throw new ToolError("invalid-input", `invalid pattern: ${end.message}`);
  return Buffer.concat(found)
    .toString("utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => Number.parseInt(line, 10) - 1);
}
