export { createTestContext, type TestContext } from "./create-test-context.ts";
export type { EmittedEvent, LogLine, RecordedOutput } from "./recording-log.ts";
export { runTool, type ToolRun } from "./run-tool.ts";
export type { TestOptions } from "./test-options.ts";
