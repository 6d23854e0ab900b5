import { RuleError } from "../../runtime/policy/rules/rule.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { UsageError } from "../usage-error.ts";

/** What the runtime refuses to be opened with was said on the command line or in the configuration. */
export async function asUsage<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RuleError || error instanceof ToolError))
      throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
