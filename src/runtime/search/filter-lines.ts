import { ToolError } from "../../tool/tool-error.ts";
import { runRipgrep } from "./run-ripgrep.ts";

/**
 * Which of the lines match, counted from 0. A pattern from outside could keep our own regular expressions busy for
 * years; this engine takes time in proportion to the text, in a process that can be ended.
 */
export async function filterLines(
  lines: readonly string[],
  pattern: string,
  { signal }: { signal: AbortSignal },
): Promise<readonly number[]> {
  if (/[\0\n]/.test(pattern)) {
    throw new ToolError("invalid-input", "the pattern contains a NUL character or a line break");
  }
  const deadline = AbortSignal.timeout(maxSearchMs);
  const found: Buffer[] = [];
  const end = await runRipgrep(
    ["--text", "--encoding=none", "--crlf", "--line-number", "--no-filename", `--regexp=${pattern}`, "-"],
    {
      cwd: "/",
      signal: AbortSignal.any([signal, deadline]),
      input: lines.map(withoutBreaks).join("\n"),
      onOutput(chunk) {
        found.push(chunk);
        return "more";
      },
    },
  ).catch((error: unknown) => {
    if (!deadline.aborted || signal.aborted) throw error;
    throw new ToolError("timed-out", `the pattern was looked for longer than ${maxSearchMs} ms`, {
      cause: error,
    });
  });
  if (end.status === "refused") throw new ToolError("invalid-input", `the pattern: ${end.message}`);
  return Buffer.concat(found)
    .toString("utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => Number.parseInt(line, 10) - 1);
}

const maxSearchMs = 10_000;

/** A line is one line, whatever it was split by. */
function withoutBreaks(line: string): string {
  return line.includes("\n") ? line.replaceAll("\n", " ") : line;
}
