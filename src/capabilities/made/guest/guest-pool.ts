import { createChildPool, type PoolLimits } from "../../../machine/child/child-pool.ts";
import { hashOf, type MadeTool } from "../made-tool.ts";
import { type Guest, type GuestCall, type GuestParts, startGuest } from "./guest-process.ts";
import { runScript } from "./run-script.ts";

/** Runs made tools, and keeps processes of modules for the next call. */
export interface GuestPool {
  run(tool: MadeTool, input: Readonly<Record<string, unknown>>, call: PooledCall): Promise<unknown>;
  /** Ends the kept processes of a session. */
  forget(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

interface PooledCall extends GuestCall {
  /**
   * A process is used again only for the same tool in the same session: what a tool remembers between calls, or a later
   * message of it, never meets the call of anybody else.
   */
  readonly sessionId: string;
}

export function createGuestPool(
  open: () => Promise<GuestParts>,
  { maxIdle = 4, maxIdleMs = 60_000 }: PoolLimits = {},
): GuestPool {
  const pool = createChildPool<Guest>({ maxIdle, maxIdleMs });
  return {
    async run(tool, input, call) {
      const parts = await open();
      if (tool.language === "shell") return runScript(tool, input, { ...parts, signal: call.signal });
      const start = () => startGuest(tool, parts);
      return pool.use(`${call.sessionId} ${hashOf(tool)}`, start, (guest) => guest.call(input, call));
    },
    forget: (sessionId) => pool.forget((kind) => kind.startsWith(`${sessionId} `)),
    close: pool.close,
  };
}
