import { createChildPool, type PoolLimits, startConfined } from "../../../machine/child/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { hashOf, type MadeTool } from "../made-tool.ts";
import {
  describeGuestEnd,
  type Guest,
  type GuestCall,
  type GuestParts,
  requireSandbox,
  startGuest,
} from "./guest-process.ts";

export type GuestPool = ReturnType<typeof createGuestPool>;

interface PooledCall extends GuestCall {
  /**
   * A process is used again only for the same tool in the same session: what a tool remembers between calls, or a later
   * message of it, never meets a call of another session.
   */
  readonly sessionId: string;
}

/** Runs made tools, and keeps processes of modules for the next call. */
export function createGuestPool(
  open: () => Promise<GuestParts>,
  { maxIdle = 4, maxIdleMs = 60_000 }: PoolLimits = {},
) {
  const pool = createChildPool<Guest>({ maxIdle, maxIdleMs });
  return {
    async run(tool: MadeTool, input: Readonly<Record<string, unknown>>, call: PooledCall): Promise<unknown> {
      const parts = await open();
      if (tool.language === "shell") return runScript(tool, input, { ...parts, signal: call.signal });
      const start = () => startGuest(tool, parts);
      return pool.use(`${call.sessionId} ${hashOf(tool)}`, start, (guest) => guest.call(input, call));
    },
    /** Ends the kept processes of a session. */
    forget: (sessionId: string): Promise<void> => pool.forget((kind) => kind.startsWith(`${sessionId} `)),
    close: pool.close,
  };
}

/** Runs a made tool that is a shell script to its end, in a separate sandbox. Returns its output. */
async function runScript(
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
