import type { Logger } from "../../tool/tool-context.ts";
import { describeSandbox } from "./describe-sandbox.ts";
import type { SandboxOptions } from "./open-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

/** Finds out once, when it is first needed, how commands can be kept in bounds here. */
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
    found ??= find();
    return found;
  };
}
