import { ToolError } from "../../../tool/tool-error.ts";
import { runRipgrep } from "./run-ripgrep.ts";

/**
 * Which lines of a text match, counted from 0. A pattern from outside could keep our own regular expressions busy for
 * years; this engine takes time in proportion to the text, in a process that can be ended.
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
  if (end.status === "refused") throw new ToolError("invalid-input", `the pattern: ${end.message}`);
  return Buffer.concat(found)
    .toString("utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => Number.parseInt(line, 10) - 1);
}
