import { asFields, asFieldsList, type Fields } from "./fields.ts";

/**
 * Tells a message that makes no calls, which ends a model's turn, from something that is no message at all. Whoever gave
 * that would take silence for the end.
 */
export function checkMessage(message: object): void {
  const problem = Array.isArray(message) ? findListProblem(message) : findProblem(asFields(message) ?? {});
  if (problem !== undefined) throw new TypeError(problem);
}

function findListProblem(items: readonly unknown[]): string | undefined {
  if (items.every((item) => typeof asFields(item)?.type === "string")) return undefined;
  return "a list must be the output of one response; of a conversation, give the model's last message alone";
}

function findProblem({ tool_calls, function_call, error }: Fields): string | undefined {
  const said = asFields(error)?.message;
  if (typeof said === "string") return `this is an error of the model's vendor and no message: ${said}`;
  if (asFields(function_call) !== undefined)
    return "function_call is an old form that cannot be answered; offer the functions as tools";
  const isList = Array.isArray(tool_calls) && asFieldsList(tool_calls).length === tool_calls.length;
  return tool_calls === undefined || tool_calls === null || isList
    ? undefined
    : "tool_calls must be a list of calls";
}
