import { ToolError } from "../../../tool/tool-error.ts";
import type { MadeTool } from "../made-tool.ts";
import { readUpTo, startConfined } from "./confined-process.ts";
import { type GuestParts, stoppedBy } from "./guest-process.ts";

/** Runs a made tool that is a shell script, in a sandbox of its own, to its end. Returns what it printed. */
export async function runScript(
  { code }: MadeTool,
  input: Readonly<Record<string, unknown>>,
  { sandbox, limits, signal }: GuestParts & { readonly signal: AbortSignal },
): Promise<string> {
  const running = await startConfined(
    {
      args: ["/bin/bash", "--norc", "--noprofile", "-c", code, "tool"],
      environment: Object.fromEntries(Object.entries(input).map(toVariable)),
    },
    { sandbox, limits },
  );
  const { child, ended, end } = running;
  const output = readUpTo(child.stdout!, limits.maxOutputBytes, end);
  const drained = new Promise((resolve) => child.stdout?.once("close", resolve));
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const stop = () => end(stoppedBy(signal));
  const stopWatching = running.watch();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  child.stdin?.end(JSON.stringify(input));
  try {
    const [why, code] = await Promise.all([ended, exit, drained]);
    if (code === 0) return output();
    if (code === null) throw why;
    const said = running.lastErrors().trim() || output().trim().slice(-maxSaidCharacters);
    throw new ToolError("tool-failed", `the script ended with exit code ${code}${said && `: ${said}`}`);
  } finally {
    stopWatching();
    signal.removeEventListener("abort", stop);
  }
}

const maxSaidCharacters = 2000;

/** A text as it is, anything else as JSON. The prefix keeps a parameter from setting what bash itself obeys. */
function toVariable([name, value]: [string, unknown]): [string, string] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return [`input_${name}`, text.replaceAll("\0", "")];
}
