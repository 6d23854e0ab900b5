import { PolicyFileError, RuleError } from "../../../kernel/policy/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { UsageError } from "../command.ts";

/** Turns errors about invalid options into usage errors: all options come from the command line or its configuration. */
export async function asUsage<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    const isUsage = [TypeError, RuleError, ToolError, PolicyFileError].some((kind) => error instanceof kind);
    // The command line is right if another process has the session.
    const isBusy = error instanceof ToolError && error.code === "session-busy";
    if (!isUsage || isBusy || !(error instanceof Error)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
