import type { ChildEnd } from "../../../machine/child/child.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { MadeLimits } from "../made-limits.ts";

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
