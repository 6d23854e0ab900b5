import { asFields, asFieldsList, type Fields } from "./fields.ts";

/**
 * Throws for something that is not a message at all. Without this, it would pass for a message without calls, which ends
 * the model's turn.
 */
export function checkMessage(message: object): void {
  const problem = Array.isArray(message) ? findListProblem(message) : findProblem(asFields(message) ?? {});
  if (problem !== undefined) throw new TypeError(problem);
}

function findListProblem(items: readonly unknown[]): string | undefined {
  if (items.every((item) => typeof asFields(item)?.type === "string")) return undefined;
  return "a list must be the output of one response; to handle a conversation, pass only the model's last message";
}

function findProblem({ tool_calls, function_call, error }: Fields): string | undefined {
  const said = asFields(error)?.message;
  if (typeof said === "string") return `this is an error from the model's vendor, not a message: ${said}`;
  if (asFields(function_call) !== undefined)
    return "function_call is an old form that is not supported; offer the functions as tools";
  const isList = Array.isArray(tool_calls) && asFieldsList(tool_calls).length === tool_calls.length;
  return tool_calls === undefined || tool_calls === null || isList
    ? undefined
    : "tool_calls must be a list of calls";
}
