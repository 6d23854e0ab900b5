import type { RuntimeMcp } from "../../mcp/client/open-mcp-client.ts";
import { openRuntime } from "../../open-runtime.ts";
import type { FlagValues } from "../flags.ts";
import { asUsage } from "./as-usage.ts";
import { optionsFromFlags } from "./options-from-flags.ts";

/** Opens a runtime, which reads the configured servers and starts the approved ones; closes it after the work. */
export async function withMcpApprovals<Result>(
  flags: FlagValues,
  work: (mcp: RuntimeMcp) => Promise<Result>,
): Promise<Result> {
  const options = await optionsFromFlags(flags);
  const runtime = await asUsage(() => openRuntime(options));
  try {
    return await work(runtime.mcp);
  } finally {
    await runtime.close();
  }
}
