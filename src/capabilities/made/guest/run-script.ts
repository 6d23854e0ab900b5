import { startConfined } from "../../../machine/child/start-confined.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { MadeTool } from "../made-tool.ts";
import { describeGuestEnd } from "./guest-end.ts";
import { type GuestParts, requireSandbox } from "./guest-process.ts";

/** Runs a made tool that is a shell script, in a sandbox of its own, to its end. Returns what it printed. */
export async function runScript(
  { code }: MadeTool,
  input: Readonly<Record<string, unknown>>,
  { sandbox, limits, signal }: GuestParts & { readonly signal: AbortSignal },
): Promise<string> {
  const describe = describeGuestEnd(limits);
  const script = await startConfined(
    {
      args: ["/bin/bash", "--norc", "--noprofile", "-c", code, "tool"],
      environment: Object.fromEntries(Object.entries(input).map(toVariable)),
      input: JSON.stringify(input),
    },
    { sandbox: requireSandbox(sandbox), limits, describe },
  );
  const end = await script.during(() => script.ended, { signal });
  if (end.state !== "exited") throw describe(end, script.lastErrors());
  if (end.code === 0) return script.output();
  const said = script.lastErrors().trim() || script.output().trim().slice(-maxSaidCharacters);
  throw new ToolError("tool-failed", `the script ended with exit code ${end.code}${said && `: ${said}`}`);
}

const maxSaidCharacters = 2000;

/** A text as it is, anything else as JSON. The prefix keeps a parameter from setting what bash itself obeys. */
function toVariable([name, value]: [string, unknown]): [string, string] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return [`input_${name}`, text.replaceAll("\0", "")];
}
