import { beginCall } from "../kernel/call/begin-call.ts";
import type { ResolvedCall } from "../kernel/call/call.ts";
import { resolveTool } from "../kernel/call/resolve-tool.ts";
import { defined } from "../shared/options/defined.ts";
import { refuseUnknownKeys } from "../shared/options/refuse-unknown-keys.ts";
import type { AnyTool } from "../tool/define-tool.ts";
import { createRecordingLog, type RecordedOutput } from "./recording-log.ts";
import { createHost } from "./test-host.ts";
import { type TestOptions, testKeys } from "./test-options.ts";

/** Begins a call as the pipeline's stages expect it, in a session that exists only in memory. */
export async function beginTestCall(
  tool: AnyTool,
  input: unknown,
  options: TestOptions,
): Promise<{ call: ResolvedCall; recorded: RecordedOutput }> {
  refuseUnknownKeys(options, testKeys, "the test's options");
  const { log, recorded } = createRecordingLog();
  const host = await createHost(tool, options, log);
  const { signal, timeoutMs } = options;
  const request = { name: tool.name, input, ...defined({ signal, timeoutMs }) };
  return { call: resolveTool(beginCall(host, request)), recorded };
}
