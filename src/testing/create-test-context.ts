import { CallContext } from "../kernel/call/call-context.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { RecordedOutput } from "./recording-log.ts";
import { beginTestCall } from "./test-call.ts";
import { defaultTimeoutMs } from "./test-host.ts";
import type { TestOptions } from "./test-options.ts";

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

/** Every context belongs to a call, and every call to a tool. */
const standIn = defineTool({
  name: "tool_under_test",
  description: "Placeholder for the tool that a test calls directly.",
  params: {},
  run: () => undefined,
});
