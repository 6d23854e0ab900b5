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

interface Idle {
  readonly key: string;
  readonly guest: Guest;
  readonly timer: NodeJS.Timeout;
}

export function createGuestPool(
  open: () => Promise<GuestParts>,
  { maxIdle = 4, maxIdleMs = 60_000 } = {},
): GuestPool {
  let idle: Idle[] = [];
  const busy = new Set<Guest>();
  let isClosed = false;

  const take = (key: string): Guest | undefined => {
    const found = idle.findLast((each) => each.key === key && each.guest.isUsable);
    if (found === undefined) return undefined;
    idle = idle.filter((each) => each !== found);
    clearTimeout(found.timer);
    return found.guest;
  };
  const endAll = async (those: readonly Idle[]) => {
    idle = idle.filter((each) => !those.includes(each));
    for (const { timer } of those) clearTimeout(timer);
    await Promise.all(those.map(({ guest }) => guest.end()));
  };
  const rest = (key: string, guest: Guest) => {
    if (isClosed) return void guest.end();
    const timer = setTimeout(() => endAll([kept]), maxIdleMs).unref();
    const kept: Idle = { key, guest, timer };
    idle.push(kept);
    void endAll(idle.slice(0, Math.max(0, idle.length - maxIdle)));
  };

  return {
    async run(tool, input, call) {
      const parts = await open();
      if (tool.language === "shell") return runScript(tool, input, { ...parts, signal: call.signal });
      const key = `${call.sessionId} ${hashOf(tool)}`;
      const guest = take(key) ?? (await startGuest(tool, parts));
      busy.add(guest);
      try {
        return await guest.call(input, call);
      } finally {
        busy.delete(guest);
        if (guest.isUsable) rest(key, guest);
      }
    },
    forget: (sessionId) => endAll(idle.filter(({ key }) => key.startsWith(`${sessionId} `))),
    async close() {
      isClosed = true;
      await Promise.all([endAll(idle), ...[...busy].map((guest) => guest.end())]);
    },
  };
}
