import { execute } from "../runtime/pipeline/execute.ts";
import { settle } from "../runtime/pipeline/outcome.ts";
import { toOutcome } from "../runtime/pipeline/shape-outcome.ts";
import { validateInput } from "../runtime/pipeline/validate-input.ts";
import type { AnyTool } from "../tool/define-tool.ts";
import { ToolError } from "../tool/tool-error.ts";
import type { ContentPart } from "../tool/tool-result.ts";
import type { Told } from "./recording-log.ts";
import { beginTestCall, type TestOptions } from "./test-call.ts";

export interface ToolRun extends Told {
  /** What the model reads. */
  readonly text: string;
  readonly content: readonly ContentPart[];
  readonly data?: unknown;
}

/**
 * Validates the input, runs the tool and brings its result into form, by the same stages as a runtime.
 * Permission is not asked and nothing is kept. Rejects with a ToolError.
 */
export async function runTool(tool: AnyTool, input: unknown, options: TestOptions = {}): Promise<ToolRun> {
  const { call, told } = await beginTestCall(tool, input, options);
  let thrown: unknown;
  const { error, text, content, data } = await settle(call, async () => {
    try {
      await validateInput(call);
      return toOutcome(call, await execute(call));
    } catch (cause) {
      thrown = cause;
      throw cause;
    }
  });
  call.deadline.end();
  if (thrown instanceof ToolError) throw thrown;
  if (error !== undefined) throw new ToolError(error.code, error.message, { ...error, cause: thrown });
  return { text, content, ...(data !== undefined && { data }), ...told };
}
