import { isatty } from "node:tty";
import type { McpServerStatus } from "../../mcp/client/server-source.ts";
import type { Runtime } from "../../open-runtime.ts";
import { Deadline } from "../../shared/deadline.ts";
import { escapeControls } from "../../shared/text/escape-controls.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { runUntilStopped } from "../terminal/stop-signal.ts";

export interface WaitOptions {
  /** Only the MCP servers that a tool of this name could be of. */
  readonly tool?: string | undefined;
  readonly output: CommandOutput;
  /** Ends the waiting with its reason; where there is none, so does whoever tells the process to end. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Waits for MCP servers that are not there yet, and says so if it takes a while: a command that ends by itself has no
 * second chance to find them. Somebody who has to sign in is waited for only at a terminal.
 */
export async function waitForServers({ mcp }: Runtime, options: WaitOptions): Promise<void> {
  if (mcp.servers().length === 0) return;
  const { signal } = options;
  if (signal !== undefined) await waitUntil(signal, mcp, options);
  else await runUntilStopped((stop) => waitUntil(stop, mcp, options));
}

async function waitUntil(
  signal: AbortSignal,
  mcp: Runtime["mcp"],
  { tool, output, timeoutMs = maxWaitMs }: WaitOptions,
): Promise<void> {
  const told = new Set<string>();
  const tellUnlessThere = (name: string) => {
    const server = mcp.servers().find((each) => each.name === name);
    const text = server === undefined || server.status === "running" ? "" : describe(server);
    if (text !== "" && !told.has(text)) void output.tell(escapeControls(text));
    told.add(text);
  };
  const timers: NodeJS.Timeout[] = [];
  const deadline = new Deadline(signal);
  deadline.start(timeoutMs);
  try {
    await mcp.ready({
      ...(tool !== undefined && { tool }),
      forPerson: isatty(0) && isatty(2),
      signal: deadline.signal,
      onWait: ({ name }) => timers.push(setTimeout(tellUnlessThere, quietMs, name)),
    });
    signal.throwIfAborted();
  } finally {
    deadline.close();
    for (const timer of timers) clearTimeout(timer);
  }
}

const quietMs = 1000;
/** Connecting and signing in have limits of their own; this one is for what they do not bound. */
const maxWaitMs = 15 * 60_000;

function describe({ name, reason }: McpServerStatus): string {
  const why = reason === undefined ? "" : `: ${reason}`;
  return `Waiting for the MCP server ${name}${why} (Ctrl-C gives up)`;
}
