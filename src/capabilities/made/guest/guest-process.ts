import { type ChildEnd, type ConfinedLimits, startConfined } from "../../../machine/child/index.ts";
import type { Confining } from "../../../machine/sandbox/index.ts";
import { entryFile } from "../../../shared/entry-file.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { MadeTool } from "../made-tool.ts";

export type Guest = Awaited<ReturnType<typeof startGuest>>;

export interface GuestCall {
  readonly signal: AbortSignal;
  /** Uses the context for the tool; throws a ToolError if the tool may not. */
  readonly use: (name: string, given: readonly unknown[]) => Promise<unknown>;
}

export interface GuestParts {
  readonly sandbox: Confining;
  readonly limits: MadeLimits;
}

/** What one made tool may use at a time. */
export interface MadeLimits extends ConfinedLimits {
  /** How often one call may use its context. */
  readonly maxUses: number;
}

export const usualLimits: MadeLimits = {
  maxMemoryBytes: 256 * 2 ** 20,
  maxProcesses: 24,
  maxOutputBytes: 2 ** 20,
  maxCpuSeconds: 600,
  maxUses: 1000,
};

/** The files that the bare sandbox has to show so that a module can be run. */
export function guestFiles(): readonly string[] {
  return [process.execPath, guestFile()];
}

function guestFile(): string {
  return entryFile(import.meta.url, { source: "guest-main.ts", built: "guest" });
}

/** Starts a module of a made tool. It works on one call at a time. */
export async function startGuest(tool: MadeTool, { sandbox, limits }: GuestParts) {
  const heapMb = Math.max(16, Math.round(limits.maxMemoryBytes / 2 ** 21));
  const file = guestFile();
  let usesLeft = 0;
  const child = await startConfined(
    {
      args: [
        process.execPath,
        `--max-old-space-size=${heapMb}`,
        // A second wall inside the first: no files, processes, threads or add-ons.
        ...["--permission", `--allow-fs-read=${file}`, "--no-warnings", "--no-addons"],
        file,
      ],
      hasChannel: true,
      reservedBytes: engineBytes,
    },
    {
      sandbox: requireSandbox(sandbox),
      limits,
      describe: describeGuestEnd(limits),
      judge(message) {
        const { ask, name, given, answer } = message as Readonly<Record<string, unknown>>;
        if (ask === undefined) return typeof answer === "number";
        const isUse = typeof ask === "number" && typeof name === "string" && Array.isArray(given);
        return isUse && --usesLeft >= 0;
      },
      errors: { write: toFailure, read: fromFailure },
    },
  );
  const { code, language, permissions } = tool;
  const module = { code, isTypeScript: language === "typescript", uses: permissions };
  try {
    await child.ask("load", module, { signal: AbortSignal.timeout(maxLoadMs) });
  } catch (error) {
    const failure = child.isUsable
      ? new ToolError("tool-failed", `the tool cannot be loaded: ${(error as Error).message}`)
      : error;
    await child.end();
    throw failure;
  }
  return {
    get isUsable() {
      return child.isUsable;
    },
    end: child.end,
    call(input: unknown, { signal, use }: GuestCall): Promise<unknown> {
      usesLeft = limits.maxUses;
      const answer = (name: string, given: unknown) => use(name, given as readonly unknown[]);
      return child.ask("call", input, { signal, answer });
    },
  };
}

const maxLoadMs = 10_000;

// The range for compiled code, and some more.
const engineBytes = 640 * 2 ** 20;

export function requireSandbox(sandbox: Confining): Exclude<Confining, { kind: "none" }> {
  if (sandbox.kind === "none") throw noSandbox(sandbox.reason);
  return sandbox;
}

export function noSandbox(reason = "it was switched off"): ToolError {
  return new ToolError("unavailable", `made tools run only in a sandbox, and there is none: ${reason}`, {
    hint: "Install bubblewrap (Linux), or do the work with other tools.",
  });
}

/** The error for a call whose process has ended. */
export function describeGuestEnd(limits: MadeLimits): (end: ChildEnd, errors: string) => ToolError {
  return (end, errors) => {
    switch (end.state) {
      case "stopped":
        return stoppedBy(end.reason);
      case "ended":
        return new ToolError("cancelled", "the tool's process was ended");
      case "over":
        return tooMuch(
          {
            memory: `${Math.round(limits.maxMemoryBytes / 2 ** 20)} MB of memory`,
            processes: `${limits.maxProcesses} processes`,
            output: `${Math.round(limits.maxOutputBytes / 2 ** 10)} kB of output`,
          }[end.limit],
        );
      case "misbehaved":
        return new ToolError("tool-failed", "the tool was ended: it sent messages that no tool sends");
      case "exited":
        return endedItself(`exit code ${end.code}`, errors);
      case "killed":
        return endedItself(end.signal, errors);
      case "unstarted":
        return endedItself(end.error.message, errors);
    }
  };
}

function stoppedBy(reason: unknown): ToolError {
  const isLate = reason instanceof Error && reason.name !== "AbortError";
  return new ToolError(isLate ? "timed-out" : "cancelled", "the tool was ended before it had finished");
}

function tooMuch(what: string): ToolError {
  return new ToolError("tool-failed", `the tool was ended: it used more than ${what}`, {
    hint: "Make the tool do less, or do the work with other tools.",
  });
}

function endedItself(how: string, errors: string): ToolError {
  const last = errors.trim().split("\n").slice(-3).join(" / ");
  return new ToolError("tool-failed", `the tool's process ended: ${how}${last && ` (${last})`}`);
}

function toFailure(error: unknown): { code: string; message: string } {
  if (error instanceof ToolError) return { code: error.code, message: error.message };
  return { code: "tool-failed", message: error instanceof Error ? error.message : String(error) };
}

/** Takes the message alone: not a code, not a hint. */
function fromFailure(failure: unknown): ToolError {
  return new ToolError("tool-failed", typeof failure === "string" ? failure : "the tool failed");
}
