import { beginCall, CallContext, type ResolvedCall, resolveTool } from "../kernel/call/index.ts";
import { defined } from "../shared/options/defined.ts";
import { refuseUnknownKeys } from "../shared/options/refuse-unknown-keys.ts";
import { type AnyTool, defineTool } from "../tool/define-tool.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import { createRecordingLog, type RecordedOutput } from "./recording-log.ts";
import { createHost, defaultTimeoutMs } from "./test-host.ts";
import { type TestOptions, testKeys } from "./test-options.ts";

export interface TestContext extends RecordedOutput {
  readonly context: ToolContext;
  /** Ends the deadline. Anything the tool reports afterwards is ignored, as in a runtime. */
  close(): void;
}

/** The context that a runtime would give a tool, with a record of everything the tool reports. */
export async function createTestContext(options: TestOptions = {}): Promise<TestContext> {
  const { call, recorded } = await beginTestCall(standIn, {}, options);
  const context = new CallContext(call);
  call.deadline.start(options.timeoutMs ?? defaultTimeoutMs);
  return {
    context,
    ...recorded,
    close() {
      context.close();
      call.deadline.close();
    },
  };
}

/** The tool of the context's call: every context belongs to a call, and every call to a tool. */
const standIn = defineTool({
  name: "tool_under_test",
  description: "Placeholder for the tool that a test calls directly.",
  params: {},
  run: () => undefined,
});

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
