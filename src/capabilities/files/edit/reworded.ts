import { defined } from "../../../shared/options/defined.ts";
import { ToolError, type ToolErrorOptions } from "../../../tool/tool-error.ts";

/** The same error in other words: its code and hint stay, the rest as given. */
export function reworded(
  { code, hint, retryable }: ToolError,
  message: string,
  options: ToolErrorOptions,
): ToolError {
  return new ToolError(code, message, { ...defined({ hint }), retryable, ...options });
}
