import type { Logger } from "../../tool/tool-context.ts";
import type { SandboxOptions } from "./open-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

/**
 * Opens the sandbox when it is first needed, and only once: a failure is not remembered, since its reason may be gone the
 * next time. Warns if there is none.
 */
export function findSandbox(
  options: Omit<SandboxOptions, "userPath">,
  { logger }: { logger: Pick<Logger, "warn"> },
): () => Promise<Sandbox> {
  let found: Promise<Sandbox> | undefined;
  const find = async () => {
    const { openSandbox } = await import("./open-sandbox.ts");
    const sandbox = await openSandbox({ ...options, userPath: process.env.PATH ?? "" });
    if (sandbox.kind === "none") logger.warn(describeSandbox(sandbox));
    return sandbox;
  };
  return () => {
    if (found !== undefined) return found;
    const finding = find();
    found = finding;
    finding.catch(() => {
      found = undefined;
    });
    return finding;
  };
}

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
