import { isatty } from "node:tty";
import type { McpServerStatus } from "../../../capabilities/mcp-client/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { Deadline } from "../../../shared/deadline.ts";
import { defined } from "../../../shared/options/defined.ts";
import { escapeControls } from "../../../shared/text/escape-controls.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import { runUntilStopped } from "../terminal/stop-signal.ts";

export interface WaitOptions {
  /** Waits only for the MCP servers that may have a tool with this name. */
  readonly tool?: string | undefined;
  readonly output: CommandOutput;
  /** Stops waiting when it aborts. Default: SIGINT, SIGTERM and SIGHUP stop waiting. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Waits for MCP servers that are still connecting, because a command that runs once cannot find their tools later. Tells
 * the person if it takes a while. Waits for a person to sign in only at a terminal.
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
  const shown = new Set<string>();
  const tellUnlessRunning = (name: string) => {
    const server = mcp.servers().find((each) => each.name === name);
    const text = server === undefined || server.status === "running" ? "" : describe(server);
    if (text !== "" && !shown.has(text)) void output.tell(escapeControls(text));
    shown.add(text);
  };
  const timers: NodeJS.Timeout[] = [];
  const deadline = new Deadline(signal);
  deadline.start(timeoutMs);
  try {
    await mcp.ready({
      ...defined({ tool }),
      forPerson: isatty(0) && isatty(2),
      signal: deadline.signal,
      onWait: ({ name }) => timers.push(setTimeout(tellUnlessRunning, quietMs, name)),
    });
    signal.throwIfAborted();
  } finally {
    deadline.close();
    for (const timer of timers) clearTimeout(timer);
  }
}

const quietMs = 1000;
/** A last resort: connecting and signing in have their own time limits. */
const maxWaitMs = 15 * 60_000;

function describe({ name, reason }: McpServerStatus): string {
  const why = reason === undefined ? "" : `: ${reason}`;
  return `Waiting for the MCP server ${name}${why} (Ctrl-C to give up)`;
}
