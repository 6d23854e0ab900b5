import type { Sandbox } from "./sandbox.ts";

/** One line that tells a person whether and how commands are sandboxed. */
export function describeSandbox({ kind, reason }: Pick<Sandbox, "kind" | "reason">): string {
  switch (kind) {
    case "bubblewrap":
      return "commands run in a sandbox (bubblewrap)";
    case "seatbelt":
      return "commands run in a sandbox (macOS sandbox-exec)";
    case "none":
      return `commands run WITHOUT a sandbox: ${reason ?? "no reason given"}`;
  }
}
