import {
  type CallOutcome,
  execute,
  outcomeOfError,
  type ResolvedCall,
  validateInput,
} from "../kernel/call/index.ts";
import { defined } from "../shared/options/defined.ts";
import type { AnyTool } from "../tool/define-tool.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import { ToolError } from "../tool/tool-error.ts";
import type { ContentPart } from "../tool/tool-result.ts";
import { beginTestCall } from "./create-test-context.ts";
import type { RecordedOutput } from "./recording-log.ts";
import type { TestOptions } from "./test-options.ts";

export interface ToolRun extends RecordedOutput {
  /** The text that the model reads. */
  readonly text: string;
  readonly content: readonly ContentPart[];
  readonly data?: unknown;
}

/**
 * Validates the input, runs the tool and shapes its result, by the same stages as a runtime.
 * Asks for no permission and records nothing. Rejects with a ToolError.
 */
export async function runTool(tool: AnyTool, input: unknown, options: TestOptions = {}): Promise<ToolRun> {
  let thrown: unknown;
  const watched = watchErrors(tool, (error) => {
    thrown = error;
  });
  const { call, recorded } = await beginTestCall(watched, input, options);
  const { error, text, content, data } = await runStages(call);
  // The tool's own error has the stack trace.
  if (error !== undefined && thrown instanceof ToolError) throw thrown;
  if (error !== undefined) throw new ToolError(error.code, error.message, { ...error, cause: thrown });
  return { text, content, ...defined({ data }), ...recorded };
}

function watchErrors(tool: AnyTool, onError: (error: unknown) => void): AnyTool {
  const run = async (input: unknown, context: ToolContext): Promise<unknown> => {
    try {
      return await tool.run(input, context);
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  return { ...tool, run };
}

async function runStages(call: ResolvedCall): Promise<CallOutcome> {
  try {
    await validateInput(call);
    return await execute(call);
  } catch (error) {
    return outcomeOfError(call, error);
  } finally {
    call.deadline.close();
  }
}
